//! PodDisruptionBudgets and `kubectl drain`, as people ask for them and read them.

use super::Cluster;
use crate::objects::{DisruptionBudget, DisruptionBudgetStatus, ObjectRef, Pod, Time};
use crate::sim::disruption::{Budget, synced_status};
use crate::sim::event_queue::{Drain, ScheduledEvent};
use crate::sim::eviction::refusal;
use crate::sim::eviction_refusal::EvictionRefusal;
use crate::sim::refs::pod_ref;
use crate::sim::trace::TraceEvent;
use std::collections::BTreeSet;
use std::rc::Rc;

impl Cluster {
    /// Keeps a budget, in the place of one of its name.
    pub(crate) fn apply_disruption_budget(&mut self, budget: DisruptionBudget) {
        self.budgets.apply(&mut self.world, budget);
    }

    /// Deletes the budget of this name, or the one that the workload of this name was given; false if there is none.
    pub(crate) fn delete_disruption_budget(&mut self, namespace: &str, name: &str) -> bool {
        self.budgets.delete(&mut self.world.store, namespace, name)
    }

    /// The set's budget; none takes it away.
    pub(crate) fn set_budget(&mut self, set: &ObjectRef, budget: Option<Budget>) {
        self.budgets.give(&mut self.world.store, set, budget);
    }

    /// The set's budget.
    pub(crate) fn budget_of(&self, set: &ObjectRef) -> Option<Budget> {
        self.budgets.given_to(set)
    }

    /// The budget of this name.
    pub(crate) fn disruption_budget(&self, namespace: &str, name: &str) -> Option<Rc<DisruptionBudget>> {
        let is_it = |it: &Rc<DisruptionBudget>| (&*it.metadata.namespace, &*it.metadata.name) == (namespace, name);
        self.all_disruption_budgets().find(is_it)
    }

    /// The budgets that were applied, the oldest first.
    pub fn disruption_budgets(&self) -> impl Iterator<Item = &Rc<DisruptionBudget>> {
        self.budgets.applied()
    }

    /// Every budget: those that were applied, and under its workload's name each that a workload was given.
    pub(crate) fn all_disruption_budgets(&self) -> impl Iterator<Item = Rc<DisruptionBudget>> {
        self.budgets.all(&self.world.store)
    }

    /// Whether the budgets ask for the same in another cluster.
    pub(crate) fn has_same_budgets(&self, other: &Self) -> bool {
        let specs = |cluster: &Self| {
            let all = cluster.all_disruption_budgets();
            all.map(|budget| (budget.metadata.name.clone(), budget.spec.clone())).collect::<Vec<_>>()
        };
        specs(self) == specs(other)
    }

    /// The budgets over a pod.
    pub(crate) fn budgets_over(&self, pod: &Pod) -> Vec<Rc<DisruptionBudget>> {
        self.budgets.over(&self.world.store, pod)
    }

    /// What a budget allows now: nothing if it cannot be told. Models failSafe, for a budget that never was in sync.
    pub fn disruption_status(&self, budget: &DisruptionBudget) -> DisruptionBudgetStatus {
        synced_status(&self.world.store, budget).unwrap_or_default()
    }

    /// Starts `kubectl drain`; it goes on until each of these pods is evicted, with so many seconds of grace or with its own, or the node
    /// is uncordoned.
    pub(crate) fn drain(&mut self, name: &Rc<str>, pods: &[Rc<Pod>], grace: Option<i64>, timeout: Option<i64>) {
        let until = timeout.map(|milliseconds| Time(self.world.now.0 + milliseconds));
        self.cordon(name, true);
        self.budgets.count(&mut self.world.store);
        for pod in pods {
            let (node, uid) = (Rc::clone(name), Rc::clone(&pod.metadata.uid));
            let asked = Drain { node, pod: pod_ref(pod), uid, grace, until };
            self.world.event_queue.put(self.world.now, ScheduledEvent::Drain(asked));
        }
    }

    /// Whether `kubectl drain` still asks for pods of the node.
    pub(crate) fn is_draining(&self, name: &str) -> bool {
        self.asked_of(name).next().is_some()
    }

    /// The pods of a node for which `kubectl drain` asks, the last one first.
    fn asked_of(&self, name: &str) -> impl Iterator<Item = &ObjectRef> {
        self.world.event_queue.iter().rev().filter_map(move |(_, due)| match due {
            ScheduledEvent::Drain(asked) if *asked.node == *name => Some(&asked.pod),
            _ => None,
        })
    }

    /// Pods of the node that are asked to go and may not.
    pub fn refused_evictions(&self, name: &str) -> Vec<(ObjectRef, EvictionRefusal)> {
        let asked = self.asked_of(name).filter_map(|key| self.world.store.pod(key));
        let refused = asked.filter(|pod| !pod.is_terminating());
        refused.filter_map(|pod| Some((pod_ref(pod), refusal(&self.world, &self.budgets, pod)?))).collect()
    }

    /// What the eviction API would say of a pod now; none if it would let it go.
    pub(crate) fn eviction_refusal(&self, key: &ObjectRef) -> Option<EvictionRefusal> {
        refusal(&self.world, &self.budgets, self.world.store.pod(key)?)
    }

    /// Those of the pods that a drain would ask to go now that may not. Each eviction changes what the next one's budget
    /// allows, so the drain is tried out where there is any budget.
    pub(crate) fn evictions_refused_at_once(
        &self,
        name: &Rc<str>,
        pods: &[Rc<Pod>],
    ) -> Vec<(ObjectRef, EvictionRefusal)> {
        if !self.budgets.are_over_any(&self.world.store, pods) {
            return Vec::new();
        }
        let mut tried = self.clone();
        tried.drain(name, pods, None, None);
        while tried.next_event_at().is_some_and(|at| at <= self.now()) && tried.step() {}
        let happened = tried.trace().events.since(self.trace().events.len());
        let mut known: BTreeSet<&ObjectRef> = BTreeSet::new();
        let refusals = happened.filter_map(|(_, event)| match event {
            TraceEvent::EvictionRefused { pod, why } => Some((pod, *why)),
            _ => None,
        });
        refusals.filter(|(pod, _)| known.insert(pod)).map(|(pod, why)| (pod.clone(), why)).collect()
    }
}
