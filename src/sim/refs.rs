//! What identifies objects.

use crate::objects::{Kind, ObjectRef, Pod};
use std::rc::Rc;

/// Whether the pod mounts the claim.
pub(super) fn uses(pod: &Pod, claim: &ObjectRef) -> bool {
    pod.metadata.namespace == claim.namespace && pod.claim_names().any(|name| *name == claim.name)
}

/// What identifies a node.
pub(super) fn node_ref(name: &Rc<str>) -> ObjectRef {
    ObjectRef { kind: Kind::Node, namespace: "".into(), name: Rc::clone(name) }
}

/// What identifies a pod.
pub(super) fn pod_ref(pod: &Pod) -> ObjectRef {
    ObjectRef { kind: Kind::Pod, namespace: pod.metadata.namespace.clone(), name: pod.metadata.name.clone() }
}
