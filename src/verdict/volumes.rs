//! Pods that lack a volume of their set.

use super::ordered::Ordered;
use super::pods::pods;
use crate::objects::{Object, Pod};
use crate::sim::Cluster;
use std::rc::Rc;

/// The first pod of a set with claims of which the text shows no volume at all: whether it has its claims is not known.
pub(super) fn unshown<'a>(cluster: &'a Cluster, object: &Object) -> Option<&'a Rc<Pod>> {
    let set = Ordered::of(object).filter(|set| !set.claim_templates.is_empty())?;
    let is_unshown =
        |pod: &&Rc<Pod>| pod.spec.volumes.is_empty() && !pod.is_terminating() && !pod.has_ended() && set.in_range(pod);
    pods(cluster, object).into_iter().find(is_unshown)
}

/// The pods of a set that have not the volumes of all its claim templates, which no update gives to them: each of its syncs fails. One of
/// which the text shows no volume at all is not known to lack one. Models storageMatches of
/// pkg/controller/statefulset/stateful_set_utils.go.
pub(crate) fn without_volumes<'a>(cluster: &'a Cluster, object: &Object) -> Vec<&'a Rc<Pod>> {
    let Some(set) = Ordered::of(object).filter(|set| !set.claim_templates.is_empty()) else { return Vec::new() };
    let lacks_one = |pod: &Pod| {
        let mut names =
            set.claim_templates.iter().map(|template| format!("{}-{}", template.metadata.name, pod.metadata.name));
        names.any(|name| pod.claim_names().all(|own| **own != *name))
    };
    let shows =
        |pod: &Pod| !pod.spec.volumes.is_empty() && !pod.is_terminating() && !pod.has_ended() && set.in_range(pod);
    pods(cluster, object).into_iter().filter(|pod| shows(pod) && lacks_one(pod)).collect()
}
