//! `kubectl drain`: cordon, then ask the eviction API for each pod, which a PodDisruptionBudget may refuse.
//! Models pkg/registry/core/pod/storage/eviction.go and pkg/controller/disruption.

use super::cluster::Cluster;
use super::disruption::ALWAYS_ALLOW;
use super::event_queue::ScheduledEvent;
use super::eviction_refusal::EvictionRefusal;
use super::refs::pod_ref;
use super::trace::TraceEvent;
use crate::objects::{DisruptionBudgetStatus, ObjectRef, Pod, PodPhase, Time};
use std::collections::BTreeSet;
use std::rc::Rc;

/// kubectl asks again this long after a refusal.
pub(crate) const DRAIN_RETRY_MS: i64 = 5_000;

/// A PodDisruptionBudget over the pods that a set selects.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Budget {
    /// `minAvailable`.
    pub min_available: i32,
    /// `unhealthyPodEvictionPolicy: AlwaysAllow`; without it, `IfHealthyBudget`. Releases that do not know it drop it.
    pub always_allow: bool,
}

impl Cluster {
    /// Starts `kubectl drain`; it goes on until each of these pods is evicted, with so many seconds of grace or with its own, or the node
    /// is uncordoned.
    pub fn drain(&mut self, name: &Rc<str>, pods: &[Rc<Pod>], grace: Option<i64>, timeout: Option<i64>) {
        let until = timeout.map(|milliseconds| Time(self.now.0 + milliseconds));
        self.cordon(name, true);
        self.count_under_budgets();
        for pod in pods {
            let (node, uid) = (Rc::clone(name), Rc::clone(&pod.metadata.uid));
            self.event_queue.put(self.now, ScheduledEvent::Drain { node, pod: pod_ref(pod), uid, grace, until });
        }
    }

    /// The set's budget; none takes it away.
    pub fn set_budget(&mut self, set: &ObjectRef, budget: Option<Budget>) {
        self.budgets.retain(|(subject, _)| subject != set);
        self.budgets.extend(budget.map(|budget| (set.clone(), budget)));
        self.count_again_under_budgets();
    }

    /// The set's budget.
    pub fn budget_of(&self, set: &ObjectRef) -> Option<Budget> {
        self.budgets.iter().find(|(subject, _)| subject == set).map(|(_, budget)| *budget)
    }

    /// Whether `kubectl drain` still asks for pods of the node.
    pub fn is_draining(&self, name: &str) -> bool {
        self.event_queue.iter().any(|(_, due)| matches!(due, ScheduledEvent::Drain { node, .. } if **node == *name))
    }

    /// Pods of the node that are asked to go and may not.
    pub fn refused_evictions(&self, name: &str) -> Vec<(ObjectRef, EvictionRefusal)> {
        let asked = self.event_queue.iter().rev().filter_map(|(_, due)| match due {
            ScheduledEvent::Drain { node, pod, .. } if **node == *name => self.store.pod(pod),
            _ => None,
        });
        let refused = asked.filter(|pod| !pod.is_terminating());
        refused.filter_map(|pod| Some((pod_ref(pod), self.budget_against(pod)?))).collect()
    }

    /// What the eviction API would say of a pod now; none if it would let it go.
    pub fn eviction_refusal(&self, key: &ObjectRef) -> Option<EvictionRefusal> {
        self.budget_against(self.store.pod(key)?)
    }

    /// Those of the pods that a drain would ask to go now that may not. Each eviction changes what the next one's budget
    /// allows, so the drain is tried out where there is any budget.
    pub fn evictions_refused_at_once(&self, name: &Rc<str>, pods: &[Rc<Pod>]) -> Vec<(ObjectRef, EvictionRefusal)> {
        if !self.is_any_under_a_budget(pods) {
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

    pub(super) fn drain_pod(
        &mut self,
        node: &Rc<str>,
        key: &ObjectRef,
        uid: &Rc<str>,
        grace: Option<i64>,
        until: Option<Time>,
    ) {
        let Some(pod) = self.store.pod(key).filter(|pod| pod.metadata.uid == *uid).cloned() else { return };
        let draining = self.node(node).is_some_and(|node| node.spec.unschedulable);
        // One that goes already may be given less grace, whatever its budgets say.
        if draining && pod.is_terminating() && grace.is_some() {
            let _ = self.store.delete(key, grace, self.now);
        } else if draining
            && !pod.is_terminating()
            && self.evict(&pod, grace).is_err_and(EvictionRefusal::is_asked_again)
        {
            let at = Time(self.now.0 + DRAIN_RETRY_MS);
            if until.is_none_or(|until| at < until) {
                let (node, pod, uid) = (Rc::clone(node), key.clone(), Rc::clone(uid));
                self.event_queue.put(at, ScheduledEvent::Drain { node, pod, uid, grace, until });
            }
        }
    }

    /// One request to the eviction API.
    fn evict(&mut self, pod: &Pod, grace: Option<i64>) -> Result<(), EvictionRefusal> {
        let key = pod_ref(pod);
        if let Some(why) = self.budget_against(pod) {
            self.happened(TraceEvent::EvictionRefused { pod: key, why });
            return Err(why);
        }
        self.mark_disrupted(&key, "EvictionByEvictionAPI", "Eviction API: evicting");
        self.happened(TraceEvent::Evicted { pod: key.clone() });
        // It was there a moment ago.
        let _ = self.store.delete(&key, grace, self.now);
        Ok(())
    }

    /// Why a pod's budget forbids its eviction, if it does. Models checkAndDecrement and what Create does before it.
    fn budget_against(&self, pod: &Pod) -> Option<EvictionRefusal> {
        // Pods that do not run are no loss.
        if pod.status.phase != PodPhase::Running {
            return None;
        }
        let budgets = self.budgets_over(pod);
        let budget = match budgets.as_slice() {
            [] => return None,
            [budget] => budget,
            _ => return Some(EvictionRefusal::SeveralBudgets),
        };
        let status = self.synced_status(budget);
        let DisruptionBudgetStatus { disruptions_allowed, current_healthy: healthy, desired_healthy: needed, .. } =
            status.unwrap_or_default();
        let always_allow = &*budget.spec.unhealthy_pod_eviction_policy == ALWAYS_ALLOW;
        let may_go_unready = (self.gates.unhealthy_eviction_policy && always_allow)
            || (self.gates.evicts_unready && healthy >= needed && needed > 0);
        if disruptions_allowed > 0 || !pod.is_ready() && may_go_unready {
            return None;
        }
        Some(status.map_or(EvictionRefusal::NotSynced, |_| EvictionRefusal::UsedUp { needed, healthy }))
    }
}
