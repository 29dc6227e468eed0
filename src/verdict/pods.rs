//! Which pods are a workload's.

use crate::objects::{Kind, Object, ObjectMeta, ObjectRef, Pod, Typed};
use crate::reconcile::parent_and_ordinal;
use crate::sim::Cluster;
use std::rc::Rc;

/// The uids of what controls a workload's pods: its own, and those of its ReplicaSets.
pub fn owners(cluster: &Cluster, object: &Object) -> Vec<Rc<str>> {
    let sets = cluster.replica_sets_of(object);
    let own = Rc::clone(&object.metadata().uid);
    [own].into_iter().chain(sets.iter().map(|set| Rc::clone(&set.metadata.uid))).collect()
}

/// The pods that a workload controls, itself or by its ReplicaSets, by name; of a pod itself.
pub fn pods<'a>(cluster: &'a Cluster, object: &Object) -> Vec<&'a Rc<Pod>> {
    if let Object::Pod(pod) = object {
        let own = cluster.get(&object.reference()).ok().and_then(Pod::of);
        return own.filter(|own| own.metadata.uid == pod.metadata.uid).into_iter().collect();
    }
    let namespace = &object.metadata().namespace;
    let owners = owners(cluster, object);
    let own = owners.iter().flat_map(|uid| cluster.controlled_by(uid, Kind::Pod)).filter_map(Pod::of);
    let mut own: Vec<_> = own.filter(|pod| pod.metadata.namespace == *namespace).collect();
    own.sort_by_key(|pod| Rc::clone(&pod.metadata.name));
    own
}

/// Whether the object is there and was asked to go.
pub(super) fn is_being_deleted(cluster: &Cluster, object: &ObjectRef) -> bool {
    cluster.get(object).is_ok_and(|object| object.metadata().deletion_timestamp.is_some())
}

/// Whether the workload takes the pod, which nobody controls, for its own in its next sync. Models ClaimPods of
/// pkg/controller/controller_ref_manager.go.
pub(super) fn takes(object: &Object, pod: &Pod) -> bool {
    let ObjectMeta { namespace, name, deletion_timestamp, .. } = object.metadata();
    let set = || parent_and_ordinal(&pod.metadata.name).map(|(set, _)| set);
    object.is_workload()
        && object.kind() != Kind::Deployment
        && *namespace == pod.metadata.namespace
        && pod.metadata.controller_of().is_none()
        && !pod.is_terminating()
        && deletion_timestamp.is_none()
        && (!object.kind().has_ordinals() || set() == Some(&**name))
        && object.controlled().is_some_and(|set| set.selector().matches(&pod.metadata.labels))
}
