//! Giving ReplicaSets their sizes. Models scale and scaleReplicaSet of pkg/controller/deployment/sync.go.

use super::Rule;
use super::{DESIRED, Sets, Sync, annotations, numbers};
use crate::objects::deployment::DeploymentStrategyType;
use crate::objects::{EventType, Kind, Object, ObjectRef, Reason, ReplicaSet};
use crate::reconcile::{Decision, Facts, Subject, SyncError};
use crate::releases::ScalingMessage;
use std::rc::Rc;

impl Sync<'_> {
    /// Brings the sets to the wanted number without a rollout: the only one with pods, or the old ones of a saturated
    /// Deployment to 0, or, in the middle of a rollout, each by its share.
    pub(super) fn scale(&mut self, sets: &Sets) -> Result<(), SyncError> {
        let wanted = self.set.replicas();
        // The newest of the old ones first.
        let active: Vec<Rc<ReplicaSet>> =
            sets.old.iter().rev().chain(&sets.new).filter(|set| set.replicas() > 0).cloned().collect();
        let only = match &active[..] {
            [] => sets.new.as_ref().or(sets.old.last()),
            [one] => Some(one),
            _ => None,
        };
        if let Some(only) = only {
            return self.scale_replica_set_and_record_event(sets, only, wanted, Rule::ReplicaSetScaled).map(drop);
        }
        let saturated = |set: &Rc<ReplicaSet>| {
            set.replicas() == wanted
                && set.status.available_replicas == wanted
                && set.metadata.annotations.get(DESIRED).is_some_and(|desired| desired.parse() == Ok(i64::from(wanted)))
        };
        if sets.new.as_ref().is_some_and(saturated) {
            for old in sets.old.iter().rev().filter(|old| old.replicas() > 0) {
                self.scale_replica_set_and_record_event(sets, old, 0, Rule::OldScaledDown)?;
            }
            return Ok(());
        }
        if self.set.spec.strategy.strategy_type == DeploymentStrategyType::RollingUpdate {
            self.scale_by_share(sets, active)?;
        }
        Ok(())
    }

    fn scale_by_share(&mut self, sets: &Sets, mut active: Vec<Rc<ReplicaSet>>) -> Result<(), SyncError> {
        let allowed = if self.set.replicas() > 0 { numbers::at_most(&self.set) } else { 0 };
        let to_add = allowed.wrapping_sub(numbers::wanted(&active));
        // The largest first; of equals the newest when there is something to add, the oldest when something goes.
        if to_add != 0 {
            active.sort_by(|a, b| {
                let age = numbers::age(a).cmp(&numbers::age(b));
                b.replicas().cmp(&a.replicas()).then(if to_add > 0 { age.reverse() } else { age })
            });
        }
        let mut added = 0_i32;
        let mut sizes: Vec<i32> = Vec::new();
        for set in &active {
            let part = numbers::proportion(&self.set, set, to_add, added, &self.gates);
            sizes.push(set.replicas().wrapping_add(part));
            added = added.wrapping_add(part);
        }
        // What rounding left goes to the largest.
        if let Some(largest) = sizes.first_mut().filter(|_| to_add != 0) {
            *largest = largest.wrapping_add(to_add.wrapping_sub(added)).max(0);
        }
        for (set, size) in active.iter().zip(sizes) {
            let is_up =
                if self.gates.workloads.names_direction_of_each_set { size > set.replicas() } else { to_add > 0 };
            self.scale_replica_set(sets, set, size, is_up, Rule::ScaledByShare)?;
        }
        Ok(())
    }

    /// Gives a set another size: the set as it is then, or none where that is its size already. Models
    /// scaleReplicaSetAndRecordEvent.
    pub(super) fn scale_replica_set_and_record_event(
        &mut self,
        sets: &Sets,
        set: &Rc<ReplicaSet>,
        size: i32,
        rule: Rule,
    ) -> Result<Option<Rc<ReplicaSet>>, SyncError> {
        if size == set.replicas() {
            return Ok(None);
        }
        self.scale_replica_set(sets, set, size, size > set.replicas(), rule)
    }

    /// Writes a set's size, and for what number of replicas it was scaled. The set as it is then, or none where nothing was
    /// to be written.
    fn scale_replica_set(
        &mut self,
        sets: &Sets,
        set: &Rc<ReplicaSet>,
        size: i32,
        is_up: bool,
        rule: Rule,
    ) -> Result<Option<Rc<ReplicaSet>>, SyncError> {
        let before = set.replicas();
        let mut changed = (**set).clone();
        let noted = annotations::note_replicas(&mut changed.metadata.annotations, &self.set);
        if size == before && !noted {
            return Ok(None);
        }
        Rc::make_mut(&mut changed.spec).replicas = Some(size);
        let Object::ReplicaSet(stored) = self.work.api.update(Object::ReplicaSet(Rc::new(changed)))? else {
            return Ok(None);
        };
        if size != before {
            let name = &set.metadata.name;
            let sizes = match self.gates.workloads.scaling_message {
                ScalingMessage::To => format!("to {size}"),
                ScalingMessage::ToFrom => format!("to {size} from {before}"),
                ScalingMessage::FromTo => format!("from {before} to {size}"),
            };
            let message = format!("Scaled {} replica set {name} {sizes}", if is_up { "up" } else { "down" });
            self.record(EventType::Normal, "ScalingReplicaSet", message);
            let is_new = sets.new.as_ref().is_some_and(|new| new.metadata.uid == set.metadata.uid);
            let decision = Decision::about(rule, Subject::ReplicaSet(Rc::clone(name)));
            self.work.decisions.push(decision.with(Facts::Scaled { is_new, from: before, to: size }));
        }
        Ok(Some(stored))
    }

    /// Deletes the oldest ReplicaSets without pods beyond the limit. Models cleanupDeployment.
    pub(super) fn cleanup_deployment(&mut self, old: &[Rc<ReplicaSet>]) -> Result<(), SyncError> {
        let Some(limit) = self.set.spec.revision_history_limit.filter(|limit| *limit != i32::MAX) else {
            return Ok(());
        };
        let limit = usize::try_from(limit).unwrap_or(0);
        let mut alive: Vec<&Rc<ReplicaSet>> =
            old.iter().filter(|set| set.metadata.deletion_timestamp.is_none()).collect();
        if self.gates.workloads.cleans_up_by_revision {
            alive.sort_by_key(|set| annotations::revision_of_replica_set(set));
        }
        let mut deleted = 0;
        for set in alive.iter().take(alive.len().saturating_sub(limit)) {
            let is_behind = set.metadata.generation > set.status.observed_generation;
            if set.status.replicas != 0 || set.replicas() != 0 || is_behind {
                continue;
            }
            let (namespace, name) = (set.metadata.namespace.clone(), set.metadata.name.clone());
            match self.work.api.delete(&ObjectRef { kind: Kind::ReplicaSet, namespace, name }) {
                Ok(()) => deleted += 1,
                Err(refusal) if refusal.reason == Reason::NotFound => {}
                Err(refusal) => return Err(refusal.into()),
            }
        }
        if deleted > 0 {
            self.work.decide(Rule::OldReplicaSetsDeleted, Facts::Count(deleted));
        }
        Ok(())
    }
}
