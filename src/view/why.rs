//! The last sync as a path: the stages in the order of the real code, and what was decided in each.

#[cfg(feature = "workloads")]
use super::clones;
use super::context::Context;
use super::{StepState, text};
use crate::objects::Kind;
use crate::reconcile::{Decision, Facts, Rule, Stage};
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
                title: title(stage).to_owned(),
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
        function: source.function.to_owned(),
        file: source.file.to_owned(),
    }
}

/// A stage that ran and had nothing to decide.
fn idle(context: &Context<'_>, stage: Stage) -> super::Step {
    let text = match stage {
        Stage::AdoptRevisions => "No revision is without an owner",
        Stage::Replicas => "No ordinal is in range",
        Stage::Condemned => "No pod is out of range",
        Stage::ClaimPods | Stage::Revisions | Stage::Split | Stage::Update | Stage::Status | Stage::History => {
            "There is nothing to decide"
        }
        Stage::Volumes | Stage::Scale | Stage::Refresh => "",
    };
    let source = Rule::ALL.iter().find(|rule| rule.stage() == stage).map(|rule| rule.source(context.cluster.release()));
    super::Step {
        text: text.to_owned(),
        function: source.map_or("", |source| source.function).to_owned(),
        file: source.map_or("", |source| source.file).to_owned(),
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
    let pod = || decision.ordinal.map_or_else(|| "A pod".to_owned(), |ordinal| format!("{set}-{ordinal}"));
    let number = || if let Facts::Count(count) = decision.facts { count } else { 0 };
    let refused = |act: &str| format!("{}: {act} was refused: {}", pod(), refusal(sync, decision.rule));
    match decision.rule {
        Rule::RevisionsAdopted => format!("{} without an owner adopted", text::count(number(), "revision")),
        Rule::RevisionAdoptionRefused => format!("Adopting revisions was refused: {}", refusal(sync, decision.rule)),
        Rule::OwnedRevisionInTheWay => {
            "A revision that has an owner was to be adopted once more; the sync fails".to_owned()
        }
        Rule::PodAdopted => format!("{} matches the selector and has no owner; it is adopted", pod()),
        Rule::PodReleased => format!("{} no longer matches; it is released", pod()),
        Rule::PodClaimRefused => refused("claiming it"),
        Rule::PodsClaimed => match decision.facts {
            Facts::Claimed { owned, adopted, released } => {
                format!("{owned} owned, {adopted} adopted, {released} released")
            }
            _ => "The set's pods are known".to_owned(),
        },
        Rule::RevisionUnchanged => "The template is that of the newest revision".to_owned(),
        Rule::RevisionReused => "The template is that of an older revision, which becomes the newest".to_owned(),
        Rule::RevisionCreated => "The template is new; a revision is made of it".to_owned(),
        Rule::RevisionNameTaken => "The revision's name was taken by other data; a new name is made".to_owned(),
        Rule::RevisionRefused => format!("Writing the revision was refused: {}", refusal(sync, decision.rule)),
        Rule::PodsSplit => match decision.facts {
            Facts::Split { replicas, condemned } => {
                format!("{}, {condemned} condemned", text::count(replicas, "replica"))
            }
            _ => "Pods are split by ordinal".to_owned(),
        },
        Rule::FirstUnhealthy => format!("{} is the first pod that is not healthy", pod()),
        Rule::SetTerminating => "The set is being deleted; only its status is kept up".to_owned(),
        Rule::ReplicasInOrder => match decision.facts {
            Facts::Span { from, to } if from == to => format!("{} is as it should be", text::span(set, from, to)),
            Facts::Span { from, to } => format!("{} are as they should be", text::span(set, from, to)),
            _ => "The ordinals are as they should be".to_owned(),
        },
        Rule::ReplicaFailed => format!("{} has failed; it is deleted, to be created again", pod()),
        Rule::ReplicaSucceeded => format!("{} has ended; it is deleted, to be created again", pod()),
        Rule::ReplicaFailedRefused => refused("deleting the pod that has ended"),
        Rule::ReplicaClaimStale => {
            format!("{}: a claim is still to be deleted with the last pod of this ordinal; creation waits", pod())
        }
        Rule::ReplicaClaimsCreated => format!("{} is Pending and lacks claims; they are created", pod()),
        Rule::ReplicaClaimsRefused => refused("creating its claims"),
        Rule::ClaimLeftToOther => {
            format!("{}: another object controls a claim, so the retention policy does not touch it", pod())
        }
        Rule::ReplicaCreated => format!("{} is missing; it is created", pod()),
        Rule::ReplicaCreateRefused => refused("creating it"),
        Rule::ReplicaTerminating => format!("{} is terminating; OrderedReady waits until it is gone", pod()),
        Rule::ReplicaNotReady => format!("{} is not Running and Ready; OrderedReady waits until it is", pod()),
        Rule::ReplicaNotAvailable => {
            format!("{} is Ready but not yet for minReadySeconds; OrderedReady waits until it is", pod())
        }
        Rule::ReplicaUpdated => format!("{} has another identity or storage than it should; it is put right", pod()),
        Rule::ReplicaUpdateRefused => refused("updating it"),
        Rule::CondemnedClaimsKept => {
            format!("{} is condemned; its claims get the owner with which they are to go", pod())
        }
        Rule::CondemnedClaimsRefused => refused("giving its claims their owner"),
        Rule::CondemnedTerminating => {
            format!("{} is condemned and terminating; OrderedReady waits until it is gone", pod())
        }
        Rule::CondemnedPassed => format!("{} is condemned and already terminating; Parallel passes it", pod()),
        Rule::CondemnedNotReady => {
            format!("{} is condemned, not ready, and not the first unhealthy pod; OrderedReady waits", pod())
        }
        Rule::CondemnedNotAvailable => {
            format!("{} is condemned and Ready, but not yet for minReadySeconds; OrderedReady waits", pod())
        }
        Rule::CondemnedDeleted => format!("{} is condemned; it is deleted", pod()),
        Rule::CondemnedDeleteRefused => refused("deleting the condemned pod"),
        Rule::UpdateOnDelete => "OnDelete: pods of older revisions are left to people".to_owned(),
        Rule::UpdateDeleted => {
            format!("{} is at another revision; it is deleted, to come back at the update revision", pod())
        }
        Rule::UpdateDeleteRefused => refused("deleting the outdated pod"),
        Rule::UpdateNotHealthy => format!("{} is not healthy; the rolling update waits", pod()),
        Rule::UpdateMaxUnavailable => {
            format!("As many pods are unavailable as maxUnavailable allows ({}); the rolling update waits", number())
        }
        Rule::UpdateDone => match number() {
            0 => "Every pod is at the update revision".to_owned(),
            partition => format!("Every pod from ordinal {partition} up is at the update revision"),
        },
        Rule::RolloutCompleted => {
            "Every pod is updated and ready; the update revision becomes the current one".to_owned()
        }
        Rule::StatusUnchanged => "The status is as it was".to_owned(),
        Rule::StatusWritten => "The status is written".to_owned(),
        Rule::StatusRefused => format!("Writing the status was refused: {}", refusal(sync, decision.rule)),
        Rule::HistoryKept => "Old revisions are within the limit".to_owned(),
        Rule::HistoryTruncated => format!("{} over the limit deleted", text::count(number(), "old revision")),
        Rule::HistoryRefused => format!("Deleting an old revision was refused: {}", refusal(sync, decision.rule)),
        // Without this arm the compiler sees to it that every rule of a StatefulSet has its words.
        #[cfg(feature = "workloads")]
        _ => clones::sentence(set, &decision),
    }
}

#[cfg(test)]
mod tests {
    use super::{refusal, sentence};
    use crate::objects::{Kind, ObjectRef, Reason, Time};
    use crate::reconcile::{Decision, Facts, Rule};
    use crate::sim::{Outcome, SyncRecord, Verb, Write};

    fn sync() -> SyncRecord {
        let set = ObjectRef { kind: Kind::StatefulSet, namespace: "default".into(), name: "web".into() };
        SyncRecord {
            number: 1,
            at: Time(0),
            set,
            found: true,
            decisions: Vec::new(),
            writes: Vec::new(),
            error: None,
            status: Default::default(),
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
