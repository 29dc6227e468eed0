//! The CloneSet rules of the table, taken together.

use crate::reconcile::Rule;

/// Every rule of the CloneSet controller, as one pattern: where only a StatefulSet is shown, they are taken
/// together. `Rule` must be in scope.
macro_rules! clone_set_rule {
    () => {
        Rule::ClaimHandedOver
            | Rule::ClaimDeleted
            | Rule::CloneReleased
            | Rule::ClonesClaimed
            | Rule::CloneRevisionUnchanged
            | Rule::CloneRevisionReused
            | Rule::CloneRevisionCreated
            | Rule::CloneRevisionRefused
            | Rule::CloneSetTerminating
            | Rule::DeletionsReconsidered
            | Rule::DiffsCalculated
            | Rule::ScaleUpLimited
            | Rule::CloneCreated
            | Rule::CloneCreateRefused
            | Rule::DeletionPrepared
            | Rule::CloneDeleted
            | Rule::DeletionLimited
            | Rule::ScaleDownWaits
            | Rule::ScaleSettled
            | Rule::GraceWaits
            | Rule::GraceFinished
            | Rule::NextBatchUpdated
            | Rule::InPlaceIncomplete
            | Rule::InPlaceGateOpened
            | Rule::LifecycleNormal
            | Rule::LifecycleUpdated
            | Rule::RefreshFirst
            | Rule::CloneUpdateOnDelete
            | Rule::CloneUpdatePaused
            | Rule::CloneUpdateSettled
            | Rule::CloneUpdateLimited
            | Rule::UpdatePrepared
            | Rule::UpdateHooked
            | Rule::UpdatedInPlace
            | Rule::UpdateInPlaceRefused
            | Rule::UpdatePreparedAgain
            | Rule::InPlaceImpossible
            | Rule::RecreateMarked
            | Rule::CloneRolloutCompleted
            | Rule::DeadlineExceeded
            | Rule::CloneStatusUnchanged
            | Rule::CloneStatusWritten
            | Rule::CloneStatusRefused
            | Rule::PodsToDeleteTruncated
            | Rule::PodsToDeleteRefused
            | Rule::CloneHistoryKept
            | Rule::CloneHistoryTruncated
    };
}
pub(crate) use clone_set_rule;

impl Rule {
    /// Whether it is the CloneSet controller's.
    pub fn is_of_clone_set(self) -> bool {
        matches!(self, clone_set_rule!())
    }
}
