//! PodDisruptionBudgets that were applied: what each allows at this moment.
//! Models trySync of pkg/controller/disruption/disruption.go. Simplified: the status of a PodDisruptionBudget is always of this
//! moment.

use super::cluster::Cluster;
use super::selected::{self, Selected};
use crate::objects::{
    DisruptionBudget, DisruptionBudgetSpec, DisruptionBudgetStatus, IntOrPercent, Kind, Object, ObjectMeta, ObjectRef,
    OwnerReference, Pod, Round,
};
use std::borrow::Cow;
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
        self.count_again_under_budgets();
    }

    /// Deletes the budget of this name, or the one that the workload of this name was given; false if there is none.
    pub fn delete_disruption_budget(&mut self, namespace: &str, name: &str) -> bool {
        let known = self.disruption_budgets.len();
        self.disruption_budgets
            .retain(|budget| (&*budget.metadata.namespace, &*budget.metadata.name) != (namespace, name));
        let given: Vec<ObjectRef> = self
            .workloads()
            .map(Object::reference)
            .filter(|key| (&*key.namespace, &*key.name) == (namespace, name) && self.budget_of(key).is_some())
            .collect();
        given.iter().for_each(|key| self.set_budget(key, None));
        self.count_again_under_budgets();
        self.disruption_budgets.len() < known || !given.is_empty()
    }

    /// The budget of this name.
    pub fn disruption_budget(&self, namespace: &str, name: &str) -> Option<Rc<DisruptionBudget>> {
        let is_it = |it: &Rc<DisruptionBudget>| (&*it.metadata.namespace, &*it.metadata.name) == (namespace, name);
        self.all_disruption_budgets().find(is_it)
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

    /// Whether the budgets ask for the same in another cluster.
    pub fn has_same_budgets(&self, other: &Self) -> bool {
        let specs = |cluster: &Self| {
            let all = cluster.all_disruption_budgets();
            all.map(|budget| (budget.metadata.name.clone(), budget.spec.clone())).collect::<Vec<_>>()
        };
        specs(self) == specs(other)
    }

    /// The budgets over a pod.
    pub fn budgets_over(&self, pod: &Pod) -> Vec<Rc<DisruptionBudget>> {
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

    /// Counts the pods under every budget, and from now on each that changes.
    pub(super) fn count_under_budgets(&mut self) {
        let counts = self.all_disruption_budgets().map(|budget| Selected::count(&budget, self.store.pods())).collect();
        self.store.index.selected.keep(counts);
    }

    /// The same where they are counted already, because a budget has changed.
    pub(super) fn count_again_under_budgets(&mut self) {
        if self.store.index.selected.are_kept() {
            self.count_under_budgets();
        }
    }

    /// What a budget allows now; none if the scale of a pod's controller cannot be told.
    pub(super) fn synced_status(&self, budget: &DisruptionBudget) -> Option<DisruptionBudgetStatus> {
        let counted = self.store.index.selected.get(budget).map(Cow::Borrowed);
        let pods = counted.unwrap_or_else(|| Cow::Owned(Selected::count(budget, self.store.pods())));
        let (expected_pods, desired_healthy) = self.expected(budget, &pods)?;
        let allowed = if expected_pods > 0 { (pods.healthy - desired_healthy).max(0) } else { 0 };
        Some(DisruptionBudgetStatus {
            disruptions_allowed: allowed,
            current_healthy: pods.healthy,
            desired_healthy,
            expected_pods,
            observed_generation: budget.metadata.generation,
        })
    }

    /// Pods that there should be, and that must be healthy. Models getExpectedPodCount.
    fn expected(&self, budget: &DisruptionBudget, selected: &Selected) -> Option<(i32, i32)> {
        let spec = &budget.spec;
        let scale = || self.scale_of(&budget.metadata.namespace, selected);
        Some(match (&spec.max_unavailable, &spec.min_available) {
            (Some(most), _) => {
                let expected = scale()?;
                (expected, (expected - most.of(expected, Round::Up).unwrap_or(0)).max(0))
            }
            (None, Some(IntOrPercent::Int(least))) => (selected.pods, *least),
            (None, Some(least)) => {
                let expected = scale()?;
                (expected, least.of(expected, Round::Up).unwrap_or(0))
            }
            (None, None) => (selected.pods, 0),
        })
    }

    /// What the workloads of the pods ask for together; none if one of them is gone, or a DaemonSet, which has no scale. Models
    /// getExpectedScale and getScaleController.
    fn scale_of(&self, namespace: &Rc<str>, selected: &Selected) -> Option<i32> {
        let owner = |owner: &OwnerReference, kind: Kind| {
            let key = ObjectRef { kind, namespace: Rc::clone(namespace), name: Rc::clone(&owner.name) };
            self.store.get(&key).ok().filter(|stored| stored.metadata().uid == owner.uid)
        };
        let kind = |owner: &OwnerReference| Kind::named(&owner.api_version, &owner.kind);
        let mut scales: BTreeMap<ObjectRef, i32> = BTreeMap::new();
        for own in selected.controllers() {
            // Owners that are not simulated add nothing.
            let Some(own_kind) = kind(own) else { continue };
            let workload = owner(own, own_kind).filter(|_| own_kind != Kind::DaemonSet)?;
            // A Deployment asks in place of its ReplicaSets.
            let above = workload.metadata().controller_of().and_then(|own| owner(own, kind(own)?));
            let workload: &Object = above.unwrap_or(workload);
            scales.insert(workload.reference(), workload.desired());
        }
        Some(scales.into_values().fold(0, i32::saturating_add))
    }
}

fn selects(budget: &DisruptionBudget, pod: &Pod) -> bool {
    selected::selects((&budget.metadata.namespace, budget.spec.selector.as_ref()), pod)
}
