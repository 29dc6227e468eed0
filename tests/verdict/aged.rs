//! Over every text of objects in tests that is promised to get well by itself: the same, made three hours older while the rest of its
//! cluster goes on, is not.

use super::texts;

use serde_json::{Value, json};
use setscope::diagnosis::{CONDITIONS, Told, diagnose};
use setscope::kubectl::manifest::Listing;
use setscope::objects::{ObjectRef, Time};
use setscope::session::dump::{self, Options};
use setscope::verdict::{Ends, Verdict};

const HOURS: i64 = 3;
/// Where a cluster's objects have their times.
const FIELDS: [&str; 14] = [
    "creationTimestamp",
    "deletionTimestamp",
    "eventTime",
    "finishedAt",
    "firstTimestamp",
    "lastHeartbeatTime",
    "lastObservedTime",
    "lastTimestamp",
    "lastTransitionTime",
    "lastUpdateTime",
    "startTime",
    "startedAt",
    "time",
    "timeAdded",
];

/// The objects of a text, if these are all that it has.
pub(super) fn objects(text: &str) -> Option<Vec<Value>> {
    let mut listing = Listing::new(text.into());
    while listing.advance() {}
    let (listed, unreadable) = listing.finish();
    let all: Vec<Value> = listed.into_iter().map(|listed| listed.value).collect();
    (unreadable.is_none() && !all.is_empty() && all.iter().all(|value| value["kind"].is_string())).then_some(all)
}

/// Every time of an object, but for those of templates: these are part of their hash.
fn each_time(value: &mut Value, see: &mut dyn FnMut(&str, &mut String)) {
    match value {
        Value::Object(fields) => {
            for (name, value) in fields.iter_mut().filter(|(name, _)| *name != "template" && *name != "data") {
                match value {
                    Value::String(text) if FIELDS.contains(&&**name) => see(name, text),
                    _ => each_time(value, see),
                }
            }
        }
        Value::Array(all) => all.iter_mut().for_each(|value| each_time(value, see)),
        _ => {}
    }
}

/// The same text, made older: all but the heartbeats of nodes that are Ready, and an event of another namespace.
fn aged(mut all: Vec<Value>) -> Option<String> {
    let mut newest = None;
    for object in &mut all {
        each_time(object, &mut |name, text| {
            let at = Time::parse(text).filter(|_| name != "deletionTimestamp");
            newest = newest.max(at);
        });
    }
    let now = newest?;
    for object in &mut all {
        let is_ready = |one: &Value| one["type"] == "Ready" && one["status"] == "True";
        let answers =
            object["kind"] == "Node" && object["status"]["conditions"].as_array().into_iter().flatten().any(is_ready);
        each_time(object, &mut |name, text| {
            if let Some(at) = Time::parse(text).filter(|_| !(answers && name == "lastHeartbeatTime")) {
                *text = Time(at.0 - HOURS * 3_600_000).to_string();
            }
        });
    }
    let now = now.to_string();
    all.push(json!({
        "apiVersion": "v1", "kind": "Event", "type": "Normal", "reason": "Pulled", "message": "Container image \"a:1\" already present on machine",
        "metadata": { "name": "other.1", "namespace": "elsewhere", "creationTimestamp": now },
        "involvedObject": { "kind": "Pod", "name": "other-7d9f8c6b5-x2k4z", "namespace": "elsewhere", "uid": "1-1" },
        "count": 1, "firstTimestamp": now, "lastTimestamp": now,
    }));
    let text: Vec<String> = all.iter().map(Value::to_string).collect();
    Some(text.join("\n---\n"))
}

/// What is promised, and is not as asked yet: those that have a time of their own to wait out after three hours are let be.
fn promised(text: &str, may_last: bool) -> Option<Vec<(ObjectRef, Verdict)>> {
    let dump = dump::open(text, &Options::default()).ok()?;
    let session = dump.session(1).ok()?;
    let all = diagnose(&session, Told::from(&dump), CONDITIONS).into_iter().map(|one| one.verdict);
    let waits = |verdict: &Verdict| {
        let object = session.cluster().get(&verdict.workload);
        !may_last && object.is_ok_and(|object| i64::from(object.min_ready_seconds()) > HOURS * 3_600)
    };
    let is_promised =
        |verdict: &Verdict| matches!(verdict.ends, Ends::ByItself { .. }) && !verdict.is_well() && !waits(verdict);
    Some(all.filter(is_promised).map(|verdict| (verdict.workload.clone(), verdict)).collect())
}

#[test]
fn what_has_lasted_for_hours_is_promised_to_end_by_nothing() {
    let (mut tried, mut wrong) = (0, Vec::new());
    // Two states of a rollout are manifests, which nobody has had from a cluster.
    let is_dump = |name: &str| !["-old.yaml", "-new.yaml"].iter().any(|end| name.ends_with(end));
    for (name, text) in texts().into_iter().filter(|(name, _)| is_dump(name)) {
        let Some(all) = objects(&text) else { continue };
        let Some(before) = promised(&text, true).filter(|before| !before.is_empty()) else { continue };
        let Some(after) = aged(all).and_then(|text| promised(&text, false)) else { continue };
        tried += 1;
        for (workload, verdict) in after.iter().filter(|(workload, _)| before.iter().any(|(one, _)| one == workload)) {
            wrong.push(format!("{name}: {} {:?} {:?}", workload.name, verdict.state, verdict.ends));
        }
    }
    assert!(tried > 60, "only {tried} were tried");
    assert!(wrong.is_empty(), "{} of {tried}:\n{}", wrong.len(), wrong.join("\n"));
}
