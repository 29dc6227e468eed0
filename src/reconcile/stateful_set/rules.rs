//! The decision points of the StatefulSet controller.

use crate::reconcile::ordinals::Step;
use crate::reconcile::stage::{Weight, rules};

const SET: &str = "pkg/controller/statefulset/stateful_set.go";
const CONTROL: &str = "pkg/controller/statefulset/stateful_set_control.go";
const POD_CONTROL: &str = "pkg/controller/statefulset/stateful_pod_control.go";
const REF_MANAGER: &str = "pkg/controller/controller_ref_manager.go";
const HISTORY: &str = "pkg/controller/history/controller_history.go";

rules! {
    /// The cache is behind the controller's own writes; the sync is deferred.
    CacheBehindOwnWrites: AdoptRevisions, SET, "sync", since V1_36;
    /// Revisions without a controller are adopted.
    RevisionsAdopted: AdoptRevisions, SET, "adoptOrphanRevisions";
    /// Adopting revisions was refused; the sync ends.
    RevisionAdoptionRefused: AdoptRevisions, SET, "adoptOrphanRevisions";
    /// A revision that has an owner was to be adopted again; the sync ends.
    OwnedRevisionInTheWay: AdoptRevisions, HISTORY, "AdoptControllerRevision", until V1_17;
    /// A matching pod without a controller is adopted.
    PodAdopted: ClaimPods, REF_MANAGER, "AdoptPod";
    /// An owned pod that no longer matches is released.
    PodReleased: ClaimPods, REF_MANAGER, "ReleasePod";
    /// Adopting or releasing was refused; the sync ends after the other pods.
    PodClaimRefused: ClaimPods, REF_MANAGER, "ClaimObject";
    /// The set's pods are known.
    PodsClaimed: ClaimPods, REF_MANAGER, "ClaimPods";
    /// The template is that of the newest revision.
    RevisionUnchanged: Revisions, CONTROL, "getStatefulSetRevisions";
    /// The newest revision, with the API server's defaults of today, is the template: no new one is made.
    RevisionEquivalent: Revisions, CONTROL, "getStatefulSetRevisions", since V1_35_3;
    /// The template is that of an older revision, which becomes the newest.
    RevisionReused: Revisions, HISTORY, "UpdateControllerRevision";
    /// The template is new; a revision is made of it.
    RevisionCreated: Revisions, HISTORY, "CreateControllerRevision";
    /// The revision's name was taken by other data: the collision count goes up and a new name is generated.
    RevisionNameTaken: Revisions, HISTORY, "CreateControllerRevision";
    /// Writing the revision was refused; the sync ends.
    RevisionRefused: Revisions, CONTROL, "getStatefulSetRevisions";
    /// Pods are split by ordinal.
    PodsSplit: Split, CONTROL, "updateStatefulSet";
    /// The lowest unhealthy pod; an unhealthy condemned pod may be deleted only if it is this one.
    FirstUnhealthy: Split, CONTROL, "updateStatefulSet";
    /// The set is being deleted: only its status is kept up.
    SetTerminating: Split, CONTROL, "updateStatefulSet";
    /// Ordinals that need no change.
    ReplicasInOrder: Replicas, CONTROL, "updateStatefulSet" | "processReplica";
    /// A failed pod is deleted to be created again.
    ReplicaFailed: Replicas, CONTROL, "updateStatefulSet" | "processReplica";
    /// A pod that Succeeded is deleted to be created again.
    ReplicaSucceeded: Replicas, CONTROL, "processReplica", since V1_29;
    /// Deleting a pod that has ended was refused; the sync ends.
    ReplicaFailedRefused: Replicas, POD_CONTROL, "DeleteStatefulPod";
    /// A claim is still to be deleted with the last pod of its ordinal: the next one is not created before.
    ReplicaClaimStale: Replicas, POD_CONTROL, "PodClaimIsStale", since V1_27;
    /// An ordinal is missing, so it is created.
    ReplicaCreated: Replicas, POD_CONTROL, "CreateStatefulPod";
    /// Creating was refused; the sync ends.
    ReplicaCreateRefused: Replicas, POD_CONTROL, "CreateStatefulPod";
    /// Claims that a Pending pod lacks are created.
    ReplicaClaimsCreated: Replicas, POD_CONTROL, "createMissingPersistentVolumeClaims", since V1_27;
    /// Creating the claims of a Pending pod was refused; the sync ends.
    ReplicaClaimsRefused: Replicas, POD_CONTROL, "createMissingPersistentVolumeClaims", since V1_27;
    /// A claim that another object controls is left alone, whatever the retention policy.
    ClaimLeftToOther: Replicas, POD_CONTROL, "UpdatePodClaimForRetentionPolicy", since V1_29;
    /// OrderedReady waits until a terminating pod is gone.
    ReplicaTerminating: Replicas, CONTROL, "updateStatefulSet" | "processReplica";
    /// OrderedReady waits until a pod is Running and Ready.
    ReplicaNotReady: Replicas, CONTROL, "updateStatefulSet" | "processReplica";
    /// OrderedReady waits until a pod has been ready for `minReadySeconds`.
    ReplicaNotAvailable: Replicas, CONTROL, "processReplica", since V1_23;
    /// A pod's identity, storage or the owner of its claims is corrected.
    ReplicaUpdated: Replicas, POD_CONTROL, "UpdateStatefulPod";
    /// Correcting identity, storage or the owner of claims was refused; the sync ends.
    ReplicaUpdateRefused: Replicas, POD_CONTROL, "UpdateStatefulPod";
    /// The claims of a condemned pod get the owner with which they are to be deleted.
    CondemnedClaimsKept: Condemned, POD_CONTROL, "UpdatePodClaimForRetentionPolicy", since V1_27;
    /// Giving claims of a condemned pod their owner was refused; the sync ends.
    CondemnedClaimsRefused: Condemned, POD_CONTROL, "UpdatePodClaimForRetentionPolicy", since V1_27;
    /// OrderedReady waits until a condemned pod is gone.
    CondemnedTerminating: Condemned, CONTROL, "updateStatefulSet" | "processCondemned";
    /// Parallel passes a condemned pod that is already terminating.
    CondemnedPassed: Condemned, CONTROL, "updateStatefulSet" | "processCondemned";
    /// OrderedReady waits: a condemned pod is not ready and not the first unhealthy one.
    CondemnedNotReady: Condemned, CONTROL, "updateStatefulSet" | "processCondemned";
    /// OrderedReady waits: a condemned pod has not been ready for `minReadySeconds` and is not the first unhealthy one.
    CondemnedNotAvailable: Condemned, CONTROL, "processCondemned", since V1_23;
    /// A condemned pod is deleted.
    CondemnedDeleted: Condemned, POD_CONTROL, "DeleteStatefulPod";
    /// Deleting a condemned pod was refused; the sync ends.
    CondemnedDeleteRefused: Condemned, POD_CONTROL, "DeleteStatefulPod";
    /// OnDelete leaves old pods to the user.
    UpdateOnDelete: Update, CONTROL, "updateStatefulSet";
    /// A pod at another revision is deleted to come back at the update revision.
    UpdateDeleted: Update, POD_CONTROL, "DeleteStatefulPod";
    /// Parallel: an old pod that is not available is deleted first, whatever `maxUnavailable` allows.
    UpdateBrokenDeleted: Update, POD_CONTROL, "DeleteStatefulPod", since V1_37;
    /// Deleting an old pod was refused; the sync ends.
    UpdateDeleteRefused: Update, POD_CONTROL, "DeleteStatefulPod";
    /// Recreate waits until the pods of older revisions are gone, and makes none before.
    UpdateRecreateWaits: Update, CONTROL, "updateStatefulSet", since V1_37;
    /// The rolling update waits until a pod is healthy.
    UpdateNotHealthy: Update, CONTROL, "updateStatefulSet";
    /// The rolling update waits: as many pods are unavailable as `maxUnavailable` allows.
    UpdateMaxUnavailable: Update, CONTROL, "updateStatefulSetAfterInvariantEstablished", since V1_28;
    /// Every ordinal down to the partition is at the update revision.
    UpdateDone: Update, CONTROL, "updateStatefulSet";
    /// Every pod is updated and ready: the update revision becomes the current one.
    RolloutCompleted: Status, CONTROL, "completeRollingUpdate";
    /// The status is as it was.
    StatusUnchanged: Status, CONTROL, "updateStatefulSetStatus";
    /// The status is written.
    StatusWritten: Status, CONTROL, "updateStatefulSetStatus";
    /// Writing the status was refused.
    StatusRefused: Status, CONTROL, "updateStatefulSetStatus";
    /// Old revisions are within the limit.
    HistoryKept: History, CONTROL, "truncateHistory";
    /// The oldest unused revisions are deleted.
    HistoryTruncated: History, CONTROL, "truncateHistory";
    /// Deleting an old revision was refused.
    HistoryRefused: History, CONTROL, "truncateHistory";
}

impl Rule {
    /// What a step that is shared with other kinds is called here.
    pub(super) fn of_step(step: Step) -> Self {
        match step {
            Step::RevisionsAdopted => Self::RevisionsAdopted,
            Step::RevisionAdoptionRefused => Self::RevisionAdoptionRefused,
            Step::OwnedRevisionInTheWay => Self::OwnedRevisionInTheWay,
            Step::PodAdopted => Self::PodAdopted,
            Step::PodReleased => Self::PodReleased,
            Step::PodClaimRefused => Self::PodClaimRefused,
            Step::PodsClaimed => Self::PodsClaimed,
            Step::RevisionUnchanged => Self::RevisionUnchanged,
            Step::RevisionEquivalent => Self::RevisionEquivalent,
            Step::RevisionReused => Self::RevisionReused,
            Step::RevisionCreated => Self::RevisionCreated,
            Step::RevisionNameTaken => Self::RevisionNameTaken,
            Step::RevisionRefused => Self::RevisionRefused,
            Step::ClaimLeftToOther => Self::ClaimLeftToOther,
            Step::ClaimsCreated => Self::ReplicaClaimsCreated,
            Step::ClaimsRefused => Self::ReplicaClaimsRefused,
            Step::PodPutRight => Self::ReplicaUpdated,
            Step::PodNotPutRight => Self::ReplicaUpdateRefused,
            Step::CondemnedClaimsKept => Self::CondemnedClaimsKept,
            Step::CondemnedClaimsRefused => Self::CondemnedClaimsRefused,
            Step::StatusUnchanged => Self::StatusUnchanged,
            Step::StatusWritten => Self::StatusWritten,
            Step::StatusRefused => Self::StatusRefused,
            Step::HistoryKept => Self::HistoryKept,
            Step::HistoryTruncated => Self::HistoryTruncated,
            Step::HistoryRefused => Self::HistoryRefused,
        }
    }
}

impl Rule {
    /// How much a decision by it says about where a sync stands.
    pub(crate) fn weight(self) -> Weight {
        match self {
            Self::RevisionAdoptionRefused
            | Self::OwnedRevisionInTheWay
            | Self::PodClaimRefused
            | Self::RevisionRefused
            | Self::ReplicaFailedRefused
            | Self::ReplicaCreateRefused
            | Self::ReplicaClaimsRefused
            | Self::ReplicaUpdateRefused
            | Self::CondemnedClaimsRefused
            | Self::CondemnedDeleteRefused
            | Self::UpdateDeleteRefused
            | Self::StatusRefused
            | Self::HistoryRefused => Weight::Refused,
            Self::SetTerminating
            | Self::ReplicaFailed
            | Self::ReplicaSucceeded
            | Self::ReplicaCreated
            | Self::CondemnedDeleted
            | Self::UpdateDeleted
            | Self::UpdateBrokenDeleted => Weight::Acted,
            Self::CacheBehindOwnWrites
            | Self::ReplicaClaimStale
            | Self::ReplicaTerminating
            | Self::ReplicaNotReady
            | Self::ReplicaNotAvailable
            | Self::CondemnedTerminating
            | Self::CondemnedNotReady
            | Self::CondemnedNotAvailable
            | Self::UpdateNotHealthy
            | Self::UpdateRecreateWaits
            | Self::UpdateMaxUnavailable => Weight::Waits,
            Self::ReplicaClaimsCreated
            | Self::ClaimLeftToOther
            | Self::ReplicaUpdated
            | Self::CondemnedClaimsKept
            | Self::CondemnedPassed => Weight::Minor,
            Self::UpdateOnDelete | Self::UpdateDone => Weight::Update,
            Self::RevisionsAdopted
            | Self::PodAdopted
            | Self::PodReleased
            | Self::PodsClaimed
            | Self::RevisionUnchanged
            | Self::RevisionEquivalent
            | Self::RevisionReused
            | Self::RevisionCreated
            | Self::RevisionNameTaken
            | Self::PodsSplit
            | Self::FirstUnhealthy
            | Self::ReplicasInOrder
            | Self::RolloutCompleted
            | Self::StatusUnchanged
            | Self::StatusWritten
            | Self::HistoryKept
            | Self::HistoryTruncated => Weight::Passed,
        }
    }
}
