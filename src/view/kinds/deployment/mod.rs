//! Deployment.

mod explain;
mod rules;

use super::replica_set::ranking;
use super::workload::{Cause, Counts, Surroundings, Workload, because, is_active, number, ranked};
use crate::objects::{Deployment, Pod, ReplicaSet};
use crate::reconcile::Decision;
use crate::sim::Cluster;
use crate::view::FieldInput;
use crate::view::Notes;
use crate::view::fields::Field;
use crate::view::model::{Blank, Ranked};
use crate::view::versions::short;
use std::rc::Rc;

const STRATEGIES: [&str; 2] = ["RollingUpdate", "Recreate"];

const FIELDS: &[Field] = &[
    Field::new("strategy.type", FieldInput::Choice(&STRATEGIES), "Whether old and new pods stand side by side."),
    Field::new(
        "strategy.rollingUpdate.maxSurge",
        FieldInput::Amount,
        "How many pods there may be above the replicas; a percentage is rounded up.",
    ),
    Field::new(
        "strategy.rollingUpdate.maxUnavailable",
        FieldInput::Amount,
        "How many pods may be unavailable; a percentage is rounded down.",
    ),
    Field::new("paused", FieldInput::Paused, "Whether rollouts are held."),
    Field::new(
        "progressDeadlineSeconds",
        FieldInput::Number,
        "Seconds without progress after which a rollout counts as failed.",
    ),
    Field::new("minReadySeconds", FieldInput::Number, "Seconds a pod must be Ready before it counts as available."),
    Field::new("revisionHistoryLimit", FieldInput::Number, "How many old ReplicaSets are kept."),
];

impl Workload for Rc<Deployment> {
    fn counts(&self) -> Counts {
        let status = &self.status;
        Counts { ready: status.ready_replicas, available: status.available_replicas, updated: status.updated_replicas }
    }

    fn fields(&self, _cluster: &Cluster) -> Vec<Field> {
        FIELDS.to_vec()
    }

    fn notes(&self) -> Notes {
        Notes { strategy: "Strategy", ..Notes::default() }
    }

    fn cause(&self, around: &Surroundings<'_>, decision: Option<&Decision>) -> Option<Cause> {
        explain::cause(self, around, decision?)
    }

    fn surge(&self) -> i32 {
        self.limits().0
    }

    fn blanks(&self, around: &Surroundings<'_>, _free: usize, _taken: usize) -> Vec<Blank> {
        let sets = around.cluster.replica_sets_of(around.object);
        if sets.is_empty() {
            let words = || text!("its ReplicaSet is not created yet");
            let missing = 0..self.replicas();
            return missing.map(|at| Blank::new(format!("missing-{at}"), text!("missing"), words(), 0)).collect();
        }
        let missing = |(at, set): (usize, &&Rc<ReplicaSet>)| {
            let is_own = |pod: &&&Rc<Pod>| {
                is_active(pod) && pod.metadata.controller_of().is_some_and(|owner| owner.uid == set.metadata.uid)
            };
            let there = around.pods.iter().filter(is_own).count();
            let missing = 0..number(set.replicas()).saturating_sub(there);
            let key = |place| format!("{}-{place}", short(&set.metadata.name));
            missing
                .map(|place| Blank::new(key(place), text!("missing"), text!("not created yet"), at))
                .collect::<Vec<_>>()
        };
        sets.iter().enumerate().flat_map(missing).collect()
    }

    fn next_deleted(&self, around: &Surroundings<'_>) -> Vec<Ranked> {
        let sets = around.cluster.replica_sets_of(around.object);
        let pods = sets.iter().flat_map(|set| ranking(around.cluster, set));
        let active = around.active();
        pods.enumerate().map(|(at, pod)| ranked(at, &pod, || because(around.cluster, &active, &pod))).collect()
    }
}
