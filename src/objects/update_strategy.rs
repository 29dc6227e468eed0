//! Who updates the old pods of a workload.

use serde::{Deserialize, Serialize};

/// `spec.updateStrategy.type`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum UpdateStrategyType {
    /// The controller deletes old pods, highest ordinal first.
    #[default]
    RollingUpdate,
    /// People delete old pods.
    OnDelete,
    /// The controller deletes all old pods, and makes new ones once they are gone. Of StatefulSets, behind a gate of 1.37.
    Recreate,
}

impl UpdateStrategyType {
    /// The API's word.
    pub(crate) fn as_str(self) -> &'static str {
        match self {
            Self::RollingUpdate => "RollingUpdate",
            Self::OnDelete => "OnDelete",
            Self::Recreate => "Recreate",
        }
    }
}
