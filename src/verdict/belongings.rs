//! Which of the workloads that a run is watched for has an object, kept as the run goes on: what an event touches is looked up, not
//! searched for among all.

use super::pods::{owners, pods};
use crate::objects::{Kind, Object, ObjectRef};
use crate::sim::Cluster;
use std::collections::BTreeMap;
use std::rc::Rc;

/// The workloads by their places, whatever these stand for.
#[derive(Default)]
pub struct Belongings {
    /// The workloads, and the ReplicaSets of Deployments.
    named: BTreeMap<ObjectRef, usize>,
    /// The same with their pods, those included that are gone, by uid.
    by_uid: BTreeMap<Rc<str>, usize>,
}

impl Belongings {
    /// Watches for a workload, which stands at this place.
    pub fn add(&mut self, cluster: &Cluster, workload: &ObjectRef, at: usize) {
        self.named.insert(workload.clone(), at);
        let Ok(object) = cluster.get(workload) else { return };
        let sets =
            cluster.replica_sets_of(object).into_iter().map(|set| Object::ReplicaSet(Rc::clone(set)).reference());
        self.named.extend(sets.map(|set| (set, at)));
        let own = pods(cluster, object).into_iter().map(|pod| Rc::clone(&pod.metadata.uid));
        self.by_uid.extend(owners(cluster, object).into_iter().chain(own).map(|uid| (uid, at)));
    }

    /// The place of the workload that this is, or whose ReplicaSet it is.
    pub(crate) fn named(&self, object: &ObjectRef) -> Option<usize> {
        self.named.get(object).copied()
    }

    /// The places of the workload that has an object as it is now, and of the one that has lost it.
    pub fn see(&mut self, object: &Object) -> [Option<usize>; 2] {
        let (metadata, key) = (object.metadata(), object.reference());
        let had = self.by_uid.get(&metadata.uid).copied();
        let of_owner = metadata.controller_of().and_then(|owner| self.by_uid.get(&owner.uid)).copied();
        let has = of_owner.or_else(|| self.named(&key));
        if let Some(at) = has {
            self.by_uid.insert(Rc::clone(&metadata.uid), at);
            if key.kind == Kind::ReplicaSet {
                self.named.insert(key, at);
            }
        }
        [has, had.filter(|_| has != had)]
    }
}
