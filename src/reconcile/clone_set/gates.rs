//! OpenKruise's feature gates that change this controller.

/// Which gates are on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Gates {
    /// `CloneSetPartitionRollback`: a raised partition takes updated pods back.
    pub partition_rollback: bool,
    /// `CloneSetShortHash`: pods carry only the hash of their revision.
    pub short_hash: bool,
    /// `PreparingUpdateAsUpdate`: pods about to be updated count as updated while scaling.
    pub preparing_update_as_update: bool,
    /// `InPlaceUpdateEnvFromMetadata`: labels and annotations that containers read are changed batch by batch.
    pub env_from_metadata: bool,
    /// `RecreatePodWhenChangeVCTInCloneSetGate`: changed claim templates forbid the update in place.
    pub recreate_for_claims: bool,
}

impl Default for Gates {
    fn default() -> Self {
        Self {
            partition_rollback: false,
            short_hash: false,
            preparing_update_as_update: false,
            env_from_metadata: true,
            recreate_for_claims: false,
        }
    }
}
