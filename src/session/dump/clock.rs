//! When a text was made, and its times on the clock of the run, which starts at that moment.

use crate::objects::{Json, Time};
use crate::sim::START;
use serde_json::Value;

/// The fields that hold a moment of the cluster. A template's annotations may hold moments too; these are part of its hash and
/// stay as they are.
const FIELDS: [&str; 16] = [
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
    "renewTime",
    "startTime",
    "startedAt",
    "timeAdded",
];

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

/// Ages that forms tell of become moments of a text that was made then.
pub(super) fn resolve(object: &mut Value, made: Time) {
    change(object, &|text| super::forms::moment(text, made).map(|at| at.to_json()));
}

/// Moves every moment so that `present` is the start of the run's clock.
pub(super) fn shift(object: &mut Value, present: Time) {
    let by = START.0 - present.0;
    change(object, &|text| Time::parse(text).map(|at| Time(at.0.saturating_add(by)).to_json()));
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

fn change(value: &mut Value, moved: &impl Fn(&str) -> Option<Value>) {
    match value {
        Value::Array(items) => items.iter_mut().for_each(|item| change(item, moved)),
        Value::Object(fields) => {
            for (name, value) in fields {
                match value {
                    Value::String(text) if FIELDS.contains(&name.as_str()) => {
                        if let Some(at) = moved(text) {
                            *value = at;
                        }
                    }
                    _ => change(value, moved),
                }
            }
        }
        _ => {}
    }
}
