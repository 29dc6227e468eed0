//! What is said about the decision points of the Advanced StatefulSet controller.

use crate::reconcile::advanced_stateful_set::Rule;
use crate::reconcile::{Decision, Facts, Source};
use crate::sim::SyncRecord;
use crate::text::Text;
use crate::view::Severity;
use crate::view::kinds::rule_text::{ENDED, NEXT, Progress, RuleText, STARTED, pod_of, refusal, title};

impl RuleText for Rule {
    fn sentence(self, sync: &SyncRecord, decision: &Decision) -> Text {
        let pod = pod_of(sync, decision);
        match self {
            Self::PodsClaimed => text!("The set's pods are known"),
            Self::RevisionUnchanged => text!("The template is that of the newest revision"),
            Self::RevisionReused => text!("The template is that of an older revision, which becomes the newest"),
            Self::RevisionCreated => text!("The template is new; a revision is made of it"),
            Self::Split => text!("Pods are split by ordinal; reserved ordinals are left out"),
            Self::EndedDeleted => text!("{} has ended; it is deleted, to be created again", pod),
            Self::Created => text!("{} is missing; it is created", pod),
            Self::CreateRefused => text!("{}: creating it was refused: {}", pod, refusal(sync, self.stage())),
            Self::ReplicaTerminating => {
                text!("{} is still terminating, or a claim of it; it is waited for until it is gone", pod)
            }
            Self::ReplicaNotAvailable => text!("{} is not available; OrderedReady waits until it is", pod),
            Self::ScaleLimited => {
                text!("As many pods are in the making as scaleStrategy.maxUnavailable allows; those above {} wait", pod)
            }
            Self::CondemnedWaits => text!("{} is condemned; OrderedReady waits until it is gone or available", pod),
            Self::CondemnedDeleted => text!("{} is condemned; it is deleted", pod),
            Self::DeletionPrepared => text!("{} is to be deleted; it waits at its hook", pod),
            Self::WriteRefused => text!("A write was refused: {}", refusal(sync, self.stage())),
            Self::GraceWaits => text!("{} is not ready on purpose; it is changed once its grace is over", pod),
            Self::GraceFinished => text!("{} has passed its grace period; its change is no longer held", pod),
            Self::InPlaceIncomplete => text!("{} is not yet running what it was changed to", pod),
            Self::InPlaceGateOpened => text!("{} is not being changed; its gate is opened", pod),
            Self::LifecycleNormal => text!("{} has completed this step of its lifecycle; it is Normal", pod),
            Self::LifecycleUpdated => text!("{} is updated; its hook must be restored", pod),
            Self::RefreshFirst => text!("Pods advanced in their lifecycle; updates wait for the next sync"),
            Self::OnDelete => text!("OnDelete: pods of older revisions are left to the user"),
            Self::Paused => text!("Updates are paused"),
            Self::SpecifiedDeleted => text!("{} was to go by its label; it is deleted", pod),
            Self::UpdateLimited => match decision.facts {
                Facts::Unavailable { allowed, .. } => {
                    text!("As many pods are unavailable as maxUnavailable allows ({}); {} waits", allowed, pod)
                }
                _ => text!("As many pods are unavailable as maxUnavailable allows; {} waits", pod),
            },
            Self::UpdateHooked => text!("{} is to be updated in place; it waits at its hook", pod),
            Self::UpdatedInPlace => text!("{} is updated in place", pod),
            Self::InPlaceImpossible => {
                text!("{} cannot be changed this way in place, and InPlaceOnly allows nothing else", pod)
            }
            Self::UpdateDeleted => {
                text!("{} is at another revision; it is deleted, to come back at the update revision", pod)
            }
            Self::UpdateDone => text!("As many pods are updated as the partition asks for"),
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
                "A pod that becomes available, or a higher scaleStrategy.maxUnavailable, lets it continue."
            }
            Self::UpdateLimited => "A pod that becomes available, or a higher maxUnavailable, lets it continue.",
            Self::DeletionPrepared => "The hook releases the pod once its label or finalizer is removed.",
            Self::GraceWaits => "The grace period ends, and the image is changed.",
            Self::InPlaceIncomplete | Self::UpdatedInPlace => "The kubelet starts the container with its new image.",
            Self::UpdateHooked => "The hook allows the update once its label or finalizer is removed.",
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
