//! Replicas up and condemned down, each pod by itself.
//! Models processReplica, processCondemned and deletePod of stateful_set_control.go.

use super::control::{Plan, Replica};
use super::pods::{Availability, availability, is_healthy};
use super::{Rule, Sync};
use crate::objects::{AdvancedStatefulSetCondition, EventType, Pod, PodPhase};
use crate::reconcile::in_place::{STATE_LABEL, TIMESTAMP_ANNOTATION, is_all_hooked, is_hooked, life, marks_not_ready};
use crate::reconcile::ordinals::{Flow, run_for_all, to_i32};
use crate::reconcile::sync_cache::CachedPod;
use crate::reconcile::{Decision, SyncError};
use std::borrow::Cow;
use std::ops::ControlFlow::{Break, Continue};
use std::rc::Rc;

/// What comes after a replica.
enum Next {
    /// The next one.
    Replica,
    /// Under OrderedReady, the end of the sync.
    Exit,
    /// No more replicas: as many are in the making as may be.
    Stop,
}

/// What came of asking for a pod's deletion.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Deletion {
    Done,
    /// It is announced to its hook.
    Prepared,
    /// It waits at its hook.
    Waits,
}

impl Sync<'_> {
    /// Ascending, then descending.
    pub(super) fn process(&mut self, plan: &mut Plan<'_>) -> Result<Flow, SyncError> {
        let mut left = self.set.scale_max_unavailable();
        for index in 0..plan.replicas.len() {
            if plan.replicas[index].pod().is_some_and(|pod| self.is_in_order(pod)) {
                continue;
            }
            match self.process_replica(plan, index, &mut left)? {
                Next::Exit if plan.is_monotonic => return Ok(Break(())),
                Next::Exit | Next::Replica => {}
                Next::Stop => {
                    self.steps.decide(Decision::at(Rule::ScaleLimited, to_i32(index)));
                    break;
                }
            }
        }
        let (condemned, is_monotonic) = (plan.condemned.len(), plan.is_monotonic);
        let flow = run_for_all(condemned, is_monotonic, |index| {
            let CachedPod { pod, ordinal, .. } = plan.condemned[index];
            self.steps.fix_pod_claim(pod, *ordinal).map(Continue)
        })?;
        if flow.is_break() {
            return Ok(flow);
        }
        run_for_all(condemned, is_monotonic, |index| self.process_condemned(plan, index))
    }

    /// Whether there is nothing to do and nothing to wait for at a pod, whenever it became Ready and whatever claims it has.
    fn is_in_order(&self, pod: &CachedPod) -> bool {
        let is_plain = self.set.min_ready_seconds() == 0 && self.set.spec.volume_claim_templates.is_empty();
        is_plain && is_healthy(pod) && pod.is_quiet && pod.identity_matches && pod.storage_matches
    }

    fn process_replica(
        &mut self,
        plan: &mut Plan<'_>,
        index: usize,
        left: &mut Option<i32>,
    ) -> Result<Next, SyncError> {
        let ordinal = to_i32(index);
        let replica = match &plan.replicas[index] {
            Replica::Reserved => return Ok(Next::Replica),
            Replica::Missing { is_current } => {
                let pod = self.new_versioned_pod(plan, index, *is_current);
                return self.create(plan, index, pod, left);
            }
            Replica::Pod(replica) => replica.clone(),
        };
        let pod = &replica.pod;
        if !replica.is_created() {
            return self.create(plan, index, Pod::clone(pod), left);
        }
        if matches!(replica.phase, PodPhase::Failed | PodPhase::Succeeded) {
            if is_last(left) {
                return Ok(Next::Stop);
            }
            if !replica.is_terminating {
                self.delete(pod, Rule::EndedDeleted)?;
            }
            return Ok(Next::Exit);
        }
        if replica.phase == PodPhase::Pending {
            self.steps.create_missing_persistent_volume_claims(pod, ordinal)?;
        }
        if replica.is_terminating {
            if plan.is_monotonic {
                self.decide_at(Rule::ReplicaTerminating, pod);
                return Ok(Next::Exit);
            }
            if is_last(left) {
                return Ok(Next::Stop);
            }
        }
        self.in_place().refresh(pod, &plan.revisions.update.metadata.name, true)?;
        if plan.is_monotonic || left.is_some() {
            let availability = availability(&replica, self.set.min_ready_seconds(), self.steps.now);
            if availability != Availability::Now && (plan.is_monotonic || is_last(left)) {
                if let Availability::In(milliseconds) = availability {
                    self.ask_again(milliseconds);
                }
                if plan.is_monotonic {
                    self.decide_at(Rule::ReplicaNotAvailable, pod);
                    return Ok(Next::Exit);
                }
                return Ok(Next::Stop);
            }
        }
        if let Err(error) = self.steps.put_right(pod, ordinal) {
            self.fail(plan, "FailedUpdatePod", &format!("StatefulPodControl failed to update Pod error: {error}"));
            return Err(error);
        }
        Ok(Next::Replica)
    }

    /// Creates the pod of an ordinal that has none, unless a claim is still to go with the last one.
    fn create(
        &mut self,
        plan: &mut Plan<'_>,
        index: usize,
        mut pod: Pod,
        left: &mut Option<i32>,
    ) -> Result<Next, SyncError> {
        let ordinal = to_i32(index);
        if self.steps.pod_claim_is_stale(&pod, ordinal) {
            self.decide_at(Rule::ReplicaTerminating, &pod);
            return Ok(Next::Exit);
        }
        let hook = self.set.spec.lifecycle.as_ref().and_then(|lifecycle| lifecycle.pre_normal.as_ref());
        let is_normal = hook.is_none() || is_all_hooked(hook, &pod);
        pod.metadata.labels.insert(STATE_LABEL, if is_normal { life::NORMAL } else { life::PREPARING_NORMAL });
        pod.metadata.annotations.insert(TIMESTAMP_ANNOTATION, self.steps.now.to_string());
        let pod = Rc::new(pod);
        let created = self.steps.create_stateful_pod(&pod);
        let rule = if created.is_ok() { Rule::Created } else { Rule::CreateRefused };
        self.decide_at(rule, &pod);
        plan.replicas[index] = Replica::Pod(Cow::Owned(self.steps.set.read(&pod)));
        if let Err(error) = created {
            self.fail(plan, "FailedCreatePod", &format!("StatefulPodControl failed to create Pod error: {error}"));
            return Err(error);
        }
        Ok(match plan.is_monotonic {
            true => Next::Exit,
            false if is_last(left) => Next::Stop,
            false => Next::Replica,
        })
    }

    /// A failure as the status shows it until it is next written.
    fn fail(&mut self, plan: &mut Plan<'_>, condition_type: &str, message: &str) {
        plan.status.conditions.push(AdvancedStatefulSetCondition {
            condition_type: condition_type.into(),
            status: "True".into(),
            last_transition_time: Some(self.steps.now),
            message: message.into(),
            ..AdvancedStatefulSetCondition::default()
        });
    }

    fn process_condemned(&mut self, plan: &mut Plan<'_>, index: usize) -> Result<Flow, SyncError> {
        let condemned = plan.condemned[index];
        let pod = &condemned.pod;
        if condemned.is_terminating {
            if plan.is_monotonic {
                self.decide_at(Rule::CondemnedWaits, pod);
                return Ok(Break(()));
            }
            return Ok(Continue(()));
        }
        let is_first = plan.first_unhealthy.as_ref().is_some_and(|first| Rc::ptr_eq(first, pod));
        if plan.is_monotonic && !is_first {
            let is_available =
                availability(condemned, self.set.min_ready_seconds(), self.steps.now) == Availability::Now;
            if !condemned.is_ready || !is_available {
                self.decide_at(Rule::CondemnedWaits, pod);
                return Ok(Break(()));
            }
        }
        let deletion = self.delete(pod, Rule::CondemnedDeleted)?;
        Ok(if plan.is_monotonic && deletion != Deletion::Waits { Break(()) } else { Continue(()) })
    }

    /// Deletes a pod, or announces it to its hook. `done` is the rule by which it goes.
    pub(super) fn delete(&mut self, pod: &Rc<Pod>, done: Rule) -> Result<Deletion, SyncError> {
        let hook = self.set.spec.lifecycle.as_ref().and_then(|lifecycle| lifecycle.pre_delete.as_ref());
        if is_hooked(hook, pod) {
            let moved = self.in_place().move_to(pod, life::PREPARING_DELETE, marks_not_ready(hook))?;
            self.decide_at(Rule::DeletionPrepared, pod);
            return Ok(if moved { Deletion::Prepared } else { Deletion::Waits });
        }
        if let Err(error) = self.steps.delete_stateful_pod(pod) {
            let message = format!("failed to delete pod {}: {error}", pod.metadata.name);
            self.steps.record(EventType::Warning, "FailedDelete", message);
            self.decide_at(Rule::WriteRefused, pod);
            return Err(error);
        }
        self.decide_at(done, pod);
        Ok(Deletion::Done)
    }
}

/// Uses up one of the pods that may be in the making; whether it was the last, or there was none left.
fn is_last(left: &mut Option<i32>) -> bool {
    left.as_mut().is_some_and(|left| {
        *left -= 1;
        *left <= 0
    })
}
