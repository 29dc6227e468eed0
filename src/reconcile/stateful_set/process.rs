//! Replicas up and condemned down as releases from 1.26 do it: each pod by itself, one after the other or in batches.
//! Models processReplica and processCondemned of stateful_set_control.go, v1.28 and v1.34.

use super::control::Plan;
use super::{Rule, Sync};
use crate::objects::PodPhase;
use crate::reconcile::ordinals::{Flow, run_for_all};
use crate::reconcile::sync_cache::CachedPod;
use crate::reconcile::{Decision, SyncError};
use std::ops::ControlFlow::{Break, Continue};
use std::rc::Rc;

impl Sync<'_> {
    /// Ascending, then descending.
    pub(super) fn process(&mut self, plan: &mut Plan<'_>) -> Result<Flow, SyncError> {
        let (replicas, condemned, monotonic) = (plan.replicas.len(), plan.condemned.len(), plan.monotonic);
        // First, process each living replica. Exit at an error or, under OrderedReady, at one that is waited for.
        if run_for_all(replicas, monotonic, |index| self.process_replica(plan, index))?.is_break() {
            return Ok(Break(()));
        }
        self.decide_in_order(plan, replicas);
        if self.steps.gates.auto_delete_claims {
            let fix_pod_claim = |index: usize| {
                let CachedPod { pod, ordinal, .. } = plan.condemned[index];
                self.steps.fix_pod_claim(pod, *ordinal).map(Continue)
            };
            if run_for_all(condemned, monotonic, fix_pod_claim)?.is_break() {
                return Ok(Break(()));
            }
        }
        // Under OrderedReady every replica is available by now, so the condemned may go.
        run_for_all(condemned, monotonic, |index| self.process_condemned(plan, index))
    }

    /// Models processReplica.
    fn process_replica(&mut self, plan: &mut Plan<'_>, index: usize) -> Result<Flow, SyncError> {
        if self.is_in_order(plan, index) {
            return Ok(Continue(()));
        }
        self.decide_in_order(plan, index);
        let (ordinal, monotonic) = (plan.ordinal(index), plan.monotonic);
        // A pod whose containers have ended is deleted, to be created again.
        if let Some(ended) = plan.replicas[index].clone().filter(|pod| self.is_to_be_remade(pod)) {
            self.delete_ended(&ended, ordinal)?;
            if !self.steps.gates.recreates_failed_pod_in_same_sync {
                return Ok(Break(()));
            }
            plan.replicas[index] = None;
        }
        let replica = self.replica(plan, index)?;
        if !replica.is_created() {
            if self.steps.pod_claim_is_stale(&replica.pod, ordinal) {
                self.steps.decide(Decision::at(Rule::ReplicaClaimStale, ordinal));
                return Ok(Break(()));
            }
            let created = self.steps.create_stateful_pod(&replica.pod);
            self.decide_outcome(&created, Rule::ReplicaCreated, Rule::ReplicaCreateRefused, ordinal);
            created?;
            if monotonic {
                return Ok(Break(()));
            }
        }
        if replica.phase == PodPhase::Pending && self.steps.gates.makes_missing_claims {
            self.steps.create_missing_persistent_volume_claims(&replica.pod, ordinal)?;
        }
        if monotonic && let Some(rule) = self.reason_to_wait(&replica) {
            self.steps.decide(Decision::at(rule, ordinal));
            return Ok(Break(()));
        }
        // The cache still shows the claims as they were, so a pod that was just made may be put right, too.
        self.steps.put_right(&replica.pod, ordinal).map(Continue)
    }

    /// Whether processReplica has nothing to do and nothing to wait for at this place, which decisions tell of as one of many.
    fn is_in_order(&mut self, plan: &Plan<'_>, index: usize) -> bool {
        let Some(pod) = plan.replicas[index].as_deref() else { return false };
        let passes = if plan.monotonic {
            pod.is_ready && !pod.is_terminating && self.is_available(pod)
        } else {
            let may_lack_claims = pod.phase == PodPhase::Pending
                && self.steps.gates.makes_missing_claims
                && !self.set.spec.volume_claim_templates.is_empty();
            pod.is_created() && !self.is_to_be_remade(pod) && !may_lack_claims
        };
        passes
            && pod.identity_matches
            && pod.storage_matches
            && self.steps.claims_match_retention_policy(&pod.pod, pod.ordinal)
    }

    /// Models isFailed and, from 1.29 on, isSucceeded of stateful_set_utils.go.
    fn is_to_be_remade(&self, pod: &CachedPod) -> bool {
        let remakes_succeeded = !self.steps.gates.recreates_failed_pod_in_same_sync;
        pod.phase == PodPhase::Failed || (pod.phase == PodPhase::Succeeded && remakes_succeeded)
    }

    /// Why OrderedReady waits at a pod in range.
    pub(super) fn reason_to_wait(&self, pod: &CachedPod) -> Option<Rule> {
        #[cfg(feature = "seeded-faults")]
        if self.steps.gates.has(crate::releases::Mutation::WaitsForNobody) {
            return None;
        }
        if pod.is_terminating {
            Some(Rule::ReplicaTerminating)
        } else if !pod.is_ready {
            Some(Rule::ReplicaNotReady)
        } else {
            (!self.is_available(pod)).then_some(Rule::ReplicaNotAvailable)
        }
    }

    fn delete_ended(&mut self, pod: &CachedPod, ordinal: i32) -> Result<(), SyncError> {
        if !self.steps.gates.recreates_failed_pod_in_same_sync && pod.is_terminating {
            return Ok(());
        }
        let rule = if pod.phase == PodPhase::Failed {
            self.steps.record_failed_pod_event(&pod.pod);
            Rule::ReplicaFailed
        } else {
            Rule::ReplicaSucceeded
        };
        let deleted = self.steps.delete_stateful_pod(&pod.pod);
        self.decide_outcome(&deleted, rule, Rule::ReplicaFailedRefused, ordinal);
        deleted
    }

    /// Models processCondemned.
    fn process_condemned(&mut self, plan: &mut Plan<'_>, index: usize) -> Result<Flow, SyncError> {
        let pod = plan.condemned[index];
        if let Some(rule) = self.reason_to_keep(plan, pod) {
            self.steps.decide(Decision::at(rule, pod.ordinal));
            return Ok(if plan.monotonic { Break(()) } else { Continue(()) });
        }
        let deleted = self.steps.delete_stateful_pod(&pod.pod);
        self.decide_outcome(&deleted, Rule::CondemnedDeleted, Rule::CondemnedDeleteRefused, pod.ordinal);
        deleted.map(|()| Break(()))
    }

    /// Why a condemned pod is not deleted: it is on its way already, or, under OrderedReady, neither available nor the first
    /// unhealthy one.
    pub(super) fn reason_to_keep(&self, plan: &Plan<'_>, pod: &CachedPod) -> Option<Rule> {
        if pod.is_terminating {
            return Some(if plan.monotonic { Rule::CondemnedTerminating } else { Rule::CondemnedPassed });
        }
        let is_first_unhealthy = plan.first_unhealthy_pod.as_ref().is_some_and(|first| Rc::ptr_eq(first, &pod.pod));
        if !plan.monotonic || is_first_unhealthy {
            None
        } else if !pod.is_ready {
            Some(Rule::CondemnedNotReady)
        } else {
            (!self.is_available(pod)).then_some(Rule::CondemnedNotAvailable)
        }
    }
}
