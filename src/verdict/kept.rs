//! What a workload was asked to keep from its newest template.

use super::ordered::Ordered;
use super::pods::pods;
use crate::objects::{Object, UpdateStrategyType};
use crate::sim::Cluster;

/// Why pods stay as they are, as they were asked to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kept {
    /// Updates are paused.
    Paused,
    /// The update strategy is OnDelete.
    OnDelete,
    /// The partition is above 0.
    Partition,
}

/// What keeps pods of the workload from its newest template; nothing if it keeps none.
pub(super) fn kept(cluster: &Cluster, object: &Object) -> Option<Kept> {
    let (has_old, paused, strategy, partition) = match object {
        Object::StatefulSet(_) | Object::AdvancedStatefulSet(_) => {
            let set = Ordered::of(object)?;
            let has_old = pods(cluster, object).into_iter().any(|pod| set.in_range(pod) && set.is_old(pod));
            (has_old, is_paused(object), set.strategy, set.partition())
        }
        Object::CloneSet(set) => {
            let status = &set.status;
            let strategy = &set.spec.update_strategy;
            let kept = status.replicas - status.expected_updated_replicas;
            (status.updated_replicas < status.replicas, is_paused(object), strategy.strategy_type, kept)
        }
        Object::Deployment(set) => {
            let has_old = set.status.updated_replicas < set.status.replicas;
            (has_old, set.spec.paused, UpdateStrategyType::RollingUpdate, 0)
        }
        Object::DaemonSet(set) => {
            let has_old = set.status.updated_number_scheduled < set.status.desired_number_scheduled;
            (has_old, false, set.spec.update_strategy.strategy_type, 0)
        }
        Object::ReplicaSet(_) | Object::Pod(_) | Object::Claim(_) | Object::Revision(_) | Object::Node(_) => {
            return None;
        }
    };
    match strategy {
        _ if !has_old => None,
        _ if paused => Some(Kept::Paused),
        UpdateStrategyType::OnDelete => Some(Kept::OnDelete),
        _ => (partition > 0).then_some(Kept::Partition),
    }
}

/// Whether its updates are paused.
pub(super) fn is_paused(object: &Object) -> bool {
    match object {
        Object::CloneSet(set) => set.spec.update_strategy.rolling_update.as_ref().is_some_and(|rolling| rolling.paused),
        Object::AdvancedStatefulSet(set) => set.rolling_update().is_some_and(|rolling| rolling.paused),
        Object::Deployment(set) => set.spec.paused,
        _ => false,
    }
}
