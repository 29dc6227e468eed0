//! What runs where, whatever the API says: at most one live pod for each name is a promise that people can break.

use super::Machines;
use crate::objects::{ObjectRef, Pod, Time};
use crate::sim::event_queue::ScheduledEvent;
use crate::sim::kubelet::{Kubelet, Look, behavior_of};
use crate::sim::refs::pod_ref;
use crate::sim::settings::Behavior;
use crate::sim::trace::TraceEvent;
use crate::sim::world::World;
use std::collections::BTreeSet;
use std::rc::Rc;

/// The running containers of one pod on one machine.
#[derive(Clone, Debug, PartialEq)]
pub struct LiveContainers {
    /// The machine.
    pub node: Rc<str>,
    /// The pod's name, which another may have too.
    pub pod: ObjectRef,
    /// The pod's uid, which no other has.
    pub uid: Rc<str>,
    /// The claims it writes to.
    pub claims: Vec<Rc<str>>,
    /// Whether the API has no object of this uid any more.
    pub is_ghost: bool,
}

impl Machines {
    /// Every pod whose containers run now, by machine.
    pub(in crate::sim) fn live(&self, world: &World) -> Vec<LiveContainers> {
        let of = |(node, kubelet): (_, &Rc<Kubelet>)| {
            kubelet.live(world.now).map(|pod| live(world, node, pod)).collect::<Vec<_>>()
        };
        self.kubelets.iter().flat_map(of).collect()
    }

    /// Those of [`Self::live`] under whose name a ghost runs, without a look at any other pod.
    pub(in crate::sim) fn haunted(&self, world: &World) -> Vec<LiveContainers> {
        let is_ghost = |(key, uid): &&(ObjectRef, Rc<str>)| {
            world.store.pod(key).is_none_or(|stored| stored.metadata.uid != *uid)
                && self.kubelets.values().any(|kubelet| kubelet.runs(uid, world.now))
        };
        let names: BTreeSet<&ObjectRef> = self.departed.iter().filter(is_ghost).map(|(key, _)| key).collect();
        let mut all = Vec::new();
        for (node, kubelet) in self.kubelets.iter().filter(|_| !names.is_empty()) {
            let own = names.iter().flat_map(|key| kubelet.live_named((*key).clone(), world.now));
            let mut own: Vec<LiveContainers> = own.map(|pod| live(world, node, pod)).collect();
            own.sort_by(|one, other| one.uid.cmp(&other.uid));
            all.append(&mut own);
        }
        all
    }

    /// A pod's object went: its containers may run on where nobody can stop them.
    pub(in crate::sim) fn note_gone(&mut self, world: &mut World, pod: &Pod) {
        let node = &pod.spec.node_name;
        let kubelet = self.kubelets.get(node);
        if kubelet.is_some_and(|kubelet| kubelet.holds(&pod.metadata.uid).is_some()) {
            self.departed.insert((pod_ref(pod), Rc::clone(&pod.metadata.uid)));
        }
        if kubelet
            .filter(|kubelet| !kubelet.answers())
            .is_some_and(|kubelet| kubelet.runs(&pod.metadata.uid, world.now))
        {
            world.happened(TraceEvent::GhostLeft { pod: pod_ref(pod), node: Rc::clone(node) });
        }
    }

    /// A container that was started may be the second of its name: only where an object of that name went before it.
    pub(super) fn note_started(&mut self, world: &mut World, node: &Rc<str>, uid: &Rc<str>, look: &Look) {
        let now = world.now;
        let started = self.get(node).and_then(|kubelet| kubelet.holds(uid));
        let Some(pod) = started.filter(|_| look.started).cloned() else { return };
        let is_other = |other: &Rc<Pod>| other.metadata.uid != *uid;
        let key = pod_ref(&pod);
        let has_departed =
            self.departed.range((key.clone(), Rc::from(""))..).next().is_some_and(|(own, _)| *own == key);
        let mut machines = self.kubelets.iter();
        if has_departed
            && let Some((other, _)) = machines.find(|(_, kubelet)| kubelet.live_of_name(&pod, now).any(is_other))
        {
            let other = Rc::clone(other);
            world.happened(TraceEvent::SecondStarted { pod: key, other });
        }
        self.note_peers(world, &pod);
    }

    /// A container that was started may be the peer that others of its image wait for.
    fn note_peers(&mut self, world: &mut World, started: &Pod) {
        let image = |pod: &Pod| pod.spec.containers.first().map(|container| Rc::clone(&container.image));
        if behavior_of(started, &world.settings) != Behavior::NeedsPeer {
            return;
        }
        let live = self.kubelets.values().flat_map(|kubelet| kubelet.live(world.now));
        let peers: Vec<Rc<Pod>> = live.filter(|pod| image(pod) == image(started)).cloned().collect();
        for pod in peers.iter().filter(|_| peers.len() > 1) {
            if let Some(kubelet) = self.get_mut(&pod.spec.node_name) {
                kubelet.meet_peer(&pod.metadata.uid, world.now, &world.settings);
            }
            world.wake_kubelet(pod);
        }
    }

    /// The kubelet finds containers whose pod has no object: it stops them. Whether they have ended.
    pub(in crate::sim) fn stop_ghost(
        &mut self,
        world: &mut World,
        node: &Rc<str>,
        key: &ObjectRef,
        uid: &Rc<str>,
    ) -> bool {
        let Some(kubelet) = self.get_mut(node) else { return false };
        let is_known = kubelet.holds(uid).is_some();
        let until: Option<Time> = kubelet.stop_orphan(uid, world.now, &world.settings);
        if let Some(at) = until {
            world
                .event_queue
                .put(at, ScheduledEvent::Kubelet { node: Rc::clone(node), pod: key.clone(), uid: Rc::clone(uid) });
        } else if is_known {
            self.departed.remove(&(key.clone(), Rc::clone(uid)));
            world.happened(TraceEvent::GhostStopped { pod: key.clone(), node: Rc::clone(node) });
            return true;
        }
        false
    }
}

fn live(world: &World, node: &Rc<str>, pod: &Pod) -> LiveContainers {
    let (key, uid) = (pod_ref(pod), Rc::clone(&pod.metadata.uid));
    let is_ghost = world.store.pod(&key).is_none_or(|stored| stored.metadata.uid != uid);
    let claims = pod.claim_names().cloned().collect();
    LiveContainers { node: Rc::clone(node), pod: key, uid, claims, is_ghost }
}
