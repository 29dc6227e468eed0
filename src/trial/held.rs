//! Objects that were asked to go: whether they are there, and why.

use crate::objects::{Kind, Object, ObjectRef, Pod};
use crate::sim::Cluster;
use crate::text::{Text, named_node};
use std::rc::Rc;

/// What a pod is called, and its uid.
pub(super) fn of_pod(pod: &Pod) -> (ObjectRef, Rc<str>) {
    let (namespace, name) = (Rc::clone(&pod.metadata.namespace), Rc::clone(&pod.metadata.name));
    (ObjectRef { kind: Kind::Pod, namespace, name }, Rc::clone(&pod.metadata.uid))
}

/// The pod of this name and uid.
pub(super) fn is_there<'a>(cluster: &'a Cluster, key: &ObjectRef, uid: &Rc<str>) -> Option<&'a Pod> {
    match cluster.get(key) {
        Ok(Object::Pod(pod)) if pod.metadata.uid == *uid => Some(pod),
        _ => None,
    }
}

/// Why an object that was asked to go is still there.
pub(super) fn held(cluster: &Cluster, key: &ObjectRef) -> Text {
    let Ok(object) = cluster.get(key) else { return Text::default() };
    let finalizers: Vec<&str> = object.metadata().finalizers.iter().map(|name| &**name).collect();
    match object {
        Object::Claim(claim) => {
            let is_user = |pod: &&Rc<Pod>| {
                pod.metadata.namespace == claim.metadata.namespace
                    && !pod.has_ended()
                    && pod.claim_names().any(|name| *name == claim.metadata.name)
            };
            let users: Vec<&str> = cluster.pods().filter(is_user).map(|pod| &*pod.metadata.name).collect();
            match users.is_empty() {
                true => text!("{} is held by {}", key.name, finalizers.join(", ")),
                false => text!("{} is held by {}: {} uses it", key.name, finalizers.join(", "), users.join(", ")),
            }
        }
        Object::Pod(pod) => {
            let node = cluster.nodes().find(|node| node.metadata.name == pod.spec.node_name);
            match node {
                _ if !finalizers.is_empty() => text!("{} is held by {}", key.name, finalizers.join(", ")),
                Some(node) if !node.is_ready() => {
                    text!(
                        "{} is Terminating on {}, which does not confirm that it stopped",
                        key.name,
                        named_node(&node.metadata.name)
                    )
                }
                _ if pod.is_terminating() => text!("{} is Terminating", key.name),
                _ => text!("{} is there", key.name),
            }
        }
        _ => match finalizers.is_empty() {
            true => text!("{} is there", key.name),
            false => text!("{} is held by {}", key.name, finalizers.join(", ")),
        },
    }
}
