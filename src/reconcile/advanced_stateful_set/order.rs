//! In what order pods are updated. Models sortPodsToUpdate of stateful_update_utils.go.

use super::Gates;
use crate::objects::{AdvancedStatefulSet, Pod};
use crate::reconcile::in_place::{by_priority, life, short_hash, state_of};
use crate::reconcile::pods::revision_of;

/// Places in the range whose pods are to be at the update revision, in the order in which they come to it. `places` are those
/// of the range, without a pod where none is to be.
pub(crate) fn in_order_of_update(
    set: &AdvancedStatefulSet,
    gates: Gates,
    update: &str,
    places: &[Option<&Pod>],
) -> Vec<usize> {
    let count = |number: i32| usize::try_from(number).unwrap_or(0);
    let lowest = count(set.partition());
    let wanted = count(set.replicas().saturating_sub(set.partition()));
    let own = (0..places.len()).rev().filter(|index| places[*index].is_some());
    let Some(unordered) = set.rolling_update().and_then(|rolling| rolling.unordered_update.as_ref()) else {
        return own.take_while(|index| *index >= lowest).take(wanted).collect();
    };
    let is_done =
        |index: &usize| places[*index].is_some_and(|pod| pod.is_terminating() || is_updated(gates, pod, update));
    let (mut order, mut waiting): (Vec<usize>, Vec<usize>) = own.partition(is_done);
    if let Some(strategy) = &unordered.priority_strategy {
        waiting = by_priority(strategy, &|index| places[index], waiting);
    }
    order.append(&mut waiting);
    order.truncate(wanted);
    order
}

/// Whether a pod counts as updated where pods are updated in an order of choice.
/// Models IsPodUpdate of pkg/util/revision/revision.go.
pub(super) fn is_updated(gates: Gates, pod: &Pod, update: &str) -> bool {
    let is_preparing = gates.preparing_update_as_update && state_of(pod) == life::PREPARING_UPDATE;
    is_preparing || short_hash(revision_of(pod)) == short_hash(update)
}
