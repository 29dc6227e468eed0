//! In what order pods are updated. Models sortPodsToUpdate of stateful_update_utils.go.

use super::Sync;
use super::control::{Plan, Replica};
use crate::objects::Pod;
use crate::reconcile::in_place::by_priority;
use crate::reconcile::pods::is_terminating;
use std::rc::Rc;

impl Sync<'_> {
    /// Places in the range whose pods are to be at the update revision, in the order in which they come to it.
    pub(super) fn in_order_of_update(&self, plan: &Plan<'_>) -> Vec<usize> {
        let count = |number: i32| usize::try_from(number).unwrap_or(0);
        let lowest = count(self.set.partition());
        let wanted = count(self.set.replicas().saturating_sub(self.set.partition()));
        let descending = (0..plan.replicas.len()).rev();
        let own = descending.filter(|index| !matches!(plan.replicas[*index], Replica::Reserved));
        let Some(unordered) = self.set.rolling_update().and_then(|rolling| rolling.unordered_update.as_ref()) else {
            return own.take_while(|index| *index >= lowest).take(wanted).collect();
        };
        let nobody = Rc::new(Pod::default());
        let pod = |index: usize| &**plan.replicas[index].pod().unwrap_or(&nobody);
        let update = &plan.revisions.update.metadata.name;
        let (mut order, mut waiting): (Vec<usize>, Vec<usize>) =
            own.partition(|index| is_terminating(pod(*index)) || self.is_updated(pod(*index), update));
        if let Some(strategy) = &unordered.priority_strategy {
            waiting = by_priority(strategy, &pod, waiting);
        }
        order.append(&mut waiting);
        order.truncate(wanted);
        order
    }
}
