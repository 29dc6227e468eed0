//! Which sets a change of a node wakes. Models addNode, updateNode and syncNodeUpdate. That a node went wakes none.

use super::place::node_should_run_daemon_pod;
use crate::objects::{DaemonSet, Node, Object, ObjectRef, Pod, Typed};
use crate::reconcile::Gates;
use crate::reconcile::cache::{Cache, Namespace, WatchEvent};
use crate::reconcile::controller::key_of;
use std::rc::Rc;

pub(super) fn keys_of(gates: &Gates, cache: &Cache, event: &WatchEvent) -> Vec<ObjectRef> {
    let WatchEvent::Put { old, new: Object::Node(node) } = event else { return Vec::new() };
    let old = old.as_ref().and_then(Node::of).map(|old| &**old);
    if old.is_some_and(|old| ignores(old, node)) {
        return Vec::new();
    }
    let sets = cache.namespaces().flat_map(|there| there.daemon_sets.iter().map(move |set| (there, set)));
    let wakes = |(there, set): &(&Namespace, &Rc<DaemonSet>)| {
        if gates.workloads.asks_node_for_its_daemons { asks_for(there, set, node) } else { changes(set, old, node) }
    };
    sets.filter(wakes).map(|(_, set)| key_of(&**set)).collect()
}

/// Models shouldIgnoreNodeUpdate, v1.33.
fn ignores(old: &Node, node: &Node) -> bool {
    old.metadata.labels == node.metadata.labels && old.spec.taints == node.spec.taints
}

/// Whether the node may have a pod of the set now and might not before, or the other way round. Models updateNode up to v1.32.
fn changes(set: &DaemonSet, old: Option<&Node>, node: &Node) -> bool {
    match old {
        Some(old) => node_should_run_daemon_pod(set, old) != node_should_run_daemon_pod(set, node),
        None => node_should_run_daemon_pod(set, node).runs,
    }
}

/// Whether a pod is to be made or deleted on the node, or one there may no longer be where it should not be. Models
/// syncNodeUpdate, v1.33.
fn asks_for(there: &Namespace, set: &DaemonSet, node: &Node) -> bool {
    let fit = node_should_run_daemon_pod(set, node);
    // By name: the owner's uid is not looked at.
    let is_own = |pod: &Pod| {
        let owner = pod.metadata.controller_of();
        owner.is_some_and(|owner| &*owner.kind == DaemonSet::KIND.as_str() && owner.name == set.metadata.name)
    };
    match there.pods.iter().any(|pod| pod.spec.node_name == node.metadata.name && is_own(pod)) {
        false => fit.runs,
        true => !fit.stays || set.status.number_misscheduled > 0,
    }
}
