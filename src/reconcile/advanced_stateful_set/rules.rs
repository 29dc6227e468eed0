//! The decision points of the Advanced StatefulSet controller of OpenKruise, commit 07169cfac7b9.

use crate::reconcile::stage::rules;
use crate::reconcile::{in_place, ordinals};

const SET: &str = "pkg/controller/statefulset/statefulset_controller.go";
const CONTROL: &str = "pkg/controller/statefulset/stateful_set_control.go";
const POD_CONTROL: &str = "pkg/controller/statefulset/stateful_pod_control.go";
const IN_PLACE: &str = "pkg/util/inplaceupdate/inplace_update.go";

rules! {
    /// The set's pods are known.
    PodsClaimed: ClaimPods, SET, "getPodsForStatefulSet";
    /// The template is that of the newest revision.
    RevisionUnchanged: Revisions, CONTROL, "getStatefulSetRevisions";
    /// The template is that of an older revision, which becomes the newest.
    RevisionReused: Revisions, CONTROL, "getStatefulSetRevisions";
    /// The template is new; a revision is made of it.
    RevisionCreated: Revisions, CONTROL, "getStatefulSetRevisions";
    /// Pods are split by ordinal; those at reserved ordinals are condemned.
    Split: Split, CONTROL, "updateStatefulSet";
    /// A pod that has ended is deleted to be made again.
    EndedDeleted: Replicas, CONTROL, "processReplica";
    /// A claim is still to go with the last pod of its ordinal: the next one is not created before.
    ClaimStale: Replicas, POD_CONTROL, "PodClaimIsStale";
    /// An ordinal is missing, so it is created.
    Created: Replicas, CONTROL, "processReplica";
    /// Creating was refused; the sync ends.
    CreateRefused: Replicas, CONTROL, "processReplica";
    /// Claims that a Pending pod lacks are created.
    ClaimsCreated: Replicas, POD_CONTROL, "createMissingPersistentVolumeClaims";
    /// OrderedReady waits until a terminating pod is gone.
    ReplicaTerminating: Replicas, CONTROL, "processReplica";
    /// OrderedReady waits until a pod is available.
    ReplicaNotAvailable: Replicas, CONTROL, "processReplica";
    /// As many pods are in the making as `scaleStrategy.maxUnavailable` allows: higher ordinals wait.
    ScaleLimited: Replicas, CONTROL, "processReplica";
    /// A pod's identity, storage or the owner of its claims is put right.
    ReplicaUpdated: Replicas, POD_CONTROL, "UpdateStatefulPod";
    /// Putting identity, storage or the owner of claims right was refused; the sync ends.
    ReplicaUpdateRefused: Replicas, POD_CONTROL, "UpdateStatefulPod";
    /// The claims of a condemned pod get the owner with which they are to go.
    CondemnedClaimsKept: Condemned, POD_CONTROL, "UpdatePodClaimForRetentionPolicy";
    /// OrderedReady waits until a condemned pod is gone.
    CondemnedTerminating: Condemned, CONTROL, "processCondemned";
    /// OrderedReady waits: a condemned pod is not available and not the first unhealthy one.
    CondemnedNotAvailable: Condemned, CONTROL, "processCondemned";
    /// A condemned pod is deleted.
    CondemnedDeleted: Condemned, CONTROL, "processCondemned";
    /// A pod's deletion waits at its hook.
    DeletionPrepared: Condemned, CONTROL, "deletePod";
    /// Deleting a pod was refused; the sync ends.
    DeleteRefused: Condemned, CONTROL, "deletePod";
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
    LifecycleNormal: Refresh, CONTROL, "refreshPodState";
    /// A pod is changed, and its hook must be put back.
    LifecycleUpdated: Refresh, CONTROL, "refreshPodState";
    /// Pods were moved on: updates wait for the next sync.
    RefreshFirst: Refresh, CONTROL, "rollingUpdateStatefulsetPods";
    /// OnDelete leaves old pods to people.
    OnDelete: Update, CONTROL, "updateStatefulSet";
    /// Updates are paused.
    Paused: Update, CONTROL, "rollingUpdateStatefulsetPods";
    /// A pod whose deletion people asked for is deleted.
    SpecifiedDeleted: Update, CONTROL, "handleSpecifiedDeletedPods";
    /// A pod whose deletion people asked for stays for now: as many pods are unavailable as `maxUnavailable` allows.
    SpecifiedWaits: Update, CONTROL, "handleSpecifiedDeletedPods";
    /// The rolling update waits: as many pods are unavailable as `maxUnavailable` allows.
    UpdateLimited: Update, CONTROL, "rollingUpdateStatefulsetPods";
    /// A pod's update in place is announced to its hook.
    UpdatePrepared: Update, CONTROL, "inPlaceUpdatePod";
    /// A pod's update in place waits at its hook.
    UpdateHooked: Update, CONTROL, "inPlaceUpdatePod";
    /// A pod between two states goes back to its hook to be updated again.
    UpdatePreparedAgain: Update, CONTROL, "inPlaceUpdatePod";
    /// A pod is changed in place, or told to get ready for it.
    UpdatedInPlace: Update, CONTROL, "inPlaceUpdatePod";
    /// Changing a pod in place was refused; the sync ends.
    UpdateInPlaceRefused: Update, CONTROL, "inPlaceUpdatePod";
    /// InPlaceOnly cannot make this change; the sync ends.
    InPlaceImpossible: Update, CONTROL, "inPlaceUpdatePod";
    /// A pod at another revision is deleted to come back at the update revision.
    UpdateDeleted: Update, CONTROL, "rollingUpdateStatefulsetPods";
    /// As many pods are at the update revision as the partition wants.
    UpdateDone: Update, CONTROL, "rollingUpdateStatefulsetPods";
    /// Every pod is updated and ready: the update revision becomes the current one.
    RolloutCompleted: Status, CONTROL, "updateStatefulSetStatus";
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
}

impl Rule {
    /// What a step that is shared with StatefulSet is called here; none if no recorded run takes it.
    pub(super) fn of_step(step: ordinals::Step) -> Option<crate::reconcile::Rule> {
        use ordinals::Step;
        let rule = match step {
            Step::PodsClaimed => Self::PodsClaimed,
            Step::RevisionUnchanged => Self::RevisionUnchanged,
            Step::RevisionReused => Self::RevisionReused,
            Step::RevisionCreated => Self::RevisionCreated,
            Step::ClaimsCreated => Self::ClaimsCreated,
            Step::PodPutRight => Self::ReplicaUpdated,
            Step::PodNotPutRight => Self::ReplicaUpdateRefused,
            Step::CondemnedClaimsKept => Self::CondemnedClaimsKept,
            Step::StatusUnchanged => Self::StatusUnchanged,
            Step::StatusWritten => Self::StatusWritten,
            Step::StatusRefused => Self::StatusRefused,
            Step::HistoryKept => Self::HistoryKept,
            Step::HistoryTruncated => Self::HistoryTruncated,
            Step::RevisionsAdopted
            | Step::RevisionAdoptionRefused
            | Step::OwnedRevisionInTheWay
            | Step::PodAdopted
            | Step::PodReleased
            | Step::PodClaimRefused
            | Step::RevisionEquivalent
            | Step::RevisionNameTaken
            | Step::RevisionRefused
            | Step::ClaimLeftToOther
            | Step::ClaimsRefused
            | Step::CondemnedClaimsRefused
            | Step::HistoryRefused => return None,
        };
        Some(rule.into())
    }

    /// What a step of an update in place is called here.
    pub(super) fn of_in_place(step: in_place::Step) -> Self {
        use in_place::Step;
        match step {
            Step::GraceWaits => Self::GraceWaits,
            Step::GraceFinished => Self::GraceFinished,
            Step::NextBatchUpdated => Self::NextBatchUpdated,
            Step::Incomplete => Self::InPlaceIncomplete,
            Step::GateOpened => Self::InPlaceGateOpened,
            Step::Normal => Self::LifecycleNormal,
            Step::Updated => Self::LifecycleUpdated,
            Step::Prepared => Self::UpdatePrepared,
            Step::Hooked => Self::UpdateHooked,
            Step::PreparedAgain => Self::UpdatePreparedAgain,
            Step::Changed => Self::UpdatedInPlace,
            Step::Refused => Self::UpdateInPlaceRefused,
        }
    }
}
