//! Which sets a change of a node wakes. Models addNode, updateNode and syncNodeUpdate. That a node went wakes none.

use super::place::node_should_run_daemon_pod;
use crate::objects::{DaemonSet, Node, Object, ObjectRef, Pod, Typed};
use crate::reconcile::Gates;
use crate::reconcile::cache::{Cache, Namespace, WatchEvent};
use crate::reconcile::controller::key_of;
use std::collections::BTreeSet;
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
    let has_pod = there.pods.iter().any(|pod| pod.spec.node_name == node.metadata.name && is_own(set, pod));
    asks_with(set, node, has_pod)
}

fn asks_with(set: &DaemonSet, node: &Node, has_pod: bool) -> bool {
    let fit = node_should_run_daemon_pod(set, node);
    if has_pod { !fit.stays || set.status.number_misscheduled > 0 } else { fit.runs }
}

/// By name: the owner's uid is not looked at.
fn is_own(set: &DaemonSet, pod: &Pod) -> bool {
    let owner = pod.metadata.controller_of();
    owner.is_some_and(|owner| &*owner.kind == DaemonSet::KIND.as_str() && owner.name == set.metadata.name)
}

/// Whether the set counts a node that has got a taint under which its pod stays and none would be made, and nothing has woken it
/// since: its status is what its pods come to with that node. Its controller does not come to it by itself.
pub(crate) fn overlooks_taint(gates: &Gates, cache: &Cache, key: &ObjectRef) -> bool {
    if key.kind != DaemonSet::KIND || !gates.workloads.asks_node_for_its_daemons {
        return false;
    }
    let (Some(there), Some(set)) = (cache.namespace(&key.namespace), cache.typed::<DaemonSet>(key)) else {
        return false;
    };
    let own: Vec<&Rc<Pod>> = there.pods.iter().filter(|pod| is_own(set, pod)).collect();
    let held: BTreeSet<&str> = own.iter().map(|pod| &*pod.spec.node_name).collect();
    let has_pod = |node: &Node| held.contains(&*node.metadata.name);
    let nodes = || cache.nodes().iter().filter(|node| has_pod(node));
    let status = &set.status;
    let is_noted = status.observed_generation >= set.metadata.generation;
    let is_asked = || cache.nodes().iter().any(|node| asks_with(set, node, has_pod(node)));
    let counted = nodes().count();
    let ready = own.iter().filter(|pod| pod.is_ready()).count();
    let is_told = |number: i32, pods: usize| usize::try_from(number) == Ok(pods);
    is_noted
        && nodes().any(|node| !node_should_run_daemon_pod(set, node).runs)
        && own.len() == counted
        && !own.iter().any(|pod| pod.has_ended() || pod.is_terminating())
        && is_told(status.desired_number_scheduled, counted)
        && is_told(status.current_number_scheduled, counted)
        && is_told(status.number_ready, ready)
        && is_told(status.number_available, ready)
        && !is_asked()
}
