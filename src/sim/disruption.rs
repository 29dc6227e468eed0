//! PodDisruptionBudgets that were applied: what each allows at this moment.
//! Models trySync of pkg/controller/disruption/disruption.go. Simplified: the status of a PodDisruptionBudget is always of this
//! moment.

use super::cluster::Cluster;
use crate::objects::{
    DisruptionBudget, DisruptionBudgetSpec, DisruptionBudgetStatus, IntOrPercent, Kind, Object, ObjectMeta, ObjectRef,
    OwnerReference, Pod, Round,
};
use std::collections::BTreeMap;
use std::rc::Rc;

/// A budget's `unhealthyPodEvictionPolicy` under which pods that are not Ready may always go.
pub(super) const ALWAYS_ALLOW: &str = "AlwaysAllow";

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

    /// Every budget: those that were applied, and under its workload's name each that a workload was given.
    pub fn all_disruption_budgets(&self) -> impl Iterator<Item = Rc<DisruptionBudget>> {
        let given = |workload: &Object| {
            let (budget, selector) = (self.budget_of(&workload.reference())?, workload.selector()?);
            let (namespace, name) = (&workload.metadata().namespace, &workload.metadata().name);
            Some(Rc::new(DisruptionBudget {
                metadata: ObjectMeta {
                    namespace: Rc::clone(namespace),
                    name: Rc::clone(name),
                    ..ObjectMeta::default()
                },
                spec: DisruptionBudgetSpec {
                    min_available: Some(IntOrPercent::Int(budget.min_available)),
                    selector: Some(selector.clone()),
                    unhealthy_pod_eviction_policy: if budget.always_allow { ALWAYS_ALLOW } else { "" }.into(),
                    ..DisruptionBudgetSpec::default()
                },
            }))
        };
        self.disruption_budgets.iter().cloned().chain(self.workloads().filter_map(given))
    }

    /// The budgets over a pod.
    pub(super) fn budgets_over(&self, pod: &Pod) -> Vec<Rc<DisruptionBudget>> {
        self.all_disruption_budgets().filter(|budget| selects(budget, pod)).collect()
    }

    /// Whether a budget selects any of these pods.
    pub(super) fn is_any_under_a_budget(&self, pods: &[Rc<Pod>]) -> bool {
        self.all_disruption_budgets().any(|budget| pods.iter().any(|pod| selects(&budget, pod)))
    }

    /// What a budget allows now: nothing if it cannot be told. Models failSafe, for a budget that never was in sync.
    pub fn disruption_status(&self, budget: &DisruptionBudget) -> DisruptionBudgetStatus {
        self.synced_status(budget).unwrap_or_default()
    }

    /// What a budget allows now; none if the scale of a pod's controller cannot be told.
    pub(super) fn synced_status(&self, budget: &DisruptionBudget) -> Option<DisruptionBudgetStatus> {
        let pods: Vec<&Rc<Pod>> = self.store.pods().filter(|pod| selects(budget, pod)).collect();
        let (expected_pods, desired_healthy) = self.expected(budget, &pods)?;
        let is_healthy = |pod: &&&Rc<Pod>| !pod.is_terminating() && pod.is_ready();
        let current_healthy = count(pods.iter().filter(is_healthy).count());
        let allowed = if expected_pods > 0 { (current_healthy - desired_healthy).max(0) } else { 0 };
        Some(DisruptionBudgetStatus {
            disruptions_allowed: allowed,
            current_healthy,
            desired_healthy,
            expected_pods,
            observed_generation: budget.metadata.generation,
        })
    }

    /// Pods that there should be, and that must be healthy. Models getExpectedPodCount.
    fn expected(&self, budget: &DisruptionBudget, pods: &[&Rc<Pod>]) -> Option<(i32, i32)> {
        let spec = &budget.spec;
        Some(match (&spec.max_unavailable, &spec.min_available) {
            (Some(most), _) => {
                let expected = self.scale_of(pods)?;
                (expected, (expected - most.of(expected, Round::Up).unwrap_or(0)).max(0))
            }
            (None, Some(IntOrPercent::Int(least))) => (count(pods.len()), *least),
            (None, Some(least)) => {
                let expected = self.scale_of(pods)?;
                (expected, least.of(expected, Round::Up).unwrap_or(0))
            }
            (None, None) => (count(pods.len()), 0),
        })
    }

    /// What the workloads of the pods ask for together; none if one of them is gone, or a DaemonSet, which has no scale. Models
    /// getExpectedScale and getScaleController.
    fn scale_of(&self, pods: &[&Rc<Pod>]) -> Option<i32> {
        let owner = |namespace: &Rc<str>, owner: &OwnerReference, kind: Kind| {
            let key = ObjectRef { kind, namespace: Rc::clone(namespace), name: Rc::clone(&owner.name) };
            self.store.get(&key).ok().filter(|stored| stored.metadata().uid == owner.uid)
        };
        let kind = |owner: &OwnerReference| Kind::named(&owner.api_version, &owner.kind);
        let mut scales: BTreeMap<ObjectRef, i32> = BTreeMap::new();
        for pod in pods {
            let namespace = &pod.metadata.namespace;
            // Owners that are not simulated add nothing.
            let Some((own, own_kind)) = pod.metadata.controller_of().and_then(|own| Some((own, kind(own)?))) else {
                continue;
            };
            let workload = owner(namespace, own, own_kind).filter(|_| own_kind != Kind::DaemonSet)?;
            // A Deployment asks in place of its ReplicaSets.
            let above = workload.metadata().controller_of().and_then(|own| owner(namespace, own, kind(own)?));
            let workload: &Object = above.unwrap_or(workload);
            scales.insert(workload.reference(), workload.desired());
        }
        Some(scales.values().sum())
    }
}

fn selects(budget: &DisruptionBudget, pod: &Pod) -> bool {
    budget.metadata.namespace == pod.metadata.namespace
        && budget.spec.selector.as_ref().is_some_and(|selector| selector.matches(&pod.metadata.labels))
}

fn count(number: usize) -> i32 {
    i32::try_from(number).unwrap_or(i32::MAX)
}
