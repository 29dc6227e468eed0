//! The syncs of a workload without ordinals: the way one took, what it wrote, what it changed in the status.

use super::kinds::{self, Weight, deciding};
use super::text::{Noun, generation, title_of, written};
use super::why::{step_of, told};
use super::{Stage, Status, StatusRow, Step, StepState, SyncView, text};
use crate::objects::{Object, ObjectRef, json_text};
use crate::order::Order;
use crate::reconcile::{self, Decision, Release, Rule};
use crate::session::Session;
use crate::sim::{Cluster, Outcome, START, SyncRecord};
use crate::text::Text;
use crate::verdict::syncs;
use serde_json::Value;
use std::rc::Rc;

/// The sync of this number, or the last one.
pub(super) fn sync(session: &Session, set: &ObjectRef, number: Option<u64>, most: usize) -> Option<SyncView> {
    let cluster = session.cluster();
    let object = cluster.get(set).ok()?;
    let newest = syncs(cluster, object).next()?;
    let sync = number.and_then(|number| syncs(cluster, object).find(|sync| sync.number == number)).unwrap_or(newest);
    let is_last = sync.number == newest.number;
    let numbers = || syncs(cluster, object).map(|other| other.number);
    Some(SyncView {
        number: sync.number,
        summary: summary(set, sync),
        earlier: numbers().find(|other| *other < sync.number),
        later: numbers().take_while(|other| *other > sync.number).last(),
        stages: stages(sync, most),
        writes: sync.writes.iter().take(most).map(written).collect(),
        writes_left_out: sync.writes.len().saturating_sub(most),
        since: if is_last { since(cluster, object, sync) } else { Text::default() },
        chart: false,
    })
}

fn summary(set: &ObjectRef, sync: &SyncRecord) -> Text {
    let of = if sync.subject == *set { Text::default() } else { text!("ReplicaSet {}.", sync.subject.name) };
    let clock = text::clock(sync.at.0 - START.0);
    let count = i32::try_from(sync.writes.len()).unwrap_or(i32::MAX);
    let refused = sync.writes.iter().filter(|write| write.outcome != Outcome::Done).count();
    let wrote = match (count, refused) {
        (0, _) => text!("It wrote nothing."),
        (_, 0) => text!("It made {}.", text::count(count, Noun::Write)),
        _ => text!("It made {}, {} of them refused.", text::count(count, Noun::Write), refused),
    };
    Text::sentences([of, text!("At {}.", clock), wrote])
}

/// Since when each sync has decided the same.
fn since(cluster: &Cluster, object: &Object, sync: &SyncRecord) -> Text {
    let waits = |rule: Rule| matches!(rule.weight(), Weight::Waits | Weight::Refused);
    let Some(decision) = deciding(&sync.decisions).filter(|decision| waits(decision.rule)) else {
        return Text::default();
    };
    let own = syncs(cluster, object).filter(|other| other.subject == sync.subject);
    let same = own.take_while(|other| other.decisions.iter().any(|other| other.rule == decision.rule));
    let Some((count, first)) = same.enumerate().last() else { return Text::default() };
    let passed = text::passed(cluster.now().0 - first.at.0);
    let syncs = text::count_of(count + 1, Noun::Sync);
    text!("{}, since {} ({})", passed, text::clock(first.at.0 - START.0), syncs)
}

/// The stages of a sync in the order of the real code.
fn stages(sync: &Rc<SyncRecord>, most: usize) -> Vec<Stage> {
    let kind = sync.subject.kind;
    let deciding = deciding(&sync.decisions);
    let here = deciding.map(|decision| decision.rule.stage());
    let draw = |(stage, title): (reconcile::Stage, &'static str)| {
        let decided: Vec<&Decision> = sync.decisions.iter().filter(|decision| decision.rule.stage() == stage).collect();
        let steps: Vec<Step> = told(&decided, deciding, most)
            .map(|decision| Step { decides: deciding == Some(decision), ..step_of(sync, decision, Release::default()) })
            .collect();
        let state = match (steps.is_empty(), here == Some(stage)) {
            (true, _) => StepState::NotReached,
            (false, true) => StepState::Here,
            (false, false) => StepState::Done,
        };
        Stage { title, state, left_out: decided.len() - steps.len(), steps }
    };
    kinds::stages(kind).map(draw).collect()
}

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

/// The status after the sync of this number, or the last one.
pub(super) fn status(session: &Session, set: &ObjectRef, number: Option<u64>) -> Option<Status> {
    let cluster = session.cluster();
    let object = cluster.get(set).ok()?;
    let chosen = number.and_then(|number| syncs(cluster, object).find(|sync| sync.number == number));
    let sync = chosen.or_else(|| syncs(cluster, object).next());
    // The moments at which the workload was another one.
    let moments = || cluster.trace().history.iter().filter(|moment| moment.object.reference() == *set);
    let at =
        |known: &dyn Fn(i64) -> bool| moments().filter(|moment| known(moment.at.0)).last().map(|moment| &moment.object);
    let end = sync.map_or(i64::MAX, |sync| sync.at.0);
    let after = at(&|moment| moment <= end).unwrap_or(object);
    let before = sync.and_then(|_| at(&|moment| moment < end)).unwrap_or(after);
    let rows = rows(&before.to_json()["status"], &after.to_json()["status"]);
    let changed = rows.iter().filter(|row| row.before.is_some()).count();
    let observed = after.to_json()["status"]["observedGeneration"].as_i64().unwrap_or(0);
    let wanted = object.metadata().generation;
    Some(Status {
        title: title_of(sync.map(|sync| sync.number), changed),
        rows,
        generation: generation(observed, wanted),
    })
}

fn rows(before: &Value, after: &Value) -> Vec<StatusRow> {
    let names = |value: &Value| -> Vec<String> {
        value.as_object().into_iter().flatten().map(|(key, _)| key.clone()).collect()
    };
    let mut all = names(after);
    let gone: Vec<String> = names(before).into_iter().filter(|name| !all.contains(name)).collect();
    all.extend(gone);
    let known = |name: &str| FIELDS.iter().position(|(field, _)| *field == name);
    all.order_by_key(|name| known(name).unwrap_or(FIELDS.len()));
    let row = |name: String| {
        let (was, is) = (worded(&before[&name]), worded(&after[&name]));
        let means = known(&name).map_or("", |at| FIELDS[at].1);
        StatusRow { means, before: (was != is).then_some(was), value: is, name }
    };
    all.into_iter().map(row).collect()
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
