//! Containers that fail: what the text showed of one, or of every pod of its revision.

use super::{Fault, Holds, What};
use crate::objects::{Container, Pod};
use std::rc::Rc;

impl Holds {
    /// What a container of the pod cannot do, by its name.
    pub(in crate::sim) fn fault_of(&self, pod: &Pod, container: &str) -> Option<Fault> {
        self.of_pod(pod).find_map(|hold| match &hold.what {
            What::Container { name, fault, .. } if **name == *container => Some(*fault),
            _ => None,
        })
    }

    /// Whether it is how a container fares with an image that somebody has taken from it.
    pub(super) fn is_of_earlier_image(&self, what: &What, pod: &Pod) -> bool {
        let What::Container { name, .. } = what else { return false };
        !self.given_images.is_empty() && self.given_images.contains(&(Rc::clone(&pod.metadata.uid), Rc::clone(name)))
    }

    /// Why containers of the pod that cannot start wait, in the kubelet's word; none where their image cannot be pulled.
    pub(in crate::sim) fn waits_as(&self, pod: &Pod) -> Option<Rc<str>> {
        self.of_pod(pod).find_map(|hold| match &hold.what {
            What::Container { fault: Fault::CannotStart, reason, .. }
                if !matches!(&**reason, "" | "ErrImagePull" | "ImagePullBackOff") =>
            {
                Some(Rc::clone(reason))
            }
            _ => None,
        })
    }

    /// Somebody sends a pod: containers that get another image are no longer held by what the one before did. Others of its revision
    /// are.
    pub(in crate::sim) fn note_images(&mut self, stored: &Pod, sent: &Pod) {
        let all = |pod: &Pod| -> Vec<Container> {
            pod.spec.init_containers.iter().chain(pod.spec.containers.iter()).cloned().collect()
        };
        for container in all(sent) {
            let is_other = |before: &Container| before.name == container.name && before.image != container.image;
            if all(stored).iter().any(is_other) {
                self.given_images.insert((Rc::clone(&stored.metadata.uid), container.name));
            }
        }
    }
}
