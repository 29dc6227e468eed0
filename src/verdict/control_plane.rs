//! Parts of the control plane that run as pods, where a text has them: while none of a part is Ready, nothing does its work.

use crate::objects::Pod;
use crate::sim::Cluster;
use std::rc::Rc;

/// The pod of a part that is not Ready, where the text has such pods and none is.
pub fn is_down<'a>(cluster: &'a Cluster, part: &str) -> Option<&'a Rc<Pod>> {
    let is_of = |pod: &&Rc<Pod>| {
        let name = pod.metadata.name.strip_prefix(part).is_some_and(|rest| rest.starts_with('-'));
        name && &*pod.metadata.namespace == "kube-system"
    };
    let mut all = cluster.pods().filter(is_of);
    let first = all.next()?;
    (!first.is_ready() && all.all(|pod| !pod.is_ready())).then_some(first)
}
