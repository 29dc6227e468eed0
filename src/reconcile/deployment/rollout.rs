//! Bringing the pods to the template as it is. Models pkg/controller/deployment/rolling.go and recreate.go.

use super::Rule;
use super::{Sets, Sync, numbers};
use crate::objects::{PodPhase, ReplicaSet};
use crate::reconcile::pods::has_ended;
use crate::reconcile::{Facts, SyncError};
use std::rc::Rc;
use std::time::Duration;

impl Sync<'_> {
    /// Up with the new set as far as maxSurge goes, else down with the old ones as far as maxUnavailable goes.
    pub(super) fn roll(&mut self, sets: Vec<Rc<ReplicaSet>>) -> Result<Option<Duration>, SyncError> {
        let mut sets = self.versions(sets, true)?;
        if !self.scale_up_new(&mut sets)? && !self.scale_down_old(&mut sets)? {
            let old = numbers::wanted(&sets.old);
            let rule =
                if old > 0 || !self.is_complete(&self.set.status) { Rule::RolloutWaits } else { Rule::RolloutComplete };
            self.work.decide(rule, Facts::Count(old));
            if self.is_complete(&self.set.status) {
                self.clean_up(&sets.old)?;
            }
        }
        self.sync_rollout_status(&sets)
    }

    fn scale_up_new(&mut self, sets: &mut Sets) -> Result<bool, SyncError> {
        let Some(new) = sets.new.clone() else { return Ok(false) };
        let wanted = self.set.replicas();
        if new.replicas() == wanted {
            return Ok(false);
        }
        let size = match new.replicas() > wanted {
            true => wanted,
            false => numbers::new_size(&self.set, numbers::wanted(&sets.all()), new.replicas()),
        };
        self.resize(sets, &new, size, Rule::NewScaled)
    }

    /// Old pods that are not available go first: they are no loss. Models reconcileOldReplicaSets.
    fn scale_down_old(&mut self, sets: &mut Sets) -> Result<bool, SyncError> {
        if numbers::wanted(&sets.old) == 0 {
            return Ok(false);
        }
        let (_, max_unavailable) = self.set.limits();
        let least = self.set.replicas() - max_unavailable;
        let new_unavailable = sets.new.as_ref().map_or(0, |new| new.replicas() - new.status.available_replicas);
        let most = numbers::wanted(&sets.all()) - least - new_unavailable;
        if most <= 0 {
            return Ok(false);
        }
        // A set at 0 whose status is older than that counts for nothing.
        let active: Vec<Rc<str>> =
            sets.old.iter().filter(|old| old.replicas() > 0).map(|old| old.metadata.uid.clone()).collect();
        let mut cleaned = 0;
        for old in sets.old.clone() {
            let unhealthy = old.replicas() - old.status.available_replicas;
            if old.replicas() == 0 || cleaned >= most {
                continue;
            }
            if unhealthy < 0 {
                // Its status is older than its size: upstream calls that an invalid request and leaves it to a later sync.
                return Ok(false);
            }
            let part = unhealthy.min(most - cleaned);
            if part > 0 {
                self.resize(sets, &old, old.replicas() - part, Rule::OldUnhealthyScaledDown)?;
                cleaned += part;
            }
        }
        // What each set will have left of its available pods is not known yet: upstream takes the status as it is.
        let counted = sets.old.iter().filter(|old| active.contains(&old.metadata.uid)).chain(&sets.new);
        let mut spare = numbers::available(counted) - least;
        let mut went = false;
        for old in sets.old.clone() {
            let part = old.replicas().min(spare);
            if part > 0 {
                went |= self.resize(sets, &old, old.replicas() - part, Rule::OldScaledDown)?;
                spare -= part;
            }
        }
        Ok(cleaned > 0 || went)
    }

    /// Every old pod goes before a new one comes.
    pub(super) fn recreate(&mut self, replica_sets: Vec<Rc<ReplicaSet>>) -> Result<Option<Duration>, SyncError> {
        let mut sets = self.versions(replica_sets.clone(), false)?;
        let mut went = false;
        for old in sets.old.clone().iter().filter(|old| old.replicas() > 0) {
            went |= self.resize(&mut sets, old, 0, Rule::OldScaledDown)?;
        }
        if went {
            return self.sync_rollout_status(&sets);
        }
        if self.old_pods_run(&sets) {
            self.work.decide(Rule::RecreateWaits, Facts::None);
            return self.sync_rollout_status(&sets);
        }
        if sets.new.is_none() {
            sets = self.versions(replica_sets, true)?;
        }
        if let Some(new) = sets.new.clone() {
            self.resize(&mut sets, &new, self.set.replicas(), Rule::NewScaled)?;
        }
        if self.is_complete(&self.set.status) {
            self.work.decide(Rule::RolloutComplete, Facts::Count(0));
            self.clean_up(&sets.old)?;
        }
        self.sync_rollout_status(&sets)
    }

    /// Whether a pod of an old set is still there, terminating ones included. Models oldPodsRunning.
    fn old_pods_run(&self, sets: &Sets) -> bool {
        if sets.old.iter().any(|old| old.status.replicas > 0) {
            return true;
        }
        let olds: Vec<&Rc<str>> = sets.old.iter().map(|set| &set.metadata.uid).collect();
        self.observed.pods.iter().any(|pod| {
            let is_old = pod.metadata.controller_of().is_some_and(|owner| olds.contains(&&owner.uid));
            is_old && (!has_ended(pod) || pod.status.phase == PodPhase::Unknown)
        })
    }
}
