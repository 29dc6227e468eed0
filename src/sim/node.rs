//! What is written into Node objects: the Ready condition, and taints that follow from it.

use super::world::World;
use crate::objects::{Node, NodeCondition, OUT_OF_SERVICE, Taint, Time};
use std::rc::Rc;

pub(super) const NOT_READY: &str = "node.kubernetes.io/not-ready";
const UNSCHEDULABLE: &str = "node.kubernetes.io/unschedulable";
const UNREACHABLE: &str = "node.kubernetes.io/unreachable";
/// The taints that the node lifecycle controller adds and removes.
pub(crate) const LIFECYCLE_TAINTS: [&str; 2] = [NOT_READY, UNREACHABLE];

/// Sets the Ready condition, moving its transition time only if its status changes.
pub(super) fn set_ready(node: &mut Node, status: &str, reason: &str, message: &str, now: Time) {
    let conditions = &mut node.status.conditions;
    let at = conditions.iter().position(|condition| &*condition.condition_type == "Ready");
    let same = at.map(|at| &conditions[at]).filter(|before| &*before.status == status);
    let ready = NodeCondition {
        condition_type: "Ready".into(),
        status: status.into(),
        reason: reason.into(),
        message: message.into(),
        last_heartbeat_time: Some(now),
        last_transition_time: same.and_then(|before| before.last_transition_time).or(Some(now)),
    };
    match at {
        Some(at) => conditions[at] = ready,
        None => conditions.push(ready),
    }
}

/// Puts a taint on (with the time it was added, for NoExecute) or takes it off; one that is on stays as it is.
pub(super) fn set_taint(node: &mut Node, key: &str, effect: &str, desired: Option<Option<Time>>) {
    let taints = &mut node.spec.taints;
    let at = taints.iter().position(|taint| &*taint.key == key && &*taint.effect == effect);
    match (desired, at) {
        (Some(time_added), None) => {
            taints.push(Taint { key: key.into(), effect: effect.into(), time_added, ..Taint::default() });
        }
        (None, Some(at)) => {
            taints.remove(at);
        }
        _ => {}
    }
}

/// The taint key that the node's Ready condition asks for; none if it is True.
pub(super) fn lifecycle_taint(node: &Node) -> Option<&'static str> {
    match node.ready_status() {
        "True" => None,
        "False" => Some(NOT_READY),
        _ => Some(UNREACHABLE),
    }
}

/// NoSchedule follows the Ready condition at once.
pub(super) fn set_lifecycle_taints(world: &mut World, name: &Rc<str>) {
    let Some(desired) = world.store.node(name).and_then(|node| lifecycle_taint(node)) else { return };
    if world.gates.taint_based_eviction {
        for key in LIFECYCLE_TAINTS {
            let effect = (key == desired).then_some(None);
            world.store.change_node(name, |node| set_taint(node, key, "NoSchedule", effect));
        }
    }
}

/// A cordon is a taint too (since 1.12, with the other taints).
pub(super) fn set_cordon_taint(world: &mut World, node: &Node) {
    if world.gates.taint_based_eviction {
        let desired = node.spec.unschedulable.then_some(None);
        world.store.change_node(&node.metadata.name, |node| set_taint(node, UNSCHEDULABLE, "NoSchedule", desired));
    }
}

/// Whether the node carries the out-of-service taint, with any effect, and the release heeds it.
pub(super) fn is_out_of_service(world: &World, name: &Rc<str>) -> bool {
    let is_tainted = |node: &Rc<Node>| node.spec.taints.iter().any(|taint| &*taint.key == OUT_OF_SERVICE);
    world.gates.out_of_service && world.store.node(name).is_some_and(is_tainted)
}
