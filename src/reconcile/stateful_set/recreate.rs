//! The strategy Recreate: the pods of older revisions all go before any pod is made, whether they are healthy or not.
//! Models the algorithm of KEP-3541 (kubernetes/enhancements, keps/sig-apps/3541-add-recreate-strategy-to-statefulset), which
//! kubernetes/kubernetes#137187 implements; the conditions and events that the text speaks of were disputed, and are left out.

use super::control::Plan;
use super::{Rule, Sync};
use crate::objects::{Pod, UpdateStrategyType};
use crate::reconcile::ordinals::{Flow, to_i32};
use crate::reconcile::sync_cache::CachedPod;
use crate::reconcile::{Decision, Facts, SyncError};
use std::ops::ControlFlow::{Break, Continue};
use std::rc::Rc;

impl Sync<'_> {
    /// Whether the strategy is Recreate and heeded: without the gate one that is stored rolls as RollingUpdate does.
    pub(super) fn recreates(&self) -> bool {
        self.steps.gates.recreate_strategy
            && self.set.spec.update_strategy.strategy_type == UpdateStrategyType::Recreate
    }

    /// Deletes every pod of an older revision, also beyond the replicas, and goes on once none is left.
    pub(super) fn recreate(&mut self, plan: &Plan<'_>) -> Result<Flow, SyncError> {
        let update = &*plan.revisions.update.metadata.name;
        let is_old = |pod: &&CachedPod| pod.is_created() && *pod.revision != *update;
        let replicas = plan.replicas.iter().rev().flatten().map(|replica| &**replica);
        let old: Vec<&CachedPod> = plan.condemned.iter().copied().chain(replicas).filter(is_old).collect();
        if old.is_empty() {
            return Ok(Continue(()));
        }
        let going: Vec<(Rc<Pod>, i32)> =
            old.iter().filter(|pod| !pod.is_terminating).map(|pod| (Rc::clone(&pod.pod), pod.ordinal)).collect();
        for (pod, ordinal) in &going {
            let deleted = self.steps.delete_stateful_pod(pod);
            self.decide_outcome(&deleted, Rule::UpdateDeleted, Rule::UpdateDeleteRefused, *ordinal);
            deleted?;
        }
        if going.is_empty() {
            self.steps.decide(Decision::new(Rule::UpdateRecreateWaits).with(Facts::Count(to_i32(old.len()))));
        }
        Ok(Break(()))
    }
}
