//! The set's status: its counts, its conditions, and when a write is needed.
//! Models cloneset_status.go and truncatePodsToDelete of cloneset_controller.go of openkruise/kruise.

use super::Rule;
use super::diff::partition_replicas;
use super::history::Revisions;
use super::{CachedClone, Sync};
use crate::objects::clone_set::{CloneSetCondition, CloneSetStatus};
use crate::objects::{ApiError, CloneSet, Kind, Object, Reason};
use crate::reconcile::api::UPDATE_TRIES;
use crate::reconcile::{Facts, SyncError};
use std::rc::Rc;

pub(super) const FAILED_SCALE: &str = "FailedScale";
pub(super) const FAILED_UPDATE: &str = "FailedUpdate";
const PROGRESSING: &str = "Progressing";
const EXCEEDED: &str = "ProgressDeadlineExceeded";

impl Sync<'_> {
    /// A status with the revisions known and nothing counted yet.
    pub(super) fn new_status(&self, revisions: &Revisions) -> CloneSetStatus {
        let set = self.set();
        CloneSetStatus {
            observed_generation: set.metadata.generation,
            current_revision: revisions.current.metadata.name.clone(),
            update_revision: revisions.update.metadata.name.clone(),
            collision_count: Some(revisions.collision_count),
            label_selector: set.spec.selector.to_text().into(),
            conditions: set.status.conditions.clone(),
            ..CloneSetStatus::default()
        }
    }

    /// The condition that tells of a failure. Its reason is always empty, so the first one stays as it is.
    pub(super) fn note_failure(
        &self,
        status: &mut CloneSetStatus,
        condition_type: &'static str,
        result: &Result<(), SyncError>,
    ) {
        if let Err(error) = result {
            let condition = CloneSetCondition {
                condition_type: condition_type.into(),
                status: "True".into(),
                last_transition_time: Some(self.observed.now),
                message: error.0.as_str().into(),
                ..CloneSetCondition::default()
            };
            set_condition(status, condition);
        }
    }

    /// Counts, writes if anything differs, and says whether some ready pod is not available yet.
    pub(super) fn update_status(
        &mut self,
        mut status: CloneSetStatus,
        pods: &[CachedClone],
    ) -> Result<bool, SyncError> {
        let set = self.set();
        self.count(&mut status, pods);
        match set.spec.progress_deadline_seconds.filter(|deadline| *deadline != i32::MAX) {
            Some(deadline) => self.progress(&mut status, i64::from(deadline)),
            None => status.conditions.retain(|condition| &*condition.condition_type != PROGRESSING),
        }
        let unsettled = status.available_replicas != status.ready_replicas;
        if !is_inconsistent(&set.status, &status) {
            self.decide(Rule::CloneStatusUnchanged, Facts::None);
            return Ok(unsettled);
        }
        let written = self.write_status(&status);
        let rule = if written.is_ok() { Rule::CloneStatusWritten } else { Rule::CloneStatusRefused };
        self.decide(rule, Facts::None);
        written?;
        Ok(unsettled)
    }

    fn write_status(&mut self, status: &CloneSetStatus) -> Result<(), ApiError> {
        let metadata = &self.set().metadata;
        let mut attempt = 1;
        loop {
            let live = self.api.get(Kind::CloneSet, &metadata.namespace, &metadata.name)?;
            let Object::CloneSet(mut live) = live else { return Ok(()) };
            Rc::make_mut(&mut live).status = status.clone();
            match self.api.update_status(Object::CloneSet(live)) {
                Ok(_) => return Ok(()),
                Err(refusal) if refusal.reason == Reason::Conflict && attempt < UPDATE_TRIES => attempt += 1,
                Err(refusal) => return Err(refusal),
            }
        }
    }

    fn count(&mut self, status: &mut CloneSetStatus, pods: &[CachedClone]) {
        let (set, now) = (self.set(), self.observed.now);
        for pod in pods {
            let ready = i32::from(pod.is_ready);
            let available = i32::from(pod.is_available(now));
            status.replicas += 1;
            status.ready_replicas += ready;
            status.available_replicas += available;
            if pod.is_updated {
                status.updated_replicas += 1;
                status.updated_ready_replicas += ready;
                status.updated_available_replicas += available;
            }
        }
        let is_complete = status.updated_replicas == status.replicas && status.replicas == set.replicas();
        if is_complete && status.current_revision != status.update_revision {
            status.current_revision = status.update_revision.clone();
            self.decide(Rule::CloneRolloutCompleted, Facts::None);
        }
        let partition = set.rolling_update().and_then(|rolling| rolling.partition.as_ref());
        // Of a partition that is no number nothing is expected.
        status.expected_updated_replicas =
            partition_replicas(partition, set.replicas()).map_or(0, |kept| set.replicas() - kept);
    }

    /// How the rollout stands. A condition that says the same as before is left untouched, so the deadline runs from the
    /// moment the rollout began.
    fn progress(&mut self, status: &mut CloneSetStatus, deadline: i64) {
        let (set, now) = (self.set(), self.observed.now);
        let desired = set.replicas();
        let old = status.conditions.iter().find(|condition| &*condition.condition_type == PROGRESSING);
        let since = old.and_then(|condition| condition.last_update_time);
        let was_exceeded = old.is_some_and(|condition| &*condition.reason == EXCEEDED);
        let is_over = since.is_some_and(|since| since.plus_seconds(deadline) < now);
        let is_available = status.current_revision == status.update_revision
            && [status.replicas, status.updated_replicas, status.updated_available_replicas] == [desired; 3];
        let is_partitioned = status.expected_updated_replicas < desired
            && status.updated_available_replicas >= status.expected_updated_replicas;
        let said = |text: &str| text.to_owned();
        let (is_true, reason, message) = if is_available {
            (true, "CloneSetAvailable", said("CloneSet is available"))
        } else if set.rolling_update().is_some_and(|rolling| rolling.paused) {
            (true, "CloneSetPaused", said("CloneSet is paused"))
        } else if is_partitioned {
            (true, "ProgressPartitionAvailable", said("CloneSet has been paused due to partition ready"))
        } else if was_exceeded || is_over {
            self.decide(Rule::DeadlineExceeded, Facts::None);
            (false, EXCEEDED, format!("CloneSet revision {} has timed out progressing", status.update_revision))
        } else {
            (true, "CloneSetUpdated", said("CloneSet is progressing"))
        };
        let condition = CloneSetCondition {
            condition_type: PROGRESSING.into(),
            status: if is_true { "True".into() } else { "False".into() },
            last_update_time: Some(now),
            last_transition_time: Some(now),
            reason: reason.into(),
            message: message.into(),
        };
        set_condition(status, condition);
        if reason == "CloneSetUpdated" {
            let own = status.conditions.iter().find(|condition| &*condition.condition_type == PROGRESSING);
            let since = own.and_then(|condition| condition.last_update_time).unwrap_or(now);
            let left = since.plus_seconds(deadline).0 - now.0;
            // A second more keeps the next sync from coming too early; in the last second it is not added.
            self.requeue(if left < 1000 { left } else { left + 1000 });
        }
    }

    /// Takes names of pods that are gone off the list. This meets a conflict whenever the status was just written; a
    /// later, quiet sync does it.
    pub(super) fn truncate_pods_to_delete(&mut self, pods: &[CachedClone]) {
        let set = self.set();
        let listed = &set.spec.scale_strategy.pods_to_delete;
        let is_there = |name: &&Rc<str>| pods.iter().any(|seen| seen.pod.metadata.name == **name);
        let kept: Vec<Rc<str>> = listed.iter().filter(is_there).cloned().collect();
        if kept.len() == listed.len() {
            return;
        }
        let mut shorter: CloneSet = set.clone();
        Rc::make_mut(&mut shorter.spec).scale_strategy.pods_to_delete = kept;
        let written = self.api.update(Object::CloneSet(Rc::new(shorter)));
        let rule = if written.is_ok() { Rule::PodsToDeleteTruncated } else { Rule::PodsToDeleteRefused };
        self.decide(rule, Facts::None);
    }
}

/// Puts a condition at the end of the list, in place of the one of its type, unless that says the same already.
fn set_condition(status: &mut CloneSetStatus, mut condition: CloneSetCondition) {
    let old = status.conditions.iter().position(|own| own.condition_type == condition.condition_type);
    if let Some(at) = old {
        let own = &status.conditions[at];
        if own.status == condition.status && own.reason == condition.reason {
            return;
        }
        if own.status == condition.status {
            condition.last_transition_time = own.last_transition_time;
        }
        status.conditions.remove(at);
    }
    status.conditions.push(condition);
}

fn is_inconsistent(old: &CloneSetStatus, new: &CloneSetStatus) -> bool {
    let progress = |status: &CloneSetStatus| {
        let own = status.conditions.iter().find(|condition| &*condition.condition_type == PROGRESSING);
        own.map(|condition| (condition.status.clone(), condition.reason.clone()))
    };
    let counts = |status: &CloneSetStatus| {
        [
            status.replicas,
            status.ready_replicas,
            status.available_replicas,
            status.updated_replicas,
            status.updated_ready_replicas,
            status.updated_available_replicas,
            status.expected_updated_replicas,
        ]
    };
    new.observed_generation > old.observed_generation
        || counts(new) != counts(old)
        || new.update_revision != old.update_revision
        || new.current_revision != old.current_revision
        || new.label_selector != old.label_selector
        || progress(new) != progress(old)
}
