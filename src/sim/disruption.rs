//! PodDisruptionBudgets that were applied: what each allows at this moment.
//! Models trySync of pkg/controller/disruption/disruption.go. Simplified: the status of a PodDisruptionBudget is always of this
//! moment.

use super::cluster::Cluster;
use crate::objects::{
    DisruptionBudget, DisruptionBudgetStatus, IntOrPercent, Kind, Object, ObjectRef, OwnerReference, Pod, Round,
};
use std::collections::BTreeMap;
use std::rc::Rc;

impl Cluster {
    /// Keeps a budget, in the place of one of its name.
    pub fn apply_disruption_budget(&mut self, mut budget: DisruptionBudget) {
        let is_same = |other: &Rc<DisruptionBudget>| {
            (&other.metadata.namespace, &other.metadata.name) == (&budget.metadata.namespace, &budget.metadata.name)
        };
        let known = self.disruption_budgets.iter().position(is_same).map(|at| self.disruption_budgets.remove(at));
        budget.metadata.creation_timestamp = known.map_or(Some(self.now), |known| known.metadata.creation_timestamp);
        self.disruption_budgets.push(Rc::new(budget));
    }

    /// The budgets that were applied, the oldest first.
    pub fn disruption_budgets(&self) -> impl Iterator<Item = &Rc<DisruptionBudget>> {
        self.disruption_budgets.iter()
    }

    /// What a budget allows now.
    pub fn disruption_status(&self, budget: &DisruptionBudget) -> DisruptionBudgetStatus {
        let pods: Vec<&Rc<Pod>> = self.store.pods().filter(|pod| selects(budget, pod)).collect();
        let (expected_pods, desired_healthy) = self.expected(budget, &pods);
        let is_ready = |pod: &Pod| pod.condition("Ready").is_some_and(|ready| &*ready.status == "True");
        let is_healthy = |pod: &&&Rc<Pod>| pod.metadata.deletion_timestamp.is_none() && is_ready(pod);
        let current_healthy = count(pods.iter().filter(is_healthy).count());
        let allowed = if expected_pods > 0 { (current_healthy - desired_healthy).max(0) } else { 0 };
        DisruptionBudgetStatus {
            disruptions_allowed: allowed,
            current_healthy,
            desired_healthy,
            expected_pods,
            observed_generation: budget.metadata.generation,
        }
    }

    /// Pods that there should be, and that must be healthy. Models getExpectedPodCount.
    fn expected(&self, budget: &DisruptionBudget, pods: &[&Rc<Pod>]) -> (i32, i32) {
        let spec = &budget.spec;
        match (&spec.max_unavailable, &spec.min_available) {
            (Some(most), _) => {
                let expected = self.scale_of(pods);
                (expected, (expected - most.of(expected, Round::Up).unwrap_or(0)).max(0))
            }
            (None, Some(IntOrPercent::Int(least))) => (count(pods.len()), *least),
            (None, Some(least)) => {
                let expected = self.scale_of(pods);
                (expected, least.of(expected, Round::Up).unwrap_or(0))
            }
            (None, None) => (count(pods.len()), 0),
        }
    }

    /// What the workloads of the pods ask for together. Models getExpectedScale.
    fn scale_of(&self, pods: &[&Rc<Pod>]) -> i32 {
        let mut scales: BTreeMap<ObjectRef, i32> = BTreeMap::new();
        for pod in pods {
            let owner = |namespace: &Rc<str>, owner: &OwnerReference| {
                let kind = Kind::named(&owner.api_version, &owner.kind)?;
                let key = ObjectRef { kind, namespace: Rc::clone(namespace), name: Rc::clone(&owner.name) };
                self.store.get(&key).ok()
            };
            let namespace = &pod.metadata.namespace;
            let Some(workload) = pod.metadata.controller_of().and_then(|own| owner(namespace, own)) else { continue };
            // A Deployment asks in place of its ReplicaSets.
            let above = workload.metadata().controller_of().and_then(|own| owner(namespace, own));
            let workload: &Object = above.unwrap_or(workload);
            scales.insert(workload.reference(), workload.desired());
        }
        scales.values().sum()
    }

    /// The budget over a pod: healthy pods needed and had, and whether unhealthy ones may always go.
    pub(super) fn applied_budget_over(&self, pod: &Pod) -> Option<(i32, i32, bool)> {
        let budget = self.disruption_budgets.iter().find(|budget| selects(budget, pod))?;
        let status = self.disruption_status(budget);
        let always_allow = &*budget.spec.unhealthy_pod_eviction_policy == "AlwaysAllow";
        // Without a pod that should be, none may go.
        let needed = if status.expected_pods > 0 { status.desired_healthy } else { i32::MAX };
        Some((needed, status.current_healthy, always_allow))
    }
}

fn selects(budget: &DisruptionBudget, pod: &Pod) -> bool {
    budget.metadata.namespace == pod.metadata.namespace
        && budget.spec.selector.as_ref().is_some_and(|selector| selector.matches(&pod.metadata.labels))
}

fn count(number: usize) -> i32 {
    i32::try_from(number).unwrap_or(i32::MAX)
}
