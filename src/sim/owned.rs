//! Which objects belong to which.

use super::Cluster;
use crate::objects::{Object, ReplicaSet};
use crate::order::Order;
use std::rc::Rc;

impl Cluster {
    /// The Deployment's ReplicaSets, oldest first.
    pub fn replica_sets_of(&self, deployment: &Object) -> Vec<&Rc<ReplicaSet>> {
        let uid = &deployment.metadata().uid;
        let is_owned = |set: &&Rc<ReplicaSet>| set.metadata.controller_of().is_some_and(|owner| owner.uid == *uid);
        let all = self.workloads().filter_map(|object| match object {
            Object::ReplicaSet(set) => Some(set),
            _ => None,
        });
        let mut sets: Vec<_> = all.filter(is_owned).collect();
        sets.order_by_key(|set| (set.metadata.creation_timestamp, set.metadata.name.clone()));
        sets
    }
}
