//! The pods of a workload of any kind, as they stand in the picture, and who of them is next.

use super::kinds::Surroundings;
use super::model::{Pods, WorkloadView};
use super::rail::DrawnPlaces;
use super::turns::{Turns, next_updated};
use super::{cards, rail};
use crate::sim::LiveContainers;
use std::rc::Rc;

/// Of no workload.
pub(super) fn none() -> WorkloadView {
    WorkloadView { pods: Pods::Axis(Rc::new(rail::empty())), next_updated: Vec::new(), next_deleted: Vec::new() }
}

/// Of a workload. `changed` are the ordinals at which pods have changed since its places were last drawn; none if any may have.
pub(super) fn workload_view(
    around: &Surroundings<'_>,
    haunted: &[LiveContainers],
    changed: Option<&[i32]>,
    drawn: &mut DrawnPlaces,
) -> WorkloadView {
    let next_updated = next_updated(around);
    let turns = Turns::of(&next_updated);
    let pods = match around.ordinals {
        Some(context) => Pods::Axis(Rc::new(rail::rail(context, haunted, &turns, changed, drawn))),
        None => Pods::Cards(Rc::new(cards::cards(around, &turns))),
    };
    WorkloadView { pods, next_updated, next_deleted: around.workload.next_deleted(around) }
}
