//! Every rule a controller can decide by, with the upstream function it models.

use super::Release;

/// The part of a sync a rule belongs to, in the order of the real code.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Stage {
    /// Orphan revisions are adopted.
    AdoptRevisions,
    /// Pods are claimed, adopted or released.
    ClaimPods,
    /// The template becomes a revision.
    Revisions,
    /// Pods are split into replicas and condemned.
    Split,
    /// Ordinals in range, ascending.
    Replicas,
    /// Ordinals out of range, descending.
    Condemned,
    /// Old pods in range, descending to the partition.
    Update,
    /// Status is written if it differs.
    Status,
    /// Old revisions are deleted.
    History,
}

impl Stage {
    /// Every stage, in order.
    pub const ALL: [Self; 9] = [
        Self::AdoptRevisions,
        Self::ClaimPods,
        Self::Revisions,
        Self::Split,
        Self::Replicas,
        Self::Condemned,
        Self::Update,
        Self::Status,
        Self::History,
    ];
}

/// Where a rule comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Source {
    /// Path in the Kubernetes repository.
    pub file: &'static str,
    /// Function.
    pub function: &'static str,
    /// First recorded release in which it holds.
    pub since: Release,
}

macro_rules! rules {
    ($($(#[doc = $doc:literal])+ $rule:ident: $stage:ident, $file:ident, $function:literal;)*) => {
        /// A decision point of the StatefulSet controller.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
        pub enum Rule { $($(#[doc = $doc])+ $rule,)* }

        impl Rule {
            /// Every rule, in the order of the real code.
            pub const ALL: &'static [Self] = &[$(Self::$rule),*];

            /// The part of the sync it belongs to.
            pub fn stage(self) -> Stage {
                match self { $(Self::$rule => Stage::$stage,)* }
            }

            /// The upstream function it models.
            pub fn source(self) -> Source {
                match self { $(Self::$rule => Source { file: $file, function: $function, since: Release::V1_20 },)* }
            }
        }
    };
}

const SET: &str = "pkg/controller/statefulset/stateful_set.go";
const CONTROL: &str = "pkg/controller/statefulset/stateful_set_control.go";
const POD_CONTROL: &str = "pkg/controller/statefulset/stateful_pod_control.go";
const REF_MANAGER: &str = "pkg/controller/controller_ref_manager.go";
const HISTORY: &str = "pkg/controller/history/controller_history.go";

rules! {
    /// Revisions without a controller are taken over.
    RevisionsAdopted: AdoptRevisions, SET, "adoptOrphanRevisions";
    /// Taking revisions over was refused; the sync ends.
    RevisionAdoptionRefused: AdoptRevisions, SET, "adoptOrphanRevisions";
    /// A matching pod without a controller is taken over.
    PodAdopted: ClaimPods, REF_MANAGER, "AdoptPod";
    /// An owned pod that no longer matches is let go.
    PodReleased: ClaimPods, REF_MANAGER, "ReleasePod";
    /// Adopting or releasing was refused; the sync ends after the other pods.
    PodClaimRefused: ClaimPods, REF_MANAGER, "ClaimObject";
    /// The set's pods are known.
    PodsClaimed: ClaimPods, REF_MANAGER, "ClaimPods";
    /// The template is that of the newest revision.
    RevisionUnchanged: Revisions, CONTROL, "getStatefulSetRevisions";
    /// The template is that of an older revision, which becomes the newest.
    RevisionReused: Revisions, HISTORY, "UpdateControllerRevision";
    /// The template is new; a revision is made of it.
    RevisionCreated: Revisions, HISTORY, "CreateControllerRevision";
    /// The revision's name was taken by other data: the collision count goes up and the name is made anew.
    RevisionNameTaken: Revisions, HISTORY, "CreateControllerRevision";
    /// Writing the revision was refused; the sync ends.
    RevisionRefused: Revisions, CONTROL, "getStatefulSetRevisions";
    /// Pods are split by ordinal.
    PodsSplit: Split, CONTROL, "updateStatefulSet";
    /// The lowest pod that is not right; a condemned pod that is unhealthy may go only if it is this one.
    FirstUnhealthy: Split, CONTROL, "updateStatefulSet";
    /// The set is being deleted: only its status is kept up.
    SetTerminating: Split, CONTROL, "updateStatefulSet";
    /// Ordinals that are as they should be.
    ReplicasInOrder: Replicas, CONTROL, "updateStatefulSet";
    /// A failed pod is deleted to be made again.
    ReplicaFailed: Replicas, CONTROL, "updateStatefulSet";
    /// Deleting a failed pod was refused; the sync ends.
    ReplicaFailedRefused: Replicas, POD_CONTROL, "DeleteStatefulPod";
    /// An ordinal is missing, so it is created.
    ReplicaCreated: Replicas, POD_CONTROL, "CreateStatefulPod";
    /// Creating was refused; the sync ends.
    ReplicaCreateRefused: Replicas, POD_CONTROL, "CreateStatefulPod";
    /// OrderedReady waits until a terminating pod is gone.
    ReplicaTerminating: Replicas, CONTROL, "updateStatefulSet";
    /// OrderedReady waits until a pod is Running and Ready.
    ReplicaNotReady: Replicas, CONTROL, "updateStatefulSet";
    /// A pod's identity or storage is put right.
    ReplicaUpdated: Replicas, POD_CONTROL, "UpdateStatefulPod";
    /// Putting identity or storage right was refused; the sync ends.
    ReplicaUpdateRefused: Replicas, POD_CONTROL, "UpdateStatefulPod";
    /// OrderedReady waits until a condemned pod is gone.
    CondemnedTerminating: Condemned, CONTROL, "updateStatefulSet";
    /// Parallel passes a condemned pod that is already going.
    CondemnedPassed: Condemned, CONTROL, "updateStatefulSet";
    /// OrderedReady waits: a condemned pod is not ready and not the first unhealthy one.
    CondemnedNotReady: Condemned, CONTROL, "updateStatefulSet";
    /// A condemned pod is deleted.
    CondemnedDeleted: Condemned, POD_CONTROL, "DeleteStatefulPod";
    /// Deleting a condemned pod was refused; the sync ends.
    CondemnedDeleteRefused: Condemned, POD_CONTROL, "DeleteStatefulPod";
    /// OnDelete leaves old pods to people.
    UpdateOnDelete: Update, CONTROL, "updateStatefulSet";
    /// A pod at another revision is deleted to come back at the update revision.
    UpdateDeleted: Update, POD_CONTROL, "DeleteStatefulPod";
    /// Deleting an old pod was refused; the sync ends.
    UpdateDeleteRefused: Update, POD_CONTROL, "DeleteStatefulPod";
    /// The rolling update waits until a pod is healthy.
    UpdateNotHealthy: Update, CONTROL, "updateStatefulSet";
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
