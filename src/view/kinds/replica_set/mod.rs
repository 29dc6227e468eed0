//! ReplicaSet.

mod explain;
mod rules;

use super::workload::{Cause, Counts, Surroundings, Workload, because, ranked};
use crate::objects::{Object, Pod, ReplicaSet};
use crate::reconcile::{Decision, Observed, replica_set};
use crate::sim::Cluster;
use crate::view::model::Ranked;
use std::rc::Rc;

impl Workload for Rc<ReplicaSet> {
    fn counts(&self) -> Counts {
        let status = &self.status;
        // Every pod of a ReplicaSet is of its template.
        Counts { ready: status.ready_replicas, available: status.available_replicas, updated: 0 }
    }

    fn cause(&self, around: &Surroundings<'_>, decision: Option<&Decision>) -> Option<Cause> {
        explain::cause(self, around, decision?)
    }

    fn next_deleted(&self, around: &Surroundings<'_>) -> Vec<Ranked> {
        let (active, pods) = (around.active(), ranking(around.cluster, self));
        let rank = |(at, pod): (usize, &Rc<Pod>)| ranked(at, pod, || because(around.cluster, &active, pod));
        pods.iter().enumerate().map(rank).collect()
    }
}

/// Its pods in the order of their deletion.
pub(super) fn ranking(cluster: &Cluster, set: &Rc<ReplicaSet>) -> Vec<Rc<Pod>> {
    let pods: Vec<Rc<Pod>> = cluster.pods().cloned().collect();
    let all =
        cluster.workloads().filter_map(|object| if let Object::ReplicaSet(set) = object { Some(set) } else { None });
    let siblings: Vec<Rc<ReplicaSet>> = all.cloned().collect();
    let observed = Observed {
        pods: (&pods).into(),
        namespace_pods: &pods,
        replica_sets: &siblings,
        ..Observed::alone(cluster.now(), set)
    };
    replica_set::ranking(&cluster.controller_gates(), &observed)
}
