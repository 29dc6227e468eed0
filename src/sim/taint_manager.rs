//! The taint manager: which pods are marked for deletion because of their node's NoExecute taints, and when.
//! Models pkg/controller/tainteviction.

use super::event_queue::ScheduledEvent;
use super::map::Map;
use super::refs::pod_ref;
use super::scheduler::bears;
use super::trace::TraceEvent;
use super::world::{TAINT_CONTROLLER, World};
use crate::objects::{EventType, Node, ObjectRef, Pod, Taint, Time};
use std::rc::Rc;

/// A pod that is evicted at once goes when its DaemonSet's controller, which sees the same taint, has asked for that too.
const WITH_DAEMON_MS: i64 = 30;

/// The pods on its list.
#[derive(Clone, Default)]
pub(super) struct TaintManager {
    /// By pod uid: when it deletes the pod.
    timers: Map<Rc<str>, Time>,
}

impl TaintManager {
    /// Pods that nothing evicts any more are taken off the taint manager's list. Models processPodOnNode, taint_eviction.go.
    pub(super) fn forget(&mut self, world: &mut World, name: &Rc<str>) {
        let Some(node) = world.store.node(name).cloned() else { return };
        for pod in world.pods_on(name).iter().filter(|pod| eviction_at(&node, pod).is_none()) {
            self.cancel(world, pod);
        }
    }

    /// The pod is gone, or its node is well again: the taint manager, which had it on its list, says so.
    pub(super) fn cancel(&mut self, world: &mut World, pod: &Pod) {
        if self.timers.remove(&pod.metadata.uid).is_some() {
            let key = pod_ref(pod);
            let message = format!("Cancelling deletion of Pod {}/{}", key.namespace, key.name);
            world.event(&key, EventType::Normal, "TaintManagerEviction", message, TAINT_CONTROLLER);
        }
    }

    /// Each pod of a node with NoExecute taints is evicted once its toleration runs out.
    pub(super) fn plan_all(&mut self, world: &mut World, name: &Rc<str>) {
        let Some(node) = world.store.node(name).cloned() else { return };
        for pod in world.pods_on(name) {
            self.plan(world, &node, &pod);
        }
    }

    /// As above, for one pod.
    pub(super) fn plan(&mut self, world: &mut World, node: &Node, pod: &Pod) {
        let at = eviction_at(node, pod);
        let is_sooner = |at: &Time| {
            let known = self.timers.get(&pod.metadata.uid);
            known.is_none_or(|known| at < known && *at <= world.now)
        };
        if let Some(at) = at.filter(is_sooner) {
            // What was planned for later gives way only to what is due at once, and that is told. Models processPodOnNode.
            self.cancel(world, pod);
            self.timers.insert(Rc::clone(&pod.metadata.uid), at);
            let due = ScheduledEvent::TaintEviction { pod: pod_ref(pod), uid: Rc::clone(&pod.metadata.uid) };
            let is_daemon = pod.metadata.controller_of().is_some_and(|owner| &*owner.kind == "DaemonSet");
            let soonest = if is_daemon { Time(world.now.0 + WITH_DAEMON_MS) } else { world.now };
            world.event_queue.put(at.max(soonest), due);
        }
    }

    /// Whether it has the pod on its list: it is evicted once its toleration runs out, unless the taint goes.
    pub(super) fn has(&self, pod: &Pod) -> bool {
        self.timers.contains_key(&pod.metadata.uid)
    }

    /// The pod's toleration has run out: it is marked for deletion, unless the taints are gone.
    pub(super) fn evict(&mut self, world: &mut World, key: &ObjectRef, uid: &Rc<str>) {
        let Some(pod) = world.store.pod(key).filter(|pod| pod.metadata.uid == *uid) else { return };
        let due = world
            .store
            .node(&pod.spec.node_name)
            .and_then(|node| eviction_at(node, pod))
            .is_some_and(|at| at <= world.now);
        if !due || self.timers.remove(uid).is_none() {
            return;
        }
        // One that somebody deleted before is marked all the same.
        let message = format!("Marking for deletion Pod {}/{}", key.namespace, key.name);
        world.event(key, EventType::Normal, "TaintManagerEviction", message, TAINT_CONTROLLER);
        world.mark_disrupted(key, "DeletionByTaintManager", "Taint manager: deleting due to NoExecute taint");
        world.happened(TraceEvent::Evicted { pod: key.clone() });
        let _ = world.store.delete(key, None, world.now);
    }
}

/// When the pod's tolerance of the node's NoExecute taints runs out; none if there is none or it bears them forever.
pub(super) fn eviction_at(node: &Node, pod: &Pod) -> Option<Time> {
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
