//! The last sync as a path: the stages in the order of the real code, and what was decided in each.

use super::clones;
use super::context::Context;
use super::text::Noun;
use super::{StepState, logs, text};
use crate::objects::Kind;
use crate::reconcile::{Decision, Facts, Release, Rule, Source, Stage};
use crate::sim::{Outcome, SyncRecord, Verb, Write};
use crate::text::Text;

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
pub(super) fn holds(rule: Rule, source: Source) -> Text {
    let (since, newest) = (source.since.name(), Release::ALL[Release::ALL.len() - 1].name());
    match rule.kind() {
        Kind::CloneSet => return text!("OpenKruise, beside any release"),
        Kind::ReplicaSet | Kind::Deployment | Kind::DaemonSet => return text!("as in {}, beside any release", newest),
        _ => {}
    }
    match source.until {
        Some(until) => text!("{} to {}", since, until.name()),
        None if source.since == Release::ALL[0] => text!("every release, {} to {}", since, newest),
        None => text!("{} and newer", since),
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
        text: Text::fixed(text),
        function: deciding.map_or("", |(_, source)| source.function),
        file: deciding.map_or("", |(_, source)| source.file),
        rule,
        holds: deciding.map_or_else(Text::default, |(rule, source)| holds(rule, source)),
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
pub(super) fn refusal(sync: &SyncRecord, rule: Rule) -> Text {
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
        Outcome::Refused(_, message) => Some(Text::verbatim(message)),
        Outcome::Done => None,
    });
    refused.or_else(|| sync.error.as_ref().map(Text::verbatim)).unwrap_or_else(|| text!("no reason given"))
}

/// One decision in one sentence.
pub(super) fn sentence(set: &str, sync: &SyncRecord, decision: Decision) -> Text {
    match (decision.rule, decision.facts) {
        (Rule::RevisionsAdopted, Facts::Count(count)) => {
            text!("{} without an owner adopted", text::count(count, Noun::Revision))
        }
        (Rule::PodsClaimed, Facts::Claimed { owned, adopted, released }) => {
            text!("{} owned, {} adopted, {} released", owned, adopted, released)
        }
        (Rule::PodsSplit, Facts::Split { replicas, condemned }) => {
            text!("{}, {} condemned", text::count(replicas, Noun::Replica), condemned)
        }
        (Rule::ReplicasInOrder, Facts::Span { from, to }) => {
            let pods = text::span(set, from, to);
            if from == to {
                text!("{} is in the desired state", pods)
            } else {
                text!("{} are in the desired state", pods)
            }
        }
        (Rule::UpdateDone, Facts::Count(partition)) if partition != 0 => {
            text!("Every pod from ordinal {} up is at the update revision", partition)
        }
        (Rule::HistoryTruncated, Facts::Count(count)) => {
            text!("{} over the limit deleted", text::count(count, Noun::OldRevision))
        }
        (Rule::UpdateMaxUnavailable, Facts::Unavailable { allowed, .. }) => {
            text!("As many pods are unavailable as maxUnavailable allows ({}); the rolling update waits", allowed)
        }
        (rule, _) if rule.kind() != Kind::StatefulSet => clones::sentence(set, &decision),
        (rule, _) => {
            let pod =
                decision.ordinal.map_or_else(|| text!("A pod"), |ordinal| Text::verbatim(format!("{set}-{ordinal}")));
            plain(sync, rule, &pod)
        }
    }
}

/// What a decision says when it has no numbers to tell.
fn plain(sync: &SyncRecord, rule: Rule, pod: &Text) -> Text {
    match rule {
        Rule::RevisionsAdopted => text!("Revisions without an owner adopted"),
        Rule::RevisionAdoptionRefused => text!("Adopting revisions was refused: {}", refusal(sync, rule)),
        Rule::PodAdopted => text!("{} matches the selector and has no owner; it is adopted", pod),
        Rule::PodReleased => text!("{} no longer matches; it is released", pod),
        Rule::PodClaimRefused => text!("{}: claiming it was refused: {}", pod, refusal(sync, rule)),
        Rule::PodsClaimed => text!("The set's pods are known"),
        Rule::RevisionUnchanged => text!("The template is that of the newest revision"),
        Rule::CacheBehindOwnWrites => {
            text!("The cache does not show the controller's own last writes yet; the sync is deferred")
        }
        Rule::RevisionEquivalent => {
            text!("The newest revision differs from the template only by defaults of the API server; it is kept")
        }
        Rule::UpdateBrokenDeleted => {
            text!(
                "{} is at another revision and not available; it is deleted first, whatever maxUnavailable allows",
                pod
            )
        }
        Rule::RevisionReused => text!("The template is that of an older revision, which becomes the newest"),
        Rule::RevisionCreated => text!("The template is new; a revision is made of it"),
        Rule::RevisionNameTaken => text!("The revision's name was taken by other data; a new name is generated"),
        Rule::RevisionRefused => text!("Writing the revision was refused: {}", refusal(sync, rule)),
        Rule::PodsSplit => text!("Pods are split by ordinal"),
        Rule::FirstUnhealthy => text!("{} is the first pod that is not healthy", pod),
        Rule::SetTerminating => text!("The set is being deleted; only its status is kept up"),
        Rule::ReplicasInOrder => text!("The ordinals are in the desired state"),
        Rule::ReplicaFailed => text!("{} has failed; it is deleted, to be created again", pod),
        Rule::ReplicaFailedRefused => {
            text!("{}: deleting the pod that has ended was refused: {}", pod, refusal(sync, rule))
        }
        Rule::ReplicaCreated => text!("{} is missing; it is created", pod),
        Rule::ReplicaCreateRefused => text!("{}: creating it was refused: {}", pod, refusal(sync, rule)),
        Rule::ReplicaTerminating => text!("{} is terminating; OrderedReady waits until it is gone", pod),
        Rule::ReplicaNotReady => text!("{} is not Running and Ready; OrderedReady waits until it is", pod),
        Rule::ReplicaUpdated => text!("{} does not have its identity or storage; it is corrected", pod),
        Rule::ReplicaUpdateRefused => text!("{}: updating it was refused: {}", pod, refusal(sync, rule)),
        Rule::CondemnedTerminating => {
            text!("{} is condemned and terminating; OrderedReady waits until it is gone", pod)
        }
        Rule::CondemnedPassed => text!("{} is condemned and already terminating; Parallel passes it", pod),
        Rule::CondemnedNotReady => {
            text!("{} is condemned, not ready, and not the first unhealthy pod; OrderedReady waits", pod)
        }
        Rule::CondemnedDeleted => text!("{} is condemned; it is deleted", pod),
        Rule::CondemnedDeleteRefused => {
            text!("{}: deleting the condemned pod was refused: {}", pod, refusal(sync, rule))
        }
        Rule::UpdateOnDelete => text!("OnDelete: pods of older revisions are left to the user"),
        Rule::UpdateDeleted => {
            text!("{} is at another revision; it is deleted, to come back at the update revision", pod)
        }
        Rule::UpdateDeleteRefused => text!("{}: deleting the outdated pod was refused: {}", pod, refusal(sync, rule)),
        Rule::UpdateNotHealthy => text!("{} is not healthy; the rolling update waits", pod),
        Rule::UpdateDone => text!("Every pod is at the update revision"),
        Rule::RolloutCompleted => text!("Every pod is updated and ready; the update revision becomes the current one"),
        Rule::StatusUnchanged => text!("The status is as it was"),
        Rule::StatusWritten => text!("The status is written"),
        Rule::StatusRefused => text!("Writing the status was refused: {}", refusal(sync, rule)),
        Rule::HistoryKept => text!("Old revisions are within the limit"),
        Rule::HistoryTruncated => text!("Old revisions over the limit deleted"),
        Rule::HistoryRefused => text!("Deleting an old revision was refused: {}", refusal(sync, rule)),
        Rule::OwnedRevisionInTheWay => {
            text!("A revision that has an owner was to be adopted once more; the sync fails")
        }
        Rule::ReplicaSucceeded => text!("{} has ended; it is deleted, to be created again", pod),
        Rule::ReplicaClaimStale => {
            text!("{}: a claim is still to be deleted with the last pod of this ordinal; creation waits", pod)
        }
        Rule::ReplicaClaimsCreated => text!("{} is Pending and lacks claims; they are created", pod),
        Rule::ReplicaClaimsRefused => text!("{}: creating its claims was refused: {}", pod, refusal(sync, rule)),
        Rule::ClaimLeftToOther => {
            text!("{}: another object controls a claim, so the retention policy does not touch it", pod)
        }
        Rule::ReplicaNotAvailable => {
            text!("{} is Ready but not yet for minReadySeconds; OrderedReady waits until it is", pod)
        }
        Rule::CondemnedClaimsKept => {
            text!("{} is condemned; its claims get the owner with which they are to be deleted", pod)
        }
        Rule::CondemnedClaimsRefused => {
            text!("{}: giving its claims their owner was refused: {}", pod, refusal(sync, rule))
        }
        Rule::CondemnedNotAvailable => {
            text!("{} is condemned and Ready, but not yet for minReadySeconds; OrderedReady waits", pod)
        }
        Rule::UpdateMaxUnavailable => {
            text!("As many pods are unavailable as maxUnavailable allows; the rolling update waits")
        }
        // Without this arm the compiler sees to it that every rule of a StatefulSet has its words.
        _ => Text::default(),
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
            assert!(!text.is_empty() && !text.contains("!"), "{rule:?}: {text}");
            // A sync is of one kind.
            assert!(seen.insert((rule.kind(), text.to_string())), "{rule:?} says what another rule says: {text}");
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
