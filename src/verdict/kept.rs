//! What a workload was asked to keep from its newest template.

use super::ordered::Ordered;
use super::pods::pods;
use crate::objects::{Object, Pod, UpdateStrategyType};
use crate::sim::Cluster;
use std::rc::Rc;

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
    let set = object.controlled()?;
    let (has_old, partition) = match Ordered::of(object) {
        Some(ordered) => {
            let is_old = |pod: &&Rc<Pod>| ordered.in_range(pod) && ordered.is_old(pod);
            (pods(cluster, object).iter().any(is_old), ordered.partition())
        }
        None => (set.outdated() > 0, set.kept_by_partition()),
    };
    match set.strategy()? {
        _ if !has_old => None,
        _ if set.is_paused() => Some(Kept::Paused),
        UpdateStrategyType::OnDelete => Some(Kept::OnDelete),
        UpdateStrategyType::RollingUpdate => (partition > 0).then_some(Kept::Partition),
        UpdateStrategyType::Recreate => None,
    }
}
