//! Replicas up and condemned down as releases to 1.26 do it: one pass, whose status is kept by arithmetic.
//! Models updateStatefulSet of stateful_set_control.go, v1.9 to v1.26.

use super::control::{Plan, RevisionPlace};
use super::replicas::{Order, Replica};
use super::{Rule, Sync};
use crate::objects::{Pod, PodPhase};
use crate::reconcile::ordinals::{Flow, to_i32};
use crate::reconcile::pods::{is_failed, is_running_and_ready, revision_of};
use crate::reconcile::roster::{Look, Member};
use crate::reconcile::{Decision, SyncError};
use std::ops::ControlFlow::{Break, Continue};
use std::rc::Rc;

impl Sync<'_> {
    /// Ascending, then descending; a refusal ends it.
    pub(super) fn scan(&mut self, plan: &mut Plan<'_>) -> Result<Flow, SyncError> {
        if self.scan_replicas(plan)?.is_break() {
            return Ok(Break(()));
        }
        self.delete_condemned(plan)
    }

    /// Ascending: each ordinal in range is made, made again, waited for, or put right.
    fn scan_replicas(&mut self, plan: &mut Plan<'_>) -> Result<Flow, SyncError> {
        let is_monotonic = plan.monotonic;
        for index in plan.replicas.places(Order::Ascending, 0, |look| !self.are_settled(is_monotonic, look)) {
            self.decide_in_order(plan, index);
            if self.scan_replica(plan, index)?.is_break() {
                return Ok(Break(()));
            }
        }
        self.decide_in_order(plan, plan.replicas.len());
        Ok(Continue(()))
    }

    /// Whether the scan has nothing to do and nothing to wait for at ordinals whose pods look like this.
    fn are_settled(&self, is_monotonic: bool, look: &Look) -> bool {
        // A healthy pod is Running; of the others, Parallel passes those that have neither failed nor are yet to be made.
        let is_waited_for = is_monotonic && self.min_ready_seconds() > 0 && !look.is_available;
        let passed = (self.are_healthy(look) && !is_waited_for)
            || (!is_monotonic && look.is_created && look.phase != PodPhase::Failed);
        passed && look.is_itself
    }

    fn scan_replica(&mut self, plan: &mut Plan<'_>, index: usize) -> Result<Flow, SyncError> {
        let ordinal = to_i32(index);
        let before = plan.replicas.get(index);
        if let Some(failed) = before.pod().filter(|pod| is_failed(pod)) {
            let revision = revision_of(failed).to_owned();
            self.delete_failed(failed, ordinal)?;
            RevisionPlace::of(&plan.status, &revision).count(self.steps.gates, &mut plan.status, -1);
            plan.status.replicas -= 1;
            plan.replicas.set(index, Replica::Missing);
        }
        let pod = match plan.replicas.get(index) {
            Replica::Existing(member) if member.look.is_created => member.pod,
            Replica::Existing(member) => {
                let pod = (**member.pod).clone();
                return self.create_replica(plan, index, pod);
            }
            _ => {
                let pod = self.new_versioned_pod(plan, index)?;
                return self.create_replica(plan, index, pod);
            }
        };
        let waits = plan.monotonic;
        #[cfg(feature = "seeded-faults")]
        let waits = waits && !self.steps.gates.has(crate::releases::Mutation::WaitsForNobody);
        if waits && pod.is_terminating() {
            self.steps.decide(Decision::at(Rule::ReplicaTerminating, ordinal));
            return Ok(Break(()));
        }
        if waits && !is_running_and_ready(pod) {
            self.steps.decide(Decision::at(Rule::ReplicaNotReady, ordinal));
            return Ok(Break(()));
        }
        if waits && !self.is_available(pod) {
            self.steps.decide(Decision::at(Rule::ReplicaNotAvailable, ordinal));
            return Ok(Break(()));
        }
        let updated = self.steps.update_stateful_pod(pod);
        self.decide_outcome(&updated, Rule::ReplicaUpdated, Rule::ReplicaUpdateRefused, ordinal);
        updated.map(|()| Continue(()))
    }

    /// A failed pod is deleted, and its ordinal created again in the same sync.
    fn delete_failed(&mut self, pod: &Pod, ordinal: i32) -> Result<(), SyncError> {
        self.steps.tell_of_failed(pod);
        let deleted = self.steps.delete_stateful_pod(pod);
        self.decide_outcome(&deleted, Rule::ReplicaFailed, Rule::ReplicaFailedRefused, ordinal);
        deleted
    }

    fn create_replica(&mut self, plan: &mut Plan<'_>, index: usize, pod: Pod) -> Result<Flow, SyncError> {
        let revision = revision_of(&pod).to_owned();
        let pod = Rc::new(pod);
        let created = self.steps.create_stateful_pod(&pod);
        self.decide_outcome(&created, Rule::ReplicaCreated, Rule::ReplicaCreateRefused, to_i32(index));
        created?;
        plan.status.replicas += 1;
        RevisionPlace::of(&plan.status, &revision).count(self.steps.gates, &mut plan.status, 1);
        plan.replicas.set(index, Replica::New(pod));
        Ok(if plan.monotonic { Break(()) } else { Continue(()) })
    }

    /// Descending: pods out of range go, one at a time and in order where the policy asks for it.
    fn delete_condemned(&mut self, plan: &mut Plan<'_>) -> Result<Flow, SyncError> {
        for &Member { pod, ordinal, .. } in &plan.condemned {
            if pod.is_terminating() {
                if plan.monotonic {
                    self.steps.decide(Decision::at(Rule::CondemnedTerminating, ordinal));
                    return Ok(Break(()));
                }
                self.steps.decide(Decision::at(Rule::CondemnedPassed, ordinal));
                continue;
            }
            let is_first_unhealthy = plan.first_unhealthy.is_some_and(|first| Rc::ptr_eq(first, pod));
            if plan.monotonic && !is_running_and_ready(pod) && !is_first_unhealthy {
                self.steps.decide(Decision::at(Rule::CondemnedNotReady, ordinal));
                return Ok(Break(()));
            }
            if plan.monotonic && !self.is_available(pod) && !is_first_unhealthy {
                self.steps.decide(Decision::at(Rule::CondemnedNotAvailable, ordinal));
                return Ok(Break(()));
            }
            let deleted = self.steps.delete_stateful_pod(pod);
            self.decide_outcome(&deleted, Rule::CondemnedDeleted, Rule::CondemnedDeleteRefused, ordinal);
            deleted?;
            RevisionPlace::of(&plan.status, revision_of(pod)).count(self.steps.gates, &mut plan.status, -1);
            if plan.monotonic {
                return Ok(Break(()));
            }
        }
        Ok(Continue(()))
    }
}
