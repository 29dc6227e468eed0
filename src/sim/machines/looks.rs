//! What becomes of a kubelet's look at a pod: a status, events, another look, an end.

use super::Machines;
use crate::objects::{ObjectRef, Pod};
use crate::sim::event_queue::ScheduledEvent;
use crate::sim::failure::Failure;
use crate::sim::kubelet::unsuited;
use crate::sim::refs::pod_ref;
use crate::sim::trace::TraceEvent;
use crate::sim::world::World;
use std::rc::Rc;

impl Machines {
    /// A kubelet that does not answer goes on with a pod if it is only cut off.
    pub(in crate::sim) fn carry_on(&mut self, world: &mut World, node: &Rc<str>, key: &ObjectRef, uid: &Rc<str>) {
        let Some(kubelet) = self.get_mut(node) else { return };
        if kubelet.failure != Some(Failure::NetworkPartition) {
            return;
        }
        let look = kubelet.carry_on(uid, world.now, &world.settings);
        self.note_started(world, node, uid, &look);
        if let Some(at) = look.again_at {
            let due = ScheduledEvent::Kubelet { node: Rc::clone(node), pod: key.clone(), uid: Rc::clone(uid) };
            world.event_queue.put(at, due);
        }
    }

    /// Whether the volumes of a pod that stays have to be attached before its containers can start.
    pub(in crate::sim) fn needs_volumes(&self, pod: &Pod) -> bool {
        let needs = |node: &str| self.get(node).is_some_and(|kubelet| kubelet.needs_volumes(&pod.metadata.uid));
        !pod.is_terminating() && needs(&pod.spec.node_name)
    }

    /// One look of a kubelet that answers.
    pub(in crate::sim) fn look(&mut self, world: &mut World, node: &Rc<str>, pod: &Rc<Pod>, mounted: bool) {
        let (now, key, uid) = (world.now, pod_ref(pod), &pod.metadata.uid);
        let is_suited = world.store.node(node).is_none_or(|node| pod.spec.asks_for(node));
        let Some(kubelet) = self.get_mut(node) else { return };
        let is_new = kubelet.holds(uid).is_none() && !pod.is_terminating() && !pod.has_ended();
        // The kubelet looks itself whether a pod is for its node, also one that no scheduler placed.
        // Models GeneralPredicates, pkg/kubelet/lifecycle/predicate.go.
        let look = if is_new && !is_suited {
            unsuited(pod)
        } else {
            kubelet.look(pod, mounted, now, &world.settings, &world.gates)
        };
        self.note_started(world, node, uid, &look);
        for event in look.events {
            let (event_type, reason, message) = event.words(pod, &world.release.profile().kubelet);
            world.event_of(&key, event.field(pod), event_type, reason, message, "kubelet");
        }
        if let Some(status) = look.status {
            world.store.change_pod(&key, |pod| pod.status = status);
            world.happened(TraceEvent::PodReported { pod: key.clone() });
        }
        if let Some(at) = look.again_at {
            let due = ScheduledEvent::Kubelet { node: Rc::clone(node), pod: key.clone(), uid: Rc::clone(uid) };
            world.event_queue.put(at, due);
        }
        if look.stopped {
            // The kubelet confirms the end: the object goes.
            let _ = world.store.delete(&key, Some(0), now);
            world.happened(TraceEvent::PodStopped { pod: key });
        }
    }
}
