//! The rolling update: old pods in range are deleted, to come back at the update revision.
//! Models the end of updateStatefulSet, and updateStatefulSetAfterInvariantEstablished, of stateful_set_control.go.

use super::control::Plan;
use super::{Rule, Sync};
use crate::objects::Reason;
use crate::reconcile::ordinals::to_i32;
use crate::reconcile::{Decision, Facts, SyncError};

impl Sync<'_> {
    /// Descending to the partition: the first pod at another revision is deleted, the first unhealthy one waited for.
    pub(super) fn delete_next_outdated(&mut self, plan: &mut Plan<'_>) -> Result<(), SyncError> {
        let update_min = self.update_min();
        for target in self.rolling_order(update_min, plan.replicas.len()) {
            if is_outdated(plan, target) {
                return self.delete_outdated(plan, target, Rule::UpdateDeleted);
            }
            if !self.is_healthy_at(plan, target) {
                self.steps.decide(Decision::at(Rule::UpdateNotHealthy, plan.ordinal(target)));
                return Ok(());
            }
        }
        self.decide_done(plan, update_min);
        Ok(())
    }

    /// Descending to the partition: as many pods at another revision are deleted as may still become unavailable. From
    /// 1.37 on, Parallel first deletes those that are not available, which cost nothing.
    /// Models updateStatefulSetAfterInvariantEstablished.
    pub(super) fn update_stateful_set_after_invariant_established(
        &mut self,
        plan: &mut Plan<'_>,
    ) -> Result<(), SyncError> {
        let update_min = self.update_min();
        let allowed = if self.steps.gates.small_share_allows_none {
            self.set.max_unavailable_as_asked()
        } else {
            self.set.max_unavailable()
        };
        let max_unavailable = usize::try_from(allowed).unwrap_or(1);
        let unavailable = (0..plan.replicas.len()).filter(|target| !self.is_healthy_at(plan, *target)).count();
        let targets = self.rolling_order(update_min, plan.replicas.len());
        let outdated: Vec<usize> = targets.filter(|target| is_outdated(plan, *target)).collect();
        let is_done = outdated.is_empty();
        let broken_first = self.steps.gates.parallel_deletes_broken_pods_first && !plan.monotonic;
        let (broken, others): (Vec<usize>, Vec<usize>) =
            outdated.into_iter().partition(|target| broken_first && !self.is_healthy_at(plan, *target));
        for target in broken {
            self.delete_outdated(plan, target, Rule::UpdateBrokenDeleted)?;
        }
        if unavailable >= max_unavailable {
            let facts = Facts::Unavailable { unavailable: to_i32(unavailable), allowed: to_i32(max_unavailable) };
            self.steps.decide(Decision::new(Rule::UpdateMaxUnavailable).with(facts));
            return Ok(());
        }
        for target in others.iter().take(max_unavailable - unavailable) {
            self.delete_outdated(plan, *target, Rule::UpdateDeleted)?;
        }
        if is_done {
            self.decide_done(plan, update_min);
        }
        Ok(())
    }

    /// The partition.
    fn update_min(&self) -> usize {
        let rolling = self.set.spec.update_strategy.rolling_update.as_ref();
        usize::try_from(rolling.and_then(|rolling| rolling.partition).unwrap_or(0)).unwrap_or(0)
    }

    /// Places from the last one down to the lowest.
    #[cfg_attr(
        not(feature = "seeded-faults"),
        expect(clippy::unused_self, reason = "only a seeded fault turns it round")
    )]
    fn rolling_order(&self, lowest: usize, end: usize) -> impl Iterator<Item = usize> + use<> {
        #[cfg(feature = "seeded-faults")]
        let is_upwards = self.steps.gates.has(crate::releases::Mutation::RollsUpwards);
        #[cfg(not(feature = "seeded-faults"))]
        let is_upwards = false;
        (lowest..end).map(move |index| if is_upwards { index } else { end - 1 - (index - lowest) })
    }

    /// A pod that is still missing is not.
    fn is_healthy_at(&self, plan: &Plan<'_>, target: usize) -> bool {
        plan.replicas[target].as_ref().is_some_and(|replica| self.is_healthy(replica))
    }

    /// Older releases count the pod out even if it is not deleted; newer ones, and all under maxUnavailable, take a pod that is
    /// gone for deleted.
    fn delete_outdated(&mut self, plan: &mut Plan<'_>, target: usize, done: Rule) -> Result<(), SyncError> {
        let Some(replica) = plan.replicas[target].clone() else { return Ok(()) };
        let apart = self.steps.gates.processes_pods_apart || self.steps.gates.max_unavailable;
        let deleted = match self.steps.delete_pod(&replica.pod) {
            Err(refusal) if apart && refusal.reason == Reason::NotFound => Ok(()),
            other => other.map_err(SyncError::from),
        };
        self.decide_outcome(&deleted, done, Rule::UpdateDeleteRefused, plan.ordinal(target));
        if deleted.is_ok() || !apart {
            plan.status.current_replicas -= 1;
        }
        deleted
    }

    pub(super) fn decide_done(&mut self, plan: &Plan<'_>, update_min: usize) {
        let from = if update_min == 0 { 0 } else { plan.ordinal(update_min) };
        self.steps.decide(Decision::new(Rule::UpdateDone).with(Facts::Count(from)));
    }
}

/// Whether the pod at a place is to be deleted, to come back at the update revision.
fn is_outdated(plan: &Plan<'_>, target: usize) -> bool {
    let update = &*plan.revisions.update.metadata.name;
    plan.replicas[target].as_ref().is_some_and(|replica| !replica.is_terminating && *replica.revision != *update)
}
