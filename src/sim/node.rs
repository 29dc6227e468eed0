//! What the control plane makes of a node that is silent: its Ready condition, on the clock.
//! Models the monitor of pkg/controller/nodelifecycle; see the times in the constants.

use super::cluster::Cluster;
use super::event_queue::{ScheduledEvent, round_up};
use super::kubelet::Kubelet;
use super::life::set_condition;
use super::refs::pod_ref;
use super::settings::{HEARTBEAT_MS, MONITOR_MS};
use super::taint::{NOT_READY, set_taint};
use super::trace::TraceEvent;
use super::world::START;
use crate::objects::{
    EventType, Extra, Kind, Labels, Node, NodeCondition, Object, ObjectMeta, Pod, SharedExtra, Time, Typed,
};
use crate::order::Gather;
use serde_json::json;
use std::rc::Rc;

/// What a node has for pods.
const CPU: &str = "8";
const MEMORY: &str = "32Gi";
/// Zones that nodes join in turn.
const ZONES: [&str; 3] = ["zone-a", "zone-b", "zone-c"];

impl Cluster {
    /// A machine joins, and its kubelet registers it. Until its network and its volume drivers are there it is not ready.
    pub(super) fn join_node(&mut self, name: &Rc<str>) {
        self.add_machine(name, None);
        // What is there when the run begins has been there for long.
        if self.world.now == START {
            self.register_node(name);
            return;
        }
        let now = self.world.now;
        self.register_node_as(name, |node| {
            let message = "[container runtime network not ready, CSINode is not yet initialized]";
            set_ready(node, "False", "KubeletNotReady", message, now);
            set_taint(node, NOT_READY, "NoSchedule", Some(None));
        });
        let message = format!("Node {name} event: Registered Node {name} in Controller");
        self.node_event(name, "RegisteredNode", message, "node-controller");
        self.monitor_soon(name);
        self.world
            .event_queue
            .put(Time(now.0 + self.world.settings.joining), ScheduledEvent::NodeJoins { node: Rc::clone(name) });
    }

    /// A new node has what it needs.
    pub(super) fn node_joins(&mut self, name: &Rc<str>) {
        if self.kubelets.get(name).is_some_and(|kubelet| kubelet.answers()) {
            self.recover_node(name);
        }
    }

    /// A machine is there, in this zone or in the one whose turn it is.
    pub(super) fn add_machine(&mut self, name: &Rc<str>, zone: Option<Rc<str>>) {
        let chance = self.world.chance.fork();
        let zone = zone.unwrap_or_else(|| ZONES[self.kubelets.len() % ZONES.len()].into());
        let number = self.kubelets.len();
        let mut kubelet = Kubelet::new(self.world.now, zone, chance);
        kubelet.number = number;
        self.kubelets.insert(Rc::clone(name), Rc::new(kubelet));
    }

    /// The kubelet makes its Node object.
    pub(super) fn register_node(&mut self, name: &Rc<str>) {
        let now = self.world.now;
        let message = "kubelet is posting ready status";
        self.register_node_as(name, |node| set_ready(node, "True", "KubeletReady", message, now));
    }

    fn register_node_as(&mut self, name: &Rc<str>, report: impl FnOnce(&mut Node)) {
        let Some(kubelet) = self.kubelets.get(name) else { return };
        let labels: Labels = [
            ("kubernetes.io/arch", "amd64".into()),
            ("kubernetes.io/hostname", Rc::clone(name)),
            ("kubernetes.io/os", "linux".into()),
            (self.world.gates.zone_label, Rc::clone(&kubelet.zone)),
        ]
        .into_iter()
        .collect();
        let mut node =
            Node { metadata: ObjectMeta { name: Rc::clone(name), labels, ..Default::default() }, ..Default::default() };
        node.status.extra = self.size_of_machines();
        report(&mut node);
        // The name is free, so the store takes it.
        let _ = self.world.store.create(Object::Node(Rc::new(node)), self.world.now);
    }

    /// What nodes say of their machines, which are all alike.
    fn size_of_machines(&self) -> SharedExtra {
        let size: Extra = [("allocatable".to_owned(), json!({"cpu": CPU, "memory": MEMORY}))].into_iter().gather();
        let mut nodes = self.world.store.list(Kind::Node).filter_map(Node::of);
        let first = nodes.next().map(|node| &node.status.extra).filter(|first| ***first == size);
        first.cloned().unwrap_or_else(|| size.into())
    }

    /// When the node's kubelet last renewed its lease; none if there is no such machine.
    pub fn lease_renewed_at(&self, name: &Rc<str>) -> Option<Time> {
        self.kubelets.get(name).map(|kubelet| kubelet.renewed_at(self.world.now, HEARTBEAT_MS))
    }

    /// When the node lifecycle controller takes a silent node for lost.
    pub(super) fn lost_at(&self, kubelet: &Kubelet) -> Option<Time> {
        let due = kubelet.last_heartbeat(HEARTBEAT_MS)?.0 + self.world.gates.node_monitor_grace;
        Some(Time(round_up(due, MONITOR_MS)))
    }

    /// The next look of the node lifecycle controller.
    pub(super) fn monitor_soon(&mut self, name: &Rc<str>) {
        self.world.event_queue.put(
            Time(round_up(self.world.now.0 + 1, MONITOR_MS)),
            ScheduledEvent::NodeMonitor { node: Rc::clone(name) },
        );
    }

    /// One look of the node lifecycle controller at one node.
    pub(super) fn monitor_node(&mut self, name: &Rc<str>) {
        let now = self.world.now;
        let (Some(kubelet), Some(node)) = (self.kubelets.get(name), self.node(name)) else { return };
        let was_ready = node.is_ready();
        let lost = self.lost_at(kubelet).is_some_and(|at| at <= now);
        if lost && node.ready_status() != "Unknown" {
            let message = "Kubelet stopped posting node status.";
            self.world.store.change_node(name, |node| set_ready(node, "Unknown", "NodeStatusUnknown", message, now));
            self.set_lifecycle_taints(name);
            // Pods of a node that was unwell before it fell silent are not marked (kubernetes/kubernetes#109998).
            if was_ready {
                let message = format!("Node {name} status is now: NodeNotReady");
                self.node_event(name, "NodeNotReady", message, "node-controller");
                for pod in self.pods_on(name) {
                    self.mark_not_ready(&pod);
                }
            }
            self.world.happened(TraceEvent::NodeNotReady { node: Rc::clone(name) });
            self.review_node_volumes(name);
        } else if was_ready {
            self.lift_eviction(name);
            self.wake_scheduler();
        } else {
            self.set_lifecycle_taints(name);
        }
        self.plan_taint_pass(now);
    }

    fn mark_not_ready(&mut self, pod: &Pod) {
        if pod.condition("Ready").is_none_or(|ready| &*ready.status != "True") {
            return;
        }
        let (now, key) = (self.world.now, pod_ref(pod));
        self.world.store.change_pod(&key, |pod| set_condition(&mut pod.status, "Ready", false, "", now));
        if self.world.gates.pod_event_of_dark_node {
            self.world.event(
                &key,
                EventType::Warning,
                "NodeNotReady",
                "Node is not ready".to_owned(),
                "node-controller",
            );
        }
    }

    /// The node of this name.
    pub fn node(&self, name: &Rc<str>) -> Option<&Rc<Node>> {
        self.world.store.node(name)
    }

    pub(super) fn pods_on(&self, name: &Rc<str>) -> Vec<Rc<Pod>> {
        self.world.pods_on(name)
    }
}

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
