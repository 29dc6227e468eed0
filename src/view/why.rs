//! The last sync as a path: the stages in the order of the real code, and what was decided in each.

use super::clones;
use super::context::Context;
use super::{StepState, logs, text};
use crate::objects::Kind;
use crate::reconcile::{Decision, Facts, Release, Rule, Source, Stage};
use crate::sim::{Outcome, SyncRecord, Verb, Write};

pub(super) fn why(context: &Context<'_>) -> Vec<super::Stage> {
    let Some(sync) = context.last_sync else { return Vec::new() };
    let here = context.deciding.map(|decision| decision.rule.stage());
    let last_of_pods =
        sync.decisions.iter().map(|decision| decision.rule.stage()).filter(|stage| *stage < Stage::Status).max();
    Stage::ALL
        .into_iter()
        .map(|stage| {
            let decided: Vec<&Decision> =
                sync.decisions.iter().filter(|decision| decision.rule.stage() == stage).collect();
            let reached =
                !decided.is_empty() || (stage < Stage::Status && last_of_pods.is_some_and(|last| stage < last));
            super::Stage {
                title: title(stage),
                state: match (reached, here == Some(stage)) {
                    (true, true) => StepState::Here,
                    (true, false) => StepState::Done,
                    (false, _) => StepState::NotReached,
                },
                steps: match (reached, decided.is_empty()) {
                    (true, true) => vec![idle(context, stage)],
                    _ => decided.into_iter().map(|decision| step(context, sync, decision)).collect(),
                },
            }
        })
        .collect()
}

fn step(context: &Context<'_>, sync: &SyncRecord, decision: &Decision) -> super::Step {
    let source = decision.rule.source(context.cluster.release());
    super::Step {
        text: sentence(context.name(), sync, *decision),
        function: source.function,
        file: source.file,
        rule: decision.rule.says(),
        holds: holds(decision.rule, source),
        log: logs::log_of((context.cluster.release(), &context.cluster.controller_gates()), sync, *decision),
    }
}

/// In which of the ported releases a rule holds.
pub(super) fn holds(rule: Rule, source: Source) -> String {
    let (since, newest) = (source.since.name(), Release::ALL[Release::ALL.len() - 1].name());
    match rule.kind() {
        Kind::CloneSet => return "OpenKruise, beside any release".to_owned(),
        Kind::ReplicaSet | Kind::Deployment | Kind::DaemonSet => return format!("as in {newest}, beside any release"),
        _ => {}
    }
    match source.until {
        Some(until) => format!("{since} to {}", until.name()),
        None if source.since == Release::ALL[0] => format!("every release, {since} to {newest}"),
        None => format!("{since} and newer"),
    }
}

/// A stage that ran and had nothing to decide.
fn idle(context: &Context<'_>, stage: Stage) -> super::Step {
    let (text, rule) = match stage {
        Stage::AdoptRevisions => {
            ("No revision is without an owner", "Revisions that match the selector and have no owner are adopted.")
        }
        Stage::Replicas => ("No ordinal is in range", "Every ordinal in range has a pod, made from the lowest up."),
        Stage::Condemned => ("No pod is out of range", "Pods out of range are deleted, the highest ordinal first."),
        Stage::ClaimPods | Stage::Revisions | Stage::Split | Stage::Update | Stage::Status | Stage::History => {
            ("There is nothing to decide", "A sync goes through every stage, with or without something to decide.")
        }
        Stage::Volumes | Stage::Scale | Stage::Refresh => ("", ""),
    };
    let release = context.cluster.release();
    let here = Rule::ALL.iter().filter(|rule| rule.stage() == stage && rule.kind() == context.key.kind);
    let here = here.map(|rule| (*rule, rule.source(release))).filter(|(_, source)| source.holds_in(release));
    // The function that would have decided, not the one that carries out.
    let deciding = here.max_by_key(|(_, source)| source.file.ends_with("_set_control.go"));
    super::Step {
        text: text.to_owned(),
        function: deciding.map_or("", |(_, source)| source.function),
        file: deciding.map_or("", |(_, source)| source.file),
        rule,
        holds: deciding.map_or_else(String::new, |(rule, source)| holds(rule, source)),
        log: logs::LogLines::default(),
    }
}

pub(super) fn title(stage: Stage) -> &'static str {
    match stage {
        Stage::AdoptRevisions => "Adopt revisions",
        Stage::Volumes => "Clean up claims",
        Stage::ClaimPods => "Claim pods",
        Stage::Revisions => "Revisions",
        Stage::Split => "Split by ordinal",
        Stage::Replicas => "Scan replicas in order",
        Stage::Condemned => "Delete condemned",
        Stage::Scale => "Scale",
        Stage::Refresh => "Move pods on",
        Stage::Update => "Rolling update",
        Stage::Status => "Write status",
        Stage::History => "Truncate history",
    }
}

/// What the API server answered to the write that this rule is about: a sync may be refused more than once.
pub(super) fn refusal(sync: &SyncRecord, rule: Rule) -> String {
    let is_its_write = |write: &Write| match rule.stage() {
        Stage::AdoptRevisions | Stage::Revisions => {
            write.kind == Kind::ControllerRevision && write.verb != Verb::Delete
        }
        Stage::History => write.kind == Kind::ControllerRevision && write.verb == Verb::Delete,
        Stage::Status => write.verb == Verb::UpdateStatus,
        Stage::ClaimPods => write.verb == Verb::Patch && write.kind == Kind::Pod,
        Stage::Volumes | Stage::Scale | Stage::Refresh => {
            matches!(write.kind, Kind::Pod | Kind::PersistentVolumeClaim)
        }
        Stage::Split | Stage::Replicas | Stage::Condemned | Stage::Update => {
            matches!(write.kind, Kind::Pod | Kind::PersistentVolumeClaim) && write.verb != Verb::Patch
        }
    };
    let refused = sync.writes.iter().rev().filter(|write| is_its_write(write)).find_map(|write| match &write.outcome {
        Outcome::Refused(_, message) => Some(message.to_string()),
        Outcome::Done => None,
    });
    refused.or_else(|| sync.error.as_ref().map(ToString::to_string)).unwrap_or_else(|| "no reason given".to_owned())
}

/// One decision in one sentence.
pub(super) fn sentence(set: &str, sync: &SyncRecord, decision: Decision) -> String {
    match (decision.rule, decision.facts) {
        (Rule::RevisionsAdopted, Facts::Count(count)) => {
            format!("{} without an owner adopted", text::count(count, "revision"))
        }
        (Rule::PodsClaimed, Facts::Claimed { owned, adopted, released }) => {
            format!("{owned} owned, {adopted} adopted, {released} released")
        }
        (Rule::PodsSplit, Facts::Split { replicas, condemned }) => {
            format!("{}, {condemned} condemned", text::count(replicas, "replica"))
        }
        (Rule::ReplicasInOrder, Facts::Span { from, to }) => {
            let are = if from == to { "is as it" } else { "are as they" };
            format!("{} {are} should be", text::span(set, from, to))
        }
        (Rule::UpdateDone, Facts::Count(partition)) if partition != 0 => {
            format!("Every pod from ordinal {partition} up is at the update revision")
        }
        (Rule::HistoryTruncated, Facts::Count(count)) => {
            format!("{} over the limit deleted", text::count(count, "old revision"))
        }
        (Rule::UpdateMaxUnavailable, Facts::Unavailable { allowed, .. }) => {
            format!("As many pods are unavailable as maxUnavailable allows ({allowed}); the rolling update waits")
        }
        (rule, _) if rule.kind() != Kind::StatefulSet => clones::sentence(set, &decision),
        (rule, _) => {
            let pod = decision.ordinal.map_or_else(|| "A pod".to_owned(), |ordinal| format!("{set}-{ordinal}"));
            let mut sentence = pattern(rule).replace(POD, &pod);
            if sentence.ends_with(REFUSAL) {
                sentence.pop();
                sentence.push_str(&refusal(sync, rule));
            }
            sentence
        }
    }
}

/// Explanation for the pod's name.
const POD: char = '$';
/// Explanation for the API server's words, at the end.
const REFUSAL: char = '!';

/// What a decision says when it has no numbers to tell.
fn pattern(rule: Rule) -> &'static str {
    match rule {
        Rule::RevisionsAdopted => "Revisions without an owner adopted",
        Rule::RevisionAdoptionRefused => "Adopting revisions was refused: !",
        Rule::PodAdopted => "$ matches the selector and has no owner; it is adopted",
        Rule::PodReleased => "$ no longer matches; it is released",
        Rule::PodClaimRefused => "$: claiming it was refused: !",
        Rule::PodsClaimed => "The set's pods are known",
        Rule::RevisionUnchanged => "The template is that of the newest revision",
        Rule::CacheBehindOwnWrites => {
            "The cache does not show the controller's own last writes yet; the sync is put off"
        }
        Rule::RevisionEquivalent => {
            "The newest revision differs from the template only by defaults of the API server; it is kept"
        }
        Rule::RevisionReused => "The template is that of an older revision, which becomes the newest",
        Rule::RevisionCreated => "The template is new; a revision is made of it",
        Rule::RevisionNameTaken => "The revision's name was taken by other data; a new name is made",
        Rule::RevisionRefused => "Writing the revision was refused: !",
        Rule::PodsSplit => "Pods are split by ordinal",
        Rule::FirstUnhealthy => "$ is the first pod that is not healthy",
        Rule::SetTerminating => "The set is being deleted; only its status is kept up",
        Rule::ReplicasInOrder => "The ordinals are as they should be",
        Rule::ReplicaFailed => "$ has failed; it is deleted, to be created again",
        Rule::ReplicaFailedRefused => "$: deleting the pod that has ended was refused: !",
        Rule::ReplicaCreated => "$ is missing; it is created",
        Rule::ReplicaCreateRefused => "$: creating it was refused: !",
        Rule::ReplicaTerminating => "$ is terminating; OrderedReady waits until it is gone",
        Rule::ReplicaNotReady => "$ is not Running and Ready; OrderedReady waits until it is",
        Rule::ReplicaUpdated => "$ has another identity or storage than it should; it is put right",
        Rule::ReplicaUpdateRefused => "$: updating it was refused: !",
        Rule::CondemnedTerminating => "$ is condemned and terminating; OrderedReady waits until it is gone",
        Rule::CondemnedPassed => "$ is condemned and already terminating; Parallel passes it",
        Rule::CondemnedNotReady => "$ is condemned, not ready, and not the first unhealthy pod; OrderedReady waits",
        Rule::CondemnedDeleted => "$ is condemned; it is deleted",
        Rule::CondemnedDeleteRefused => "$: deleting the condemned pod was refused: !",
        Rule::UpdateOnDelete => "OnDelete: pods of older revisions are left to people",
        Rule::UpdateDeleted => "$ is at another revision; it is deleted, to come back at the update revision",
        Rule::UpdateBrokenDeleted => {
            "$ is at another revision and not available; it is deleted first, whatever maxUnavailable allows"
        }
        Rule::UpdateDeleteRefused => "$: deleting the outdated pod was refused: !",
        Rule::UpdateNotHealthy => "$ is not healthy; the rolling update waits",
        Rule::UpdateDone => "Every pod is at the update revision",
        Rule::RolloutCompleted => "Every pod is updated and ready; the update revision becomes the current one",
        Rule::StatusUnchanged => "The status is as it was",
        Rule::StatusWritten => "The status is written",
        Rule::StatusRefused => "Writing the status was refused: !",
        Rule::HistoryKept => "Old revisions are within the limit",
        Rule::HistoryTruncated => "Old revisions over the limit deleted",
        Rule::HistoryRefused => "Deleting an old revision was refused: !",
        Rule::OwnedRevisionInTheWay => "A revision that has an owner was to be adopted once more; the sync fails",
        Rule::ReplicaSucceeded => "$ has ended; it is deleted, to be created again",
        Rule::ReplicaClaimStale => {
            "$: a claim is still to be deleted with the last pod of this ordinal; creation waits"
        }
        Rule::ReplicaClaimsCreated => "$ is Pending and lacks claims; they are created",
        Rule::ReplicaClaimsRefused => "$: creating its claims was refused: !",
        Rule::ClaimLeftToOther => "$: another object controls a claim, so the retention policy does not touch it",
        Rule::ReplicaNotAvailable => "$ is Ready but not yet for minReadySeconds; OrderedReady waits until it is",
        Rule::CondemnedClaimsKept => "$ is condemned; its claims get the owner with which they are to go",
        Rule::CondemnedClaimsRefused => "$: giving its claims their owner was refused: !",
        Rule::CondemnedNotAvailable => "$ is condemned and Ready, but not yet for minReadySeconds; OrderedReady waits",
        Rule::UpdateMaxUnavailable => "As many pods are unavailable as maxUnavailable allows; the rolling update waits",
        // Without this arm the compiler sees to it that every rule of a StatefulSet has its words.
        _ => "",
    }
}

#[cfg(test)]
mod tests {
    use super::{refusal, sentence};
    use crate::objects::{Kind, ObjectRef, Reason, Time};
    use crate::reconcile::{Decision, Facts, Rule};
    use crate::sim::{Outcome, SyncRecord, Verb, Write};

    fn sync() -> SyncRecord {
        let subject = ObjectRef { kind: Kind::StatefulSet, namespace: "default".into(), name: "web".into() };
        SyncRecord {
            number: 1,
            at: Time(0),
            subject,
            before: None,
            after: None,
            decisions: Vec::new(),
            writes: Vec::new(),
            error: None,
        }
    }

    #[test]
    fn every_rule_has_a_calm_sentence_of_its_own() {
        let sync = sync();
        let mut seen = std::collections::BTreeSet::new();
        for rule in Rule::ALL {
            let text = sentence("web", &sync, Decision { rule: *rule, ordinal: Some(1), facts: Facts::None });
            assert!(!text.is_empty() && !text.contains('!'), "{rule:?}: {text}");
            // A sync is of one kind.
            assert!(seen.insert((rule.kind(), text.clone())), "{rule:?} says what another rule says: {text}");
        }
    }

    #[test]
    fn a_refusal_is_quoted_from_the_write_it_is_about() {
        let write = |verb: Verb, kind: Kind, message: &str| Write {
            verb,
            kind,
            name: "web".into(),
            outcome: Outcome::Refused(Reason::Conflict, message.into()),
        };
        let sync = SyncRecord {
            writes: vec![
                write(Verb::Create, Kind::Pod, "no pod"),
                write(Verb::UpdateStatus, Kind::StatefulSet, "no status"),
                write(Verb::Delete, Kind::ControllerRevision, "no deletion"),
            ],
            error: Some("all of it".into()),
            ..sync()
        };
        let check = |rule: Rule, want: &str| assert_eq!(refusal(&sync, rule), want, "{rule:?}");
        check(Rule::ReplicaCreateRefused, "no pod");
        check(Rule::StatusRefused, "no status");
        check(Rule::HistoryRefused, "no deletion");
        check(Rule::RevisionRefused, "all of it");
    }
}
