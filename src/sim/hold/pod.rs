//! Pods that are held as a whole: the kubelet cannot start, takes not or lets not go what it has.

use super::{Holds, Standing, What, owner_of};
use crate::objects::{Pod, Time};
use crate::sim::cluster::Cluster;
use crate::sim::refs::pod_ref;
use std::rc::Rc;

impl Holds {
    /// Whether something keeps the kubelet from starting any container of the pod.
    pub(in crate::sim) fn cannot_begin(&self, pod: &Pod) -> bool {
        self.of_pod(pod).any(|hold| matches!(hold.what, What::Waits { .. }))
    }

    /// Whether the pod does not end though it was asked to.
    pub(in crate::sim) fn does_not_end(&self, pod: &Pod) -> bool {
        self.of_pod(pod).any(|hold| hold.what == What::DoesNotEnd)
    }

    /// When its grace is over, if the pod's containers take all of it.
    pub(in crate::sim) fn end_of_grace(&self, pod: &Pod) -> Option<Time> {
        pod.metadata.deletion_timestamp.filter(|_| self.of_pod(pod).any(|hold| hold.what == What::TakesGrace))
    }

    /// Why the kubelet rejects the pod, and in which words.
    pub(in crate::sim) fn rejection<'a>(&'a self, pod: &'a Pod) -> Option<(&'a Rc<str>, &'a Rc<str>)> {
        self.of_pod(pod).find_map(|hold| match &hold.what {
            What::Rejected { reason, message } => Some((reason, message)),
            _ => None,
        })
    }
}

impl Cluster {
    /// What the kubelet has of the pod stays as its status says.
    pub(super) fn freeze(&mut self, pod: &Rc<Pod>) {
        let now = self.world.now;
        if let Some(kubelet) = self.kubelets.get_mut(&pod.spec.node_name).map(Rc::make_mut) {
            kubelet.freeze(pod, now, &self.world.settings);
        }
    }

    /// Somebody says what containers of this image do: those of the pod are held no longer.
    pub(in crate::sim) fn lift_containers(&mut self, pod: &Rc<Pod>, image: &str) {
        let containers = pod.spec.init_containers.iter().chain(pod.spec.containers.iter());
        let names: Vec<&Rc<str>> = containers.filter(|it| *it.image == *image).map(|it| &it.name).collect();
        let is_own = |standing: &Standing| {
            let is_named = matches!(&standing.hold.what, What::Container { name, .. } if names.contains(&name));
            is_named && standing.is_of(pod)
        };
        let holds = &mut self.world.settings.holds;
        let of_revision = owner_of(pod).is_some_and(|owner| holds.lift(&owner, is_own));
        let lifted = holds.lift(&pod_ref(pod), is_own) || of_revision;
        if lifted {
            self.thaw(pod);
        }
    }

    /// The pod's containers are started anew, unless something else holds them.
    pub(super) fn thaw(&mut self, pod: &Rc<Pod>) {
        if self.world.settings.holds.of_pod(pod).next().is_some() {
            return;
        }
        let now = self.world.now;
        if let Some(kubelet) = self.kubelets.get_mut(&pod.spec.node_name).map(Rc::make_mut) {
            kubelet.thaw(&pod.metadata.uid, now);
        }
        self.world.wake_kubelet(pod);
    }
}
