//! What is said about the decision points of the StatefulSet controller.

use super::logs;
use crate::objects::{Object, PodManagementPolicy};
use crate::reconcile::stateful_set::Rule;
use crate::reconcile::{Decision, Facts, Release, Source};
use crate::sim::{Cluster, SyncRecord};
use crate::text::Text;
use crate::view::kinds::rule_text::{COLLECTED, ENDED, NEXT, RuleText, STARTED, newest, pod_of, refusal, title};
use crate::view::text::Noun;
use crate::view::{LogLines, text};

impl RuleText for Rule {
    fn sentence(self, sync: &SyncRecord, decision: &Decision) -> Text {
        let set = &*sync.subject.name;
        match (self, decision.facts.clone()) {
            (Self::RevisionsAdopted, Facts::Count(count)) => {
                text!("{} without an owner adopted", text::count(count, Noun::Revision))
            }
            (Self::PodsClaimed, Facts::Claimed { owned, adopted, released }) => {
                text!("{} owned, {} adopted, {} released", owned, adopted, released)
            }
            (Self::PodsSplit, Facts::Split { replicas, condemned }) => {
                text!("{}, {} condemned", text::count(replicas, Noun::Replica), condemned)
            }
            (Self::ReplicasInOrder, Facts::Span { from, to }) => {
                let pods = text::span(set, from, to);
                // Parallel passes a pod that is not ready, too.
                if is_parallel(sync) {
                    return if from == to {
                        text!("{} exists and is passed", pods)
                    } else {
                        text!("{} exist and are passed", pods)
                    };
                }
                if from == to { text!("{} needs no change", pods) } else { text!("{} need no change", pods) }
            }
            (Self::UpdateDone, Facts::Count(partition)) if partition != 0 => {
                text!("Every pod from ordinal {} up is at the update revision", partition)
            }
            (Self::HistoryTruncated, Facts::Count(count)) => {
                text!("{} over the limit deleted", text::count(count, Noun::OldRevision))
            }
            (Self::UpdateMaxUnavailable, Facts::Unavailable { allowed, .. }) => {
                text!("As many pods are unavailable as maxUnavailable allows ({}); the rolling update waits", allowed)
            }
            _ => plain(self, sync, &pod_of(sync, decision)),
        }
    }

    fn resolution(self) -> &'static str {
        match self {
            Self::ReplicaCreated => STARTED,
            Self::CondemnedDeleted | Self::CondemnedPassed | Self::UpdateDeleted => ENDED,
            Self::SetTerminating => COLLECTED,
            _ => NEXT,
        }
    }

    fn holds(self, source: Source) -> Text {
        let since = source.since.name();
        match source.until {
            Some(until) => text!("{} to {}", since, until.name()),
            None if source.since == Release::ALL[0] => text!("every release, {} to {}", since, newest()),
            None => text!("{} and newer", since),
        }
    }

    fn log(self, cluster: &Cluster, sync: &SyncRecord, decision: &Decision) -> LogLines {
        logs::log(self, cluster, sync, decision)
    }

    fn stage_title(self) -> &'static str {
        title(self.stage())
    }
}

fn is_parallel(sync: &SyncRecord) -> bool {
    matches!(&sync.before, Some(Object::StatefulSet(set)) if set.spec.pod_management_policy == PodManagementPolicy::Parallel)
}

/// What a decision says when it has no numbers to tell.
fn plain(rule: Rule, sync: &SyncRecord, pod: &Text) -> Text {
    match rule {
        Rule::RevisionsAdopted => text!("Revisions without an owner adopted"),
        Rule::RevisionAdoptionRefused => text!("Adopting revisions was refused: {}", refusal(sync, rule.stage())),
        Rule::PodAdopted => text!("{} matches the selector and has no owner; it is adopted", pod),
        Rule::PodReleased => text!("{} no longer matches; it is released", pod),
        Rule::PodClaimRefused => text!("{}: claiming it was refused: {}", pod, refusal(sync, rule.stage())),
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
        Rule::RevisionRefused => text!("Writing the revision was refused: {}", refusal(sync, rule.stage())),
        Rule::PodsSplit => text!("Pods are split by ordinal"),
        Rule::FirstUnhealthy => text!("{} is the first pod that is not healthy", pod),
        Rule::SetTerminating => text!("The set is being deleted; only its status is kept up"),
        Rule::ReplicasInOrder => text!("The ordinals need no change"),
        Rule::ReplicaFailed => text!("{} has failed; it is deleted, to be created again", pod),
        Rule::ReplicaFailedRefused => {
            text!("{}: deleting the pod that has ended was refused: {}", pod, refusal(sync, rule.stage()))
        }
        Rule::ReplicaCreated => text!("{} is missing; it is created", pod),
        Rule::ReplicaCreateRefused => text!("{}: creating it was refused: {}", pod, refusal(sync, rule.stage())),
        Rule::ReplicaTerminating => text!("{} is terminating; OrderedReady waits until it is gone", pod),
        Rule::ReplicaNotReady => text!("{} is not Running and Ready; OrderedReady waits until it is", pod),
        Rule::ReplicaUpdated => text!("{} does not have its identity or storage; it is corrected", pod),
        Rule::ReplicaUpdateRefused => text!("{}: updating it was refused: {}", pod, refusal(sync, rule.stage())),
        Rule::CondemnedTerminating => {
            text!("{} is condemned and terminating; OrderedReady waits until it is gone", pod)
        }
        Rule::CondemnedPassed => text!("{} is condemned and already terminating; Parallel passes it", pod),
        Rule::CondemnedNotReady => {
            text!("{} is condemned, not ready, and not the first unhealthy pod; OrderedReady waits", pod)
        }
        Rule::CondemnedDeleted => text!("{} is condemned; it is deleted", pod),
        Rule::CondemnedDeleteRefused => {
            text!("{}: deleting the condemned pod was refused: {}", pod, refusal(sync, rule.stage()))
        }
        Rule::UpdateOnDelete => text!("OnDelete: pods of older revisions are left to the user"),
        Rule::UpdateDeleted => {
            text!("{} is at another revision; it is deleted, to come back at the update revision", pod)
        }
        Rule::UpdateDeleteRefused => {
            text!("{}: deleting the outdated pod was refused: {}", pod, refusal(sync, rule.stage()))
        }
        Rule::UpdateRecreateWaits => text!("Recreate makes no pod before those of older revisions are gone"),
        Rule::UpdateNotHealthy => text!("{} is not healthy; the rolling update waits", pod),
        Rule::UpdateDone => text!("Every pod is at the update revision"),
        Rule::RolloutCompleted => text!("Every pod is updated and ready; the update revision becomes the current one"),
        Rule::StatusUnchanged => text!("The status is as it was"),
        Rule::StatusWritten => text!("The status is written"),
        Rule::StatusRefused => text!("Writing the status was refused: {}", refusal(sync, rule.stage())),
        Rule::HistoryKept => text!("Old revisions are within the limit"),
        Rule::HistoryTruncated => text!("Old revisions over the limit deleted"),
        Rule::HistoryRefused => text!("Deleting an old revision was refused: {}", refusal(sync, rule.stage())),
        Rule::OwnedRevisionInTheWay => {
            text!("A revision that has an owner was to be adopted once more; the sync fails")
        }
        Rule::ReplicaSucceeded => text!("{} has ended; it is deleted, to be created again", pod),
        Rule::ReplicaClaimStale => {
            text!("{}: a claim is still to be deleted with the last pod of this ordinal; creation waits", pod)
        }
        Rule::ReplicaClaimsCreated => text!("{} is Pending and lacks claims; they are created", pod),
        Rule::ReplicaClaimsRefused => {
            text!("{}: creating its claims was refused: {}", pod, refusal(sync, rule.stage()))
        }
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
            text!("{}: giving its claims their owner was refused: {}", pod, refusal(sync, rule.stage()))
        }
        Rule::CondemnedNotAvailable => {
            text!("{} is condemned and Ready, but not yet for minReadySeconds; OrderedReady waits", pod)
        }
        Rule::UpdateMaxUnavailable => {
            text!("As many pods are unavailable as maxUnavailable allows; the rolling update waits")
        }
    }
}
