//! Replicas up and condemned down as releases from 1.28 do it: each pod by itself, one after the other or in batches.
//! Models processReplica, processCondemned and runForAll of stateful_set_control.go, v1.28 and v1.34.

use super::control::Plan;
use super::replicas::{Order, Replica};
use super::{Rule, Sync};
use crate::objects::{Pod, PodPhase};
use crate::reconcile::ordinals::{Flow, for_all};
use crate::reconcile::pods::{is_failed, is_running_and_ready};
use crate::reconcile::roster::{Look, Member};
use crate::reconcile::{Decision, SyncError};
use std::ops::ControlFlow::{Break, Continue};
use std::rc::Rc;

impl Sync<'_> {
    /// Ascending, then descending; and the status without the pods that are in neither part any more.
    pub(super) fn process(&mut self, plan: &mut Plan<'_>) -> Result<Flow, SyncError> {
        let flow = self.process_all(plan);
        for member in std::mem::take(&mut plan.dropped) {
            self.count_pods(&mut plan.status, member.look, -1);
        }
        flow
    }

    fn process_all(&mut self, plan: &mut Plan<'_>) -> Result<Flow, SyncError> {
        let condemned = plan.condemned.len();
        let is_monotonic = plan.monotonic;
        let are_claims_right = self.steps.are_all_claims_kept_right();
        let open = plan
            .replicas
            .places(Order::Ascending, 0, |look| !are_claims_right || !self.are_in_order(is_monotonic, look));
        if for_all(open, is_monotonic, &mut |index| self.process_replica(plan, index))?.is_break() {
            return Ok(Break(()));
        }
        self.decide_in_order(plan, plan.replicas.len());
        if self.keeps_condemned_claims() {
            let flow = for_all(0..condemned, is_monotonic, &mut |index| {
                let Member { pod, ordinal, .. } = plan.condemned[index];
                self.steps.keep_condemned_claims(pod, ordinal).map(Continue)
            })?;
            if flow.is_break() {
                return Ok(flow);
            }
        }
        for_all(0..condemned, is_monotonic, &mut |index| self.process_condemned(plan, index))
    }

    /// Whether there is nothing to do and nothing to wait for at ordinals whose pods look like this, the owners of their claims
    /// apart.
    fn are_in_order(&self, is_monotonic: bool, look: &Look) -> bool {
        if is_monotonic {
            return look.is_itself && look.is_ready && look.is_available && !look.is_terminating;
        }
        let may_lack_claims = look.phase == PodPhase::Pending && !self.set.spec.volume_claim_templates.is_empty();
        look.is_itself && look.is_created && !self.is_to_be_remade(look.phase) && !may_lack_claims
    }

    fn is_in_order(&mut self, plan: &Plan<'_>, index: usize) -> bool {
        let Replica::Existing(member) = plan.replicas.get(index) else { return false };
        self.are_in_order(plan.monotonic, member.look) && self.steps.claims_are_kept_right(member.pod, member.ordinal)
    }

    fn is_to_be_remade(&self, phase: PodPhase) -> bool {
        let has_succeeded = phase == PodPhase::Succeeded && !self.steps.gates.recreates_failed_pod_in_same_sync;
        phase == PodPhase::Failed || has_succeeded
    }

    fn process_replica(&mut self, plan: &mut Plan<'_>, index: usize) -> Result<Flow, SyncError> {
        if self.is_in_order(plan, index) {
            return Ok(Continue(()));
        }
        self.decide_in_order(plan, index);
        let ordinal = plan.ordinal(index);
        if let Replica::Existing(member) = plan.replicas.get(index)
            && self.is_to_be_remade(member.look.phase)
        {
            self.delete_ended(member.pod, ordinal)?;
            if !self.steps.gates.recreates_failed_pod_in_same_sync {
                return Ok(Break(()));
            }
            plan.dropped.push(member);
            plan.replicas.set(index, Replica::Missing);
        }
        let existing = match plan.replicas.get(index) {
            Replica::Existing(member) if member.look.is_created => Some(member.pod),
            _ => None,
        };
        let Some(pod) = existing else {
            if self.process_missing(plan, index)?.is_break() {
                return Ok(Break(()));
            }
            if plan.monotonic {
                return Ok(Break(()));
            }
            // The cache still shows the claims as they were, so upstream may put a pod right that it has just made.
            let Replica::New(pod) = plan.replicas.get(index) else { return Ok(Continue(())) };
            return self.steps.put_right(&pod, ordinal).map(Continue);
        };
        if pod.status.phase == PodPhase::Pending {
            self.steps.create_missing_claims(pod, ordinal)?;
        }
        if plan.monotonic
            && let Some(rule) = self.reason_to_wait(pod)
        {
            self.steps.decide(Decision::at(rule, ordinal));
            return Ok(Break(()));
        }
        self.steps.put_right(pod, ordinal).map(Continue)
    }

    /// Why OrderedReady waits at a pod.
    fn reason_to_wait(&self, pod: &Pod) -> Option<Rule> {
        #[cfg(feature = "seeded-faults")]
        if self.steps.gates.has(crate::releases::Mutation::WaitsForNobody) {
            return None;
        }
        if pod.is_terminating() {
            Some(Rule::ReplicaTerminating)
        } else if !is_running_and_ready(pod) {
            Some(Rule::ReplicaNotReady)
        } else {
            (!self.is_available(pod)).then_some(Rule::ReplicaNotAvailable)
        }
    }

    /// A pod whose containers have ended is deleted, to be created again.
    fn delete_ended(&mut self, pod: &Pod, ordinal: i32) -> Result<(), SyncError> {
        if !self.steps.gates.recreates_failed_pod_in_same_sync && pod.is_terminating() {
            return Ok(());
        }
        let rule = if is_failed(pod) {
            self.steps.tell_of_failed(pod);
            Rule::ReplicaFailed
        } else {
            Rule::ReplicaSucceeded
        };
        let deleted = self.steps.delete_stateful_pod(pod);
        self.decide_outcome(&deleted, rule, Rule::ReplicaFailedRefused, ordinal);
        deleted
    }

    /// Creates the pod of an ordinal that has none, unless a claim is still to go with the last one.
    fn process_missing(&mut self, plan: &mut Plan<'_>, index: usize) -> Result<Flow, SyncError> {
        let ordinal = plan.ordinal(index);
        let pod = match plan.replicas.get(index) {
            Replica::Existing(member) => Rc::clone(member.pod),
            _ => Rc::new(self.new_versioned_pod(plan, index)?),
        };
        if self.steps.has_stale_claim(&pod, ordinal) {
            self.steps.decide(Decision::at(Rule::ReplicaClaimStale, ordinal));
            // A rolling update takes the pod that is still to be sent for one that exists.
            if matches!(plan.replicas.get(index), Replica::Missing) {
                plan.replicas.set(index, Replica::New(pod));
            }
            return Ok(Break(()));
        }
        let created = self.steps.create_stateful_pod(&pod);
        self.decide_outcome(&created, Rule::ReplicaCreated, Rule::ReplicaCreateRefused, ordinal);
        created?;
        plan.replicas.set(index, Replica::New(pod));
        Ok(Continue(()))
    }

    fn process_condemned(&mut self, plan: &mut Plan<'_>, index: usize) -> Result<Flow, SyncError> {
        let Member { pod, ordinal, .. } = plan.condemned[index];
        if pod.is_terminating() {
            let rule = if plan.monotonic { Rule::CondemnedTerminating } else { Rule::CondemnedPassed };
            self.steps.decide(Decision::at(rule, ordinal));
            return Ok(if plan.monotonic { Break(()) } else { Continue(()) });
        }
        if plan.monotonic && !plan.first_unhealthy.is_some_and(|first| Rc::ptr_eq(first, pod)) {
            let ready = is_running_and_ready(pod);
            if !ready || !self.is_available(pod) {
                let rule = if ready { Rule::CondemnedNotAvailable } else { Rule::CondemnedNotReady };
                self.steps.decide(Decision::at(rule, ordinal));
                return Ok(Break(()));
            }
        }
        let deleted = self.steps.delete_stateful_pod(pod);
        self.decide_outcome(&deleted, Rule::CondemnedDeleted, Rule::CondemnedDeleteRefused, ordinal);
        deleted.map(|()| Break(()))
    }
}
