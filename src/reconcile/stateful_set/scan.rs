//! Replicas up and condemned down as releases to 1.25 do it: one pass, whose status is kept by arithmetic.
//! Models updateStatefulSet of stateful_set_control.go, v1.9 to v1.25.

use super::control::Plan;
use super::{Rule, Sync};
use crate::objects::PodPhase;
use crate::reconcile::ordinals::Flow;
use crate::reconcile::sync_cache::CachedPod;
use crate::reconcile::{Decision, SyncError};
use std::ops::ControlFlow::{Break, Continue};

impl Sync<'_> {
    /// Ascending, then descending; a refusal ends it.
    pub(super) fn scan(&mut self, plan: &mut Plan<'_>) -> Result<Flow, SyncError> {
        for index in 0..plan.replicas.len() {
            if self.scan_replica(plan, index)?.is_break() {
                return Ok(Break(()));
            }
        }
        self.decide_in_order(plan, plan.replicas.len());
        if self.steps.gates.auto_delete_claims {
            for CachedPod { pod, ordinal, .. } in plan.condemned.iter().rev() {
                self.steps.fix_pod_claim(pod, *ordinal)?;
            }
        }
        for index in 0..plan.condemned.len() {
            if self.scan_condemned(plan, index)?.is_break() {
                return Ok(Break(()));
            }
        }
        Ok(Continue(()))
    }

    /// What the loop over `replicas` does at each.
    fn scan_replica(&mut self, plan: &mut Plan<'_>, index: usize) -> Result<Flow, SyncError> {
        if self.is_settled(plan, index) {
            return Ok(Continue(()));
        }
        self.decide_in_order(plan, index);
        let (ordinal, monotonic) = (plan.ordinal(index), plan.monotonic);
        // A failed pod is deleted, and its ordinal created again in the same sync.
        if let Some(failed) = plan.replicas[index].clone().filter(|pod| pod.phase == PodPhase::Failed) {
            self.steps.record_failed_pod_event(&failed.pod);
            let deleted = self.steps.delete_stateful_pod(&failed.pod);
            self.decide_outcome(&deleted, Rule::ReplicaFailed, Rule::ReplicaFailedRefused, ordinal);
            deleted?;
            self.count_revision(&mut plan.status, &failed.revision, -1);
            plan.status.replicas -= 1;
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
            plan.status.replicas += 1;
            self.count_revision(&mut plan.status, &replica.revision, 1);
            return Ok(if monotonic { Break(()) } else { Continue(()) });
        }
        if monotonic && let Some(rule) = self.reason_to_wait(&replica) {
            self.steps.decide(Decision::at(rule, ordinal));
            return Ok(Break(()));
        }
        let updated = self.steps.update_stateful_pod(&replica.pod);
        self.decide_outcome(&updated, Rule::ReplicaUpdated, Rule::ReplicaUpdateRefused, ordinal);
        updated.map(Continue)
    }

    /// Whether there is nothing to do and nothing to wait for at this place, which decisions tell of as one of many.
    fn is_settled(&mut self, plan: &Plan<'_>, index: usize) -> bool {
        let Some(pod) = plan.replicas[index].as_deref() else { return false };
        let passes = if plan.monotonic {
            pod.is_ready && !pod.is_terminating && self.is_available(pod)
        } else {
            pod.is_created() && pod.phase != PodPhase::Failed
        };
        passes
            && pod.identity_matches
            && pod.storage_matches
            && self.steps.claims_match_retention_policy(&pod.pod, pod.ordinal)
    }

    /// What the loop over `condemned` does at each.
    fn scan_condemned(&mut self, plan: &mut Plan<'_>, index: usize) -> Result<Flow, SyncError> {
        let pod = plan.condemned[index];
        let next = if plan.monotonic { Break(()) } else { Continue(()) };
        if let Some(rule) = self.reason_to_keep(plan, pod) {
            self.steps.decide(Decision::at(rule, pod.ordinal));
            return Ok(next);
        }
        let deleted = self.steps.delete_stateful_pod(&pod.pod);
        self.decide_outcome(&deleted, Rule::CondemnedDeleted, Rule::CondemnedDeleteRefused, pod.ordinal);
        deleted?;
        self.count_revision(&mut plan.status, &pod.revision, -1);
        Ok(next)
    }
}
