//! The decision points of the ReplicaSet controller.

use crate::reconcile::stage::{Weight, rules};

const REF_MANAGER: &str = "pkg/controller/controller_ref_manager.go";
const REPLICA_SET: &str = "pkg/controller/replicaset/replica_set.go";
const REPLICA_SET_STATUS: &str = "pkg/controller/replicaset/replica_set_utils.go";
const EXPECTATIONS: &str = "pkg/controller/controller_utils.go";

rules! {
    /// The cache is behind what the controller itself wrote; the sync is deferred.
    ReplicasBehindOwnWrites: ClaimPods, REPLICA_SET, "syncReplicaSet", since V1_36;
    /// The set's active pods are known: terminating and finished pods do not count.
    ReplicasClaimed: ClaimPods, REF_MANAGER, "ClaimPods";
    /// The set is being deleted: only its status is kept up.
    ReplicaSetTerminating: Scale, REPLICA_SET, "syncReplicaSet";
    /// The cache does not show yet what was last created or deleted: nothing more is.
    ReplicasPending: Scale, EXPECTATIONS, "SatisfiedExpectations";
    /// A pod is missing, so one is created under a new name.
    ReplicaAdded: Scale, REPLICA_SET, "manageReplicas";
    /// Creating a pod was refused; the batches after it are left.
    ReplicaAddRefused: Scale, REPLICA_SET, "slowStartBatch";
    /// A surplus pod is deleted: the one that ranks lowest.
    ReplicaRemoved: Scale, REPLICA_SET, "getPodsToDelete";
    /// The number of pods is as desired.
    ReplicasSettled: Scale, REPLICA_SET, "manageReplicas";
    /// The status is as it was.
    ReplicaSetStatusUnchanged: Status, REPLICA_SET_STATUS, "updateReplicaSetStatus";
    /// The status is written.
    ReplicaSetStatusWritten: Status, REPLICA_SET_STATUS, "updateReplicaSetStatus";
    /// Writing the status was refused; the sync ends.
    ReplicaSetStatusRefused: Status, REPLICA_SET_STATUS, "updateReplicaSetStatus";
}

impl Rule {
    /// How much a decision by it says about where a sync stands.
    pub(crate) fn weight(self) -> Weight {
        match self {
            Self::ReplicaAddRefused | Self::ReplicaSetStatusRefused => Weight::Refused,
            Self::ReplicaSetTerminating | Self::ReplicaAdded | Self::ReplicaRemoved => Weight::Acted,
            Self::ReplicasBehindOwnWrites | Self::ReplicasPending => Weight::Waits,
            Self::ReplicasClaimed
            | Self::ReplicasSettled
            | Self::ReplicaSetStatusUnchanged
            | Self::ReplicaSetStatusWritten => Weight::Passed,
        }
    }
}
