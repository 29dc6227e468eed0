//! The node lifecycle controller: what becomes of a node that is silent or unwell, and of the pods on it, on the clock.
//! Models pkg/controller/nodelifecycle; see the times in the constants.

use super::event_queue::{ScheduledEvent, round_up};
use super::life::set_condition;
use super::machines::{Machines, lost_at};
use super::node::{LIFECYCLE_TAINTS, lifecycle_taint, set_lifecycle_taints, set_ready, set_taint};
use super::refs::pod_ref;
use super::settings::{HEARTBEAT_MS, MONITOR_MS};
use super::taint_manager::{TaintManager, eviction_at};
use super::trace::TraceEvent;
use super::world::World;
use crate::objects::{EventType, Node, Pod, Taint, Time};
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

/// `pod-eviction-timeout` of releases before taint-based eviction, counted from the last heartbeat of a silent node and from
/// the report of an unwell one.
const POD_EVICTION_TIMEOUT_MS: i64 = 300_000;
/// Nodes of one zone are evicted no faster than this; in a large zone that is mostly NotReady, ten times slower.
const NODE_EVICTION_MS: i64 = 10_000;
const SLOW_NODE_EVICTION_MS: i64 = 100_000;
const LARGE_ZONE: usize = 50;

/// What it keeps between its looks, and its taint manager.
#[derive(Clone, Default)]
pub(super) struct NodeLifecycle {
    /// By zone: when the next of its nodes may be evicted.
    next_turns: BTreeMap<Rc<str>, Time>,
    /// The next pass that is planned.
    pass_at: Option<Time>,
    /// Zones of which no node may be evicted, as it last saw them.
    stopped_zones: BTreeSet<Rc<str>>,
    pub(super) taint_manager: TaintManager,
}

/// How the controller finds a node.
#[derive(PartialEq)]
pub(super) enum NodeState {
    /// Its silence has just lasted too long.
    Lost,
    /// Ready.
    Well,
    /// Not Ready, and known to be so.
    Unwell,
}

impl NodeLifecycle {
    /// One look at one node: how it was found, if it is there. A pass over all nodes follows.
    pub(super) fn monitor(&mut self, world: &mut World, machines: &Machines, name: &Rc<str>) -> Option<NodeState> {
        let now = world.now;
        let (Some(kubelet), Some(node)) = (machines.get(name), world.store.node(name)) else { return None };
        let was_ready = node.is_ready();
        let lost = lost_at(&world.gates, kubelet).is_some_and(|at| at <= now);
        if lost && node.ready_status() != "Unknown" {
            let message = "Kubelet stopped posting node status.";
            world.store.change_node(name, |node| set_ready(node, "Unknown", "NodeStatusUnknown", message, now));
            set_lifecycle_taints(world, name);
            // Pods of a node that was unwell before it fell silent are not marked (kubernetes/kubernetes#109998).
            if was_ready {
                let message = format!("Node {name} status is now: NodeNotReady");
                world.node_event(name, "NodeNotReady", message, "node-controller");
                for pod in world.pods_on(name) {
                    mark_not_ready(world, &pod);
                }
            }
            world.happened(TraceEvent::NodeNotReady { node: Rc::clone(name) });
            Some(NodeState::Lost)
        } else if was_ready {
            self.lift_eviction(world, name);
            Some(NodeState::Well)
        } else {
            set_lifecycle_taints(world, name);
            Some(NodeState::Unwell)
        }
    }

    /// NoExecute goes when a node is Ready again, and with it the evictions that were due.
    fn lift_eviction(&mut self, world: &mut World, name: &Rc<str>) {
        let Some(node) = world.store.node(name).cloned() else { return };
        if !node.spec.taints.iter().any(is_lifecycle_eviction) {
            return;
        }
        world.store.change_node(name, |node| node.spec.taints.retain(|taint| !is_lifecycle_eviction(taint)));
        self.taint_manager.forget(world, name);
    }

    /// One pass at this moment, after every node that is looked at then.
    pub(super) fn plan_pass(&mut self, world: &mut World, at: Time) {
        if self.pass_at.is_none_or(|planned| planned > at) {
            self.pass_at = Some(at);
            world.event_queue.put(at, ScheduledEvent::TaintPass);
        }
    }

    /// Taints the nodes whose turn it is with NoExecute, or deletes their pods in releases before that. Nodes of a zone take
    /// turns; a zone that is mostly NotReady is slowed or stopped, and nothing is evicted while every node is NotReady.
    /// Models doNoExecuteTaintingPass, handleDisruption and ComputeZoneState.
    pub(super) fn pass(&mut self, world: &mut World, machines: &Machines) {
        self.pass_at = self.pass_at.filter(|at| *at > world.now);
        let nodes: Vec<Rc<Node>> = world.store.nodes().cloned().collect();
        let is_all_lost = nodes.iter().all(|node| !node.is_ready());
        self.note_stopped_zones(world, &nodes, is_all_lost);
        if is_all_lost {
            nodes.iter().for_each(|node| self.lift_eviction(world, &node.metadata.name));
            return;
        }
        for node in nodes.iter().filter(|node| !node.is_ready()) {
            let name = &node.metadata.name;
            let Some(due) = eviction_turn(world, machines, node) else { continue };
            let zone = zone_of(node, world.gates.zone_label);
            let Some(pause) = pace(&nodes, world.gates.zone_label, &zone) else { continue };
            let free_at = self.next_turns.get(&zone).copied().unwrap_or(due).max(due);
            if free_at > world.now {
                self.plan_pass(world, free_at);
                continue;
            }
            self.next_turns.insert(zone, Time(world.now.0 + pause));
            if world.gates.taint_based_eviction {
                self.taint_no_execute(world, name);
            } else {
                world.pods_on(name).iter().for_each(|pod| evict_node_lost(world, pod));
            }
        }
    }

    /// A zone that leaves a disruption has used up its first turn. Models setLimiterInZone and SwapLimiter.
    fn note_stopped_zones(&mut self, world: &World, nodes: &[Rc<Node>], is_all_lost: bool) {
        let label = world.gates.zone_label;
        let zones: BTreeSet<Rc<str>> = nodes.iter().map(|node| zone_of(node, label)).collect();
        for zone in zones {
            match pace(nodes, label, &zone).filter(|_| !is_all_lost) {
                None => drop(self.stopped_zones.insert(zone)),
                Some(pause) if self.stopped_zones.remove(&zone) => {
                    self.next_turns.insert(zone, Time(world.now.0 + pause));
                }
                Some(_) => {}
            }
        }
    }

    /// Puts NoExecute on. A node that changes from unwell to silent keeps the time from which its pods' tolerations count.
    fn taint_no_execute(&mut self, world: &mut World, name: &Rc<str>) {
        let Some(node) = world.store.node(name) else { return };
        let Some(desired) = lifecycle_taint(node) else { return };
        let before = node.spec.taints.iter().find(|taint| is_lifecycle_eviction(taint));
        let since = before.and_then(|taint| taint.time_added).or(Some(world.now));
        for key in LIFECYCLE_TAINTS {
            let effect = (key == desired).then_some(since);
            world.store.change_node(name, |node| set_taint(node, key, "NoExecute", effect));
        }
        self.taint_manager.plan_all(world, name);
    }
}

fn mark_not_ready(world: &mut World, pod: &Pod) {
    if pod.condition("Ready").is_none_or(|ready| &*ready.status != "True") {
        return;
    }
    let (now, key) = (world.now, pod_ref(pod));
    world.store.change_pod(&key, |pod| set_condition(&mut pod.status, "Ready", false, "", now));
    if world.gates.pod_event_of_dark_node {
        world.event(&key, EventType::Warning, "NodeNotReady", "Node is not ready".to_owned(), "node-controller");
    }
}

/// From when on the node may be evicted; none if it has been.
fn eviction_turn(world: &World, machines: &Machines, node: &Node) -> Option<Time> {
    if world.gates.taint_based_eviction {
        let key = lifecycle_taint(node)?;
        let is_own = |taint: &Taint| &*taint.key == key && &*taint.effect == "NoExecute";
        // Before 1.34 the monitor goes by the condition as it found it: a node that it has just marked is tainted in its next
        // pass.
        let waits = !world.gates.evicts_in_marking_pass;
        let marked_at = node.ready_condition().filter(|ready| waits && &*ready.status == "Unknown");
        let next_pass = marked_at.and_then(|ready| ready.last_transition_time).map(|at| Time(at.0 + MONITOR_MS));
        let due = next_pass.map_or(world.now, |at| at.max(world.now));
        return (!node.spec.taints.iter().any(is_own)).then_some(due);
    }
    let name = &node.metadata.name;
    let since = machines.get(name)?;
    let since = since.last_heartbeat(HEARTBEAT_MS).unwrap_or(since.failed_at);
    let evicts = world.store.pods_on(name).any(|pod| !pod.is_terminating());
    evicts.then_some(Time(round_up(since.0 + POD_EVICTION_TIMEOUT_MS, MONITOR_MS)))
}

/// Whether so much of the node's zone is lost that none of its nodes is evicted.
pub(super) fn is_zone_stopped(world: &World, node: &Node) -> bool {
    let nodes: Vec<Rc<Node>> = world.store.nodes().cloned().collect();
    let label = world.gates.zone_label;
    pace(&nodes, label, &zone_of(node, label)).is_none()
}

/// When the pod will be marked for deletion because of its node's taints, or its node's silence in releases before
/// them; none if never, or if nobody has begun to count.
pub(super) fn eviction_due(world: &World, machines: &Machines, pod: &Pod) -> Option<Time> {
    let node = world.store.node(&pod.spec.node_name).filter(|_| !pod.is_terminating())?;
    if !world.gates.taint_based_eviction && !node.is_ready() {
        return eviction_turn(world, machines, node);
    }
    let is_stopped = world.store.nodes().all(|node| !node.is_ready()) || is_zone_stopped(world, node);
    let (Some(key), Some(due), false) = (lifecycle_taint(node), eviction_turn(world, machines, node), is_stopped)
    else {
        return eviction_at(node, pod);
    };
    // The node is known to be lost, and its taint comes with the next pass.
    let mut tainted = (**node).clone();
    set_taint(&mut tainted, key, "NoExecute", Some(Some(due)));
    eviction_at(&tainted, pod)
}

/// Eviction before taints: the pod is told that its node is lost, and deleted.
fn evict_node_lost(world: &mut World, pod: &Pod) {
    if pod.is_terminating() {
        return;
    }
    let (key, node) = (pod_ref(pod), &pod.spec.node_name);
    let message = format!("Node {node} which was running pod {} is unresponsive", key.name);
    world.store.change_pod(&key, |pod| {
        pod.status.reason = "NodeLost".into();
        pod.status.message = message.into();
    });
    let message = format!("Marking for deletion Pod {} from Node {node}", key.name);
    world.event(&key, EventType::Normal, "NodeControllerEviction", message, "node-controller");
    world.happened(TraceEvent::Evicted { pod: key.clone() });
    let _ = world.store.delete(&key, None, world.now);
}

fn is_lifecycle_eviction(taint: &Taint) -> bool {
    &*taint.effect == "NoExecute" && LIFECYCLE_TAINTS.contains(&&*taint.key)
}

/// The node's zone; nodes without the label are of one zone, whose name is empty. Models GetZoneKey of
/// k8s.io/component-helpers/node/topology.
fn zone_of(node: &Node, label: &str) -> Rc<str> {
    node.metadata.labels.get(label).cloned().unwrap_or_default()
}

/// Milliseconds from one eviction of a node in the zone to the next; none if the zone is stopped.
fn pace(nodes: &[Rc<Node>], label: &str, zone: &Rc<str>) -> Option<i64> {
    let (mut lost, mut all) = (0, 0);
    for node in nodes.iter().filter(|node| zone_of(node, label) == *zone) {
        all += 1;
        lost += usize::from(!node.is_ready());
    }
    // More than two, and at least 55 % of the zone. A zone that is lost entirely while others are not is evicted as usual.
    let mostly_lost = lost > 2 && lost < all && lost * 100 >= all * 55;
    match (mostly_lost, all > LARGE_ZONE) {
        (false, _) => Some(NODE_EVICTION_MS),
        (true, true) => Some(SLOW_NODE_EVICTION_MS),
        (true, false) => None,
    }
}
