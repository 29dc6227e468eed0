//! What each drained node's turn costs: which evictions are refused and until when, and the least that is Ready of every workload,
//! and healthy under every budget, from when the drain of the node begins until that of the next one does.

use super::course::{LeastReady, Watcher};
use super::draining::refused_words;
use super::held::of_pod;
use crate::objects::{DisruptionBudget, Object, ObjectRef, Pod, Time};
use crate::sim::{Cluster, TraceEvent};
use crate::text::Text;
use std::rc::Rc;

/// A node's turn.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Turn {
    /// The node that is drained.
    pub node: Rc<str>,
    /// When its drain begins, in milliseconds from the run's moment.
    pub at: i64,
    /// Each workload when it had the fewest Ready pods.
    pub workloads: Vec<LeastReady>,
    /// Each budget when it had the fewest healthy pods.
    pub budgets: Vec<LeastHealthy>,
    /// Evictions that were refused, in the order of the first refusal of each.
    pub refused: Vec<RefusedEviction>,
    /// When it began by the cluster's clock.
    began: Time,
    /// What of that has happened was looked through for refusals.
    seen: usize,
}

/// A pod that was asked to go and could not at once.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RefusedEviction {
    /// The pod.
    pub pod: ObjectRef,
    /// What refused it first, in the server's words and with the budget's numbers.
    pub why: Text,
    /// When it went, in milliseconds from the run's moment; none if it did not in the node's turn.
    pub until: Option<i64>,
}

/// A PodDisruptionBudget when it had the fewest healthy pods.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LeastHealthy {
    /// The budget's namespace.
    pub namespace: Rc<str>,
    /// Its name.
    pub budget: Rc<str>,
    /// Its healthy pods.
    pub healthy: i32,
    /// How many it needs.
    pub needed: i32,
    /// Whether it is over a pod of the node, or had fewer healthy pods in the node's turn than before.
    pub is_touched: bool,
}

impl LeastHealthy {
    /// Whether the node's turn is about it, and it had none to spare of those that it needs.
    pub(crate) fn is_low(&self) -> bool {
        self.is_touched && self.needed > 0 && self.healthy <= self.needed
    }
}

impl Turn {
    pub(super) fn new(node: &Rc<str>, at: i64, cluster: &Cluster, watchers: &[Watcher]) -> Self {
        let workloads = watchers.iter().map(Watcher::ready_now).collect();
        let (budgets, refused, began) = (Vec::new(), Vec::new(), cluster.now());
        let seen = cluster.trace().events.len();
        let mut turn = Self { node: Rc::clone(node), at, workloads, budgets, refused, began, seen };
        turn.look_at_budgets(cluster, cluster.all_disruption_budgets());
        let own = cluster.pods().filter(|pod| pod.spec.node_name == *node).flat_map(|pod| cluster.budgets_over(pod));
        for over in own {
            let is_it = |least: &&mut LeastHealthy| {
                (&least.namespace, &least.budget) == (&over.metadata.namespace, &over.metadata.name)
            };
            turn.budgets.iter_mut().filter(is_it).for_each(|least| least.is_touched = true);
        }
        turn
    }

    /// Notes evictions that were refused, and those that are not any more because one of these pods goes.
    pub(super) fn look_at_evictions(&mut self, cluster: &Cluster, changed: &[Rc<Pod>]) {
        let after = self.at + cluster.now().0 - self.began.0;
        for pod in changed.iter().map(|pod| of_pod(pod).0) {
            let stays = matches!(cluster.get(&pod), Ok(Object::Pod(pod)) if !pod.is_terminating() && pod.spec.node_name == self.node);
            let is_open = |refused: &&mut RefusedEviction| refused.pod == pod && refused.until.is_none();
            if let Some(open) = self.refused.iter_mut().find(is_open).filter(|_| !stays) {
                open.until = Some(after);
            }
        }
        let events = &cluster.trace().events;
        for (_, event) in events.since(self.seen) {
            if let TraceEvent::EvictionRefused { pod, why } = event
                && self.refused.iter().all(|known| known.pod != *pod)
            {
                self.refused.push(RefusedEviction {
                    why: refused_words(cluster, pod, *why),
                    pod: pod.clone(),
                    until: None,
                });
            }
        }
        self.seen = events.len();
    }

    /// Takes over what is less than before of the workload at this place.
    pub(super) fn look(&mut self, at: usize, watcher: &Watcher) {
        let now = watcher.ready_now();
        match self.workloads.get_mut(at) {
            Some(least) if least.ready <= now.ready => {}
            Some(least) => *least = now,
            None => self.workloads.push(now),
        }
    }

    /// The same of budgets.
    pub(super) fn look_at_budgets(&mut self, cluster: &Cluster, budgets: impl Iterator<Item = Rc<DisruptionBudget>>) {
        for budget in budgets {
            let status = cluster.disruption_status(&budget);
            let now = LeastHealthy {
                namespace: Rc::clone(&budget.metadata.namespace),
                budget: Rc::clone(&budget.metadata.name),
                healthy: status.current_healthy,
                needed: status.desired_healthy,
                is_touched: true,
            };
            let is_same =
                |least: &&mut LeastHealthy| (&least.namespace, &least.budget) == (&now.namespace, &now.budget);
            match self.budgets.iter_mut().find(is_same) {
                Some(least) if least.healthy <= now.healthy => {}
                Some(least) => *least = now,
                None => self.budgets.push(LeastHealthy { is_touched: false, ..now }),
            }
        }
    }
}
