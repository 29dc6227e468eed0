//! The set's status: when a rollout is complete, and when a write is needed.
//! Models completeRollingUpdate and inconsistentStatus of stateful_set_utils.go, and stateful_set_status_updater.go.

use super::Rule;
use super::Sync;
use crate::objects::{Object, Reason, StatefulSet, StatefulSetStatus, UpdateStrategyType};
use crate::reconcile::{Decision, Gates, SyncError};
use std::rc::Rc;

/// How often a status write that met a conflict is tried in all (client-go's DefaultRetry).
const STATUS_TRIES: i64 = 5;
/// Milliseconds between two tries.
const STATUS_PAUSE: i64 = 10;

impl Sync<'_> {
    pub(super) fn update_status(&mut self, mut status: StatefulSetStatus) -> Result<(), SyncError> {
        let set = self.set();
        if complete_rolling_update(self.gates, set, &mut status) {
            self.decide(Decision::new(Rule::RolloutCompleted));
        }
        if !is_inconsistent(&set.status, &status) {
            self.decide(Decision::new(Rule::StatusUnchanged));
            return Ok(());
        }
        let mut desired = Object::StatefulSet(Rc::new(StatefulSet { status, ..set.clone() }));
        let key = desired.reference();
        for attempt in 1.. {
            match self.api.update_status(desired.clone()) {
                Ok(_) => break,
                // Each try takes the set from the cache again.
                Err(refusal) if refusal.reason == Reason::Conflict && attempt < STATUS_TRIES => {
                    if let Some(Object::StatefulSet(newer)) = self.api.cached_after(&key, attempt * STATUS_PAUSE)
                        && let Object::StatefulSet(own) = &desired
                    {
                        let status = own.status.clone();
                        desired = Object::StatefulSet(Rc::new(StatefulSet { status, ..(*newer).clone() }));
                    }
                }
                Err(refusal) => {
                    self.decide(Decision::new(Rule::StatusRefused));
                    return Err(refusal.into());
                }
            }
        }
        self.decide(Decision::new(Rule::StatusWritten));
        Ok(())
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
