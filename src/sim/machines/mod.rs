//! The machines, each with its kubelet. What runs on a machine is true whatever the API says of it.

mod containers;
mod failure;
mod looks;
mod registration;

use super::failure::Failure;
use super::kubelet::Kubelet;
use super::map::{Map, Set};
use super::world::World;
use crate::objects::{ObjectRef, Pod, Time};
pub use containers::LiveContainers;
pub(super) use failure::{end_pod, lost_at};
use std::rc::Rc;

/// Every machine, with or without a Node object.
#[derive(Clone, Default)]
pub(super) struct Machines {
    kubelets: Map<Rc<str>, Rc<Kubelet>>,
    /// Pods whose object went while a machine had containers of them, by name and uid: the only ones that can be ghosts.
    departed: Set<(ObjectRef, Rc<str>)>,
    /// How many were given a name.
    named: usize,
}

impl Machines {
    /// The kubelet of a machine.
    pub(super) fn get(&self, name: &str) -> Option<&Kubelet> {
        self.kubelets.get(name).map(|kubelet| &**kubelet)
    }

    /// The kubelet of a machine, to be changed.
    pub(super) fn get_mut(&mut self, name: &str) -> Option<&mut Kubelet> {
        self.kubelets.get_mut(name).map(Rc::make_mut)
    }

    /// The kubelet of a machine that can be reached.
    pub(super) fn reached(&mut self, name: &str) -> Option<&mut Kubelet> {
        self.get_mut(name).filter(|kubelet| kubelet.answers())
    }

    /// Whether there is such a machine and it can be reached.
    pub(super) fn answers(&self, name: &str) -> bool {
        self.get(name).is_some_and(Kubelet::answers)
    }

    /// Whether the machine reboots.
    pub(super) fn reboots(&self, name: &str) -> bool {
        self.get(name).is_some_and(|kubelet| kubelet.failure == Some(Failure::Reboot))
    }

    /// Their names.
    pub(super) fn names(&self) -> impl Iterator<Item = &Rc<str>> {
        self.kubelets.keys()
    }

    /// Every machine with its kubelet, by name.
    pub(super) fn iter(&self) -> impl Iterator<Item = (&Rc<str>, &Rc<Kubelet>)> {
        self.kubelets.iter()
    }

    /// What ends within a while ends soon. For the model check.
    pub(super) fn make_due(&mut self, soon: Time, within: Time) {
        let names: Vec<Rc<str>> = self.names().cloned().collect();
        for name in names {
            if let Some(kubelet) = self.get_mut(&name) {
                kubelet.make_due(soon, within);
            }
        }
    }

    /// What the kubelet has of the pod stays as its status says.
    pub(super) fn freeze(&mut self, world: &World, pod: &Rc<Pod>) {
        if let Some(kubelet) = self.get_mut(&pod.spec.node_name) {
            kubelet.freeze(pod, world.now, &world.settings);
        }
    }

    /// The pod's containers are started anew, unless something holds them.
    pub(super) fn thaw(&mut self, world: &mut World, pod: &Pod) {
        if world.settings.holds.of_pod(pod).next().is_some() {
            return;
        }
        if let Some(kubelet) = self.get_mut(&pod.spec.node_name) {
            kubelet.thaw(&pod.metadata.uid, world.now);
        }
        world.wake_kubelet(pod);
    }
}
