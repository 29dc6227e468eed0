//! Giving ReplicaSets their sizes. Models scale and scaleReplicaSet of pkg/controller/deployment/sync.go.

use super::Rule;
use super::{DESIRED, Sets, Sync, numbers};
use crate::objects::workload::DeploymentStrategyType;
use crate::objects::{EventType, Kind, Object, ObjectRef, ReplicaSet};
use crate::reconcile::{Facts, SyncError};
use std::rc::Rc;

impl Sync<'_> {
    /// Brings the sets to the wanted number without a rollout: the only one with pods, or the old ones of a saturated
    /// Deployment to 0, or, in the middle of a rollout, each by its share.
    pub(super) fn scale(&mut self, sets: &mut Sets) -> Result<(), SyncError> {
        let wanted = self.set.replicas();
        let active: Vec<Rc<ReplicaSet>> = sets.all().into_iter().filter(|set| set.replicas() > 0).collect();
        let only = match &active[..] {
            [] => sets.new.clone().or_else(|| sets.old.last().cloned()),
            [one] => Some(Rc::clone(one)),
            _ => None,
        };
        if let Some(only) = only {
            if only.replicas() != wanted {
                self.resize(sets, &only, wanted, Rule::ReplicaSetScaled)?;
            }
            return Ok(());
        }
        let saturated = |set: &Rc<ReplicaSet>| {
            set.replicas() == wanted
                && set.status.available_replicas == wanted
                && numbers::annotated(set, DESIRED) == Some(wanted)
        };
        if sets.new.as_ref().is_some_and(saturated) {
            for old in sets.old.clone().iter().filter(|old| old.replicas() > 0) {
                self.resize(sets, old, 0, Rule::OldScaledDown)?;
            }
            return Ok(());
        }
        if self.set.spec.strategy.strategy_type == DeploymentStrategyType::RollingUpdate {
            self.scale_by_share(sets, active)?;
        }
        Ok(())
    }

    fn scale_by_share(&mut self, sets: &mut Sets, mut active: Vec<Rc<ReplicaSet>>) -> Result<(), SyncError> {
        let (surge, _) = self.set.limits();
        let allowed = if self.set.replicas() > 0 { self.set.replicas() + surge } else { 0 };
        let to_add = allowed - numbers::wanted(&active);
        // The largest first; of equals the newest when there is something to add, else the oldest.
        active.sort_by(|a, b| {
            let age = a.metadata.creation_timestamp.cmp(&b.metadata.creation_timestamp);
            b.replicas().cmp(&a.replicas()).then(if to_add > 0 { age.reverse() } else { age })
        });
        let mut added = 0;
        let mut sizes: Vec<i32> = Vec::new();
        for set in &active {
            let part = numbers::proportion(&self.set, set, to_add, added);
            sizes.push(set.replicas() + part);
            added += part;
        }
        for (index, set) in active.iter().enumerate() {
            // What rounding left goes to the largest.
            let left = if index == 0 { to_add - added } else { 0 };
            self.resize(sets, set, (sizes[index] + left).max(0), Rule::ScaledByShare)?;
        }
        Ok(())
    }

    /// Writes a set's size, and for what number of replicas it was scaled. Whether its size changed.
    pub(super) fn resize(
        &mut self,
        sets: &mut Sets,
        set: &Rc<ReplicaSet>,
        size: i32,
        rule: Rule,
    ) -> Result<bool, SyncError> {
        let before = set.replicas();
        let mut changed = (**set).clone();
        let noted = numbers::note_replicas(&mut changed.metadata.annotations, &self.set);
        if size == before && !noted {
            return Ok(false);
        }
        Rc::make_mut(&mut changed.spec).replicas = Some(size);
        let Object::ReplicaSet(stored) = self.work.api.update(Object::ReplicaSet(Rc::new(changed)))? else {
            return Ok(false);
        };
        if size != before {
            let word = if size > before { "up" } else { "down" };
            let name = &set.metadata.name;
            let message = format!("Scaled {word} replica set {name} from {before} to {size}");
            self.record(EventType::Normal, "ScalingReplicaSet", message);
            let is_new = sets.new.as_ref().is_some_and(|new| new.metadata.uid == set.metadata.uid);
            self.work.decide(rule, Facts::Scaled { is_new, from: before, to: size });
        }
        for held in sets.old.iter_mut().chain(&mut sets.new) {
            if held.metadata.uid == stored.metadata.uid {
                *held = Rc::clone(&stored);
            }
        }
        Ok(size != before)
    }

    /// Deletes the oldest ReplicaSets without pods beyond the limit. Models cleanupDeployment.
    pub(super) fn clean_up(&mut self, old: &[Rc<ReplicaSet>]) -> Result<(), SyncError> {
        let Some(limit) = self.set.spec.revision_history_limit else { return Ok(()) };
        let limit = usize::try_from(limit).unwrap_or(0);
        let mut alive: Vec<&Rc<ReplicaSet>> =
            old.iter().filter(|set| set.metadata.deletion_timestamp.is_none()).collect();
        alive.sort_by_key(|set| numbers::revision_of_replica_set(set));
        let mut deleted = 0;
        for set in alive.iter().take(alive.len().saturating_sub(limit)) {
            let is_behind = set.metadata.generation > set.status.observed_generation;
            if set.status.replicas != 0 || set.replicas() != 0 || is_behind {
                continue;
            }
            let (namespace, name) = (set.metadata.namespace.clone(), set.metadata.name.clone());
            self.work.api.delete(&ObjectRef { kind: Kind::ReplicaSet, namespace, name })?;
            deleted += 1;
        }
        if deleted > 0 {
            self.work.decide(Rule::OldReplicaSetsDeleted, Facts::Count(deleted));
        }
        Ok(())
    }
}
