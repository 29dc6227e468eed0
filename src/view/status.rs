//! A workload's status field by field, and what a sync changed in it.

use super::build::meant;
use super::kinds::workload;
use super::text::{generation, title_of};
use super::{Status, StatusRow};
use crate::objects::{Object, ObjectRef, json_text};
use crate::session::Session;
use crate::verdict::syncs;
use serde_json::{Map, Value};
use std::collections::BTreeSet;

/// The fields of a status in the order in which they are shown, and what each counts.
const FIELDS: [(&str, &str); 17] = [
    ("observedGeneration", "the generation of the spec that the controller has acted on"),
    ("replicas", "pods that exist"),
    ("readyReplicas", "pods that are Running and Ready"),
    ("availableReplicas", "pods that have been Ready for minReadySeconds"),
    ("unavailableReplicas", "pods that are missing or not available"),
    ("updatedReplicas", "pods of the current template"),
    ("updatedReadyReplicas", "of these, Ready ones"),
    ("updatedAvailableReplicas", "of these, available ones"),
    ("expectedUpdatedReplicas", "pods that the partition lets be updated"),
    ("currentRevision", "what every pod was at when the last rollout was complete"),
    ("updateRevision", "the revision of the current template"),
    ("desiredNumberScheduled", "nodes that should have the pod"),
    ("currentNumberScheduled", "of these, nodes that have it"),
    ("numberMisscheduled", "nodes that have the pod and should not"),
    ("numberReady", "nodes whose pod is Ready"),
    ("numberAvailable", "nodes whose pod is available"),
    ("updatedNumberScheduled", "nodes whose pod is of the current template"),
];

/// The status after the sync of this number, or the last one. None if there is no workload.
pub fn status(session: &Session, set: Option<&ObjectRef>, number: Option<u64>) -> Option<Status> {
    let cluster = session.cluster();
    let object = meant(cluster, set)?;
    let chosen = number.and_then(|number| syncs(cluster, object).find(|sync| sync.number == number));
    let sync = chosen.or_else(|| syncs(cluster, object).next());
    // A ReplicaSet's sync leaves the status of its Deployment as it was.
    let mut own = syncs(cluster, object).filter(|own| own.subject == object.reference());
    let own = own.find(|own| sync.is_none_or(|sync| own.number <= sync.number));
    let after = own.and_then(|own| own.after.as_ref()).unwrap_or(object);
    let before = own.filter(|own| sync.is_some_and(|sync| sync.number == own.number));
    let before = before.and_then(|own| own.before.as_ref()).unwrap_or(after);
    let [before, after] = [before, after].map(Object::status_value);
    let observed = after["observedGeneration"].as_i64().unwrap_or(0);
    let rows = rows(workload(object)?.status_fields(), &before, &after);
    let changed = rows.iter().filter(|row| row.before.is_some()).count();
    let title = title_of(sync.map(|sync| sync.number), changed);
    Some(Status { title, rows, generation: generation(observed, object.metadata().generation) })
}

/// The kind's own fields, whether they are there or not, and what else is there.
fn rows(own: &'static [(&'static str, &'static str)], before: &Value, after: &Value) -> Vec<StatusRow> {
    let mut others: Vec<&String> =
        [after, before].into_iter().filter_map(Value::as_object).flat_map(Map::keys).collect();
    others.retain(|name| !own.iter().any(|(field, _)| field == name));
    let known = |name: &str| FIELDS.iter().position(|(field, _)| *field == name);
    others.sort_by_key(|name| known(name).unwrap_or(FIELDS.len()));
    let mut seen = BTreeSet::new();
    others.retain(|name| seen.insert(*name));
    let others = others.into_iter().map(|name| (&**name, known(name).map_or("", |at| FIELDS[at].1)));
    let row = |(name, means): (&str, &'static str)| {
        // Counts that Go leaves out are 0.
        let value = |status: &Value| match &status[name] {
            Value::Null if own.iter().any(|(field, _)| *field == name) && is_count(name) => "0".to_owned(),
            value => worded(value),
        };
        let (was, is) = (value(before), value(after));
        StatusRow { name: name.to_owned(), means, before: (was != is).then_some(was), value: is }
    };
    own.iter().copied().chain(others).map(row).collect()
}

fn is_count(name: &str) -> bool {
    name.ends_with("Replicas") || name.ends_with("Generation")
}

/// A value in words; a condition as `Available=True MinimumReplicasAvailable`.
fn worded(value: &Value) -> String {
    let word = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    match value {
        Value::Null => String::new(),
        Value::String(text) => text.clone(),
        Value::Array(all) if all.iter().all(|one| one["type"].is_string()) => {
            let one = |one: &Value| format!("{}={} {}", word(&one["type"]), word(&one["status"]), word(&one["reason"]));
            all.iter().map(|value| one(value).trim_end().to_owned()).collect::<Vec<_>>().join(", ")
        }
        other => json_text(other),
    }
}
