//! Pods that are held as a whole: the kubelet cannot start, takes not or lets not go what it has.

use super::{Holds, Standing, What, owner_of};
use crate::objects::{Pod, Time};
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

    /// Somebody says what containers of this image do: those of the pod are held no longer. Whether any was.
    pub(in crate::sim) fn lift_containers(&mut self, pod: &Pod, image: &str) -> bool {
        let containers = pod.spec.init_containers.iter().chain(pod.spec.containers.iter());
        let names: Vec<&Rc<str>> = containers.filter(|it| *it.image == *image).map(|it| &it.name).collect();
        let is_own = |standing: &Standing| {
            let is_named = matches!(&standing.hold.what, What::Container { name, .. } if names.contains(&name));
            is_named && standing.is_of(pod)
        };
        let of_revision = owner_of(pod).is_some_and(|owner| self.lift(&owner, is_own));
        self.lift(&pod_ref(pod), is_own) || of_revision
    }
}
