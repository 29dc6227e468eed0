//! What the controller manager logs of a decision, in the words of each release: to be found again in a real log.
//! The lines of stateful_set.go and stateful_set_control.go, without klog's header of time and place.

use super::context::{Weight, weight};
use crate::objects::ObjectRef;
use crate::reconcile::{Decision, Facts, Gates, Release, Rule};
use crate::sim::{Cluster, SyncRecord};

/// Lines of one decision.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LogLines {
    /// The verbosity from which they are written, such as 4 of `-v=4`.
    pub verbosity: u8,
    /// In order; none if the release logs nothing here.
    pub lines: Vec<String>,
}

/// What a decision of a StatefulSet's sync leaves in the log.
pub(super) fn log_of((release, gates): (Release, &Gates), sync: &SyncRecord, decision: Decision) -> LogLines {
    let mut lines: Vec<String> = match status(release, sync, decision.rule) {
        Some(lines) => lines.into(),
        None => line((release, gates), sync, decision).into_iter().collect(),
    };
    let ends_here = || sync.decisions.iter().rev().find(|other| weight(other.rule) == Weight::Refused);
    let error = sync.error.as_ref().filter(|_| ends_here() == Some(&decision));
    lines.extend(error.map(|error| failure(release, &sync.set, error)));
    LogLines { verbosity: verbosity(release, decision.rule), lines }
}

/// What one sync of a StatefulSet leaves in the log, in order. Decisions that log nothing leave no line.
pub fn lines_of_sync(cluster: &Cluster, sync: &SyncRecord) -> Vec<String> {
    let gates = cluster.controller_gates();
    let lines = |decision: &Decision| log_of((cluster.release(), &gates), sync, *decision).lines;
    sync.decisions.iter().flat_map(lines).collect()
}

fn verbosity(release: Release, rule: Rule) -> u8 {
    match rule {
        Rule::CondemnedDeleted | Rule::UpdateDeleted | Rule::UpdateMaxUnavailable if release > Release::V1_9 => 2,
        rule if weight(rule) == Weight::Refused => 0,
        _ => 4,
    }
}

/// Older releases write sentences; newer ones a message with its values behind it.
fn is_structured(release: Release) -> bool {
    release >= Release::V1_28
}

fn structured(release: Release, message: &str, set: &ObjectRef, values: &str) -> String {
    // From 1.30 on loggers are named.
    let logger = if release >= Release::V1_34 { "logger=\"statefulset-controller\" " } else { "" };
    format!("\"{message}\" {logger}statefulSet=\"{}/{}\"{values}", set.namespace, set.name)
}

fn line((release, gates): (Release, &Gates), sync: &SyncRecord, decision: Decision) -> Option<String> {
    let set = &sync.set;
    let name = |decision: Decision| decision.ordinal.map(|ordinal| format!("{}-{ordinal}", set.name));
    // A condemned pod that is not right waits for the one that is named.
    let named = match decision.rule {
        Rule::CondemnedNotReady | Rule::CondemnedNotAvailable => first_unhealthy(sync).and_then(name),
        _ => name(decision),
    };
    if is_structured(release) {
        let pod = named.map_or_else(String::new, |name| format!("{}/{name}", set.namespace));
        return message((release, gates), set, decision, &pod);
    }
    sentence(release, &format!("{}/{}", set.namespace, set.name), decision, &named.unwrap_or_default())
}

/// To 1.20.
fn sentence(release: Release, set: &str, decision: Decision, pod: &str) -> Option<String> {
    let words = match (decision.rule, decision.facts) {
        (Rule::PodsClaimed, Facts::Claimed { owned, .. }) => {
            return Some(format!("Syncing StatefulSet {set} with {owned} pods"));
        }
        (Rule::FirstUnhealthy, Facts::Count(count)) => format!("has {count} unhealthy Pods starting with {pod}"),
        (Rule::ReplicaFailed, _) if release == Release::V1_9 => format!("is recreating failed Pod {pod}"),
        (Rule::ReplicaTerminating, _) => format!("is waiting for Pod {pod} to Terminate"),
        (Rule::ReplicaNotReady, _) => format!("is waiting for Pod {pod} to be Running and Ready"),
        (Rule::CondemnedTerminating | Rule::CondemnedPassed, _) => {
            format!("is waiting for Pod {pod} to Terminate prior to scale down")
        }
        (Rule::CondemnedNotReady, _) => {
            format!("is waiting for Pod {pod} to be Running and Ready prior to scale down")
        }
        (Rule::CondemnedDeleted | Rule::CondemnedDeleteRefused, _) => {
            let down = if release == Release::V1_9 { "dowm" } else { "down" };
            format!("terminating Pod {pod} for scale {down}")
        }
        (Rule::UpdateDeleted | Rule::UpdateDeleteRefused, _) => format!("terminating Pod {pod} for update"),
        (Rule::UpdateNotHealthy, _) => format!("is waiting for Pod {pod} to update"),
        _ => return None,
    };
    Some(format!("StatefulSet {set} {words}"))
}

/// From 1.28.
fn message((release, gates): (Release, &Gates), set: &ObjectRef, decision: Decision, pod: &str) -> Option<String> {
    let words = match (decision.rule, decision.facts) {
        (Rule::PodsClaimed, Facts::Claimed { owned, .. }) => {
            return Some(structured(release, "Syncing StatefulSet with pods", set, &format!(" pods={owned}")));
        }
        (Rule::FirstUnhealthy, Facts::Count(count)) => {
            let word = if release < Release::V1_34 { "unhealthy" } else { "unavailable" };
            let values = format!(" {word}Replicas={count} pod=\"{pod}\"");
            return Some(structured(release, &format!("StatefulSet has {word} Pods"), set, &values));
        }
        (Rule::UpdateMaxUnavailable, Facts::Unavailable { unavailable, allowed }) => {
            let words = "StatefulSet found unavailablePods, more than or equal to allowed maxUnavailable";
            let values = format!(" unavailablePods={unavailable} maxUnavailable={allowed}");
            return Some(structured(release, words, set, &values));
        }
        (Rule::ReplicaClaimsCreated | Rule::ReplicaClaimsRefused, _) => {
            "StatefulSet is triggering PVC creation for pending Pod"
        }
        (Rule::ReplicaTerminating, _) => "StatefulSet is waiting for Pod to Terminate",
        (Rule::ReplicaNotReady, _) => "StatefulSet is waiting for Pod to be Running and Ready",
        (Rule::ReplicaNotAvailable, _) => "StatefulSet is waiting for Pod to be Available",
        (Rule::CondemnedTerminating, _) => "StatefulSet is waiting for Pod to Terminate prior to scale down",
        (Rule::CondemnedNotReady, _) => "StatefulSet is waiting for Pod to be Running and Ready prior to scale down",
        (Rule::CondemnedNotAvailable, _) => "StatefulSet is waiting for Pod to be Available prior to scale down",
        (Rule::CondemnedDeleted | Rule::CondemnedDeleteRefused, _) => {
            "Pod of StatefulSet is terminating for scale down"
        }
        (Rule::UpdateDeleted | Rule::UpdateDeleteRefused, _) if gates.max_unavailable => {
            "StatefulSet terminating Pod for update"
        }
        (Rule::UpdateDeleted | Rule::UpdateDeleteRefused, _) => "Pod of StatefulSet is terminating for update",
        (Rule::UpdateNotHealthy, _) => "StatefulSet is waiting for Pod to update",
        _ => return None,
    };
    Some(structured(release, words, set, &format!(" pod=\"{pod}\"")))
}

fn first_unhealthy(sync: &SyncRecord) -> Option<Decision> {
    sync.decisions.iter().find(|decision| decision.rule == Rule::FirstUnhealthy).copied()
}

/// The two lines with which a sync that got as far as its status ends.
fn status(release: Release, sync: &SyncRecord, rule: Rule) -> Option<[String; 2]> {
    if !matches!(rule, Rule::StatusUnchanged | Rule::StatusWritten) {
        return None;
    }
    let (set, now) = (&sync.set, &sync.status.1);
    let (replicas, ready, current, updated) =
        (now.replicas, now.ready_replicas, now.current_replicas, now.updated_replicas);
    let (from, to) = (&now.current_revision, &now.update_revision);
    if is_structured(release) {
        let numbers =
            format!(" replicas={replicas} readyReplicas={ready} currentReplicas={current} updatedReplicas={updated}");
        let revisions = format!(" currentRevision=\"{from}\" updateRevision=\"{to}\"");
        return Some([
            structured(release, "Updated status", set, &numbers),
            structured(release, "StatefulSet revisions", set, &revisions),
        ]);
    }
    let key = format!("StatefulSet {}/{}", set.namespace, set.name);
    Some([
        format!("{key} pod status replicas={replicas} ready={ready} current={current} updated={updated}"),
        format!("{key} revisions current={from} update={to}"),
    ])
}

/// What a failed sync leaves, whatever the verbosity.
fn failure(release: Release, set: &ObjectRef, error: &str) -> String {
    let first = if release < Release::V1_20 { "Error" } else { "error" };
    let words = format!("{first} syncing StatefulSet {}/{}, requeuing: {error}", set.namespace, set.name);
    if release >= Release::V1_34 {
        return format!("\"Unhandled Error\" err={words:?} logger=\"UnhandledError\"");
    }
    words
}
