//! What becomes of a node whose kubelet falls silent, on the clock.
//! Models pkg/controller/nodelifecycle and its taint manager; see the times in the constants.

use super::agenda::Due;
use super::cluster::Cluster;
use super::kubelet::{Kubelet, set_condition};
use super::scheduler::bears;
use super::store::{node_ref, pod_ref};
use super::trace::Happening;
use crate::objects::{EventType, Labels, Node, NodeCondition, Object, ObjectMeta, Pod, Taint, Time};
use std::rc::Rc;

/// A kubelet renews its lease this often.
const HEARTBEAT_MS: i64 = 10_000;
/// The node lifecycle controller looks at every node this often.
const MONITOR_MS: i64 = 5_000;
/// The pod garbage collector's loop, and how long it waits before it believes that a node is gone.
const GC_LOOP_MS: i64 = 20_000;
const GC_QUARANTINE_MS: i64 = 40_000;

const UNREACHABLE: &str = "node.kubernetes.io/unreachable";

impl Cluster {
    /// A machine joins, and its kubelet registers it.
    pub(super) fn join_node(&mut self, name: &Rc<str>) {
        let chance = self.chance.fork();
        self.kubelets.insert(Rc::clone(name), Kubelet::new(self.now, chance));
        let labels: Labels = [("kubernetes.io/hostname", Rc::clone(name))].into_iter().collect();
        let mut node =
            Node { metadata: ObjectMeta { name: Rc::clone(name), labels, ..Default::default() }, ..Default::default() };
        set_ready(&mut node, "True", "KubeletReady", "kubelet is posting ready status", self.now);
        // The name is new, so the store takes it.
        let _ = self.store.create(Object::Node(Rc::new(node)), self.now);
    }

    /// When the node lifecycle controller will see that the node is silent.
    pub(super) fn not_ready_at(&self, kubelet: &Kubelet) -> Option<Time> {
        let silent = kubelet.silent_since?;
        let last = kubelet.joined.0 + (silent.0 - kubelet.joined.0) / HEARTBEAT_MS * HEARTBEAT_MS;
        let due = last + self.release.gates().node_monitor_grace_seconds * 1000;
        Some(Time(round_up(due, MONITOR_MS)))
    }

    /// The kubelet stops answering. Its containers run on.
    pub(super) fn fail_node(&mut self, name: &Rc<str>) {
        let now = self.now;
        let Some(kubelet) = self.kubelets.get_mut(name) else { return };
        kubelet.silent_since = Some(now);
        let kubelet = kubelet.clone();
        if let Some(at) = self.not_ready_at(&kubelet) {
            self.agenda.put(at, Due::NodeMonitor { node: Rc::clone(name) });
        }
    }

    /// The kubelet answers again: it reports its node, and looks at every pod it has or should have.
    pub(super) fn recover_node(&mut self, name: &Rc<str>) {
        let Some(kubelet) = self.kubelets.get_mut(name) else { return };
        kubelet.silent_since = None;
        let now = self.now;
        let bound: Vec<Rc<Pod>> = self.store.pods().filter(|pod| pod.spec.node_name == *name).cloned().collect();
        kubelet.keep_only(|uid| bound.iter().any(|pod| pod.metadata.uid == *uid));
        let was_ready = self.node(name).is_some_and(|node| node.is_ready());
        self.store.change_node(name, |node| {
            set_ready(node, "True", "KubeletReady", "kubelet is posting ready status", now);
        });
        if !was_ready {
            self.event(
                &node_ref(name),
                EventType::Normal,
                "NodeReady",
                format!("Node {name} status is now: NodeReady"),
                "kubelet",
            );
            self.agenda.put(Time(round_up(now.0 + 1, MONITOR_MS)), Due::NodeMonitor { node: Rc::clone(name) });
        }
        bound.iter().for_each(|pod| self.wake_kubelet(pod));
    }

    /// The machine and its Node object go together; its pods are left to the pod garbage collector.
    pub(super) fn remove_node(&mut self, name: &Rc<str>) {
        self.kubelets.remove(name);
        let _ = self.store.delete(&node_ref(name), None, self.now);
        let at = round_up(self.now.0, GC_LOOP_MS) + GC_QUARANTINE_MS;
        self.agenda.put(Time(at), Due::PodGc { node: Rc::clone(name) });
    }

    /// One look of the node lifecycle controller at one node.
    pub(super) fn monitor_node(&mut self, name: &Rc<str>) {
        let now = self.now;
        let Some(kubelet) = self.kubelets.get(name) else { return };
        if kubelet.silent_since.is_none() {
            self.store.change_node(name, |node| node.spec.taints.retain(|taint| &*taint.key != UNREACHABLE));
            self.wake_scheduler();
            return;
        }
        let due = self.not_ready_at(kubelet).is_some_and(|at| at <= now);
        if !due || !self.node(name).is_some_and(|node| node.is_ready()) {
            return;
        }
        self.store.change_node(name, |node| {
            let message = "Kubelet stopped posting node status.";
            set_ready(node, "Unknown", "NodeStatusUnknown", message, now);
            for effect in ["NoSchedule", "NoExecute"] {
                let time_added = (effect == "NoExecute").then_some(now);
                let (key, effect) = (UNREACHABLE.into(), effect.into());
                node.spec.taints.push(Taint { key, effect, time_added, ..Taint::default() });
            }
        });
        let message = format!("Node {name} status is now: NodeNotReady");
        self.event(&node_ref(name), EventType::Normal, "NodeNotReady", message, "node-controller");
        self.happened(Happening::NodeNotReady { node: Rc::clone(name) });
        let pods: Vec<Rc<Pod>> = self.store.pods().filter(|pod| pod.spec.node_name == *name).cloned().collect();
        for pod in pods {
            self.mark_not_ready(&pod);
        }
    }

    /// A pod of a node that is NotReady loses Ready at once, and is evicted once its toleration runs out.
    fn mark_not_ready(&mut self, pod: &Pod) {
        let (now, key) = (self.now, pod_ref(pod));
        self.store.change_pod(&key, |pod| set_condition(&mut pod.status, "Ready", false, "", now));
        self.event(&key, EventType::Warning, "NodeNotReady", "Node is not ready".to_owned(), "node-controller");
        if let Some(at) = eviction_at(pod, now) {
            self.agenda.put(at, Due::TaintEviction { pod: key, uid: Rc::clone(&pod.metadata.uid) });
        }
    }

    /// The pod's toleration has run out: it is marked for deletion, unless the node came back.
    pub(super) fn evict_by_taint(&mut self, key: &crate::objects::ObjectRef, uid: &Rc<str>) {
        let Some(pod) = self.store.pod(key).filter(|pod| pod.metadata.uid == *uid) else { return };
        let node = self.node(&pod.spec.node_name);
        let tainted = node.is_some_and(|node| node.spec.taints.iter().any(|taint| &*taint.effect == "NoExecute"));
        if !tainted || pod.metadata.deletion_timestamp.is_some() {
            return;
        }
        let message = format!("Marking for deletion Pod {}/{}", key.namespace, key.name);
        self.event(key, EventType::Normal, "TaintManagerEviction", message, "taint-controller");
        self.happened(Happening::Evicted { pod: key.clone() });
        let _ = self.store.delete(key, None, self.now);
    }

    /// Pods of a node that no longer exists are deleted without asking anyone.
    pub(super) fn collect_pods_of(&mut self, name: &Rc<str>) {
        if self.node(name).is_some() {
            return;
        }
        let orphans: Vec<_> =
            self.store.pods().filter(|pod| pod.spec.node_name == *name).map(|pod| pod_ref(pod)).collect();
        for pod in orphans {
            let _ = self.store.delete(&pod, Some(0), self.now);
            self.happened(Happening::Collected { pod });
        }
    }

    fn node(&self, name: &Rc<str>) -> Option<&Rc<Node>> {
        match self.store.get(&node_ref(name)) {
            Ok(Object::Node(node)) => Some(node),
            _ => None,
        }
    }
}

/// When the pod's tolerance of an unreachable node runs out; none if it bears it for ever.
fn eviction_at(pod: &Pod, tainted_at: Time) -> Option<Time> {
    let taint = Taint { key: UNREACHABLE.into(), effect: "NoExecute".into(), ..Taint::default() };
    let borne: Vec<_> = pod.spec.tolerations.iter().filter(|toleration| bears(toleration, &taint)).collect();
    if borne.is_empty() {
        return Some(tainted_at);
    }
    // The shortest limit counts; tolerations without one set none.
    let seconds = borne.iter().filter_map(|toleration| toleration.toleration_seconds).min()?;
    Some(tainted_at.plus_seconds(seconds.max(0)))
}

fn set_ready(node: &mut Node, status: &str, reason: &str, message: &str, now: Time) {
    node.status.conditions = vec![NodeCondition {
        condition_type: "Ready".into(),
        status: status.into(),
        reason: reason.into(),
        message: message.into(),
        last_heartbeat_time: Some(now),
        last_transition_time: Some(now),
    }];
}

fn round_up(time: i64, step: i64) -> i64 {
    (time + step - 1).div_euclid(step) * step
}
