//! Bringing the pods to the template as it is. Models pkg/controller/deployment/rolling.go and recreate.go.

use super::Rule;
use super::{Sets, Sync, numbers};
use crate::objects::ReplicaSet;
use crate::reconcile::{Facts, SyncError};
use std::rc::Rc;
use std::time::Duration;

impl Sync<'_> {
    /// Up with the new set as far as maxSurge goes, else down with the old ones as far as maxUnavailable goes.
    pub(super) fn rollout_rolling(&mut self, sets: &[Rc<ReplicaSet>]) -> Result<Option<Duration>, SyncError> {
        let sets = self.get_all_replica_sets_and_sync_revision(sets, true)?;
        if !self.reconcile_new_replica_set(&sets)? && !self.reconcile_old_replica_sets(&sets) {
            let old = numbers::wanted(&sets.old);
            let rule = if old > 0 || !self.deployment_complete(&self.set.status) {
                Rule::RolloutWaits
            } else {
                Rule::RolloutComplete
            };
            self.work.decide(rule, Facts::Count(old));
            if self.deployment_complete(&self.set.status) {
                self.cleanup_deployment(&sets.old)?;
            }
        }
        self.sync_rollout_status(&sets)
    }

    fn reconcile_new_replica_set(&mut self, sets: &Sets) -> Result<bool, SyncError> {
        let Some(new) = &sets.new else { return Ok(false) };
        let wanted = self.set.replicas();
        if new.replicas() == wanted {
            return Ok(false);
        }
        let size = match new.replicas() > wanted {
            true => wanted,
            false => numbers::new_size(&self.set, numbers::wanted(sets.all()), new.replicas()),
        };
        Ok(self.scale_replica_set_and_record_event(sets, new, size, Rule::NewScaled)?.is_some())
    }

    /// Old pods that are not available go first: they cost no availability. Whether any went; a refusal ends only this step.
    /// Models reconcileOldReplicaSets.
    fn reconcile_old_replica_sets(&mut self, sets: &Sets) -> bool {
        let old = sets.active_old();
        if numbers::wanted(&old) == 0 {
            return false;
        }
        let new_unavailable =
            sets.new.as_ref().map_or(0, |new| new.replicas().wrapping_sub(new.status.available_replicas));
        let least = numbers::at_least(&self.set);
        let most = numbers::wanted(sets.all()).wrapping_sub(least).wrapping_sub(new_unavailable);
        if most <= 0 {
            return false;
        }
        let Some((old, cleaned)) = self.cleanup_unhealthy_replicas(sets, old, most) else { return false };
        let spare = numbers::available(old.iter().chain(&sets.new)).wrapping_sub(least);
        self.scale_down_old_replica_sets_for_rolling_update(sets, &old, spare)
            .is_some_and(|gone| cleaned.wrapping_add(gone) > 0)
    }

    /// The old sets as they are then, and how many pods they gave up; none after a refusal. Models cleanupUnhealthyReplicas.
    fn cleanup_unhealthy_replicas(
        &mut self,
        sets: &Sets,
        mut old: Vec<Rc<ReplicaSet>>,
        most: i32,
    ) -> Option<(Vec<Rc<ReplicaSet>>, i32)> {
        let mut cleaned = 0;
        for set in &mut old {
            if cleaned >= most {
                break;
            }
            let size = set.replicas();
            let part = most.wrapping_sub(cleaned).min(size.wrapping_sub(set.status.available_replicas));
            if part == 0 {
                continue;
            }
            // Where the status is older than the size, upstream calls it an invalid request and leaves it to a later sync.
            let smaller = size.wrapping_sub(part);
            if smaller > size {
                return None;
            }
            if let Some(stored) =
                self.scale_replica_set_and_record_event(sets, set, smaller, Rule::OldUnhealthyScaledDown).ok()?
            {
                *set = stored;
            }
            cleaned = cleaned.wrapping_add(part);
        }
        Some((old, cleaned))
    }

    /// How many pods the old sets gave up; none after a refusal. What each has left of its available pods is not known yet:
    /// upstream takes the status as it is. Models scaleDownOldReplicaSetsForRollingUpdate.
    fn scale_down_old_replica_sets_for_rolling_update(
        &mut self,
        sets: &Sets,
        old: &[Rc<ReplicaSet>],
        spare: i32,
    ) -> Option<i32> {
        let mut gone = 0;
        for set in old.iter().filter(|set| set.replicas() != 0) {
            if gone >= spare {
                break;
            }
            let part = set.replicas().min(spare.wrapping_sub(gone));
            self.scale_replica_set_and_record_event(sets, set, set.replicas().wrapping_sub(part), Rule::OldScaledDown)
                .ok()?;
            gone = gone.wrapping_add(part);
        }
        Some(gone)
    }

    /// Every old pod goes before a new one comes.
    pub(super) fn rollout_recreate(&mut self, replica_sets: &[Rc<ReplicaSet>]) -> Result<Option<Duration>, SyncError> {
        let mut sets = self.get_all_replica_sets_and_sync_revision(replica_sets, false)?;
        let mut went = false;
        for old in sets.active_old() {
            went |= self.scale_replica_set_and_record_event(&sets, &old, 0, Rule::OldScaledDown)?.is_some();
        }
        if went {
            return self.sync_rollout_status(&sets);
        }
        if self.old_pods_running(&sets) {
            self.work.decide(Rule::RecreateWaits, Facts::None);
            return self.sync_rollout_status(&sets);
        }
        if sets.new.is_none() {
            sets = self.get_all_replica_sets_and_sync_revision(replica_sets, true)?;
        }
        if let Some(new) = &sets.new {
            self.scale_replica_set_and_record_event(&sets, new, self.set.replicas(), Rule::NewScaled)?;
        }
        if self.deployment_complete(&self.set.status) {
            self.work.decide(Rule::RolloutComplete, Facts::Count(0));
            self.cleanup_deployment(&sets.old)?;
        }
        self.sync_rollout_status(&sets)
    }

    /// Whether a pod of an old set is still there, terminating ones included. Models oldPodsRunning, recreate.go, and
    /// getPodMapForDeployment, deployment_controller.go.
    fn old_pods_running(&self, sets: &Sets) -> bool {
        if numbers::actual(&sets.old) > 0 {
            return true;
        }
        let olds: Vec<&Rc<str>> = sets.old.iter().map(|set| &set.metadata.uid).collect();
        let any_label = self.gates.workloads.finds_old_pods_by_owner;
        self.observed.namespace_pods.iter().any(|pod| {
            let is_old = pod.metadata.controller_of().is_some_and(|owner| olds.contains(&&owner.uid));
            is_old && !pod.has_ended() && (any_label || self.set.spec.selector.matches(&pod.metadata.labels))
        })
    }
}
