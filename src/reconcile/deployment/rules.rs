//! The decision points of the Deployment controller.

use crate::reconcile::stage::{Weight, rules};

const REF_MANAGER: &str = "pkg/controller/controller_ref_manager.go";
const DEPLOYMENT: &str = "pkg/controller/deployment/deployment_controller.go";
const DEPLOYMENT_SYNC: &str = "pkg/controller/deployment/sync.go";
const ROLLING: &str = "pkg/controller/deployment/rolling.go";
const RECREATE: &str = "pkg/controller/deployment/recreate.go";
const PROGRESS: &str = "pkg/controller/deployment/progress.go";

rules! {
    /// The ReplicaSets are known.
    ReplicaSetsClaimed: ClaimPods, REF_MANAGER, "ClaimReplicaSets";
    /// The Deployment is being deleted: only its status is kept up.
    DeploymentTerminating: Revisions, DEPLOYMENT, "syncDeployment";
    /// Rollouts are paused: it is only scaled.
    DeploymentPaused: Revisions, DEPLOYMENT, "syncDeployment";
    /// The ReplicaSet of the template is there.
    NewReplicaSetFound: Revisions, DEPLOYMENT_SYNC, "getNewReplicaSet";
    /// The template is new; a ReplicaSet is made of it.
    NewReplicaSetCreated: Revisions, DEPLOYMENT_SYNC, "getNewReplicaSet";
    /// Another template's ReplicaSet has the name: the collision count goes up and a new name is generated.
    NewReplicaSetNameTaken: Revisions, DEPLOYMENT_SYNC, "getNewReplicaSet";
    /// Creating the ReplicaSet was refused; the sync ends.
    NewReplicaSetRefused: Revisions, DEPLOYMENT_SYNC, "getNewReplicaSet";
    /// The one ReplicaSet with pods gets the desired number.
    ReplicaSetScaled: Scale, DEPLOYMENT_SYNC, "scale";
    /// In the middle of a rollout every ReplicaSet gets its share of a changed number.
    ScaledByShare: Scale, DEPLOYMENT_SYNC, "scale";
    /// The new ReplicaSet gets as many pods as maxSurge allows.
    NewScaled: Update, ROLLING, "reconcileNewReplicaSet";
    /// Old pods that are not available go first: they cost no availability.
    OldUnhealthyScaledDown: Update, ROLLING, "cleanupUnhealthyReplicas";
    /// An old ReplicaSet gives up as many pods as maxUnavailable allows.
    OldScaledDown: Update, ROLLING, "scaleDownOldReplicaSetsForRollingUpdate";
    /// No ReplicaSet may be scaled any further: the rollout waits for pods to become available.
    RolloutWaits: Update, ROLLING, "rolloutRolling";
    /// Recreate waits until the last old pod is gone.
    RecreateWaits: Update, RECREATE, "oldPodsRunning";
    /// Every pod is of the current template, and available.
    RolloutComplete: Update, PROGRESS, "DeploymentComplete";
    /// Old ReplicaSets over the limit are deleted.
    OldReplicaSetsDeleted: History, DEPLOYMENT_SYNC, "cleanupDeployment";
    /// The rollout made no progress before its deadline.
    ProgressDeadlineExceeded: Status, PROGRESS, "DeploymentTimedOut";
    /// The status is as it was.
    DeploymentStatusUnchanged: Status, PROGRESS, "syncRolloutStatus";
    /// The status is written.
    DeploymentStatusWritten: Status, PROGRESS, "syncRolloutStatus";
    /// Writing the status was refused; the sync ends.
    DeploymentStatusRefused: Status, PROGRESS, "syncRolloutStatus";
}

impl Rule {
    /// How much a decision by it says about where a sync stands.
    pub(crate) fn weight(self) -> Weight {
        match self {
            Self::NewReplicaSetNameTaken | Self::NewReplicaSetRefused | Self::DeploymentStatusRefused => {
                Weight::Refused
            }
            Self::DeploymentTerminating
            | Self::NewReplicaSetCreated
            | Self::ReplicaSetScaled
            | Self::ScaledByShare
            | Self::NewScaled
            | Self::OldUnhealthyScaledDown
            | Self::OldScaledDown => Weight::Acted,
            Self::RolloutWaits | Self::RecreateWaits | Self::ProgressDeadlineExceeded => Weight::Waits,
            Self::DeploymentPaused | Self::RolloutComplete => Weight::Update,
            Self::ReplicaSetsClaimed
            | Self::NewReplicaSetFound
            | Self::OldReplicaSetsDeleted
            | Self::DeploymentStatusUnchanged
            | Self::DeploymentStatusWritten => Weight::Passed,
        }
    }
}
