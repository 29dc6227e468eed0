//! What the eviction API says when it refuses. Models pkg/registry/core/pod/storage/eviction.go.

use crate::objects::{ApiError, Reason};
use serde::Serialize;

/// Why the eviction API refuses to evict a pod.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub enum EvictionRefusal {
    /// Its budget has no healthy pod to spare.
    UsedUp {
        /// Healthy pods that the budget asks for.
        needed: i32,
        /// Healthy pods there are.
        healthy: i32,
    },
    /// The disruption controller cannot tell what its budget allows.
    NotSynced,
    /// It has more than one budget.
    SeveralBudgets,
}

impl EvictionRefusal {
    /// What the API server answers.
    pub fn error(self) -> ApiError {
        let (reason, message) = match self {
            Self::UsedUp { .. } | Self::NotSynced => {
                (Reason::TooManyRequests, "Cannot evict pod as it would violate the pod's disruption budget.")
            }
            Self::SeveralBudgets => (
                Reason::InternalError,
                "This pod has more than one PodDisruptionBudget, which the eviction subresource does not support.",
            ),
        };
        ApiError::new(reason, message.to_owned())
    }

    /// Whether kubectl asks for the pod again. Models evictPods, drain.go of k8s.io/kubectl.
    pub(crate) fn is_asked_again(self) -> bool {
        self.error().reason == Reason::TooManyRequests
    }
}
