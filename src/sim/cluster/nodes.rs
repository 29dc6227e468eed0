//! Nodes and their machines: what people do to them, and what can be read of them.

use super::Cluster;
use crate::objects::{Node, OUT_OF_SERVICE, Pod, Taint, Time};
use crate::sim::event_queue::ScheduledEvent;
use crate::sim::failure::Failure;
use crate::sim::gc::{collected_if_removed, next_collection};
use crate::sim::machines::{LiveContainers, lost_at};
use crate::sim::node_lifecycle::{NodeState, eviction_due, is_zone_stopped};
use crate::sim::refs::node_ref;
use crate::sim::settings::HEARTBEAT_MS;
use std::rc::Rc;

/// What is true of a node's machine, which the API learns late or never.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NodeHealth {
    /// The kubelet works on its pods and renews its lease.
    Running,
    /// The kubelet has done nothing for its pods since this moment.
    Failed {
        /// When it stopped.
        since: Time,
        /// When the node lifecycle controller sees it.
        not_ready_at: Time,
        /// What became of the machine.
        failure: Failure,
    },
}

impl Cluster {
    /// A machine joins under the next free name: node-a, node-b, … node-z, node-27 ….
    pub fn add_node(&mut self) {
        let name = self.machines.next_name();
        self.machines.join(&mut self.world, &name);
        self.react();
    }

    /// A Node object goes. The machine, and what runs on it, stays as it is; its pods are left to the collector.
    pub(crate) fn take_node_away(&mut self, name: &Rc<str>) {
        let world = &mut self.world;
        let _ = world.store.delete(&node_ref(name), None, world.now);
        world.event_queue.put(collected_if_removed(world.now), ScheduledEvent::PodGc { node: Rc::clone(name) });
        self.attachments.review_node(world, &self.machines, name);
        let message = format!("Node {name} event: Removing Node {name} from Controller");
        world.node_event(name, "RemovingNode", message, "node-controller");
        self.node_lifecycle.plan_pass(world, world.now);
        self.react();
    }

    /// Sets or clears `spec.unschedulable`.
    pub(crate) fn cordon(&mut self, name: &Rc<str>, unschedulable: bool) {
        self.world.store.change_node(name, |node| node.spec.unschedulable = unschedulable);
        self.react();
    }

    /// The node's machine fails. False if it is off already.
    pub fn fail(&mut self, name: &Rc<str>, failure: Failure) -> bool {
        let failed = self.machines.fail(&mut self.world, name, failure);
        self.react();
        failed
    }

    /// The node's kubelet answers again. False if there is no such machine; its Node object may be gone.
    pub fn recover(&mut self, name: &Rc<str>) -> bool {
        let known = self.recover_node(name);
        self.react();
        known
    }

    /// The node's kubelet answers again, and lets go of volumes.
    pub(super) fn recover_node(&mut self, name: &Rc<str>) -> bool {
        let known = self.machines.recover(&mut self.world, name);
        if known {
            self.attachments.review_node(&mut self.world, &self.machines, name);
        }
        known
    }

    /// A machine that shuts down goes off: its volumes wait to be taken by force.
    pub(super) fn power_off(&mut self, name: &Rc<str>) {
        if self.machines.power_off(&mut self.world, name) {
            self.attachments.review_node(&mut self.world, &self.machines, name);
        }
    }

    /// The node lifecycle controller looks at a node, and volumes and the scheduler hear of it.
    pub(super) fn monitor_node(&mut self, name: &Rc<str>) {
        let Self { world, machines, node_lifecycle, .. } = self;
        let Some(state) = node_lifecycle.monitor(world, machines, name) else { return };
        match state {
            NodeState::Lost => self.attachments.review_node(world, machines, name),
            NodeState::Well => self.scheduler.wake(world),
            NodeState::Unwell => {}
        }
        node_lifecycle.plan_pass(world, world.now);
    }

    /// The names of a zone's machines.
    pub(crate) fn zone(&self, zone: &str) -> Vec<Rc<str>> {
        let machines = self.machines.iter().filter(|(_, kubelet)| &*kubelet.zone == zone);
        machines.map(|(name, _)| Rc::clone(name)).collect()
    }

    /// Puts the out-of-service taint on with this effect, or takes it off.
    pub(crate) fn set_out_of_service(&mut self, name: &Rc<str>, effect: Option<&str>) {
        let world = &mut self.world;
        let now = world.now;
        world.store.change_node(name, |node| {
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
        self.node_lifecycle.taint_manager.plan_all(world, name);
        self.attachments.review_node(world, &self.machines, name);
        self.react();
    }

    /// Puts a taint on, in the place of one with the same key and effect.
    pub(crate) fn taint(&mut self, name: &Rc<str>, key: &Rc<str>, value: &Rc<str>, effect: &Rc<str>) {
        let time_added = (&**effect == "NoExecute").then_some(self.world.now);
        let new = Taint { key: Rc::clone(key), value: Rc::clone(value), effect: Rc::clone(effect), time_added };
        self.change_taints(name, &|taints| {
            taints.retain(|taint| (&taint.key, &taint.effect) != (key, effect));
            taints.push(new.clone());
        });
    }

    /// Takes the taints of a key off; of one effect only, if it is not empty. False if there is none.
    pub(crate) fn untaint(&mut self, name: &Rc<str>, key: &str, effect: &str) -> bool {
        let goes = |taint: &Taint| &*taint.key == key && (effect.is_empty() || &*taint.effect == effect);
        let known = self.node(name).is_some_and(|node| node.spec.taints.iter().any(goes));
        self.change_taints(name, &|taints| taints.retain(|taint| !goes(taint)));
        known
    }

    /// Changes the node's taints as a person does it.
    fn change_taints(&mut self, name: &Rc<str>, change: &dyn Fn(&mut Vec<Taint>)) {
        let (world, taint_manager) = (&mut self.world, &mut self.node_lifecycle.taint_manager);
        world.store.change_node(name, |node| change(&mut node.spec.taints));
        taint_manager.forget(world, name);
        taint_manager.plan_all(world, name);
        self.react();
    }

    /// The node of this name.
    pub fn node(&self, name: &Rc<str>) -> Option<&Rc<Node>> {
        self.world.store.node(name)
    }

    /// Every machine, with or without a Node object.
    pub(crate) fn machines(&self) -> impl Iterator<Item = &Rc<str>> {
        self.machines.names()
    }

    /// Every pod whose containers run now, by machine.
    pub fn live_containers(&self) -> Vec<LiveContainers> {
        self.machines.live(&self.world)
    }

    /// Those of [`Self::live_containers`] under whose name a ghost runs, without a look at any other pod.
    pub fn haunted(&self) -> Vec<LiveContainers> {
        self.machines.haunted(&self.world)
    }

    /// What is true of a node's machine.
    pub fn node_health(&self, name: &str) -> NodeHealth {
        let Some(kubelet) = self.machines.get(name) else { return NodeHealth::Running };
        let Some(failure) = kubelet.failure else { return NodeHealth::Running };
        let since = kubelet.failed_at;
        // A kubelet that said so itself was not ready at once.
        let silent = kubelet.silent_since == Some(since);
        let not_ready_at = lost_at(&self.world.gates, kubelet).filter(|_| silent).unwrap_or(since);
        NodeHealth::Failed { since, not_ready_at, failure }
    }

    /// When the node's kubelet last renewed its lease; none if there is no such machine.
    pub(crate) fn lease_renewed_at(&self, name: &Rc<str>) -> Option<Time> {
        self.machines.get(name).map(|kubelet| kubelet.renewed_at(self.world.now, HEARTBEAT_MS))
    }

    /// When the pod's containers, which run, pass their readiness probes if nothing comes between; none if never.
    pub(crate) fn ready_at(&self, pod: &Pod) -> Option<Time> {
        self.machines.get(&pod.spec.node_name)?.ready_at(&pod.metadata.uid)
    }

    /// When the pods of a Node object that is deleted now are collected.
    pub(crate) fn collected_if_removed(&self) -> Time {
        collected_if_removed(self.world.now)
    }

    /// When the pod garbage collector looks next.
    pub(crate) fn next_collection(&self) -> Time {
        next_collection(self.world.now)
    }

    /// Whether the taint manager has the pod on its list: it is evicted once its toleration runs out, unless the taint goes.
    pub(crate) fn is_to_be_evicted(&self, pod: &Pod) -> bool {
        self.node_lifecycle.taint_manager.has(pod)
    }

    /// Whether so much of the node's zone is lost that none of its nodes is evicted.
    pub(crate) fn is_zone_stopped(&self, node: &Node) -> bool {
        is_zone_stopped(&self.world, node)
    }

    /// When the pod will be marked for deletion because of its node's taints, or its node's silence in releases before
    /// them; none if never, or if nobody has begun to count.
    pub fn eviction_due(&self, pod: &Pod) -> Option<Time> {
        eviction_due(&self.world, &self.machines, pod)
    }
}
