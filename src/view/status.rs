//! The set's status field by field, and what a sync changed in it.

use super::build::{in_context, without_ordinals};
use super::text::Noun;
use super::{text, workload_syncs};
use crate::objects::{Extra, Json, ObjectRef, StatefulSetStatus, json_text};
use crate::session::Session;
use crate::text::Text;
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

/// The status.
#[derive(Clone, Debug, PartialEq)]
pub struct Status {
    /// What the sync did to it, in one sentence.
    pub title: Text,
    /// The fields.
    pub rows: Vec<StatusRow>,
    /// How the spec's generation stands to it.
    pub generation: Text,
}

/// One field.
#[derive(Clone, Debug, PartialEq)]
pub struct StatusRow {
    /// As in the API.
    pub name: String,
    /// What it counts.
    pub means: &'static str,
    /// Its value; empty if the field is not there.
    pub value: String,
    /// Its value before the sync, if that changed it.
    pub before: Option<String>,
}

/// The status after the sync of this number, or the last one. None if there is no set.
#[inline(never)]
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

/// What a sync did to so many fields.
pub(super) fn title_of(sync: Option<u64>, changed: usize) -> Text {
    match sync {
        None => text!("The controller has not synced the set yet"),
        Some(number) if changed == 0 => text!("Sync {} left every field as it was", number),
        Some(number) => {
            let fields = text::count_of(changed, Noun::Field);
            text!("Sync {} changed {}", number, fields)
        }
    }
}

/// How the spec's generation stands to the one that a status speaks of.
pub(super) fn generation(observed: i64, wanted: i64) -> Text {
    if observed == wanted {
        return text!("The spec is at generation {}, and the status speaks of it.", wanted);
    }
    text!("The spec is at generation {}; this status still speaks of generation {}.", wanted, observed)
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
