//! What a CloneSet's controller decided, in one sentence each.

use crate::reconcile::{Decision, Facts, Rule};

/// One decision in one sentence. Rules of other controllers have no words here.
pub(super) fn sentence(set: &str, decision: &Decision) -> String {
    match (about_a_pod(decision.rule), decision.facts) {
        ("", _) => about_the_set(decision.rule).to_owned(),
        (said, Facts::Instance(instance)) => {
            format!("{set}-{}{said}", String::from_utf8_lossy(&instance).trim_end_matches(char::from(0)))
        }
        (said, _) => format!("A pod{said}"),
    }
}

fn about_a_pod(rule: Rule) -> &'static str {
    match rule {
        Rule::ClaimHandedOver => " is going; its claims are handed over to go with it",
        Rule::CloneReleased => " no longer matches the selector; it is released",
        Rule::CloneCreated => " is missing; it is created",
        Rule::CloneCreateRefused => " or a claim of it could not be created",
        Rule::DeletionPrepared => " is to be deleted; it waits at its hook",
        Rule::CloneDeleted => " is too much or was to go; it is deleted with its claims",
        Rule::DeletionLimited => " is available and stays: too few others are",
        Rule::GraceWaits => " is not ready on purpose; it is changed once its grace is over",
        Rule::GraceFinished => " is through with its grace; its change is no longer held",
        Rule::NextBatchUpdated => " has its first containers changed; the next follow",
        Rule::InPlaceIncomplete => " is not yet running what it was changed to",
        Rule::InPlaceGateOpened => " is not being changed; its gate is opened",
        Rule::LifecycleNormal => " is through with this step of its life; it is Normal",
        Rule::LifecycleUpdated => " is updated; its hook is to be put back",
        Rule::UpdatePrepared => " is to be updated in place; its hook is told",
        Rule::UpdateHooked => " is to be updated in place; it waits at its hook",
        Rule::UpdatedInPlace => " is updated in place",
        Rule::UpdateInPlaceRefused => " could not be changed in place",
        Rule::UpdatePreparedAgain => " is to be updated once more; it goes back to its hook",
        Rule::InPlaceImpossible => " cannot be changed this way in place, and InPlaceOnly allows nothing else",
        Rule::RecreateMarked => " is marked for deletion; another is made at the update revision",
        _ => "",
    }
}

fn about_the_set(rule: Rule) -> &'static str {
    match rule {
        Rule::ClaimDeleted => "Claims of pods that are gone are deleted",
        Rule::ClonesClaimed => "The pods of the set are known",
        Rule::CloneRevisionUnchanged => "The template is still that of the newest revision",
        Rule::CloneRevisionReused => "The template is that of an earlier revision, which becomes the newest",
        Rule::CloneRevisionCreated => "The template has not been seen before; a revision is made of it",
        Rule::CloneRevisionRefused => "The revision of the template could not be written",
        Rule::CloneSetTerminating => "The set is being deleted; its pods are left to the garbage collector",
        Rule::DeletionsReconsidered => {
            "Pods are missing; deletions that wait at a hook are taken back where they can be"
        }
        Rule::DiffsCalculated => "It is worked out how many pods to create, delete and update",
        Rule::ScaleUpLimited => "Too many pods are unavailable to create all that are missing",
        Rule::ScaleDownWaits => "Scaling down waits until the deletions under way are done",
        Rule::ScaleSettled => "No pod is to be created or deleted",
        Rule::RefreshFirst => "Pods were moved on; updates wait for the next sync",
        Rule::CloneUpdateOnDelete => "OnDelete: old pods are updated when people delete them",
        Rule::CloneUpdatePaused => "Updates are paused",
        Rule::CloneUpdateSettled => "As many pods are updated as the partition wants",
        Rule::CloneUpdateLimited => "Too many pods are unavailable to update more now",
        Rule::CloneRolloutCompleted => "Every pod is updated; the update revision becomes the current one",
        Rule::DeadlineExceeded => "The rollout has not ended before its deadline",
        Rule::CloneStatusUnchanged => "The status stays as it was",
        Rule::CloneStatusWritten => "The new status is written",
        Rule::CloneStatusRefused => "The new status could not be written",
        Rule::PodsToDeleteTruncated => "Names of pods that are gone are taken off podsToDelete",
        Rule::PodsToDeleteRefused => "podsToDelete could not be shortened; a later sync does it",
        Rule::CloneHistoryKept => "Unused revisions are within the limit",
        Rule::CloneHistoryTruncated => "Unused revisions over the limit are deleted",
        _ => "",
    }
}
