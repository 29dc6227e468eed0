//! Which objects belong to which.

use super::Cluster;
use crate::objects::{Kind, Object, ObjectRef, Pod, ReplicaSet, Typed};
use crate::order::Order;
use std::rc::Rc;

impl Cluster {
    /// What the object of this uid controls, of one kind, by namespace and name.
    pub fn controlled_by(&self, uid: &Rc<str>, kind: Kind) -> impl Iterator<Item = &Object> {
        let keys = self.store.index.dependents(uid).filter(move |key| key.kind == kind);
        let objects = keys.filter_map(|key| self.store.get(key).ok());
        objects.filter(move |object| object.metadata().controller_of().is_some_and(|owner| owner.uid == *uid))
    }

    /// The pods that mount a claim, by name.
    pub fn users_of(&self, claim: &ObjectRef) -> impl Iterator<Item = &Rc<Pod>> {
        self.store.users_of(claim)
    }

    /// The Deployment's ReplicaSets, oldest first.
    pub fn replica_sets_of(&self, deployment: &Object) -> Vec<&Rc<ReplicaSet>> {
        let uid = Rc::clone(&deployment.metadata().uid);
        let mut sets: Vec<_> = self.controlled_by(&uid, Kind::ReplicaSet).filter_map(ReplicaSet::of).collect();
        sets.order_by_key(|set| (set.metadata.creation_timestamp, set.metadata.name.clone()));
        sets
    }
}
