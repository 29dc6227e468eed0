//! When a text was made, and its times on the clock of the run, which starts at that moment.

use crate::objects::{Json, Time};
use crate::sim::START;
use serde_json::Value;

/// The fields that hold a moment of the cluster. A template's annotations may hold moments too; these are part of its hash and
/// stay as they are.
const FIELDS: [&str; 17] = [
    "creationTimestamp",
    "deletionTimestamp",
    "eventTime",
    "finishedAt",
    "firstObservedTime",
    "firstTimestamp",
    "lastHeartbeatTime",
    "lastObservedTime",
    "lastProbeTime",
    "lastTimestamp",
    "lastTransitionTime",
    "lastUpdateTime",
    // An annotation that OpenKruise puts on pods.
    "lifecycle.apps.kruise.io/timestamp",
    "renewTime",
    "startTime",
    "startedAt",
    "timeAdded",
];
/// An annotation that is a map, written as text, and its fields that hold a moment.
const WRITTEN: (&str, &[&str]) = ("apps.kruise.io/inplace-update-state", &["updateTimestamp", "timestamp"]);

/// The newest moment of an object that is not in the future (a deletion's is, by its grace period); who wrote it when counts too.
pub(super) fn newest(object: &Value) -> Option<Time> {
    let grace = object["metadata"]["deletionGracePeriodSeconds"].as_i64().unwrap_or(0);
    let mut newest = None;
    visit(object, &mut |name, text| {
        let Some(Time(at)) = Time::parse(text) else { return };
        newest = newest.max(Some(Time(if name == "deletionTimestamp" {
            at.saturating_sub(grace.saturating_mul(1_000))
        } else {
            at
        })));
    });
    let writes = object["metadata"]["managedFields"].as_array().into_iter().flatten();
    newest.max(writes.filter_map(|write| write["time"].as_str().and_then(Time::parse)).max())
}

/// The newest moment at which something of the object changed. That a node or a probe was heard of again is no change.
pub fn newest_move(object: &Value) -> Option<Time> {
    let mut newest = None;
    visit(object, &mut |name, text| {
        if !["lastHeartbeatTime", "lastProbeTime", "renewTime"].contains(&name) {
            newest = newest.max(Time::parse(text));
        }
    });
    newest
}

/// The newest moments of a text's objects.
#[derive(Default)]
pub(super) struct Moments(Vec<Moment>);

struct Moment {
    newest: Time,
    /// Kind and name of the object.
    of: String,
    /// Whether it is a node that says that it is ready: its kubelet reports again and again.
    reports: bool,
}

/// Longer than this no kubelet is silent while its node is Ready: it reports every 5 minutes, and has 40 seconds.
const SILENCE_MS: i64 = 360_000;
/// Nothing else in a cluster is older than this where one object is newer.
const YEAR_MS: i64 = 365 * 86_400_000;
/// From 2100 on a moment is none of a cluster.
const NEVER: Time = Time(4_102_444_800_000);

impl Moments {
    /// Notes an object's newest moment.
    pub(super) fn see(&mut self, object: &Value) {
        let Some(newest) = newest(object) else { return };
        let word = |value: &Value| value.as_str().unwrap_or_default().to_owned();
        let conditions = object["status"]["conditions"].as_array().into_iter().flatten();
        let reports = object["kind"] == "Node"
            && conditions
                .into_iter()
                .any(|one| one["type"] == "Ready" && one["status"] == "True" && one["lastHeartbeatTime"].is_string());
        let of = format!("{} {}", word(&object["kind"]), word(&object["metadata"]["name"]));
        self.0.push(Moment { newest, of, reports });
    }

    /// The newest moment, and the objects that have one which is ahead of those of all others, and cannot be.
    pub(super) fn newest(mut self) -> (Option<Time>, Vec<String>) {
        self.0.sort_by_key(|moment| std::cmp::Reverse(moment.newest));
        let mut ahead = self.0.iter().take_while(|moment| moment.newest >= NEVER).count();
        if let [first, second, others @ ..] = &self.0[ahead..] {
            let lead = first.newest.0.saturating_sub(second.newest.0);
            let other_reports = second.reports || others.iter().any(|other| other.reports);
            let is_ahead = first.reports && other_reports && lead > SILENCE_MS;
            if is_ahead || (!others.is_empty() && lead > YEAR_MS) {
                ahead += 1;
            }
        }
        let newest = self.0.get(ahead).map(|moment| moment.newest);
        (newest, self.0.into_iter().take(ahead).map(|moment| moment.of).collect())
    }
}

/// Moments that are ahead of the present become the present; of a deletion, what is left of its grace.
pub(super) fn hold_back(object: &mut Value, present: Time) {
    let grace = object["metadata"]["deletionGracePeriodSeconds"].as_i64().unwrap_or(0).clamp(0, YEAR_MS / 1_000);
    let ends = present.plus_seconds(grace);
    change(object, &FIELDS, &|name, text| {
        let last = if name == "deletionTimestamp" { ends } else { present };
        Time::parse(text).filter(|at| *at > last).map(|_| last.to_json())
    });
}

/// Ages that forms tell of become moments of a text that was made then.
pub(super) fn resolve(object: &mut Value, made: Time) {
    change(object, &FIELDS, &|_, text| super::forms::moment(text, made).map(|at| at.to_json()));
}

/// Moves every moment so that `present` is the start of the run's clock.
pub(super) fn shift(object: &mut Value, present: Time) {
    // The API writes no moment before this one.
    const FIRST: Time = Time(-62_135_596_800_000);
    let by = START.0.saturating_sub(present.0);
    change(object, &FIELDS, &|_, text| Time::parse(text).map(|at| Time(at.0.saturating_add(by)).max(FIRST).to_json()));
}

fn visit(value: &Value, see: &mut impl FnMut(&str, &str)) {
    match value {
        Value::Array(items) => items.iter().for_each(|item| visit(item, see)),
        Value::Object(fields) => {
            for (name, value) in fields {
                match value {
                    Value::String(text) if FIELDS.contains(&name.as_str()) => see(name, text),
                    _ => visit(value, see),
                }
            }
        }
        _ => {}
    }
}

fn change(value: &mut Value, names: &[&str], moved: &impl Fn(&str, &str) -> Option<Value>) {
    match value {
        Value::Array(items) => items.iter_mut().for_each(|item| change(item, names, moved)),
        Value::Object(fields) => {
            for (name, value) in fields {
                match value {
                    Value::String(text) if name == WRITTEN.0 => {
                        let Ok(mut map) = serde_json::from_str::<Value>(text) else { continue };
                        change(&mut map, WRITTEN.1, moved);
                        *text = map.to_string();
                    }
                    Value::String(text) if names.contains(&name.as_str()) => {
                        if let Some(at) = moved(name, text) {
                            *value = at;
                        }
                    }
                    _ => change(value, names, moved),
                }
            }
        }
        _ => {}
    }
}
