//! `kubectl describe replicaset`.

use super::{controlled_by, marks, name_and_space, pods_status, template};
use crate::kubectl::text::selector;
use crate::objects::ReplicaSet;
use crate::sim::Cluster;

pub(super) fn describe(cluster: &Cluster, set: &ReplicaSet) -> String {
    let selector = selector(&set.spec.selector);
    let (current, wanted) = (set.status.replicas, set.replicas());
    name_and_space(&set.metadata)
        + &format!("Selector:\t{selector}\n")
        + &marks(&set.metadata)
        + &controlled_by(&set.metadata)
        + &format!("Replicas:\t{current} current / {wanted} desired\n")
        + &pods_status(cluster, &set.metadata)
        + &template(&set.spec.template, cluster.release())
}
