//! What is larger than a run can hold is refused before it hurts.

use crate::kubectl::Refusal;
use crate::objects::{Kind, Object};
use crate::sim::Cluster;

/// Replicas that one workload may ask for: where addresses have 32 bits, as in a page, memory holds fewer.
pub const MOST_REPLICAS: i32 = if usize::BITS > 32 { 100_000 } else { 20_000 };

/// Whether a command asks for more replicas of a workload than a run can hold.
///
/// # Errors
/// It does, and how many it can hold.
pub(super) fn check(before: &Cluster, after: &Cluster) -> Result<(), Refusal> {
    let workloads = Kind::ALL.iter().filter(|kind| kind.is_workload()).flat_map(|kind| after.objects(*kind));
    let is_new = |object: &&Object| before.get(&object.reference()).map_or(0, Object::desired) != object.desired();
    match workloads.filter(|object| object.desired() > MOST_REPLICAS).find(is_new) {
        None => Ok(()),
        Some(object) => Err(Refusal::own(text!(
            "{} {} has {} replicas; at most {} are simulated",
            object.kind().as_str(),
            object.metadata().name,
            object.desired(),
            MOST_REPLICAS
        ))),
    }
}
