//! What is said about the decision points of the Advanced StatefulSet controller.

use crate::reconcile::advanced_stateful_set::Rule;
use crate::reconcile::{Decision, Facts, Source};
use crate::sim::SyncRecord;
use crate::text::Text;
use crate::view::Severity;
use crate::view::kinds::rule_text::{ENDED, NEXT, Progress, RuleText, STARTED, Weight, pod_of, refusal, title};

impl RuleText for Rule {
    fn weight(self) -> Weight {
        match self {
            Self::CreateRefused
            | Self::ReplicaUpdateRefused
            | Self::DeleteRefused
            | Self::UpdateInPlaceRefused
            | Self::InPlaceImpossible
            | Self::StatusRefused => Weight::Refused,
            Self::EndedDeleted
            | Self::Created
            | Self::CondemnedDeleted
            | Self::DeletionPrepared
            | Self::GraceFinished
            | Self::NextBatchUpdated
            | Self::SpecifiedDeleted
            | Self::UpdatePrepared
            | Self::UpdatePreparedAgain
            | Self::UpdatedInPlace
            | Self::UpdateDeleted => Weight::Acted,
            Self::ClaimStale
            | Self::ReplicaTerminating
            | Self::ReplicaNotAvailable
            | Self::ScaleLimited
            | Self::CondemnedTerminating
            | Self::CondemnedNotAvailable
            | Self::GraceWaits
            | Self::InPlaceIncomplete
            | Self::SpecifiedWaits
            | Self::UpdateLimited
            | Self::UpdateHooked => Weight::Waits,
            Self::ClaimsCreated
            | Self::ReplicaUpdated
            | Self::CondemnedClaimsKept
            | Self::InPlaceGateOpened
            | Self::LifecycleNormal
            | Self::LifecycleUpdated => Weight::Minor,
            Self::OnDelete | Self::Paused | Self::UpdateDone => Weight::Update,
            Self::PodsClaimed
            | Self::RevisionUnchanged
            | Self::RevisionReused
            | Self::RevisionCreated
            | Self::Split
            | Self::RefreshFirst
            | Self::RolloutCompleted
            | Self::StatusUnchanged
            | Self::StatusWritten
            | Self::HistoryKept
            | Self::HistoryTruncated => Weight::Passed,
        }
    }

    fn sentence(self, sync: &SyncRecord, decision: &Decision) -> Text {
        let pod = pod_of(sync, decision);
        match self {
            Self::PodsClaimed => text!("The set's pods are known"),
            Self::RevisionUnchanged => text!("The template is that of the newest revision"),
            Self::RevisionReused => text!("The template is that of an older revision, which becomes the newest"),
            Self::RevisionCreated => text!("The template is new; a revision is made of it"),
            Self::Split => text!("Pods are split by ordinal; reserved ordinals are left out"),
            Self::EndedDeleted => text!("{} has ended; it is deleted, to be created again", pod),
            Self::ClaimStale => {
                text!("{}: a claim is still to be deleted with the last pod of this ordinal; creation waits", pod)
            }
            Self::Created => text!("{} is missing; it is created", pod),
            Self::CreateRefused => text!("{}: creating it was refused: {}", pod, refusal(sync, self.stage())),
            Self::ClaimsCreated => text!("{} is Pending and lacks claims; they are created", pod),
            Self::ReplicaTerminating => text!("{} is terminating; OrderedReady waits until it is gone", pod),
            Self::ReplicaNotAvailable => text!("{} is not available; OrderedReady waits until it is", pod),
            Self::ScaleLimited => {
                text!("As many pods are in the making as scaleStrategy.maxUnavailable allows; those above {} wait", pod)
            }
            Self::ReplicaUpdated => text!("{} has another identity or storage than it should; it is put right", pod),
            Self::ReplicaUpdateRefused => text!("{}: updating it was refused: {}", pod, refusal(sync, self.stage())),
            Self::CondemnedClaimsKept => {
                text!("{} is condemned; its claims get the owner with which they are to go", pod)
            }
            Self::CondemnedTerminating => {
                text!("{} is condemned and terminating; OrderedReady waits until it is gone", pod)
            }
            Self::CondemnedNotAvailable => {
                text!("{} is condemned, not available, and not the first unhealthy pod; OrderedReady waits", pod)
            }
            Self::CondemnedDeleted => text!("{} is condemned; it is deleted", pod),
            Self::DeletionPrepared => text!("{} is to be deleted; it waits at its hook", pod),
            Self::DeleteRefused => text!("{}: deleting it was refused: {}", pod, refusal(sync, self.stage())),
            Self::GraceWaits => text!("{} is not ready on purpose; it is changed once its grace is over", pod),
            Self::GraceFinished => text!("{} is through with its grace; its change is no longer held", pod),
            Self::NextBatchUpdated => text!("{} has its first containers changed; the next follow", pod),
            Self::InPlaceIncomplete => text!("{} is not yet running what it was changed to", pod),
            Self::InPlaceGateOpened => text!("{} is not being changed; its gate is opened", pod),
            Self::LifecycleNormal => text!("{} is through with this step of its life; it is Normal", pod),
            Self::LifecycleUpdated => text!("{} is updated; its hook is to be put back", pod),
            Self::RefreshFirst => text!("Pods were moved on; updates wait for the next sync"),
            Self::OnDelete => text!("OnDelete: pods of older revisions are left to people"),
            Self::Paused => text!("Updates are paused"),
            Self::SpecifiedDeleted => text!("{} was to go by its label; it is deleted", pod),
            Self::SpecifiedWaits => text!("{} is to go by its label, but stays: too few others are available", pod),
            Self::UpdateLimited => match decision.facts {
                Facts::Unavailable { allowed, .. } => {
                    text!("As many pods are unavailable as maxUnavailable allows ({}); {} waits", allowed, pod)
                }
                _ => text!("As many pods are unavailable as maxUnavailable allows; {} waits", pod),
            },
            Self::UpdatePrepared => text!("{} is to be updated in place; its hook is told", pod),
            Self::UpdateHooked => text!("{} is to be updated in place; it waits at its hook", pod),
            Self::UpdatePreparedAgain => text!("{} is to be updated once more; it goes back to its hook", pod),
            Self::UpdatedInPlace => text!("{} is updated in place", pod),
            Self::UpdateInPlaceRefused => text!("{} could not be changed in place", pod),
            Self::InPlaceImpossible => {
                text!("{} cannot be changed this way in place, and InPlaceOnly allows nothing else", pod)
            }
            Self::UpdateDeleted => {
                text!("{} is at another revision; it is deleted, to come back at the update revision", pod)
            }
            Self::UpdateDone => text!("As many pods are updated as the partition wants"),
            Self::RolloutCompleted => {
                text!("Every pod is updated and ready; the update revision becomes the current one")
            }
            Self::StatusUnchanged => text!("The status is as it was"),
            Self::StatusWritten => text!("The status is written"),
            Self::StatusRefused => text!("Writing the status was refused: {}", refusal(sync, self.stage())),
            Self::HistoryKept => text!("Old revisions are within the limit"),
            Self::HistoryTruncated => text!("Old revisions over the limit deleted"),
        }
    }

    fn resolution(self) -> &'static str {
        match self {
            Self::Created => STARTED,
            Self::EndedDeleted | Self::CondemnedDeleted | Self::SpecifiedDeleted | Self::UpdateDeleted => ENDED,
            Self::ScaleLimited => {
                "A pod that becomes available, or a higher scaleStrategy.maxUnavailable, lets it go on."
            }
            Self::SpecifiedWaits | Self::UpdateLimited => {
                "A pod that becomes available, or a higher maxUnavailable, lets it go on."
            }
            Self::DeletionPrepared => "The hook lets the pod go when its label or finalizer is taken off.",
            Self::GraceWaits => "The grace period ends, and the image is changed.",
            Self::NextBatchUpdated | Self::InPlaceIncomplete | Self::UpdatedInPlace => {
                "The kubelet starts the container with its new image."
            }
            Self::UpdatePrepared | Self::UpdateHooked | Self::UpdatePreparedAgain => {
                "The hook lets the pod be updated when its label or finalizer is taken off."
            }
            _ => NEXT,
        }
    }

    fn severity(self) -> Severity {
        if self == Self::UpdateHooked { Severity::Stuck } else { Severity::Waiting }
    }

    fn left_to_people(self, progress: &Progress) -> &'static str {
        match self {
            Self::Paused if progress.outdated > 0 => "Resume the updates.",
            Self::OnDelete if progress.updated < progress.desired => {
                "Delete a pod, and the one in its place is of the template as it is."
            }
            _ => "",
        }
    }

    fn holds(self, _source: Source) -> Text {
        text!("OpenKruise, beside any release")
    }

    fn stage_title(self) -> &'static str {
        title(self.stage())
    }
}
