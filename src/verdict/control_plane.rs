//! Parts of the control plane that run as pods, where a text has them: while none of a part is Ready, nothing does its work.

use crate::objects::{Kind, Pod};
use crate::sim::{Cluster, owner_of};
use std::rc::Rc;

/// The pod of a part that is not Ready, where the text has such pods and none is.
pub(crate) fn is_down<'a>(cluster: &'a Cluster, part: &str) -> Option<&'a Rc<Pod>> {
    let mut all = cluster.pods().filter(|pod| &*pod.metadata.namespace == "kube-system" && is_of(pod, part));
    let first = all.next()?;
    (!first.is_ready() && all.all(|pod| !pod.is_ready())).then_some(first)
}

/// Whether a pod is one of a part, by the name of its workload; of a static pod the node's name follows the part's.
fn is_of(pod: &Pod, part: &str) -> bool {
    let rest_of = |name: &str| name.strip_prefix(part).and_then(|rest| rest.strip_prefix('-')).map(str::to_owned);
    let Some(rest) = rest_of(&pod.metadata.name) else { return false };
    match owner_of(pod) {
        Some(owner) if owner.kind == Kind::ReplicaSet => rest_of(&owner.name).is_some_and(|hash| !hash.contains('-')),
        Some(owner) => *owner.name == *part,
        None => !rest.is_empty(),
    }
}
