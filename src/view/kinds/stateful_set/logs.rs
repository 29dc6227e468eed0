//! What the controller manager logs of a decision, in the words of each release: to be found again in a real log.
//! The lines of stateful_set.go and stateful_set_control.go, without klog's header of time and place.

use crate::objects::ObjectRef;
use crate::reconcile::stateful_set::Rule;
use crate::reconcile::{Decision, Facts, Gates};
use crate::releases::{FailureLine, LogFormat};
use crate::sim::{Cluster, SyncRecord};
use crate::view::LogLines;
use crate::view::kinds::rule_text::Weight;

/// What a decision by this rule leaves in the log.
pub(super) fn log(rule: Rule, cluster: &Cluster, sync: &SyncRecord, decision: &Decision) -> LogLines {
    let (format, gates) = (&cluster.release().profile().log, cluster.controller_gates());
    let mut lines: Vec<String> = match status(format, sync, rule) {
        Some(lines) => lines,
        None => line((format, &gates), sync, rule, decision).into_iter().collect(),
    };
    let error = sync.error.as_ref().filter(|_| failed_at(format, sync) == Some(decision));
    lines.extend(error.map(|error| failure(format, &sync.subject, error)));
    LogLines { verbosity: verbosity(format, rule), lines }
}

/// The decision with whose lines a failed sync says so.
fn failed_at<'a>(format: &LogFormat, sync: &'a SyncRecord) -> Option<&'a Decision> {
    let ends = |other: &&Decision| other.rule.weight() == Weight::Refused || other.rule == Rule::CacheBehindOwnWrites;
    let wrote = |other: &&Decision| other.rule == Rule::StatusUnchanged || other.rule == Rule::StatusWritten;
    let status = sync.decisions.iter().rev().find(wrote).filter(|_| format.failure_ends_sync);
    status.or_else(|| sync.decisions.iter().rev().find(ends))
}

fn verbosity(format: &LogFormat, rule: Rule) -> u8 {
    match rule {
        Rule::UpdateMaxUnavailable => format.over_budget.0,
        Rule::CondemnedDeleted | Rule::UpdateDeleted | Rule::UpdateBrokenDeleted => format.deletion_verbosity,
        // Not refused by anybody, but logged as an error.
        Rule::CacheBehindOwnWrites => 0,
        rule if rule.weight() == Weight::Refused => 0,
        _ => 4,
    }
}

fn structured(format: &LogFormat, message: &str, set: &ObjectRef, values: &str) -> String {
    let logger = if format.names_logger { "logger=\"statefulset-controller\" " } else { "" };
    format!("\"{message}\" {logger}statefulSet=\"{}/{}\"{values}", set.namespace, set.name)
}

fn line((format, gates): (&LogFormat, &Gates), sync: &SyncRecord, rule: Rule, decision: &Decision) -> Option<String> {
    let set = &sync.subject;
    let name = |decision: &Decision| decision.ordinal().map(|ordinal| format!("{}-{ordinal}", set.name));
    // A condemned pod that is not right waits for the one that is named.
    let named = match rule {
        Rule::CondemnedNotReady | Rule::CondemnedNotAvailable => first_unhealthy(sync).and_then(name),
        _ => name(decision),
    };
    let begins = rule == Rule::PodsClaimed;
    if if begins { format.sync_is_structured } else { format.is_structured } {
        let pod = named.map_or_else(String::new, |name| format!("{}/{name}", set.namespace));
        return message((format, gates), set, (rule, decision.facts.clone()), &pod);
    }
    sentence(
        format,
        &format!("{}/{}", set.namespace, set.name),
        (rule, decision.facts.clone()),
        &named.unwrap_or_default(),
    )
}

/// As sentences.
fn sentence(format: &LogFormat, set: &str, decision: (Rule, Facts), pod: &str) -> Option<String> {
    let words = match decision {
        (Rule::PodsClaimed, Facts::Claimed { owned, .. }) => {
            return Some(format!("Syncing StatefulSet {set} with {owned} pods"));
        }
        (Rule::FirstUnhealthy, Facts::Count(count)) => format!("has {count} unhealthy Pods starting with {pod}"),
        (Rule::ReplicaFailed, _) if format.logs_recreation => format!("is recreating failed Pod {pod}"),
        (Rule::ReplicaTerminating, _) => format!("is waiting for Pod {pod} to Terminate"),
        (Rule::ReplicaNotReady, _) => format!("is waiting for Pod {pod} to be Running and Ready"),
        (Rule::ReplicaNotAvailable, _) => format!("is waiting for Pod {pod} to be Available"),
        (Rule::CondemnedNotAvailable, _) => format!("is waiting for Pod {pod} to be Available prior to scale down"),
        (Rule::CondemnedTerminating | Rule::CondemnedPassed, _) => {
            format!("is waiting for Pod {pod} to Terminate prior to scale down")
        }
        (Rule::CondemnedNotReady, _) => {
            format!("is waiting for Pod {pod} to be Running and Ready prior to scale down")
        }
        (Rule::CondemnedDeleted | Rule::CondemnedDeleteRefused, _) => {
            format!("terminating Pod {pod} for scale {}", format.down)
        }
        (Rule::UpdateDeleted | Rule::UpdateDeleteRefused, _) => format!("terminating Pod {pod} for update"),
        (Rule::UpdateNotHealthy, _) => format!("is waiting for Pod {pod} to update"),
        _ => return None,
    };
    Some(format!("StatefulSet {set} {words}"))
}

/// As messages with their values.
fn message(
    (format, gates): (&LogFormat, &Gates),
    set: &ObjectRef,
    decision: (Rule, Facts),
    pod: &str,
) -> Option<String> {
    let words = match decision {
        (Rule::PodsClaimed, Facts::Claimed { owned, .. }) => {
            return Some(structured(format, "Syncing StatefulSet with pods", set, &format!(" pods={owned}")));
        }
        (Rule::FirstUnhealthy, Facts::Count(count)) => {
            let word = format.unhealthy;
            let values = format!(" {word}Replicas={count} pod=\"{pod}\"");
            return Some(structured(format, &format!("StatefulSet has {word} Pods"), set, &values));
        }
        (Rule::UpdateMaxUnavailable, Facts::Unavailable { unavailable, allowed }) => {
            if unavailable == allowed && !format.logs_equal_budget {
                return None;
            }
            let words = &format!("StatefulSet found unavailablePods, {} maxUnavailable", format.over_budget.1);
            let values = format!(" unavailablePods={unavailable} maxUnavailable={allowed}");
            return Some(structured(format, words, set, &values));
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
        (Rule::UpdateBrokenDeleted, _) => "StatefulSet terminating unavailable Pod for update",
        (Rule::UpdateDeleted | Rule::UpdateDeleteRefused, _) if gates.max_unavailable => {
            "StatefulSet terminating Pod for update"
        }
        (Rule::UpdateDeleted | Rule::UpdateDeleteRefused, _) => "Pod of StatefulSet is terminating for update",
        (Rule::UpdateNotHealthy, _) => "StatefulSet is waiting for Pod to update",
        _ => return None,
    };
    Some(structured(format, words, set, &format!(" pod=\"{pod}\"")))
}

fn first_unhealthy(sync: &SyncRecord) -> Option<&Decision> {
    sync.decisions.iter().find(|decision| decision.rule == Rule::FirstUnhealthy)
}

/// The lines with which a sync that got as far as its status ends.
fn status(format: &LogFormat, sync: &SyncRecord, rule: Rule) -> Option<Vec<String>> {
    if !matches!(rule, Rule::StatusUnchanged | Rule::StatusWritten) {
        return None;
    }
    let (set, [_, now]) = (&sync.subject, sync.stateful_set_status()?);
    let (replicas, ready, current, updated) =
        (now.replicas, now.ready_replicas, now.current_replicas, now.updated_replicas);
    let (from, to) = (&now.current_revision, &now.update_revision);
    if format.is_structured {
        let numbers =
            format!(" replicas={replicas} readyReplicas={ready} currentReplicas={current} updatedReplicas={updated}");
        let revisions = format!(" currentRevision=\"{from}\" updateRevision=\"{to}\"");
        let mut lines = vec![structured(format, format.status, set, &numbers)];
        if sync.error.is_none() || !format.failure_ends_sync {
            lines.push(structured(format, "StatefulSet revisions", set, &revisions));
        }
        return Some(lines);
    }
    let key = format!("StatefulSet {}/{}", set.namespace, set.name);
    Some(vec![
        format!("{key} pod status replicas={replicas} ready={ready} current={current} updated={updated}"),
        format!("{key} revisions current={from} update={to}"),
    ])
}

/// What a failed sync leaves, whatever the verbosity.
fn failure(format: &LogFormat, set: &ObjectRef, error: &str) -> String {
    let sentence = |first| format!("{first} syncing StatefulSet {}/{}, requeuing: {error}", set.namespace, set.name);
    match format.failure {
        FailureLine::Sentence(first) => sentence(first),
        FailureLine::Unhandled => {
            format!("\"Unhandled Error\" err={:?} logger=\"UnhandledError\"", sentence("error"))
        }
        FailureLine::Values => {
            let key = format!("{}/{}", set.namespace, set.name);
            format!("\"Error syncing StatefulSet, requeuing\" err={error:?} logger=\"UnhandledError\" key={key:?}")
        }
    }
}
