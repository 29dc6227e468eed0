//! The rolling update: old pods in range are deleted, to come back at the update revision.
//! Models updateStatefulSet and updateStatefulSetAfterInvariantEstablished of stateful_set_control.go.

use super::Rule;
use super::Sync;
use super::control::{Plan, Replica};
use crate::objects::{Reason, UpdateStrategyType};
use crate::reconcile::ordinals::to_i32;
use crate::reconcile::pods::{is_terminating, revision_of};
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
        for index in self.in_rolling_order(lowest, plan.replicas.len()) {
            if self.is_outdated(plan, index) {
                return self.delete_outdated(plan, index, Rule::UpdateDeleted);
            }
            if !plan.replicas[index].is_healthy() {
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
        let unavailable = plan.replicas.iter().filter(|replica| !replica.is_healthy()).count();
        let outdated: Vec<usize> =
            self.in_rolling_order(lowest, plan.replicas.len()).filter(|index| self.is_outdated(plan, *index)).collect();
        let (mut healthy, mut broken) = (outdated.clone(), Vec::new());
        if self.steps.gates.parallel_deletes_broken_pods_first && !plan.monotonic {
            (healthy, broken) = outdated.iter().partition(|index| plan.replicas[**index].is_healthy());
        }
        for index in broken {
            self.delete_outdated(plan, index, Rule::UpdateBrokenDeleted)?;
        }
        let left = allowed.saturating_sub(unavailable);
        for index in healthy.iter().take(left) {
            self.delete_outdated(plan, *index, Rule::UpdateDeleted)?;
        }
        if outdated.is_empty() {
            self.decide_done(plan, lowest);
        } else if left == 0 && !healthy.is_empty() {
            let facts = Facts::Unavailable { unavailable: to_i32(unavailable), allowed: to_i32(allowed) };
            self.steps.decide(Decision::new(Rule::UpdateMaxUnavailable).with(facts));
        }
        Ok(())
    }

    /// Descending.
    fn in_rolling_order(&self, lowest: usize, end: usize) -> impl Iterator<Item = usize> + use<> {
        #[cfg(feature = "seeded-faults")]
        let is_upwards = self.steps.gates.has(crate::releases::Mutation::RollsUpwards);
        #[cfg(not(feature = "seeded-faults"))]
        let is_upwards = false;
        (lowest..end).map(move |index| if is_upwards { index } else { end - 1 - (index - lowest) })
    }

    fn is_outdated(&self, plan: &Plan<'_>, index: usize) -> bool {
        match &plan.replicas[index] {
            Replica::Existing(member) => !member.is_terminating && !member.is_updated,
            Replica::New(pod) => !is_terminating(pod) && *revision_of(pod) != *plan.revisions.update.metadata.name,
            Replica::Missing => false,
        }
    }

    /// Older releases count the pod out even if it is not deleted; newer ones take a pod that is gone for deleted.
    fn delete_outdated(&mut self, plan: &mut Plan<'_>, index: usize, done: Rule) -> Result<(), SyncError> {
        let Some(pod) = plan.replicas[index].pod() else { return Ok(()) };
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
