//! The set's status field by field, and what a sync changed in it.

use super::build::{in_context, without_ordinals};
use super::text::{generation, title_of};
use super::{Status, StatusRow, workload_syncs};
use crate::objects::{Extra, Json, ObjectRef, StatefulSetStatus, json_text};
use crate::session::Session;
use serde_json::Value;

/// Every field the API has, in the order kubectl prints them, and what it counts.
const FIELDS: [(&str, &str); 9] = [
    ("observedGeneration", "the generation of the spec that the controller has acted on"),
    ("replicas", "pods that exist"),
    ("readyReplicas", "pods that are Running and Ready"),
    ("availableReplicas", "pods that have been Ready for minReadySeconds"),
    ("currentReplicas", "pods at the current revision"),
    ("updatedReplicas", "pods at the update revision"),
    ("currentRevision", "what every pod was at when the last rollout was complete"),
    ("updateRevision", "the revision of the current template"),
    ("collisionCount", "how often a revision's name was taken"),
];

/// The status after the sync of this number, or the last one. None if there is no set.
pub fn status(session: &Session, set: Option<&ObjectRef>, number: Option<u64>) -> Option<Status> {
    if let Some(set) = without_ordinals(session, set) {
        return workload_syncs::status(session, &set, number);
    }
    let context = in_context(session, set)?.at(number);
    let stored = &context.set.status;
    let statuses = context.last_sync.and_then(|sync| sync.stateful_set_status());
    let [before, after] = statuses.unwrap_or([stored, stored]);
    let rows = rows(before, after);
    let changed = rows.iter().filter(|row| row.before.is_some()).count();
    let title = title_of(context.last_sync.map(|sync| sync.number), changed);
    Some(Status { title, rows, generation: generation(after.observed_generation, context.set.metadata.generation) })
}

fn rows(before: &StatefulSetStatus, after: &StatefulSetStatus) -> Vec<StatusRow> {
    let fields = |status: &StatefulSetStatus| match status.to_json() {
        Value::Object(fields) => fields,
        _ => Extra::new(),
    };
    let (before, after) = (fields(before), fields(after));
    let known = |name: &str| FIELDS.iter().any(|(field, _)| *field == name);
    let others = after.keys().chain(before.keys().filter(|key| !after.contains_key(*key)));
    let others = others.filter(|key| !known(key)).map(|key| (key.as_str(), ""));
    let row = |(name, means): (&str, &'static str)| {
        let value = |fields: &Extra| written(name, fields.get(name));
        let (was, is) = (value(&before), value(&after));
        StatusRow { name: name.to_owned(), means, before: (was != is).then_some(was), value: is }
    };
    FIELDS.into_iter().chain(others).map(row).collect()
}

/// The value as the API means it: counts that Go leaves out are 0.
fn written(name: &str, value: Option<&Value>) -> String {
    match value {
        Some(Value::String(text)) => text.clone(),
        Some(value) => json_text(value),
        None if name.ends_with("Replicas") || name.ends_with("Generation") => "0".to_owned(),
        None => String::new(),
    }
}
