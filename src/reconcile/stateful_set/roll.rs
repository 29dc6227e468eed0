//! The rolling update: old pods in range are deleted, to come back at the update revision.
//! Models updateStatefulSet and updateStatefulSetAfterInvariantEstablished of stateful_set_control.go.

use super::control::Plan;
use super::replicas::{Order, Replica};
use super::{Rule, Sync};
use crate::objects::{Reason, UpdateStrategyType};
use crate::reconcile::ordinals::to_i32;
use crate::reconcile::pods::revision_of;
use crate::reconcile::roster::Look;
use crate::reconcile::{Decision, Facts, SyncError};

impl Sync<'_> {
    /// Descending to the partition: the first pod at another revision is deleted, the first unhealthy one waited for.
    pub(super) fn roll(&mut self, plan: &mut Plan<'_>) -> Result<(), SyncError> {
        let strategy = &self.set.spec.update_strategy;
        if strategy.strategy_type == UpdateStrategyType::OnDelete {
            self.steps.decide(Decision::new(Rule::UpdateOnDelete));
            return Ok(());
        }
        let partition = strategy.rolling_update.as_ref().and_then(|rolling| rolling.partition).unwrap_or(0);
        let lowest = usize::try_from(partition).unwrap_or(0);
        if self.steps.gates.max_unavailable {
            return self.roll_several(plan, lowest);
        }
        let update = &*plan.revisions.update.metadata.name;
        let may_stop = |look: &Look| is_outdated(look, update) || !self.are_healthy(look);
        for index in plan.replicas.places(self.rolling_order(), lowest, may_stop) {
            if self.is_outdated(plan, index) {
                return self.delete_outdated(plan, index, Rule::UpdateDeleted);
            }
            if !self.is_healthy_replica(&plan.replicas.get(index)) {
                self.steps.decide(Decision::at(Rule::UpdateNotHealthy, plan.ordinal(index)));
                return Ok(());
            }
        }
        self.decide_done(plan, lowest);
        Ok(())
    }

    /// Descending to the partition: as many pods at another revision are deleted as may still become unavailable. From
    /// 1.37 on, Parallel first deletes those that are not available, which cost nothing.
    fn roll_several(&mut self, plan: &mut Plan<'_>, lowest: usize) -> Result<(), SyncError> {
        let allowed = usize::try_from(self.set.max_unavailable()).unwrap_or(1);
        let unavailable = self.count_unhealthy(&plan.replicas);
        let left = allowed.saturating_sub(unavailable);
        let update = &*plan.revisions.update.metadata.name;
        let is_outdated_at = |index: &usize| self.is_outdated(plan, *index);
        let is_healthy = |index: &usize| self.is_healthy_replica(&plan.replicas.get(*index));
        let order = self.rolling_order();
        let broken_first = self.steps.gates.parallel_deletes_broken_pods_first && !plan.monotonic;
        let broken: Vec<usize> = if broken_first {
            let may_be = |look: &Look| is_outdated(look, update) && !self.are_healthy(look);
            let outdated = plan.replicas.places(order, lowest, may_be).filter(is_outdated_at);
            outdated.filter(|index| !is_healthy(index)).collect()
        } else {
            Vec::new()
        };
        let outdated = plan.replicas.places(order, lowest, |look| is_outdated(look, update)).filter(is_outdated_at);
        let healthy: Vec<usize> =
            outdated.filter(|index| !broken_first || is_healthy(index)).take(left.max(1)).collect();
        let is_done = broken.is_empty() && healthy.is_empty();
        for index in broken {
            self.delete_outdated(plan, index, Rule::UpdateBrokenDeleted)?;
        }
        for index in healthy.iter().take(left) {
            self.delete_outdated(plan, *index, Rule::UpdateDeleted)?;
        }
        if is_done {
            self.decide_done(plan, lowest);
        } else if left == 0 && !healthy.is_empty() {
            let facts = Facts::Unavailable { unavailable: to_i32(unavailable), allowed: to_i32(allowed) };
            self.steps.decide(Decision::new(Rule::UpdateMaxUnavailable).with(facts));
        }
        Ok(())
    }

    /// From the highest ordinal down.
    #[cfg_attr(
        not(feature = "seeded-faults"),
        expect(clippy::unused_self, reason = "only a seeded fault turns it round")
    )]
    fn rolling_order(&self) -> Order {
        #[cfg(feature = "seeded-faults")]
        if self.steps.gates.has(crate::releases::Mutation::RollsUpwards) {
            return Order::Ascending;
        }
        Order::Descending
    }

    fn is_outdated(&self, plan: &Plan<'_>, index: usize) -> bool {
        let update = &*plan.revisions.update.metadata.name;
        match plan.replicas.get(index) {
            Replica::Existing(member) => is_outdated(member.look, update),
            Replica::New(pod) => !pod.is_terminating() && *revision_of(&pod) != *update,
            Replica::Missing => false,
        }
    }

    /// Older releases count the pod out even if it is not deleted; newer ones take a pod that is gone for deleted.
    fn delete_outdated(&mut self, plan: &mut Plan<'_>, index: usize, done: Rule) -> Result<(), SyncError> {
        let replica = plan.replicas.get(index);
        let Some(pod) = replica.pod() else { return Ok(()) };
        let apart = self.steps.gates.processes_pods_apart;
        let deleted = match self.steps.delete_pod(pod) {
            Err(refusal) if apart && refusal.reason == Reason::NotFound => Ok(()),
            other => other.map_err(SyncError::from),
        };
        self.decide_outcome(&deleted, done, Rule::UpdateDeleteRefused, plan.ordinal(index));
        if deleted.is_ok() || !apart {
            plan.status.current_replicas -= 1;
        }
        deleted
    }

    fn decide_done(&mut self, plan: &Plan<'_>, lowest: usize) {
        let from = if lowest == 0 { 0 } else { plan.ordinal(lowest) };
        self.steps.decide(Decision::new(Rule::UpdateDone).with(Facts::Count(from)));
    }
}

/// Whether pods that look like this are to be deleted to come back at the update revision.
fn is_outdated(look: &Look, update: &str) -> bool {
    !look.is_terminating && *look.revision != *update
}
