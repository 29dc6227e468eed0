//! What is said about the decision points of the CloneSet controller.

use crate::reconcile::clone_set::Rule;
use crate::reconcile::{Decision, Source};
use crate::sim::SyncRecord;
use crate::text::Text;
use crate::view::Severity;
use crate::view::kinds::rule_text::{COLLECTED, ENDED, NEXT, Progress, RuleText, STARTED, pod_of, title};

impl RuleText for Rule {
    fn sentence(self, sync: &SyncRecord, decision: &Decision) -> Text {
        let pod = pod_of(sync, decision);
        match self {
            Self::ClaimHandedOver => {
                text!("{} is terminating; its claims are handed over to it, to be deleted with it", pod)
            }
            Self::ClaimDeleted => text!("Claims of pods that are gone are deleted"),
            Self::CloneReleased => text!("{} no longer matches the selector; it is released", pod),
            Self::ClonesClaimed => text!("The pods of the set are known"),
            Self::CloneRevisionUnchanged => text!("The template is still that of the newest revision"),
            Self::CloneRevisionReused => text!("The template is that of an earlier revision, which becomes the newest"),
            Self::CloneRevisionCreated => text!("The template has not been seen before; a revision is made of it"),
            Self::CloneRevisionRefused => text!("The revision of the template could not be written"),
            Self::CloneSetTerminating => text!("The set is being deleted; its pods are left to the garbage collector"),
            Self::DeletionsReconsidered => {
                text!("Pods are missing; deletions that wait at a hook are taken back where they can be")
            }
            Self::DiffsCalculated => text!("The numbers of pods to create, delete and update are calculated"),
            Self::ScaleUpLimited => text!("Too many pods are unavailable to create all that are missing"),
            Self::CloneCreated => text!("{} is missing; it is created", pod),
            Self::CloneCreateRefused => text!("{} or a claim of it could not be created", pod),
            Self::DeletionPrepared => text!("{} is to be deleted; it waits at its hook", pod),
            Self::CloneDeleted => text!("{} is surplus or marked for deletion; it is deleted with its claims", pod),
            Self::DeletionLimited => text!("{} is available and stays: too few others are", pod),
            Self::ScaleDownWaits => text!("Scaling down waits until the deletions under way are done"),
            Self::ScaleSettled => text!("No pod is to be created or deleted"),
            Self::GraceWaits => text!("{} is not ready on purpose; it is changed once its grace is over", pod),
            Self::GraceFinished => text!("{} has passed its grace period; its change is no longer held", pod),
            Self::NextBatchUpdated => text!("{} has its first containers changed; the next follow", pod),
            Self::InPlaceIncomplete => text!("{} is not yet running what it was changed to", pod),
            Self::InPlaceGateOpened => text!("{} is not being changed; its gate is opened", pod),
            Self::LifecycleNormal => text!("{} has completed this step of its lifecycle; it is Normal", pod),
            Self::LifecycleUpdated => text!("{} is updated; its hook must be restored", pod),
            Self::RefreshFirst => text!("Pods advanced in their lifecycle; updates wait for the next sync"),
            Self::CloneUpdateOnDelete => text!("OnDelete: old pods are updated when somebody deletes them"),
            Self::CloneUpdatePaused => text!("Updates are paused"),
            Self::CloneUpdateSettled => text!("As many pods are updated as the partition asks for"),
            Self::CloneUpdateLimited => text!("Too many pods are unavailable to update more now"),
            Self::UpdatePrepared => text!("{} is to be updated in place; its hook is notified", pod),
            Self::UpdateHooked => text!("{} is to be updated in place; it waits at its hook", pod),
            Self::UpdatedInPlace => text!("{} is updated in place", pod),
            Self::UpdateInPlaceRefused => text!("{} could not be changed in place", pod),
            Self::UpdatePreparedAgain => text!("{} is to be updated once more; it goes back to its hook", pod),
            Self::InPlaceImpossible => {
                text!("{} cannot be changed this way in place, and InPlaceOnly allows nothing else", pod)
            }
            Self::RecreateMarked => text!("{} is marked for deletion; another is made at the update revision", pod),
            Self::CloneRolloutCompleted => text!("Every pod is updated; the update revision becomes the current one"),
            Self::DeadlineExceeded => text!("The rollout has not ended before its deadline"),
            Self::CloneStatusUnchanged => text!("The status stays as it was"),
            Self::CloneStatusWritten => text!("The new status is written"),
            Self::CloneStatusRefused => text!("The new status could not be written"),
            Self::PodsToDeleteTruncated => text!("Names of pods that are gone are removed from podsToDelete"),
            Self::PodsToDeleteRefused => text!("podsToDelete could not be shortened; a later sync does it"),
            Self::CloneHistoryKept => text!("Unused revisions are within the limit"),
            Self::CloneHistoryTruncated => text!("Unused revisions over the limit are deleted"),
        }
    }

    fn resolution(self) -> &'static str {
        match self {
            Self::CloneSetTerminating => COLLECTED,
            Self::ScaleUpLimited => {
                "A pod that becomes available, or a higher scaleStrategy.maxUnavailable, lets it continue."
            }
            Self::CloneCreated => STARTED,
            Self::DeletionPrepared | Self::ScaleDownWaits => {
                "The hook releases the pod once its label or finalizer is removed."
            }
            Self::CloneDeleted => ENDED,
            Self::DeletionLimited | Self::CloneUpdateLimited => {
                "A pod that becomes available, or a higher maxUnavailable, lets it continue."
            }
            Self::GraceWaits => "The grace period ends, and the image is changed.",
            Self::NextBatchUpdated | Self::InPlaceIncomplete | Self::UpdatedInPlace => {
                "The kubelet starts the container with its new image."
            }
            Self::UpdatePrepared | Self::UpdateHooked | Self::UpdatePreparedAgain => {
                "The hook allows the update once its label or finalizer is removed."
            }
            Self::DeadlineExceeded => {
                "Nothing is undone by itself: roll back, or put right what keeps the new pods from being available."
            }
            _ => NEXT,
        }
    }

    fn severity(self) -> Severity {
        match self {
            Self::UpdateHooked | Self::DeadlineExceeded => Severity::Stuck,
            _ => Severity::Waiting,
        }
    }

    fn left_to_people(self, progress: &Progress) -> &'static str {
        match self {
            Self::CloneUpdatePaused if progress.outdated > 0 => "Resume the updates.",
            Self::CloneUpdateOnDelete if progress.updated < progress.desired => {
                "Delete a pod, and its replacement is of the current template."
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
