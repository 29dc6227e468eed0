//! What is said about the decision points of the Deployment controller.

use crate::reconcile::deployment::Rule;
use crate::reconcile::{Decision, Facts, Stage};
use crate::sim::SyncRecord;
use crate::text::Text;
use crate::view::Severity;
use crate::view::kinds::rule_text::{COLLECTED, ENDED, NEXT, Progress, RuleText, STARTED, title};

impl RuleText for Rule {
    fn sentence(self, _sync: &SyncRecord, decision: &Decision) -> Text {
        let text = match self {
            Self::ReplicaSetsClaimed => text!("The ReplicaSets are known"),
            Self::DeploymentTerminating => {
                text!("The Deployment is being deleted; its ReplicaSets are left to the garbage collector")
            }
            Self::DeploymentPaused => text!("Rollouts are paused; it is only scaled"),
            Self::NewReplicaSetFound => text!("The template has its ReplicaSet already"),
            Self::NewReplicaSetCreated => text!("The template has not been seen before; a ReplicaSet is made of it"),
            Self::NewReplicaSetNameTaken => {
                text!("The new ReplicaSet's name is taken by another template; the next sync makes another")
            }
            Self::NewReplicaSetRefused => text!("The ReplicaSet of the template could not be created"),
            Self::ReplicaSetScaled => text!("it is the one with pods, and the desired number changed"),
            Self::ScaledByShare => {
                text!("the desired number changed in the middle of a rollout, and each gets its share")
            }
            Self::NewScaled => text!("as far as maxSurge lets it"),
            Self::OldUnhealthyScaledDown => text!("its unavailable pods cost no availability"),
            Self::OldScaledDown => text!("as far as maxUnavailable lets it"),
            Self::RolloutWaits => {
                text!("No ReplicaSet may be scaled any further before more pods are available")
            }
            Self::RecreateWaits => text!("Recreate creates no new pod before the last old one is gone"),
            Self::RolloutComplete => text!("Every pod is of the current template, and available"),
            Self::OldReplicaSetsDeleted => text!("Old ReplicaSets over the limit are deleted"),
            Self::ProgressDeadlineExceeded => text!("The rollout made no progress before its deadline"),
            Self::DeploymentStatusUnchanged => text!("The status stays as it was"),
            Self::DeploymentStatusWritten => text!("The new status is written"),
            Self::DeploymentStatusRefused => text!("The new status could not be written"),
        };
        match decision.facts {
            Facts::Scaled { is_new: true, from, to } => {
                text!("The ReplicaSet of the template goes from {} to {} pods: {}", from, to, text)
            }
            Facts::Scaled { is_new: false, from, to } => {
                text!("An old ReplicaSet goes from {} to {} pods: {}", from, to, text)
            }
            _ => text,
        }
    }

    fn resolution(self) -> &'static str {
        match self {
            Self::DeploymentTerminating => COLLECTED,
            Self::NewReplicaSetCreated | Self::NewScaled => STARTED,
            Self::ReplicaSetScaled | Self::ScaledByShare => "The ReplicaSets create or delete the pods.",
            Self::OldUnhealthyScaledDown | Self::OldScaledDown => ENDED,
            Self::RolloutWaits => {
                "A new pod that becomes available, a higher maxSurge or maxUnavailable lets it continue."
            }
            Self::RecreateWaits => "The kubelets end the old pods.",
            Self::ProgressDeadlineExceeded => {
                "Nothing is undone by itself: roll back, or put right what keeps the new pods from being available."
            }
            _ => NEXT,
        }
    }

    fn severity(self) -> Severity {
        match self {
            Self::ProgressDeadlineExceeded => Severity::Stuck,
            _ => Severity::Waiting,
        }
    }

    fn left_to_people(self, _progress: &Progress) -> &'static str {
        match self {
            Self::DeploymentPaused => "Resume the rollout; a changed template waits until then.",
            _ => "",
        }
    }

    fn stage_title(self) -> &'static str {
        match self.stage() {
            Stage::ClaimPods => "Claim ReplicaSets",
            Stage::Revisions => "Find the new ReplicaSet",
            Stage::Update => "Roll out",
            stage => title(stage),
        }
    }
}
