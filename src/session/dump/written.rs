//! When an object was last written, by its managed fields: of a change of its spec often nothing else has the time.

use super::read::Event;
use crate::objects::Time;
use crate::sim::START;
use serde_json::Value;
use std::rc::Rc;

/// The reason of what is told as an event here: somebody wrote the object's spec.
pub(crate) const SPEC_WRITTEN: &str = "SpecWritten";
/// The reason of what is told as an event here: the object's status was written.
pub(crate) const STATUS_WRITTEN: &str = "StatusWritten";

/// What managed fields call a spec.
const SPEC: &str = "f:spec";

/// The last writes of an object's spec and of its status, on the text's clock; of a node, and of the spec of a pod, of anything that
/// people change of it.
pub(super) fn writes(object: &Value) -> Vec<Event> {
    let metadata = &object["metadata"];
    let word = |value: &Value| Rc::<str>::from(value.as_str().unwrap_or_default());
    // Controllers write nodes all the time, and to no end that is asked about here.
    let is_node = object["kind"] == "Node";
    // A label of a pod is what some controllers are asked by.
    let is_pod = object["kind"] == "Pod";
    let is_by_hand = |entry: &&Value| entry["manager"].as_str().is_some_and(|name| name.starts_with("kubectl"));
    let entries = || metadata["managedFields"].as_array().into_iter().flatten();
    let entries = || entries().filter(|entry| !is_node || is_by_hand(entry));
    let last = |part: &str| {
        let is_asked = |entry: &&Value| is_pod && part == SPEC && is_by_hand(entry);
        let is_of_part = |entry: &&Value| is_node || is_asked(entry) || entry["fieldsV1"].get(part).is_some();
        let of_part = entries().filter(is_of_part);
        of_part.filter_map(|entry| Time::parse(entry["time"].as_str()?)).max()
    };
    let event = |(reason, part): (&str, &str)| {
        let at = last(part)?;
        Some(Event {
            kind: word(&object["kind"]),
            namespace: word(&metadata["namespace"]),
            name: word(&metadata["name"]),
            uid: word(&metadata["uid"]),
            reason: reason.into(),
            message: "".into(),
            count: 1,
            first: at,
            last: at,
        })
    };
    [(SPEC_WRITTEN, SPEC), (STATUS_WRITTEN, "f:status")].into_iter().filter_map(event).collect()
}

/// The same on the run's clock, of a text that was made then.
pub(super) fn shifted(mut event: Event, taken_at: Time) -> Event {
    let at = Time(event.last.0.min(taken_at.0).saturating_sub(taken_at.0).saturating_add(START.0));
    (event.first, event.last) = (at, at);
    event
}
