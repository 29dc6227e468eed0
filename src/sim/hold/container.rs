//! Containers that fail: what the text showed of one, or of every pod of its revision.

use super::{Fault, Holds, What};
use crate::objects::Pod;
use std::rc::Rc;

impl Holds {
    /// What a container of the pod cannot do, by its name.
    pub(in crate::sim) fn fault_of(&self, pod: &Pod, container: &str) -> Option<Fault> {
        self.of_pod(pod).find_map(|hold| match &hold.what {
            What::Container { name, fault, .. } if **name == *container => Some(*fault),
            _ => None,
        })
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
}
