//! The set's status: when a rollout is complete, and when a write is needed.
//! Models updateStatefulSetStatus of stateful_set_control.go, and completeRollingUpdate and inconsistentStatus of
//! stateful_set_utils.go.

use super::Rule;
use super::Sync;
use crate::objects::{Object, StatefulSet, StatefulSetStatus, UpdateStrategyType};
use crate::reconcile::{Decision, Gates, SyncError};
use std::rc::Rc;

impl Sync<'_> {
    pub(super) fn update_stateful_set_status(&mut self, mut status: StatefulSetStatus) -> Result<(), SyncError> {
        let set = self.set;
        if complete_rolling_update(self.steps.gates, set, &mut status) {
            self.steps.decide(Decision::new(Rule::RolloutCompleted));
        }
        if !is_inconsistent(&set.status, &status) {
            self.steps.leave_status();
            return Ok(());
        }
        let desired = Object::StatefulSet(Rc::new(StatefulSet { status, ..StatefulSet::clone(set) }));
        self.steps.write_status(desired, |newer, desired| match (newer, desired) {
            (Object::StatefulSet(newer), Object::StatefulSet(own)) => {
                let status = own.status.clone();
                Object::StatefulSet(Rc::new(StatefulSet { status, ..StatefulSet::clone(&newer) }))
            }
            (newer, _) => newer,
        })
    }
}

/// Makes the update revision the current one once every pod is updated and ready. Says whether that changed anything.
fn complete_rolling_update(gates: &Gates, set: &StatefulSet, status: &mut StatefulSetStatus) -> bool {
    let rolls = set.spec.update_strategy.strategy_type == UpdateStrategyType::RollingUpdate;
    let complete = (rolls || gates.completes_under_any_strategy)
        && status.updated_replicas == status.replicas
        && status.ready_replicas == status.replicas
        && (!gates.rollout_requires_all_replicas || status.replicas == set.replicas());
    if !complete {
        return false;
    }
    let changed = status.current_revision != status.update_revision;
    status.current_replicas = status.updated_replicas;
    status.current_revision = Rc::clone(&status.update_revision);
    changed
}

fn is_inconsistent(old: &StatefulSetStatus, new: &StatefulSetStatus) -> bool {
    let counts = |status: &StatefulSetStatus| {
        (status.replicas, status.current_replicas, status.ready_replicas, status.updated_replicas)
    };
    new.observed_generation > old.observed_generation
        || counts(new) != counts(old)
        || new.available_replicas.is_some_and(|available| available != old.available_replicas.unwrap_or(0))
        || new.current_revision != old.current_revision
        || new.update_revision != old.update_revision
}
