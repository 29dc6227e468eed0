//! The decision points of the Advanced StatefulSet controller of OpenKruise, commit 07169cfac7b9.

use crate::reconcile::stage::{Weight, rules};
use crate::reconcile::{in_place, ordinals};

const SET: &str = "pkg/controller/statefulset/statefulset_controller.go";
const CONTROL: &str = "pkg/controller/statefulset/stateful_set_control.go";
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
    /// A pod that has ended is deleted to be created again.
    EndedDeleted: Replicas, CONTROL, "processReplica";
    /// An ordinal is missing, so it is created.
    Created: Replicas, CONTROL, "processReplica";
    /// Creating was refused; the sync ends.
    CreateRefused: Replicas, CONTROL, "processReplica";
    /// An ordinal's pod, or a claim of its last one, is still terminating: it is waited for.
    ReplicaTerminating: Replicas, CONTROL, "processReplica";
    /// OrderedReady waits until a pod is available.
    ReplicaNotAvailable: Replicas, CONTROL, "processReplica";
    /// As many pods are in the making as `scaleStrategy.maxUnavailable` allows: higher ordinals wait.
    ScaleLimited: Replicas, CONTROL, "processReplica";
    /// OrderedReady waits: a condemned pod is still terminating, or is not available and not the first unhealthy one.
    CondemnedWaits: Condemned, CONTROL, "processCondemned";
    /// A condemned pod is deleted.
    CondemnedDeleted: Condemned, CONTROL, "processCondemned";
    /// A pod's deletion waits at its hook.
    DeletionPrepared: Condemned, CONTROL, "deletePod";
    /// A write about a pod, its claims or a revision was refused; the sync ends.
    WriteRefused: Condemned, CONTROL, "deletePod";
    /// A pod waits out its grace before it is changed.
    GraceWaits: Refresh, IN_PLACE, "finishGracePeriod";
    /// A pod's grace is over: it is changed in place.
    GraceFinished: Refresh, IN_PLACE, "finishGracePeriod";
    /// A change in place is not complete.
    InPlaceIncomplete: Refresh, IN_PLACE, "Refresh";
    /// No change in place is under way: the gate is opened.
    InPlaceGateOpened: Refresh, IN_PLACE, "updateCondition";
    /// A pod has completed a step of its lifecycle.
    LifecycleNormal: Refresh, CONTROL, "refreshPodState";
    /// A pod is changed, and its hook must be restored.
    LifecycleUpdated: Refresh, CONTROL, "refreshPodState";
    /// Pods advanced in their lifecycle: updates wait for the next sync.
    RefreshFirst: Refresh, CONTROL, "rollingUpdateStatefulsetPods";
    /// OnDelete leaves old pods to the user.
    OnDelete: Update, CONTROL, "updateStatefulSet";
    /// Updates are paused.
    Paused: Update, CONTROL, "rollingUpdateStatefulsetPods";
    /// A pod whose deletion people asked for is deleted.
    SpecifiedDeleted: Update, CONTROL, "handleSpecifiedDeletedPods";
    /// The rolling update waits: as many pods are unavailable as `maxUnavailable` allows.
    UpdateLimited: Update, CONTROL, "rollingUpdateStatefulsetPods";
    /// A pod is to be updated in place, and waits at its hook.
    UpdateHooked: Update, CONTROL, "inPlaceUpdatePod";
    /// A pod is changed in place, or told to get ready for it.
    UpdatedInPlace: Update, CONTROL, "inPlaceUpdatePod";
    /// InPlaceOnly cannot make this change; the sync ends.
    InPlaceImpossible: Update, CONTROL, "inPlaceUpdatePod";
    /// A pod at another revision is deleted to come back at the update revision.
    UpdateDeleted: Update, CONTROL, "rollingUpdateStatefulsetPods";
    /// As many pods are at the update revision as the partition asks for.
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
            Step::RevisionRefused
            | Step::PodNotPutRight
            | Step::ClaimsRefused
            | Step::CondemnedClaimsRefused
            | Step::HistoryRefused => Self::WriteRefused,
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
            | Step::ClaimLeftToOther
            | Step::ClaimsCreated
            | Step::PodPutRight
            | Step::CondemnedClaimsKept => return None,
        };
        Some(rule.into())
    }

    /// What a step of an update in place is called here.
    pub(super) fn of_in_place(step: in_place::Step) -> Self {
        use in_place::Step;
        match step {
            Step::GraceWaits => Self::GraceWaits,
            Step::GraceFinished => Self::GraceFinished,
            Step::NextBatchUpdated | Step::Changed => Self::UpdatedInPlace,
            Step::Incomplete => Self::InPlaceIncomplete,
            Step::GateOpened => Self::InPlaceGateOpened,
            Step::Normal => Self::LifecycleNormal,
            Step::Updated => Self::LifecycleUpdated,
            Step::Prepared | Step::Hooked | Step::PreparedAgain => Self::UpdateHooked,
            Step::Refused => Self::WriteRefused,
        }
    }
}

impl Rule {
    /// How much a decision by it says about where a sync stands.
    pub(crate) fn weight(self) -> Weight {
        match self {
            Self::CreateRefused | Self::WriteRefused | Self::InPlaceImpossible | Self::StatusRefused => Weight::Refused,
            Self::EndedDeleted
            | Self::Created
            | Self::CondemnedDeleted
            | Self::DeletionPrepared
            | Self::GraceFinished
            | Self::SpecifiedDeleted
            | Self::UpdatedInPlace
            | Self::UpdateDeleted => Weight::Acted,
            Self::ReplicaTerminating
            | Self::ReplicaNotAvailable
            | Self::ScaleLimited
            | Self::CondemnedWaits
            | Self::GraceWaits
            | Self::InPlaceIncomplete
            | Self::UpdateLimited
            | Self::UpdateHooked => Weight::Waits,
            Self::InPlaceGateOpened | Self::LifecycleNormal | Self::LifecycleUpdated => Weight::Minor,
            Self::OnDelete | Self::Paused | Self::UpdateDone => Weight::Update,
            Self::PodsClaimed
            | Self::RevisionUnchanged
            | Self::RevisionReused
            | Self::RevisionCreated
            | Self::Split
            | Self::RefreshFirst
            | Self::RolloutCompleted
            | Self::StatusUnchanged
            | Self::StatusWritten
            | Self::HistoryKept
            | Self::HistoryTruncated => Weight::Passed,
        }
    }
}
