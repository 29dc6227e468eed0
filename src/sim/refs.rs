//! What identifies objects, and which claims a pod names.

use crate::objects::{Kind, ObjectRef, Pod};
use std::rc::Rc;

/// Whether the pod mounts the claim.
pub(super) fn uses(pod: &Pod, claim: &ObjectRef) -> bool {
    pod.metadata.namespace == claim.namespace && claims_of(pod).any(|name| *name == claim.name)
}

/// The names of the claims a pod mounts.
pub(super) fn claims_of(pod: &Pod) -> impl Iterator<Item = &Rc<str>> {
    pod.spec.volumes.iter().filter_map(|volume| volume.persistent_volume_claim.as_ref()).map(|claim| &claim.claim_name)
}

/// What identifies a node.
pub(super) fn node_ref(name: &Rc<str>) -> ObjectRef {
    ObjectRef { kind: Kind::Node, namespace: "".into(), name: Rc::clone(name) }
}

/// What identifies a pod.
pub(super) fn pod_ref(pod: &Pod) -> ObjectRef {
    ObjectRef { kind: Kind::Pod, namespace: pod.metadata.namespace.clone(), name: pod.metadata.name.clone() }
}
