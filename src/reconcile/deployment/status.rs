//! The status, and whether a rollout makes progress.
//! Models calculateStatus of pkg/controller/deployment/sync.go and pkg/controller/deployment/progress.go.

use super::Rule;
use super::{Sets, Sync, numbers};
use crate::objects::deployment::DeploymentStatus;
use crate::objects::replica_set::Condition;
use crate::reconcile::{Facts, RATE_LIMITED, SyncError};
use std::rc::Rc;
use std::time::Duration;

const PROGRESSING: &str = "Progressing";
const AVAILABLE: &str = "Available";
const FAILURE: &str = "ReplicaFailure";
const COMPLETE: &str = "NewReplicaSetAvailable";
const TIMED_OUT: &str = "ProgressDeadlineExceeded";
const PAUSED: &str = "DeploymentPaused";
/// No deadline.
const NEVER: i32 = i32::MAX;

fn find<'s>(status: &'s DeploymentStatus, condition_type: &str) -> Option<&'s Condition> {
    status.conditions.iter().find(|condition| &*condition.condition_type == condition_type)
}

fn remove(status: &mut DeploymentStatus, condition_type: &str) {
    status.conditions.retain(|condition| &*condition.condition_type != condition_type);
}

/// Puts a condition in, unless one of the same status and reason is there. Models SetDeploymentCondition.
fn put(status: &mut DeploymentStatus, mut condition: Condition) {
    let current = find(status, &condition.condition_type);
    if current.is_some_and(|current| current.status == condition.status && current.reason == condition.reason) {
        return;
    }
    if let Some(current) = current.filter(|current| current.status == condition.status) {
        condition.last_transition_time = current.last_transition_time;
    }
    let kind = Rc::clone(&condition.condition_type);
    remove(status, &kind);
    status.conditions.push(condition);
}

impl Sync<'_> {
    pub(super) fn deadline(&self) -> Option<i64> {
        self.set
            .spec
            .progress_deadline_seconds
            .filter(|seconds| *seconds != NEVER)
            .map(|seconds| i64::from(seconds) * 1000)
    }

    pub(super) fn progressing(&self) -> Option<&Condition> {
        find(&self.set.status, PROGRESSING)
    }

    /// Puts a condition in as of now.
    fn set_condition(&self, status: &mut DeploymentStatus, kind: &str, word: &str, reason: &str, message: String) {
        let now = Some(self.observed.now);
        put(
            status,
            Condition {
                condition_type: kind.into(),
                status: word.into(),
                last_update_time: now,
                last_transition_time: now,
                reason: reason.into(),
                message: message.into(),
            },
        );
    }

    /// Notes a progress in the copy that the sync carries along.
    pub(super) fn set_progressing(&mut self, word: &str, reason: &str, message: String) {
        let mut status = self.set.status.clone();
        self.set_condition(&mut status, PROGRESSING, word, reason, message);
        self.set.status = status;
    }

    /// A pause stops the clock of the deadline. Models checkPausedConditions.
    pub(super) fn check_paused_conditions(&mut self) -> Result<(), SyncError> {
        if self.deadline().is_none() || self.progressing().is_some_and(|current| &*current.reason == TIMED_OUT) {
            return Ok(());
        }
        let was_paused = self.progressing().is_some_and(|current| &*current.reason == PAUSED);
        match (self.set.spec.paused, was_paused) {
            (true, false) => self.set_progressing("Unknown", PAUSED, "Deployment is paused".to_owned()),
            (false, true) => self.set_progressing("Unknown", "DeploymentResumed", "Deployment is resumed".to_owned()),
            _ => return Ok(()),
        }
        self.send_status()
    }

    pub(super) fn calculate_status(&self, sets: &Sets) -> DeploymentStatus {
        let available = numbers::available(sets.all());
        let mut status = DeploymentStatus {
            observed_generation: self.set.metadata.generation,
            replicas: numbers::actual(sets.all()),
            updated_replicas: sets.new.as_ref().map_or(0, |new| new.status.replicas),
            ready_replicas: numbers::ready(sets.all()),
            available_replicas: available,
            unavailable_replicas: numbers::wanted(sets.all()).wrapping_sub(available).max(0),
            terminating_replicas: self
                .gates
                .workloads
                .counts_terminating_replicas
                .then(|| numbers::terminating(sets.all()))
                .flatten(),
            ..self.set.status.clone()
        };
        let (word, reason, message) = if available >= numbers::at_least(&self.set) {
            ("True", "MinimumReplicasAvailable", "Deployment has minimum availability.")
        } else {
            ("False", "MinimumReplicasUnavailable", "Deployment does not have minimum availability.")
        };
        self.set_condition(&mut status, AVAILABLE, word, reason, message.to_owned());
        status
    }

    pub(super) fn deployment_complete(&self, status: &DeploymentStatus) -> bool {
        let wanted = self.set.replicas();
        status.updated_replicas == wanted
            && status.replicas == wanted
            && status.available_replicas == wanted
            && status.observed_generation >= self.set.metadata.generation
    }

    fn deployment_progressing(&self, status: &DeploymentStatus) -> bool {
        let old = &self.set.status;
        status.updated_replicas > old.updated_replicas
            || status.replicas.wrapping_sub(status.updated_replicas) < old.replicas.wrapping_sub(old.updated_replicas)
            || status.ready_replicas > old.ready_replicas
            || status.available_replicas > old.available_replicas
    }

    /// Whether the last progress lies longer ago than the deadline allows.
    fn deployment_timed_out(&self, status: &DeploymentStatus) -> bool {
        let (Some(current), Some(deadline)) = (find(status, PROGRESSING), self.deadline()) else { return false };
        match &*current.reason {
            COMPLETE => false,
            TIMED_OUT => true,
            _ => current.last_update_time.is_some_and(|since| since.0 + deadline < self.observed.now.0),
        }
    }

    /// Writes the status of a rollout, and says when to look at its deadline. Models syncRolloutStatus.
    pub(super) fn sync_rollout_status(&mut self, sets: &Sets) -> Result<Option<Duration>, SyncError> {
        let mut status = self.calculate_status(sets);
        let current = self.progressing().cloned();
        let done = status.replicas == status.updated_replicas
            && current.as_ref().is_some_and(|current| &*current.reason == COMPLETE);
        if self.deadline().is_none() {
            remove(&mut status, PROGRESSING);
        } else if !done {
            self.note_progress(&mut status, sets, current.as_ref());
        }
        take_over_failures(&mut status, sets);
        // Only a sync that writes nothing asks to come back: what is written brings the key back anyway.
        let again = if status == self.set.status { self.requeue_stuck_deployment() } else { None };
        self.sync_deployment_status(status)?;
        Ok(again)
    }

    fn note_progress(&mut self, status: &mut DeploymentStatus, sets: &Sets, current: Option<&Condition>) {
        let what = sets.new.as_ref().map_or_else(
            || format!("Deployment \"{}\"", self.set.metadata.name),
            |new| format!("ReplicaSet \"{}\"", new.metadata.name),
        );
        if self.deployment_complete(status) {
            let message = format!("{what} has successfully progressed.");
            self.set_condition(status, PROGRESSING, "True", COMPLETE, message);
        } else if self.deployment_progressing(status) {
            // Each progress starts the deadline anew.
            let since =
                current.filter(|current| &*current.status == "True").and_then(|current| current.last_transition_time);
            remove(status, PROGRESSING);
            let message = format!("{what} is progressing.");
            self.set_condition(status, PROGRESSING, "True", "ReplicaSetUpdated", message);
            if let Some(condition) = status.conditions.last_mut().filter(|_| since.is_some()) {
                condition.last_transition_time = since;
            }
        } else if self.deployment_timed_out(status) {
            let message = format!("{what} has timed out progressing.");
            self.work.decide(Rule::ProgressDeadlineExceeded, Facts::None);
            self.set_condition(status, PROGRESSING, "False", TIMED_OUT, message);
        }
    }

    /// Models requeueStuckDeployment.
    fn requeue_stuck_deployment(&self) -> Option<Duration> {
        let (current, deadline) = (self.progressing()?, self.deadline()?);
        if self.deployment_complete(&self.set.status) || &*current.reason == TIMED_OUT {
            return None;
        }
        let left = current.last_update_time?.0.saturating_add(deadline) - self.observed.now.0;
        // A second later: by then the deadline has passed for certain.
        Some(
            u64::try_from(left)
                .ok()
                .filter(|left| *left >= 1000)
                .map_or(RATE_LIMITED, |left| Duration::from_millis(left + 1000)),
        )
    }
}

/// What a ReplicaSet could not create or delete is the Deployment's failure too; the new set's goes before the others'.
/// Models getReplicaFailures.
fn take_over_failures(status: &mut DeploymentStatus, sets: &Sets) {
    let mut conditions = sets.new.iter().chain(&sets.old).flat_map(|set| &set.status.conditions);
    match conditions.find(|condition| &*condition.condition_type == FAILURE) {
        Some(failure) => put(status, Condition { last_update_time: failure.last_transition_time, ..failure.clone() }),
        None => remove(status, FAILURE),
    }
}
