//! Every rule a controller can decide by, with the upstream function it models.

use super::Release;
use crate::objects::Kind;

/// The part of a sync a rule belongs to, in the order of the real code.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Stage {
    /// Orphan revisions are adopted.
    AdoptRevisions,
    /// Claims of pods that are gone are handed over or deleted (CloneSet).
    Volumes,
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
    /// Pods are created and deleted (CloneSet).
    Scale,
    /// Pods on their way from one state to the next are moved on (CloneSet).
    Refresh,
    /// Old pods in range, descending to the partition.
    Update,
    /// Status is written if it differs.
    Status,
    /// Old revisions are deleted.
    History,
}

impl Stage {
    /// Every stage of the StatefulSet controller, in order.
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

    /// Every stage of the CloneSet controller, in order.
    pub const CLONE_SET: [Self; 8] = [
        Self::Volumes,
        Self::ClaimPods,
        Self::Revisions,
        Self::Scale,
        Self::Refresh,
        Self::Update,
        Self::Status,
        Self::History,
    ];
}

/// Where a rule comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Source {
    /// Path in the Kubernetes repository, or in OpenKruise's for a CloneSet.
    pub file: &'static str,
    /// Function.
    pub function: &'static str,
    /// First recorded release in which it holds. A CloneSet's rules are OpenKruise's and hold beside any.
    pub since: Release,
    /// Last recorded release in which it holds; none if it holds in the newest.
    pub until: Option<Release>,
}

impl Source {
    /// Whether it holds in a release.
    pub fn holds_in(&self, release: Release) -> bool {
        self.since <= release && self.until.is_none_or(|until| release <= until)
    }
}

macro_rules! newer {
    ($function:literal) => {
        $function
    };
    ($function:literal $newer:literal) => {
        $newer
    };
}
macro_rules! since {
    () => {
        Release::V1_9
    };
    ($release:ident) => {
        Release::$release
    };
}
macro_rules! until {
    () => {
        None
    };
    ($release:ident) => {
        Some(Release::$release)
    };
}

// A row: the rule, its stage, its file, its function `|` the one that has it where pods are processed by themselves, and
// the releases in which it holds if that is not all of them. First the StatefulSet controller's; then, by their kind, those
// of the other workloads.
macro_rules! rules {
    ($($(#[doc = $doc:literal])+ $rule:ident: $stage:ident, $file:ident, $function:literal
        $(| $newer:literal)? $(, since $since:ident)? $(, until $until:ident)?;)*
    $($Kind:ident {
        $($(#[doc = $other_doc:literal])+ $other:ident: $other_stage:ident, $other_file:ident, $other_function:literal;)*
    })*) => {
        /// A decision point of a controller.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
        pub enum Rule {
            $($(#[doc = $doc])+ $rule,)*
            $($($(#[doc = $other_doc])+ $other,)*)*
        }

        impl Rule {
            /// Every rule, in the order of the real code.
            pub const ALL: &'static [Self] = &[$(Self::$rule,)* $($(Self::$other,)*)*];

            /// The kind whose controller decides by it.
            pub fn kind(self) -> Kind {
                match self {
                    $(Self::$rule => Kind::StatefulSet,)*
                    $($(Self::$other => Kind::$Kind,)*)*
                }
            }

            /// The part of the sync it belongs to.
            pub fn stage(self) -> Stage {
                match self {
                    $(Self::$rule => Stage::$stage,)*
                    $($(Self::$other => Stage::$other_stage,)*)*
                }
            }

            /// What it says, in one sentence.
            pub fn says(self) -> &'static str {
                const SAYS: &[&str] = &[
                    $(concat!($($doc),+),)*
                    $($(concat!($($other_doc),+),)*)*
                ];
                SAYS[self as usize].trim_start()
            }

            /// The upstream function it models in a release.
            pub fn source(self, release: Release) -> Source {
                let (file, function, newer, since, until) = match self {
                    $(Self::$rule => (
                        $file, $function, newer!($function $($newer)?), since!($($since)?), until!($($until)?),
                    ),)*
                    $($(Self::$other => ($other_file, $other_function, $other_function, Release::V1_9, None),)*)*
                };
                let function = if release.gates().processes_pods_apart { newer } else { function };
                Source { file, function, since, until }
            }
        }
    };
}

const SET: &str = "pkg/controller/statefulset/stateful_set.go";
const CONTROL: &str = "pkg/controller/statefulset/stateful_set_control.go";
const POD_CONTROL: &str = "pkg/controller/statefulset/stateful_pod_control.go";
const REF_MANAGER: &str = "pkg/controller/controller_ref_manager.go";
const HISTORY: &str = "pkg/controller/history/controller_history.go";

// OpenKruise, commit 07169cfac7b9.
const CLONES: &str = "pkg/controller/cloneset/cloneset_controller.go";
const CLONE_STATUS: &str = "pkg/controller/cloneset/cloneset_status.go";
const CLONE_SCALE: &str = "pkg/controller/cloneset/sync/cloneset_scale.go";
const CLONE_UPDATE: &str = "pkg/controller/cloneset/sync/cloneset_update.go";
const CLONE_NUMBERS: &str = "pkg/controller/cloneset/sync/cloneset_sync_utils.go";
const IN_PLACE: &str = "pkg/util/inplaceupdate/inplace_update.go";

// Kubernetes 1.34. No vectors were recorded: tests/workloads/rules.rs says which run covers each rule.
const REPLICA_SET: &str = "pkg/controller/replicaset/replica_set.go";
const REPLICA_SET_STATUS: &str = "pkg/controller/replicaset/replica_set_utils.go";
const EXPECTATIONS: &str = "pkg/controller/controller_utils.go";
const DEPLOYMENT: &str = "pkg/controller/deployment/deployment_controller.go";
const DEPLOYMENT_SYNC: &str = "pkg/controller/deployment/sync.go";
const ROLLING: &str = "pkg/controller/deployment/rolling.go";
const RECREATE: &str = "pkg/controller/deployment/recreate.go";
const PROGRESS: &str = "pkg/controller/deployment/progress.go";
const DAEMON_SET: &str = "pkg/controller/daemon/daemon_controller.go";
const DAEMON_UPDATE: &str = "pkg/controller/daemon/update.go";

rules! {
    /// The cache is behind the controller's own writes; the sync is put off.
    CacheBehindOwnWrites: AdoptRevisions, SET, "sync", since V1_36;
    /// Revisions without a controller are taken over.
    RevisionsAdopted: AdoptRevisions, SET, "adoptOrphanRevisions";
    /// Taking revisions over was refused; the sync ends.
    RevisionAdoptionRefused: AdoptRevisions, SET, "adoptOrphanRevisions";
    /// A revision that has an owner was to be taken over again; the sync ends.
    OwnedRevisionInTheWay: AdoptRevisions, HISTORY, "AdoptControllerRevision", until V1_17;
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
    /// The newest revision, with the API server's defaults of today, is the template: no new one is made.
    RevisionEquivalent: Revisions, CONTROL, "getStatefulSetRevisions", since V1_35_3;
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
    ReplicasInOrder: Replicas, CONTROL, "updateStatefulSet" | "processReplica";
    /// A failed pod is deleted to be made again.
    ReplicaFailed: Replicas, CONTROL, "updateStatefulSet" | "processReplica";
    /// A pod that Succeeded is deleted to be made again.
    ReplicaSucceeded: Replicas, CONTROL, "processReplica", since V1_34;
    /// Deleting a pod that has ended was refused; the sync ends.
    ReplicaFailedRefused: Replicas, POD_CONTROL, "DeleteStatefulPod";
    /// A claim is still to go with the last pod of its ordinal: the next one is not created before.
    ReplicaClaimStale: Replicas, POD_CONTROL, "PodClaimIsStale", since V1_28;
    /// An ordinal is missing, so it is created.
    ReplicaCreated: Replicas, POD_CONTROL, "CreateStatefulPod";
    /// Creating was refused; the sync ends.
    ReplicaCreateRefused: Replicas, POD_CONTROL, "CreateStatefulPod";
    /// Claims that a Pending pod lacks are created.
    ReplicaClaimsCreated: Replicas, POD_CONTROL, "createMissingPersistentVolumeClaims", since V1_28;
    /// Creating the claims of a Pending pod was refused; the sync ends.
    ReplicaClaimsRefused: Replicas, POD_CONTROL, "createMissingPersistentVolumeClaims", since V1_28;
    /// A claim that another object controls is left alone, whatever the retention policy.
    ClaimLeftToOther: Replicas, POD_CONTROL, "UpdatePodClaimForRetentionPolicy", since V1_34;
    /// OrderedReady waits until a terminating pod is gone.
    ReplicaTerminating: Replicas, CONTROL, "updateStatefulSet" | "processReplica";
    /// OrderedReady waits until a pod is Running and Ready.
    ReplicaNotReady: Replicas, CONTROL, "updateStatefulSet" | "processReplica";
    /// OrderedReady waits until a pod has been ready for `minReadySeconds`.
    ReplicaNotAvailable: Replicas, CONTROL, "processReplica", since V1_28;
    /// A pod's identity, storage or the owner of its claims is put right.
    ReplicaUpdated: Replicas, POD_CONTROL, "UpdateStatefulPod";
    /// Putting identity, storage or the owner of claims right was refused; the sync ends.
    ReplicaUpdateRefused: Replicas, POD_CONTROL, "UpdateStatefulPod";
    /// The claims of a condemned pod get the owner with which they are to go.
    CondemnedClaimsKept: Condemned, POD_CONTROL, "UpdatePodClaimForRetentionPolicy", since V1_28;
    /// Giving claims of a condemned pod their owner was refused; the sync ends.
    CondemnedClaimsRefused: Condemned, POD_CONTROL, "UpdatePodClaimForRetentionPolicy", since V1_28;
    /// OrderedReady waits until a condemned pod is gone.
    CondemnedTerminating: Condemned, CONTROL, "updateStatefulSet" | "processCondemned";
    /// Parallel passes a condemned pod that is already going.
    CondemnedPassed: Condemned, CONTROL, "updateStatefulSet" | "processCondemned";
    /// OrderedReady waits: a condemned pod is not ready and not the first unhealthy one.
    CondemnedNotReady: Condemned, CONTROL, "updateStatefulSet" | "processCondemned";
    /// OrderedReady waits: a condemned pod has not been ready for `minReadySeconds` and is not the first unhealthy one.
    CondemnedNotAvailable: Condemned, CONTROL, "processCondemned", since V1_28;
    /// A condemned pod is deleted.
    CondemnedDeleted: Condemned, POD_CONTROL, "DeleteStatefulPod";
    /// Deleting a condemned pod was refused; the sync ends.
    CondemnedDeleteRefused: Condemned, POD_CONTROL, "DeleteStatefulPod";
    /// OnDelete leaves old pods to people.
    UpdateOnDelete: Update, CONTROL, "updateStatefulSet";
    /// A pod at another revision is deleted to come back at the update revision.
    UpdateDeleted: Update, POD_CONTROL, "DeleteStatefulPod";
    /// Parallel: an old pod that is not available is deleted first, whatever `maxUnavailable` allows.
    UpdateBrokenDeleted: Update, POD_CONTROL, "DeleteStatefulPod", since V1_37;
    /// Deleting an old pod was refused; the sync ends.
    UpdateDeleteRefused: Update, POD_CONTROL, "DeleteStatefulPod";
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

    CloneSet {
        /// A claim of a pod that is going is handed over to it, to go with it.
        ClaimHandedOver: Volumes, CLONES, "cleanupPVCs";
        /// A claim whose pod is gone is deleted.
        ClaimDeleted: Volumes, CLONES, "cleanupPVCs";
        /// An owned pod that no longer matches is let go.
        CloneReleased: ClaimPods, CLONES, "claimPods";
        /// The set's active pods are known.
        ClonesClaimed: ClaimPods, CLONES, "claimPods";
        /// The template is that of the newest revision.
        CloneRevisionUnchanged: Revisions, CLONES, "getActiveRevisions";
        /// The template is that of an older revision, which becomes the newest.
        CloneRevisionReused: Revisions, CLONES, "getActiveRevisions";
        /// The template is new; a revision is made of it.
        CloneRevisionCreated: Revisions, CLONES, "getActiveRevisions";
        /// Writing the revision was refused; the sync ends.
        CloneRevisionRefused: Revisions, CLONES, "getActiveRevisions";
        /// The set is being deleted: pods are left alone.
        CloneSetTerminating: Scale, CLONES, "syncCloneSet";
        /// Pods are missing while deletions wait at their hook: it is decided how many of these to take back.
        DeletionsReconsidered: Scale, CLONE_SCALE, "managePreparingDelete";
        /// How many pods to create, delete and update is worked out.
        DiffsCalculated: Scale, CLONE_NUMBERS, "calculateDiffsWithExpectation";
        /// Too many pods are unavailable to create all that are missing.
        ScaleUpLimited: Scale, CLONE_SCALE, "Scale";
        /// A pod is created.
        CloneCreated: Scale, CLONE_SCALE, "createOnePod";
        /// Creating a pod or its claim was refused; the batches after it are left.
        CloneCreateRefused: Scale, CLONE_SCALE, "createOnePod";
        /// A pod's deletion waits at its hook.
        DeletionPrepared: Scale, CLONE_SCALE, "deletePods";
        /// A pod is deleted with its claims.
        CloneDeleted: Scale, CLONE_SCALE, "deletePods";
        /// An available pod is not deleted now: too few others are.
        DeletionLimited: Scale, CLONE_SCALE, "Scale";
        /// Scaling down waits for deletions that people asked for or that wait at a hook.
        ScaleDownWaits: Scale, CLONE_SCALE, "Scale";
        /// Pods are as many as they should be, as far as scaling may go now.
        ScaleSettled: Scale, CLONE_SCALE, "Scale";
        /// A pod waits out its grace before it is changed.
        GraceWaits: Refresh, IN_PLACE, "finishGracePeriod";
        /// A pod's grace is over: it is changed in place.
        GraceFinished: Refresh, IN_PLACE, "finishGracePeriod";
        /// The next containers of a pod are changed in place.
        NextBatchUpdated: Refresh, IN_PLACE, "updateNextBatch";
        /// A change in place is not complete.
        InPlaceIncomplete: Refresh, IN_PLACE, "Refresh";
        /// No change in place is under way: the gate is opened.
        InPlaceGateOpened: Refresh, IN_PLACE, "updateCondition";
        /// A pod is at rest in its life.
        LifecycleNormal: Refresh, CLONE_UPDATE, "refreshPodState";
        /// A pod is changed, and its hook must be put back.
        LifecycleUpdated: Refresh, CLONE_UPDATE, "refreshPodState";
        /// Pods were moved on: updates wait for the next sync.
        RefreshFirst: Refresh, CLONE_UPDATE, "Update";
        /// OnDelete leaves old pods to people.
        CloneUpdateOnDelete: Update, CLONE_UPDATE, "Update";
        /// Updates are paused.
        CloneUpdatePaused: Update, CLONE_UPDATE, "Update";
        /// As many pods are at the update revision as the partition wants.
        CloneUpdateSettled: Update, CLONE_UPDATE, "Update";
        /// Too many pods are unavailable to update more of them now.
        CloneUpdateLimited: Update, CLONE_UPDATE, "limitUpdateIndexes";
        /// A pod's update in place is announced to its hook.
        UpdatePrepared: Update, CLONE_UPDATE, "updatePod";
        /// A pod's update in place waits at its hook.
        UpdateHooked: Update, CLONE_UPDATE, "updatePod";
        /// A pod is changed in place, or told to get ready for it.
        UpdatedInPlace: Update, CLONE_UPDATE, "updatePod";
        /// Changing a pod in place was refused; the sync ends.
        UpdateInPlaceRefused: Update, CLONE_UPDATE, "updatePod";
        /// A pod between two states goes back to its hook to be updated again.
        UpdatePreparedAgain: Update, CLONE_UPDATE, "updatePod";
        /// InPlaceOnly cannot make this change; the sync ends.
        InPlaceImpossible: Update, CLONE_UPDATE, "updatePod";
        /// A pod is marked to be deleted, to be made again at the update revision.
        RecreateMarked: Update, CLONE_UPDATE, "updatePod";
        /// Every pod is at the update revision, which becomes the current one.
        CloneRolloutCompleted: Status, CLONE_STATUS, "calculateStatus";
        /// The rollout did not end before its deadline.
        DeadlineExceeded: Status, CLONE_STATUS, "calculateProgressingStatus";
        /// The status is as it was.
        CloneStatusUnchanged: Status, CLONE_STATUS, "inconsistentStatus";
        /// The status is written.
        CloneStatusWritten: Status, CLONE_STATUS, "updateStatus";
        /// Writing the status was refused; the sync ends.
        CloneStatusRefused: Status, CLONE_STATUS, "updateStatus";
        /// Names of pods that are gone are taken off the list of pods to delete.
        PodsToDeleteTruncated: History, CLONES, "truncatePodsToDelete";
        /// Shortening the list of pods to delete was refused; a later sync does it.
        PodsToDeleteRefused: History, CLONES, "truncatePodsToDelete";
        /// Old revisions are within the limit.
        CloneHistoryKept: History, CLONES, "truncateHistory";
        /// The oldest unused revisions are deleted.
        CloneHistoryTruncated: History, CLONES, "truncateHistory";
    }
    ReplicaSet {
        /// The set's active pods are known: those going or ended do not count.
        ReplicasClaimed: ClaimPods, REF_MANAGER, "ClaimPods";
        /// The set is being deleted: only its status is kept up.
        ReplicaSetTerminating: Scale, REPLICA_SET, "syncReplicaSet";
        /// What was last created or deleted has not come back yet: nothing more is.
        ReplicasPending: Scale, EXPECTATIONS, "SatisfiedExpectations";
        /// A pod is missing, so one is created under a new name.
        ReplicaAdded: Scale, REPLICA_SET, "manageReplicas";
        /// Creating a pod was refused; the batches after it are left.
        ReplicaAddRefused: Scale, REPLICA_SET, "slowStartBatch";
        /// A pod too many is deleted: the one that is worth least.
        ReplicaRemoved: Scale, REPLICA_SET, "getPodsToDelete";
        /// Pods are as many as they should be.
        ReplicasSettled: Scale, REPLICA_SET, "manageReplicas";
        /// The status is as it was.
        ReplicaSetStatusUnchanged: Status, REPLICA_SET_STATUS, "updateReplicaSetStatus";
        /// The status is written.
        ReplicaSetStatusWritten: Status, REPLICA_SET_STATUS, "updateReplicaSetStatus";
        /// Writing the status was refused; the sync ends.
        ReplicaSetStatusRefused: Status, REPLICA_SET_STATUS, "updateReplicaSetStatus";
    }

    Deployment {
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
        /// Another template's ReplicaSet has the name: the collision count goes up and the name is made anew.
        NewReplicaSetNameTaken: Revisions, DEPLOYMENT_SYNC, "getNewReplicaSet";
        /// Creating the ReplicaSet was refused; the sync ends.
        NewReplicaSetRefused: Revisions, DEPLOYMENT_SYNC, "getNewReplicaSet";
        /// The one ReplicaSet with pods gets the wanted number.
        ReplicaSetScaled: Scale, DEPLOYMENT_SYNC, "scale";
        /// In the middle of a rollout every ReplicaSet gets its share of a changed number.
        ScaledByShare: Scale, DEPLOYMENT_SYNC, "scale";
        /// The new ReplicaSet gets as many pods as maxSurge allows.
        NewScaled: Update, ROLLING, "reconcileNewReplicaSet";
        /// Old pods that are not available go first: they are no loss.
        OldUnhealthyScaledDown: Update, ROLLING, "cleanupUnhealthyReplicas";
        /// An old ReplicaSet gives up as many pods as maxUnavailable allows.
        OldScaledDown: Update, ROLLING, "scaleDownOldReplicaSetsForRollingUpdate";
        /// Neither may more pods be made nor fewer be available: the rollout waits.
        RolloutWaits: Update, ROLLING, "rolloutRolling";
        /// Recreate waits until the last old pod is gone.
        RecreateWaits: Update, RECREATE, "oldPodsRunning";
        /// Every pod is of the template as it is, and available.
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

    DaemonSet {
        /// The set is being deleted: nothing is done.
        DaemonSetTerminating: ClaimPods, DAEMON_SET, "syncDaemonSet";
        /// The template is that of the newest revision.
        DaemonRevisionUnchanged: Revisions, DAEMON_UPDATE, "constructHistory";
        /// The template is that of an older revision, which becomes the newest.
        DaemonRevisionReused: Revisions, DAEMON_UPDATE, "constructHistory";
        /// The template is new; a revision is made of it.
        DaemonRevisionCreated: Revisions, DAEMON_UPDATE, "snapshot";
        /// Writing the revision was refused; the sync ends.
        DaemonRevisionRefused: Revisions, DAEMON_UPDATE, "snapshot";
        /// The set's pods are known.
        DaemonPodsClaimed: ClaimPods, REF_MANAGER, "ClaimPods";
        /// What was last created or deleted has not come back yet: nothing more is.
        DaemonsPending: Scale, EXPECTATIONS, "SatisfiedExpectations";
        /// A node lacks its pod, so one is created for it.
        DaemonCreated: Scale, DAEMON_SET, "syncNodes";
        /// Creating a pod was refused; the batches after it are left.
        DaemonCreateRefused: Scale, DAEMON_SET, "syncNodes";
        /// A pod that has ended, or that is one too many on its node, is deleted.
        DaemonDeleted: Scale, DAEMON_SET, "podsShouldBeOnNode";
        /// Every node has what it should have.
        DaemonsInPlace: Scale, DAEMON_SET, "manage";
        /// OnDelete leaves old pods to people.
        DaemonUpdateOnDelete: Update, DAEMON_SET, "updateDaemonSet";
        /// An old pod is deleted to come back of the new template.
        DaemonUpdateDeleted: Update, DAEMON_UPDATE, "rollingUpdate";
        /// New pods are made beside old ones.
        DaemonUpdateSurged: Update, DAEMON_UPDATE, "rollingUpdate";
        /// As many nodes are without an available pod, or have two, as the strategy allows: the others wait.
        DaemonUpdateLimited: Update, DAEMON_UPDATE, "rollingUpdate";
        /// No old pod waits to be updated.
        DaemonUpdateSettled: Update, DAEMON_UPDATE, "rollingUpdate";
        /// The oldest unused revisions are deleted.
        DaemonHistoryTruncated: History, DAEMON_UPDATE, "cleanupHistory";
        /// The status is as it was.
        DaemonSetStatusUnchanged: Status, DAEMON_SET, "storeDaemonSetStatus";
        /// The status is written.
        DaemonSetStatusWritten: Status, DAEMON_SET, "storeDaemonSetStatus";
        /// Writing the status was refused; the sync ends.
        DaemonSetStatusRefused: Status, DAEMON_SET, "storeDaemonSetStatus";
    }
}
