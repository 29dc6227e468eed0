//! PodDisruptionBudgets that were applied: what each allows at this moment.
//! Models trySync of pkg/controller/disruption/disruption.go. Simplified: the status of a PodDisruptionBudget is always of this
//! moment.

use super::selected::{self, Selected};
use super::store::Store;
use super::world::World;
use crate::objects::{
    DisruptionBudget, DisruptionBudgetSpec, DisruptionBudgetStatus, IntOrPercent, Kind, Object, ObjectMeta, ObjectRef,
    OwnerReference, Pod, Round,
};
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::rc::Rc;

/// A budget's `unhealthyPodEvictionPolicy` under which pods that are not Ready may always go.
pub(super) const ALWAYS_ALLOW: &str = "AlwaysAllow";

/// A PodDisruptionBudget over the pods that a set selects.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Budget {
    /// `minAvailable`.
    pub min_available: i32,
    /// `unhealthyPodEvictionPolicy: AlwaysAllow`; without it, `IfHealthyBudget`. Releases that do not know it drop it.
    pub always_allow: bool,
}

/// Every budget.
#[derive(Clone, Default)]
pub(super) struct DisruptionBudgets {
    /// Those that were applied, the oldest first.
    applied: Vec<Rc<DisruptionBudget>>,
    /// Those that workloads were given.
    given: BTreeMap<ObjectRef, Budget>,
}

impl DisruptionBudgets {
    /// Keeps a budget, in the place of one of its name.
    pub(super) fn apply(&mut self, world: &mut World, mut budget: DisruptionBudget) {
        let is_same = |other: &Rc<DisruptionBudget>| {
            (&other.metadata.namespace, &other.metadata.name) == (&budget.metadata.namespace, &budget.metadata.name)
        };
        let known = self.applied.iter().position(is_same).map(|at| self.applied.remove(at));
        budget.metadata.creation_timestamp = known.map_or(Some(world.now), |known| known.metadata.creation_timestamp);
        self.applied.push(Rc::new(budget));
        self.count_again(&mut world.store);
    }

    /// Deletes the budget of this name, or the one that the workload of this name was given; false if there is none.
    pub(super) fn delete(&mut self, store: &mut Store, namespace: &str, name: &str) -> bool {
        let is_named = |of: (&Rc<str>, &Rc<str>)| (&**of.0, &**of.1) == (namespace, name);
        let known = self.applied.len() + self.given.len();
        self.applied.retain(|budget| !is_named((&budget.metadata.namespace, &budget.metadata.name)));
        let is_there = |key: &ObjectRef| store.get(key).is_ok();
        self.given.retain(|key, _| !(is_named((&key.namespace, &key.name)) && is_there(key)));
        self.count_again(store);
        self.applied.len() + self.given.len() < known
    }

    /// The budget that a workload has from now on; none takes it away.
    pub(super) fn give(&mut self, store: &mut Store, workload: &ObjectRef, budget: Option<Budget>) {
        match budget {
            Some(budget) => self.given.insert(workload.clone(), budget),
            None => self.given.remove(workload),
        };
        self.count_again(store);
    }

    /// The budget that a workload was given.
    pub(super) fn given_to(&self, workload: &ObjectRef) -> Option<Budget> {
        self.given.get(workload).copied()
    }

    /// The budgets that were applied, the oldest first.
    pub(super) fn applied(&self) -> impl Iterator<Item = &Rc<DisruptionBudget>> {
        self.applied.iter()
    }

    /// Every budget: those that were applied, and under its workload's name each that a workload was given.
    pub(super) fn all(&self, store: &Store) -> impl Iterator<Item = Rc<DisruptionBudget>> {
        let given = |(workload, budget): (&ObjectRef, &Budget)| {
            let workload = store.get(workload).ok()?;
            let selector = workload.selector()?;
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
                ..DisruptionBudget::default()
            }))
        };
        self.applied.iter().cloned().chain(self.given.iter().filter_map(given))
    }

    /// The budgets over a pod.
    pub(super) fn over(&self, store: &Store, pod: &Pod) -> Vec<Rc<DisruptionBudget>> {
        self.all(store).filter(|budget| selects(budget, pod)).collect()
    }

    /// Whether a budget selects any of these pods.
    pub(super) fn are_over_any(&self, store: &Store, pods: &[Rc<Pod>]) -> bool {
        self.all(store).any(|budget| pods.iter().any(|pod| selects(&budget, pod)))
    }

    /// Counts the pods under every budget, and from now on each that changes.
    pub(super) fn count(&self, store: &mut Store) {
        let counts = self.all(store).map(|budget| Selected::count(&budget, store.pods())).collect();
        store.index.selected.keep(counts);
    }

    /// The same where they are counted already, because a budget has changed.
    fn count_again(&self, store: &mut Store) {
        if store.index.selected.are_kept() {
            self.count(store);
        }
    }
}

/// What a budget allows now; none if the scale of a pod's controller cannot be told, or is said not to be.
pub(super) fn synced_status(store: &Store, budget: &DisruptionBudget) -> Option<DisruptionBudgetStatus> {
    if budget.is_unsynced {
        return None;
    }
    let counted = store.index.selected.get(budget).map(Cow::Borrowed);
    let pods = counted.unwrap_or_else(|| Cow::Owned(Selected::count(budget, store.pods())));
    let (expected_pods, desired_healthy) = expected(store, budget, &pods)?;
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
fn expected(store: &Store, budget: &DisruptionBudget, selected: &Selected) -> Option<(i32, i32)> {
    let spec = &budget.spec;
    let scale = || scale_of(store, &budget.metadata.namespace, selected);
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
fn scale_of(store: &Store, namespace: &Rc<str>, selected: &Selected) -> Option<i32> {
    let owner = |owner: &OwnerReference, kind: Kind| {
        let key = ObjectRef { kind, namespace: Rc::clone(namespace), name: Rc::clone(&owner.name) };
        store.get(&key).ok().filter(|stored| stored.metadata().uid == owner.uid)
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

fn selects(budget: &DisruptionBudget, pod: &Pod) -> bool {
    selected::selects((&budget.metadata.namespace, budget.spec.selector.as_ref()), pod)
}
