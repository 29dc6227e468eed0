//! Taints and evictions: which pods are marked for deletion because of their node, and when.
//! Models the tainting of pkg/controller/nodelifecycle and pkg/controller/tainteviction; see the times in the constants.

use super::cluster::Cluster;
use super::event_queue::{ScheduledEvent, round_up};

use super::refs::pod_ref;
use super::scheduler::bears;
use super::settings::{HEARTBEAT_MS, MONITOR_MS};
use super::trace::TraceEvent;
use super::world::TAINT_CONTROLLER;
use crate::objects::{EventType, Node, OUT_OF_SERVICE, ObjectRef, Pod, Taint, Time};
use crate::order::Gather;
use std::collections::BTreeSet;
use std::rc::Rc;

/// `pod-eviction-timeout` of releases before taint-based eviction, counted from the last heartbeat of a silent node and from
/// the report of an unwell one.
const POD_EVICTION_TIMEOUT_MS: i64 = 300_000;
/// Nodes of one zone are evicted no faster than this; in a large zone that is mostly NotReady, ten times slower.
const NODE_EVICTION_MS: i64 = 10_000;
const SLOW_NODE_EVICTION_MS: i64 = 100_000;
const LARGE_ZONE: usize = 50;
/// A pod that is evicted at once goes when its DaemonSet's controller, which sees the same taint, has asked for that too.
const WITH_DAEMON_MS: i64 = 30;
pub(super) const NOT_READY: &str = "node.kubernetes.io/not-ready";
const UNSCHEDULABLE: &str = "node.kubernetes.io/unschedulable";
const UNREACHABLE: &str = "node.kubernetes.io/unreachable";
/// The taints that the node lifecycle controller adds and removes.
pub(super) const LIFECYCLE_TAINTS: [&str; 2] = [NOT_READY, UNREACHABLE];

impl Cluster {
    /// NoSchedule follows the Ready condition at once.
    pub(super) fn set_lifecycle_taints(&mut self, name: &Rc<str>) {
        let Some(desired) = self.node(name).and_then(|node| lifecycle_taint(node)) else { return };
        if self.world.gates.taint_based_eviction {
            for key in LIFECYCLE_TAINTS {
                let effect = (key == desired).then_some(None);
                self.world.store.change_node(name, |node| set_taint(node, key, "NoSchedule", effect));
            }
        }
    }

    /// NoExecute goes when a node is Ready again, and with it the evictions that were due.
    pub(super) fn lift_eviction(&mut self, name: &Rc<str>) {
        let Some(node) = self.node(name).cloned() else { return };
        if !node.spec.taints.iter().any(is_lifecycle_eviction) {
            return;
        }
        self.world.store.change_node(name, |node| node.spec.taints.retain(|taint| !is_lifecycle_eviction(taint)));
        self.forget_evictions(name);
    }

    /// Pods that nothing evicts any more are taken off the taint manager's list. Models processPodOnNode, taint_eviction.go.
    fn forget_evictions(&mut self, name: &Rc<str>) {
        let Some(node) = self.node(name).cloned() else { return };
        for pod in self.pods_on(name).iter().filter(|pod| eviction_at(&node, pod).is_none()) {
            self.cancel_eviction(pod);
        }
    }

    /// The pod is gone, or its node is well again: the taint manager, which had it on its list, says so.
    pub(super) fn cancel_eviction(&mut self, pod: &Pod) {
        if self.eviction_timers.remove(&pod.metadata.uid).is_some() {
            let key = pod_ref(pod);
            let message = format!("Cancelling deletion of Pod {}/{}", key.namespace, key.name);
            self.world.event(&key, EventType::Normal, "TaintManagerEviction", message, TAINT_CONTROLLER);
        }
    }

    /// A cordon is a taint too (since 1.12, with the other taints).
    pub(super) fn set_cordon_taint(&mut self, node: &Node) {
        if self.world.gates.taint_based_eviction {
            let desired = node.spec.unschedulable.then_some(None);
            self.world
                .store
                .change_node(&node.metadata.name, |node| set_taint(node, UNSCHEDULABLE, "NoSchedule", desired));
        }
    }

    /// One pass at this moment, after every node that is looked at then.
    pub(super) fn plan_taint_pass(&mut self, at: Time) {
        if self.taint_pass_at.is_none_or(|planned| planned > at) {
            self.taint_pass_at = Some(at);
            self.world.event_queue.put(at, ScheduledEvent::TaintPass);
        }
    }

    /// Taints the nodes whose turn it is with NoExecute, or deletes their pods in releases before that. Nodes of a zone take
    /// turns; a zone that is mostly NotReady is slowed or stopped, and nothing is evicted while every node is NotReady.
    /// Models doNoExecuteTaintingPass, handleDisruption and ComputeZoneState.
    pub(super) fn taint_pass(&mut self) {
        self.taint_pass_at = self.taint_pass_at.filter(|at| *at > self.world.now);
        let nodes: Vec<Rc<Node>> = self.nodes().cloned().collect();
        let is_all_lost = nodes.iter().all(|node| !node.is_ready());
        self.note_stopped_zones(&nodes, is_all_lost);
        if is_all_lost {
            nodes.iter().for_each(|node| self.lift_eviction(&node.metadata.name));
            return;
        }
        for node in nodes.iter().filter(|node| !node.is_ready()) {
            let name = &node.metadata.name;
            let Some(due) = self.eviction_turn(node) else { continue };
            let zone = zone_of(node, self.world.gates.zone_label);
            let Some(pause) = pace(&nodes, self.world.gates.zone_label, &zone) else { continue };
            let free_at = self.next_turns.get(&zone).copied().unwrap_or(due).max(due);
            if free_at > self.world.now {
                self.plan_taint_pass(free_at);
                continue;
            }
            self.next_turns.insert(zone, Time(self.world.now.0 + pause));
            if self.world.gates.taint_based_eviction {
                self.taint_no_execute(name);
            } else {
                self.pods_on(name).iter().for_each(|pod| self.evict_node_lost(pod));
            }
        }
    }

    /// A zone that leaves a disruption has used up its first turn. Models setLimiterInZone and SwapLimiter.
    fn note_stopped_zones(&mut self, nodes: &[Rc<Node>], is_all_lost: bool) {
        let label = self.world.gates.zone_label;
        let zones: BTreeSet<Rc<str>> = nodes.iter().map(|node| zone_of(node, label)).gather();
        for zone in zones {
            match pace(nodes, label, &zone).filter(|_| !is_all_lost) {
                None => drop(self.stopped_zones.insert(zone)),
                Some(pause) if self.stopped_zones.remove(&zone) => {
                    self.next_turns.insert(zone, Time(self.world.now.0 + pause));
                }
                Some(_) => {}
            }
        }
    }

    /// From when on the node may be evicted; none if it has been.
    fn eviction_turn(&self, node: &Node) -> Option<Time> {
        if self.world.gates.taint_based_eviction {
            let key = lifecycle_taint(node)?;
            let is_own = |taint: &Taint| &*taint.key == key && &*taint.effect == "NoExecute";
            // Before 1.34 the monitor goes by the condition as it found it: a node that it has just marked is tainted in its next
            // pass.
            let waits = !self.world.gates.evicts_in_marking_pass;
            let marked_at = node.ready_condition().filter(|ready| waits && &*ready.status == "Unknown");
            let next_pass = marked_at.and_then(|ready| ready.last_transition_time).map(|at| Time(at.0 + MONITOR_MS));
            let due = next_pass.map_or(self.world.now, |at| at.max(self.world.now));
            return (!node.spec.taints.iter().any(is_own)).then_some(due);
        }
        let name = &node.metadata.name;
        let since = self.kubelets.get(name)?;
        let since = since.last_heartbeat(HEARTBEAT_MS).unwrap_or(since.failed_at);
        let evicts = self.world.store.pods_on(name).any(|pod| !pod.is_terminating());
        evicts.then_some(Time(round_up(since.0 + POD_EVICTION_TIMEOUT_MS, MONITOR_MS)))
    }

    /// Puts NoExecute on. A node that changes from unwell to silent keeps the time from which its pods' tolerations count.
    fn taint_no_execute(&mut self, name: &Rc<str>) {
        let Some(node) = self.node(name) else { return };
        let Some(desired) = lifecycle_taint(node) else { return };
        let before = node.spec.taints.iter().find(|taint| is_lifecycle_eviction(taint));
        let since = before.and_then(|taint| taint.time_added).or(Some(self.world.now));
        for key in LIFECYCLE_TAINTS {
            let effect = (key == desired).then_some(since);
            self.world.store.change_node(name, |node| set_taint(node, key, "NoExecute", effect));
        }
        self.plan_evictions(name);
    }

    /// Each pod of a node with NoExecute taints is evicted once its toleration runs out.
    pub(super) fn plan_evictions(&mut self, name: &Rc<str>) {
        let Some(node) = self.node(name).cloned() else { return };
        for pod in self.pods_on(name) {
            self.plan_eviction(&node, &pod);
        }
    }

    /// As above, for one pod.
    pub(super) fn plan_eviction(&mut self, node: &Node, pod: &Pod) {
        let at = eviction_at(node, pod);
        let is_sooner = |at: &Time| {
            let known = self.eviction_timers.get(&pod.metadata.uid);
            known.is_none_or(|known| at < known && *at <= self.world.now)
        };
        if let Some(at) = at.filter(is_sooner) {
            // What was planned for later gives way only to what is due at once, and that is told. Models processPodOnNode.
            self.cancel_eviction(pod);
            self.eviction_timers.insert(Rc::clone(&pod.metadata.uid), at);
            let due = ScheduledEvent::TaintEviction { pod: pod_ref(pod), uid: Rc::clone(&pod.metadata.uid) };
            let is_daemon = pod.metadata.controller_of().is_some_and(|owner| &*owner.kind == "DaemonSet");
            let soonest = if is_daemon { Time(self.world.now.0 + WITH_DAEMON_MS) } else { self.world.now };
            self.world.event_queue.put(at.max(soonest), due);
        }
    }

    /// Whether the taint manager has the pod on its list: it is evicted once its toleration runs out, unless the taint goes.
    pub fn is_to_be_evicted(&self, pod: &Pod) -> bool {
        self.eviction_timers.contains_key(&pod.metadata.uid)
    }

    /// Whether so much of the node's zone is lost that none of its nodes is evicted.
    pub fn is_zone_stopped(&self, node: &Node) -> bool {
        let nodes: Vec<Rc<Node>> = self.nodes().cloned().collect();
        let label = self.world.gates.zone_label;
        pace(&nodes, label, &zone_of(node, label)).is_none()
    }

    /// When the pod will be marked for deletion because of its node's taints, or its node's silence in releases before
    /// them; none if never, or if nobody has begun to count.
    pub fn eviction_due(&self, pod: &Pod) -> Option<Time> {
        let node = self.node(&pod.spec.node_name).filter(|_| !pod.is_terminating())?;
        if !self.world.gates.taint_based_eviction && !node.is_ready() {
            return self.eviction_turn(node);
        }
        let is_stopped = self.nodes().all(|node| !node.is_ready()) || self.is_zone_stopped(node);
        let (Some(key), Some(due), false) = (lifecycle_taint(node), self.eviction_turn(node), is_stopped) else {
            return eviction_at(node, pod);
        };
        // The node is known to be lost, and its taint comes with the next pass.
        let mut tainted = (**node).clone();
        set_taint(&mut tainted, key, "NoExecute", Some(Some(due)));
        eviction_at(&tainted, pod)
    }

    /// The pod's toleration has run out: it is marked for deletion, unless the taints are gone.
    pub(super) fn evict_by_taint(&mut self, key: &ObjectRef, uid: &Rc<str>) {
        let Some(pod) = self.world.store.pod(key).filter(|pod| pod.metadata.uid == *uid) else { return };
        let due = self
            .node(&pod.spec.node_name)
            .and_then(|node| eviction_at(node, pod))
            .is_some_and(|at| at <= self.world.now);
        if !due || self.eviction_timers.remove(uid).is_none() {
            return;
        }
        // One that somebody deleted before is marked all the same.
        let message = format!("Marking for deletion Pod {}/{}", key.namespace, key.name);
        self.world.event(key, EventType::Normal, "TaintManagerEviction", message, TAINT_CONTROLLER);
        self.world.mark_disrupted(key, "DeletionByTaintManager", "Taint manager: deleting due to NoExecute taint");
        self.world.happened(TraceEvent::Evicted { pod: key.clone() });
        let _ = self.world.store.delete(key, None, self.world.now);
    }

    /// Eviction before taints: the pod is told that its node is lost, and deleted.
    fn evict_node_lost(&mut self, pod: &Pod) {
        if pod.is_terminating() {
            return;
        }
        let (key, node) = (pod_ref(pod), &pod.spec.node_name);
        let message = format!("Node {node} which was running pod {} is unresponsive", key.name);
        self.world.store.change_pod(&key, |pod| {
            pod.status.reason = "NodeLost".into();
            pod.status.message = message.into();
        });
        let message = format!("Marking for deletion Pod {} from Node {node}", key.name);
        self.world.event(&key, EventType::Normal, "NodeControllerEviction", message, "node-controller");
        self.world.happened(TraceEvent::Evicted { pod: key.clone() });
        let _ = self.world.store.delete(&key, None, self.world.now);
    }

    /// Changes the node's taints as a person does it.
    pub(super) fn change_taints(&mut self, name: &Rc<str>, change: &dyn Fn(&mut Vec<Taint>)) {
        self.world.store.change_node(name, |node| change(&mut node.spec.taints));
        self.forget_evictions(name);
        self.plan_evictions(name);
        self.react();
    }

    /// The out-of-service taint, put on or taken off by a person.
    pub(super) fn taint_out_of_service(&mut self, name: &Rc<str>, effect: Option<&str>) {
        let now = self.world.now;
        self.world.store.change_node(name, |node| {
            node.spec.taints.retain(|taint| &*taint.key != OUT_OF_SERVICE);
            if let Some(effect) = effect {
                node.spec.taints.push(Taint {
                    key: OUT_OF_SERVICE.into(),
                    value: "nodeshutdown".into(),
                    effect: effect.into(),
                    time_added: (effect == "NoExecute").then_some(now),
                });
            }
        });
        self.plan_evictions(name);
        self.review_node_volumes(name);
    }
}

/// The taint key that the node's Ready condition asks for; none if it is True.
fn lifecycle_taint(node: &Node) -> Option<&'static str> {
    match node.ready_status() {
        "True" => None,
        "False" => Some(NOT_READY),
        _ => Some(UNREACHABLE),
    }
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

/// When the pod's tolerance of the node's NoExecute taints runs out; none if there is none or it bears them forever.
fn eviction_at(node: &Node, pod: &Pod) -> Option<Time> {
    let bound_before = pod.metadata.creation_timestamp.unwrap_or_default();
    let ends = |taint: &Taint| {
        let since = taint.time_added?.max(bound_before);
        let borne = || pod.spec.tolerations.iter().filter(|toleration| bears(toleration, taint));
        if borne().next().is_none() {
            return Some(since);
        }
        // The shortest limit counts; tolerations without one set none.
        let seconds = borne().filter_map(|toleration| toleration.toleration_seconds).min()?;
        Some(since.plus_seconds(seconds.max(0)))
    };
    node.spec.taints.iter().filter(|taint| &*taint.effect == "NoExecute").filter_map(ends).min()
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
