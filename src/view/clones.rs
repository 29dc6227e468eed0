//! What the controllers of CloneSet, ReplicaSet, Deployment and DaemonSet decided, in one sentence each.

use super::context::Weight;
use crate::reconcile::{Decision, Facts, Rule};
use crate::text::Text;

/// One decision in one sentence. Rules of other controllers have no words here.
pub(super) fn sentence(set: &str, decision: &Decision) -> Text {
    let about_the_set = || Text::fixed(about_the_set(decision.rule));
    let pod = match decision.facts {
        Facts::Instance(instance) => {
            let instance = String::from_utf8_lossy(&instance);
            Text::verbatim(format!("{set}-{}", instance.trim_end_matches(char::from(0))))
        }
        _ => text!("A pod"),
    };
    match (about_a_pod(decision.rule, &pod), decision.facts) {
        (Some(text), _) => text,
        (None, Facts::Scaled { is_new: true, from, to }) => {
            text!("The ReplicaSet of the template goes from {} to {} pods: {}", from, to, about_the_set())
        }
        (None, Facts::Scaled { is_new: false, from, to }) => {
            text!("An old ReplicaSet goes from {} to {} pods: {}", from, to, about_the_set())
        }
        (None, _) => about_the_set(),
    }
}

/// How much a decision says of where a sync stands.
pub(super) fn weight(rule: Rule) -> Weight {
    match rule {
        Rule::CloneRevisionRefused
        | Rule::CloneCreateRefused
        | Rule::UpdateInPlaceRefused
        | Rule::InPlaceImpossible
        | Rule::CloneStatusRefused
        | Rule::ReplicaAddRefused
        | Rule::ReplicaSetStatusRefused
        | Rule::NewReplicaSetNameTaken
        | Rule::NewReplicaSetRefused
        | Rule::DeploymentStatusRefused
        | Rule::DaemonRevisionRefused
        | Rule::DaemonCreateRefused
        | Rule::DaemonSetStatusRefused => Weight::Refused,
        Rule::CloneSetTerminating
        | Rule::CloneCreated
        | Rule::CloneDeleted
        | Rule::DeletionPrepared
        | Rule::UpdatedInPlace
        | Rule::UpdatePrepared
        | Rule::UpdatePreparedAgain
        | Rule::RecreateMarked
        | Rule::GraceFinished
        | Rule::NextBatchUpdated
        | Rule::ReplicaSetTerminating
        | Rule::ReplicaAdded
        | Rule::ReplicaRemoved
        | Rule::DeploymentTerminating
        | Rule::NewReplicaSetCreated
        | Rule::ReplicaSetScaled
        | Rule::ScaledByShare
        | Rule::NewScaled
        | Rule::OldUnhealthyScaledDown
        | Rule::OldScaledDown
        | Rule::DaemonSetTerminating
        | Rule::DaemonCreated
        | Rule::DaemonDeleted
        | Rule::DaemonUpdateDeleted
        | Rule::DaemonUpdateSurged => Weight::Acted,
        Rule::ScaleUpLimited
        | Rule::DeletionLimited
        | Rule::ScaleDownWaits
        | Rule::GraceWaits
        | Rule::InPlaceIncomplete
        | Rule::UpdateHooked
        | Rule::CloneUpdateLimited
        | Rule::DeadlineExceeded
        | Rule::ReplicasPending
        | Rule::RolloutWaits
        | Rule::RecreateWaits
        | Rule::ProgressDeadlineExceeded
        | Rule::DaemonsPending
        | Rule::DaemonUpdateLimited => Weight::Waits,
        Rule::InPlaceGateOpened | Rule::LifecycleNormal | Rule::LifecycleUpdated | Rule::CloneReleased => Weight::Minor,
        Rule::CloneUpdateOnDelete
        | Rule::CloneUpdatePaused
        | Rule::CloneUpdateSettled
        | Rule::DeploymentPaused
        | Rule::RolloutComplete
        | Rule::DaemonUpdateOnDelete
        | Rule::DaemonUpdateSettled => Weight::Update,
        _ => Weight::Passed,
    }
}

fn about_a_pod(rule: Rule, pod: &Text) -> Option<Text> {
    Some(match rule {
        Rule::ClaimHandedOver => {
            text!("{} is terminating; its claims are handed over to it, to be deleted with it", pod)
        }
        Rule::CloneReleased => text!("{} no longer matches the selector; it is released", pod),
        Rule::CloneCreated => text!("{} is missing; it is created", pod),
        Rule::CloneCreateRefused => text!("{} or a claim of it could not be created", pod),
        Rule::DeletionPrepared => text!("{} is to be deleted; it waits at its hook", pod),
        Rule::CloneDeleted => text!("{} is surplus or marked for deletion; it is deleted with its claims", pod),
        Rule::DeletionLimited => text!("{} is available and stays: too few others are", pod),
        Rule::GraceWaits => text!("{} is not ready on purpose; it is changed once its grace is over", pod),
        Rule::GraceFinished => text!("{} has passed its grace period; its change is no longer held", pod),
        Rule::NextBatchUpdated => text!("{} has its first containers changed; the next follow", pod),
        Rule::InPlaceIncomplete => text!("{} is not yet running what it was changed to", pod),
        Rule::InPlaceGateOpened => text!("{} is not being changed; its gate is opened", pod),
        Rule::LifecycleNormal => text!("{} has completed this step of its lifecycle; it is Normal", pod),
        Rule::LifecycleUpdated => text!("{} is updated; its hook must be restored", pod),
        Rule::UpdatePrepared => text!("{} is to be updated in place; its hook is notified", pod),
        Rule::UpdateHooked => text!("{} is to be updated in place; it waits at its hook", pod),
        Rule::UpdatedInPlace => text!("{} is updated in place", pod),
        Rule::UpdateInPlaceRefused => text!("{} could not be changed in place", pod),
        Rule::UpdatePreparedAgain => text!("{} is to be updated once more; it goes back to its hook", pod),
        Rule::InPlaceImpossible => {
            text!("{} cannot be changed this way in place, and InPlaceOnly allows nothing else", pod)
        }
        Rule::RecreateMarked => text!("{} is marked for deletion; another is made at the update revision", pod),
        Rule::ReplicaAdded => text!("{} is created in the place of one that is missing", pod),
        Rule::ReplicaRemoved => text!("{} is deleted: it ranks lowest of the surplus pods", pod),
        Rule::DaemonCreated => text!("{} is created for a node that lacks its pod", pod),
        Rule::DaemonDeleted => text!("{} is deleted: it has ended, or its node has one too many", pod),
        Rule::DaemonUpdateDeleted => text!("{} is old and is deleted, to be created again from the new template", pod),
        _ => return None,
    })
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
        Rule::DiffsCalculated => "The numbers of pods to create, delete and update are calculated",
        Rule::ScaleUpLimited => "Too many pods are unavailable to create all that are missing",
        Rule::ScaleDownWaits => "Scaling down waits until the deletions under way are done",
        Rule::ScaleSettled => "No pod is to be created or deleted",
        Rule::RefreshFirst => "Pods advanced in their lifecycle; updates wait for the next sync",
        Rule::CloneUpdateOnDelete => "OnDelete: old pods are updated when somebody deletes them",
        Rule::CloneUpdatePaused => "Updates are paused",
        Rule::CloneUpdateSettled => "As many pods are updated as the partition asks for",
        Rule::CloneUpdateLimited => "Too many pods are unavailable to update more now",
        Rule::CloneRolloutCompleted => "Every pod is updated; the update revision becomes the current one",
        Rule::DeadlineExceeded => "The rollout has not ended before its deadline",
        Rule::CloneStatusUnchanged => "The status stays as it was",
        Rule::CloneStatusWritten => "The new status is written",
        Rule::CloneStatusRefused => "The new status could not be written",
        Rule::PodsToDeleteTruncated => "Names of pods that are gone are removed from podsToDelete",
        Rule::PodsToDeleteRefused => "podsToDelete could not be shortened; a later sync does it",
        Rule::CloneHistoryKept => "Unused revisions are within the limit",
        Rule::CloneHistoryTruncated => "Unused revisions over the limit are deleted",
        Rule::ReplicasClaimed => "The active pods are known: terminating and finished pods do not count",
        Rule::ReplicaSetTerminating => "The set is being deleted; its pods are left to the garbage collector",
        Rule::ReplicasPending | Rule::DaemonsPending => {
            "The cache does not show yet what was last created or deleted; nothing more is done"
        }
        Rule::ReplicaAddRefused => "A missing pod could not be created",
        Rule::ReplicasSettled => "There are as many pods as desired",
        Rule::ReplicaSetsClaimed => "The ReplicaSets are known",
        Rule::DeploymentTerminating => {
            "The Deployment is being deleted; its ReplicaSets are left to the garbage collector"
        }
        Rule::DeploymentPaused => "Rollouts are paused; it is only scaled",
        Rule::NewReplicaSetFound => "The template has its ReplicaSet already",
        Rule::NewReplicaSetCreated => "The template has not been seen before; a ReplicaSet is made of it",
        Rule::NewReplicaSetNameTaken => {
            "The new ReplicaSet's name is taken by another template; the next sync makes another"
        }
        Rule::NewReplicaSetRefused => "The ReplicaSet of the template could not be created",
        Rule::ReplicaSetScaled => "it is the one with pods, and the desired number changed",
        Rule::ScaledByShare => "the desired number changed in the middle of a rollout, and each gets its share",
        Rule::NewScaled => "as far as maxSurge lets it",
        Rule::OldUnhealthyScaledDown => "its unavailable pods cost no availability",
        Rule::OldScaledDown => "as far as maxUnavailable lets it",
        Rule::RolloutWaits => "Neither may more pods be made nor fewer be available; the rollout waits",
        Rule::RecreateWaits => "Recreate waits until the last old pod is gone",
        Rule::RolloutComplete => "Every pod is of the current template, and available",
        Rule::OldReplicaSetsDeleted => "Old ReplicaSets over the limit are deleted",
        Rule::ProgressDeadlineExceeded => "The rollout made no progress before its deadline",
        Rule::DaemonSetTerminating => "The set is being deleted; nothing is done",
        Rule::DaemonRevisionUnchanged => "The template is still that of the newest revision",
        Rule::DaemonRevisionReused => "The template is that of an earlier revision, which becomes the newest",
        Rule::DaemonRevisionCreated => "The template has not been seen before; a revision is made of it",
        Rule::DaemonRevisionRefused => "The revision of the template could not be written",
        Rule::DaemonPodsClaimed => "The pods of the set are known",
        Rule::DaemonCreateRefused => "The pod of a node could not be created",
        Rule::DaemonsInPlace => "Every node has what it should have",
        Rule::DaemonUpdateOnDelete => "OnDelete: old pods are updated when somebody deletes them",
        Rule::DaemonUpdateSurged => "New pods are made beside old ones",
        Rule::DaemonUpdateLimited => "As many nodes are without an available pod, or have two, as the strategy allows",
        Rule::DaemonUpdateSettled => "No old pod waits to be updated",
        Rule::DaemonHistoryTruncated => "Unused revisions over the limit are deleted",
        Rule::ReplicaSetStatusUnchanged | Rule::DeploymentStatusUnchanged | Rule::DaemonSetStatusUnchanged => {
            "The status stays as it was"
        }
        Rule::ReplicaSetStatusWritten | Rule::DeploymentStatusWritten | Rule::DaemonSetStatusWritten => {
            "The new status is written"
        }
        Rule::ReplicaSetStatusRefused | Rule::DeploymentStatusRefused | Rule::DaemonSetStatusRefused => {
            "The new status could not be written"
        }
        _ => "",
    }
}
