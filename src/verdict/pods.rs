//! Which pods are a workload's.

use crate::objects::{Object, ObjectRef, Pod};
use crate::sim::Cluster;
use std::rc::Rc;

/// The uids of what controls a workload's pods: its own, and those of its ReplicaSets.
pub(super) fn owners(cluster: &Cluster, object: &Object) -> Vec<Rc<str>> {
    let sets = cluster.replica_sets_of(object);
    let own = Rc::clone(&object.metadata().uid);
    [own].into_iter().chain(sets.iter().map(|set| Rc::clone(&set.metadata.uid))).collect()
}

/// The pods that a workload controls, itself or by its ReplicaSets; of a pod itself.
pub fn pods<'a>(cluster: &'a Cluster, object: &Object) -> Vec<&'a Rc<Pod>> {
    if let Object::Pod(pod) = object {
        return cluster.pods_in(&pod.metadata.namespace).filter(|own| own.metadata.uid == pod.metadata.uid).collect();
    }
    let owners = owners(cluster, object);
    let is_own = |pod: &&Rc<Pod>| pod.metadata.controller_of().is_some_and(|owner| owners.contains(&owner.uid));
    cluster.pods_in(&object.metadata().namespace).filter(is_own).collect()
}

/// Whether the object is there and was asked to go.
pub(super) fn is_being_deleted(cluster: &Cluster, object: &ObjectRef) -> bool {
    cluster.get(object).is_ok_and(|object| object.metadata().deletion_timestamp.is_some())
}
