//! What the controller manager logs of a decision, in the words of each release: to be found again in a real log.
//! The lines of stateful_set.go and stateful_set_control.go, without klog's header of time and place.

use super::context::{Weight, weight};
use crate::objects::ObjectRef;
use crate::reconcile::{Decision, Facts, Release, Rule};
use crate::sim::SyncRecord;

/// Lines of one decision.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LogLines {
    /// The verbosity from which they are written, such as 4 of `-v=4`.
    pub verbosity: u8,
    /// In order; none if the release logs nothing here.
    pub lines: Vec<String>,
}

/// What a decision of a StatefulSet's sync leaves in the log.
pub(super) fn log_of(release: Release, sync: &SyncRecord, decision: Decision) -> LogLines {
    let mut lines: Vec<String> = match status(release, sync, decision.rule) {
        Some(lines) => lines.into(),
        None => line(release, sync, decision).into_iter().collect(),
    };
    let ends_here = || sync.decisions.iter().rev().find(|other| weight(other.rule) == Weight::Refused);
    let error = sync.error.as_ref().filter(|_| ends_here() == Some(&decision));
    lines.extend(error.map(|error| failure(release, &sync.set, error)));
    LogLines { verbosity: verbosity(release, decision.rule), lines }
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

fn line(release: Release, sync: &SyncRecord, decision: Decision) -> Option<String> {
    let set = &sync.set;
    let key = format!("{}/{}", set.namespace, set.name);
    let name = |decision: Decision| decision.ordinal.map(|ordinal| format!("{}-{ordinal}", set.name));
    let pod_of = |decision: Decision| name(decision).map_or_else(String::new, |pod| format!("{}/{pod}", set.namespace));
    let (own, pod) = (name(decision).unwrap_or_default(), pod_of(decision));
    if !is_structured(release) {
        let first = first_unhealthy(sync).and_then(name).unwrap_or_default();
        let words = match (decision.rule, decision.facts) {
            (Rule::PodsClaimed, Facts::Claimed { owned, .. }) => {
                return Some(format!("Syncing StatefulSet {key} with {owned} pods"));
            }
            (Rule::FirstUnhealthy, Facts::Count(count)) => format!("has {count} unhealthy Pods starting with {own}"),
            (Rule::ReplicaFailed, _) if release == Release::V1_9 => format!("is recreating failed Pod {own}"),
            (Rule::ReplicaTerminating, _) => format!("is waiting for Pod {own} to Terminate"),
            (Rule::ReplicaNotReady, _) => format!("is waiting for Pod {own} to be Running and Ready"),
            (Rule::CondemnedTerminating | Rule::CondemnedPassed, _) => {
                format!("is waiting for Pod {own} to Terminate prior to scale down")
            }
            // The pod that is named is the one in the way.
            (Rule::CondemnedNotReady, _) => {
                format!("is waiting for Pod {first} to be Running and Ready prior to scale down")
            }
            (Rule::CondemnedDeleted | Rule::CondemnedDeleteRefused, _) => {
                let down = if release == Release::V1_9 { "dowm" } else { "down" };
                format!("terminating Pod {own} for scale {down}")
            }
            (Rule::UpdateDeleted | Rule::UpdateDeleteRefused, _) => format!("terminating Pod {own} for update"),
            (Rule::UpdateNotHealthy, _) => format!("is waiting for Pod {own} to update"),
            _ => return None,
        };
        return Some(format!("StatefulSet {key} {words}"));
    }
    let with = |message: &str, pod: &str| Some(structured(release, message, set, &format!(" pod=\"{pod}\"")));
    let first = || first_unhealthy(sync).map(pod_of).unwrap_or_default();
    match (decision.rule, decision.facts) {
        (Rule::PodsClaimed, Facts::Claimed { owned, .. }) => {
            Some(structured(release, "Syncing StatefulSet with pods", set, &format!(" pods={owned}")))
        }
        (Rule::FirstUnhealthy, Facts::Count(count)) => {
            let (word, field) = match release {
                Release::V1_34 => ("unavailable", "unavailableReplicas"),
                _ => ("unhealthy", "unhealthyReplicas"),
            };
            let values = format!(" {field}={count} pod=\"{pod}\"");
            Some(structured(release, &format!("StatefulSet has {word} Pods"), set, &values))
        }
        (Rule::ReplicaClaimsCreated | Rule::ReplicaClaimsRefused, _) => {
            with("StatefulSet is triggering PVC creation for pending Pod", &pod)
        }
        (Rule::ReplicaTerminating, _) => with("StatefulSet is waiting for Pod to Terminate", &pod),
        (Rule::ReplicaNotReady, _) => with("StatefulSet is waiting for Pod to be Running and Ready", &pod),
        (Rule::ReplicaNotAvailable, _) => with("StatefulSet is waiting for Pod to be Available", &pod),
        (Rule::CondemnedTerminating, _) => {
            with("StatefulSet is waiting for Pod to Terminate prior to scale down", &pod)
        }
        (Rule::CondemnedNotReady, _) => {
            with("StatefulSet is waiting for Pod to be Running and Ready prior to scale down", &first())
        }
        (Rule::CondemnedNotAvailable, _) => {
            with("StatefulSet is waiting for Pod to be Available prior to scale down", &first())
        }
        (Rule::CondemnedDeleted | Rule::CondemnedDeleteRefused, _) => {
            with("Pod of StatefulSet is terminating for scale down", &pod)
        }
        (Rule::UpdateDeleted | Rule::UpdateDeleteRefused, _) => {
            with("Pod of StatefulSet is terminating for update", &pod)
        }
        (Rule::UpdateNotHealthy, _) => with("StatefulSet is waiting for Pod to update", &pod),
        (Rule::UpdateMaxUnavailable, Facts::Unavailable { unavailable, allowed }) => {
            let message = "StatefulSet found unavailablePods, more than or equal to allowed maxUnavailable";
            let values = format!(" unavailablePods={unavailable} maxUnavailable={allowed}");
            Some(structured(release, message, set, &values))
        }
        _ => None,
    }
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
