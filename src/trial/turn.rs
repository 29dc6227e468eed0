//! What each drained node's turn costs: the least that is Ready of every workload, and healthy under every budget, from when the
//! drain of the node begins until that of the next one does.

use super::course::{LeastReady, Watcher};
use crate::objects::DisruptionBudget;
use crate::sim::Cluster;
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
}

impl LeastHealthy {
    /// Whether it had none to spare.
    pub fn is_low(&self) -> bool {
        self.healthy <= self.needed
    }
}

impl Turn {
    pub(super) fn new(node: &Rc<str>, at: i64, cluster: &Cluster, watchers: &[Watcher]) -> Self {
        let workloads = watchers.iter().map(Watcher::ready_now).collect();
        let mut turn = Self { node: Rc::clone(node), at, workloads, budgets: Vec::new() };
        turn.look_at_budgets(cluster, cluster.all_disruption_budgets());
        turn
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
            };
            let is_same =
                |least: &&mut LeastHealthy| (&least.namespace, &least.budget) == (&now.namespace, &now.budget);
            match self.budgets.iter_mut().find(is_same) {
                Some(least) if least.healthy <= now.healthy => {}
                Some(least) => *least = now,
                None => self.budgets.push(now),
            }
        }
    }
}
