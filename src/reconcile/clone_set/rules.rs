//! The decision points of the CloneSet controller of OpenKruise, commit 07169cfac7b9.

use crate::reconcile::in_place::Step;
use crate::reconcile::stage::{Weight, rules};

const CLONES: &str = "pkg/controller/cloneset/cloneset_controller.go";
const CLONE_STATUS: &str = "pkg/controller/cloneset/cloneset_status.go";
const CLONE_SCALE: &str = "pkg/controller/cloneset/sync/cloneset_scale.go";
const CLONE_UPDATE: &str = "pkg/controller/cloneset/sync/cloneset_update.go";
const CLONE_NUMBERS: &str = "pkg/controller/cloneset/sync/cloneset_sync_utils.go";
const IN_PLACE: &str = "pkg/util/inplaceupdate/inplace_update.go";

rules! {
    /// A claim of a terminating pod is handed over to it, to be deleted with it.
    ClaimHandedOver: Volumes, CLONES, "cleanupPVCs";
    /// A claim whose pod is gone is deleted.
    ClaimDeleted: Volumes, CLONES, "cleanupPVCs";
    /// An owned pod that no longer matches is released.
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
    /// The numbers of pods to create, delete and update are calculated.
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
    /// Scaling down waits for deletions that users asked for or that wait at a hook.
    ScaleDownWaits: Scale, CLONE_SCALE, "Scale";
    /// The number of pods is as desired, as far as scaling may go now.
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
    /// A pod has completed a step of its lifecycle.
    LifecycleNormal: Refresh, CLONE_UPDATE, "refreshPodState";
    /// A pod is changed, and its hook must be restored.
    LifecycleUpdated: Refresh, CLONE_UPDATE, "refreshPodState";
    /// Pods advanced in their lifecycle: updates wait for the next sync.
    RefreshFirst: Refresh, CLONE_UPDATE, "Update";
    /// OnDelete leaves old pods to the user.
    CloneUpdateOnDelete: Update, CLONE_UPDATE, "Update";
    /// Updates are paused.
    CloneUpdatePaused: Update, CLONE_UPDATE, "Update";
    /// As many pods are at the update revision as the partition asks for.
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
    /// A pod is marked to be deleted, to be created again at the update revision.
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
    /// Names of pods that are gone are removed from the list of pods to delete.
    PodsToDeleteTruncated: History, CLONES, "truncatePodsToDelete";
    /// Shortening the list of pods to delete was refused; a later sync does it.
    PodsToDeleteRefused: History, CLONES, "truncatePodsToDelete";
    /// Old revisions are within the limit.
    CloneHistoryKept: History, CLONES, "truncateHistory";
    /// The oldest unused revisions are deleted.
    CloneHistoryTruncated: History, CLONES, "truncateHistory";
}

impl Rule {
    /// What a step of an update in place is called here.
    pub(super) fn of_step(step: Step) -> Self {
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

impl Rule {
    /// How much a decision by it says about where a sync stands.
    pub(crate) fn weight(self) -> Weight {
        match self {
            Self::CloneRevisionRefused
            | Self::CloneCreateRefused
            | Self::UpdateInPlaceRefused
            | Self::InPlaceImpossible
            | Self::CloneStatusRefused => Weight::Refused,
            Self::CloneSetTerminating
            | Self::CloneCreated
            | Self::DeletionPrepared
            | Self::CloneDeleted
            | Self::GraceFinished
            | Self::NextBatchUpdated
            | Self::UpdatePrepared
            | Self::UpdatedInPlace
            | Self::UpdatePreparedAgain
            | Self::RecreateMarked => Weight::Acted,
            Self::ScaleUpLimited
            | Self::DeletionLimited
            | Self::ScaleDownWaits
            | Self::GraceWaits
            | Self::InPlaceIncomplete
            | Self::CloneUpdateLimited
            | Self::UpdateHooked
            | Self::DeadlineExceeded => Weight::Waits,
            Self::CloneReleased | Self::InPlaceGateOpened | Self::LifecycleNormal | Self::LifecycleUpdated => {
                Weight::Minor
            }
            Self::CloneUpdateOnDelete | Self::CloneUpdatePaused | Self::CloneUpdateSettled => Weight::Update,
            Self::ClaimHandedOver
            | Self::ClaimDeleted
            | Self::ClonesClaimed
            | Self::CloneRevisionUnchanged
            | Self::CloneRevisionReused
            | Self::CloneRevisionCreated
            | Self::DeletionsReconsidered
            | Self::DiffsCalculated
            | Self::ScaleSettled
            | Self::RefreshFirst
            | Self::CloneRolloutCompleted
            | Self::CloneStatusUnchanged
            | Self::CloneStatusWritten
            | Self::PodsToDeleteTruncated
            | Self::PodsToDeleteRefused
            | Self::CloneHistoryKept
            | Self::CloneHistoryTruncated => Weight::Passed,
        }
    }
}
