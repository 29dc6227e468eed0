//! The set's status: what is counted, when a rollout is complete, and when a write is needed.
//! Models updateStatus and updateStatefulSetStatus of stateful_set_control.go, completeRollingUpdate and inconsistentStatus of
//! stateful_set_utils.go, and updatePVCStatus of statefulset_resize_pvc.go.

use super::control::{Plan, Replica};
use super::pods::{Availability, availability};
use super::{Rule, Sync};
use crate::objects::quantity::in_nano as quantity_in_nano;
use crate::objects::{
    AdvancedStatefulSet, AdvancedStatefulSetStatus, Extra, Object, PersistentVolumeClaim, UpdateStrategyType,
    VolumeClaimStatus,
};
use crate::reconcile::ordinals::Revisions;
use crate::reconcile::sync_cache::CachedPod;
use crate::reconcile::{Decision, SyncError};
use serde_json::Value;
use std::rc::Rc;

impl Sync<'_> {
    /// The status as the pods that the cache holds make it.
    pub(super) fn new_status(&mut self, pods: &[&CachedPod], revisions: &Revisions) -> AdvancedStatefulSetStatus {
        let mut status = AdvancedStatefulSetStatus {
            observed_generation: self.set.metadata.generation,
            current_revision: revisions.current.metadata.name.clone(),
            update_revision: revisions.update.metadata.name.clone(),
            collision_count: Some(revisions.collision_count),
            label_selector: self.set.spec.selector.to_text().into(),
            ..AdvancedStatefulSetStatus::default()
        };
        status.volume_claims = self.volume_claims(pods.iter().copied());
        self.count(&mut status, pods.iter().copied());
        status
    }

    /// The same at the end of scaling: of the pods in range, made in memory or not, and the condemned ones.
    pub(super) fn count_again(&mut self, plan: &mut Plan<'_>) {
        // Of those that are still to be made only claims count.
        if !self.set.spec.volume_claim_templates.is_empty() {
            self.make_missing(plan);
        }
        let Plan { replicas, condemned, status, .. } = plan;
        let in_range = replicas.iter().filter_map(Replica::pod).map(|pod| &**pod);
        status.volume_claims = self.volume_claims(in_range.clone());
        self.count(status, in_range.chain(condemned.iter().copied()));
    }

    /// Models updateStatus.
    fn count<'p>(&self, status: &mut AdvancedStatefulSetStatus, pods: impl Iterator<Item = &'p CachedPod>) {
        (status.replicas, status.ready_replicas, status.available_replicas) = (0, 0, 0);
        (status.current_replicas, status.updated_replicas) = (0, 0);
        (status.updated_ready_replicas, status.updated_available_replicas) = (0, 0);
        for pod in pods {
            let is_updated = pod.revision == status.update_revision;
            status.replicas += i32::from(pod.is_created());
            if pod.is_ready {
                let is_available = availability(pod, self.set.min_ready_seconds(), self.steps.now) == Availability::Now;
                status.ready_replicas += 1;
                status.available_replicas += i32::from(is_available);
                status.updated_ready_replicas += i32::from(is_updated);
                status.updated_available_replicas += i32::from(is_updated && is_available);
            }
            if pod.is_created() && !pod.is_terminating {
                status.current_replicas += i32::from(pod.revision == status.current_revision);
                status.updated_replicas += i32::from(is_updated);
            }
        }
    }

    /// By claim template, how many of the pods have a claim that fits it.
    fn volume_claims<'p>(&mut self, pods: impl Iterator<Item = &'p CachedPod> + Clone) -> Vec<VolumeClaimStatus> {
        let set = self.set;
        let templates = set.spec.volume_claim_templates.iter();
        let count = |template: &PersistentVolumeClaim| {
            let mut status =
                VolumeClaimStatus { volume_claim_name: template.metadata.name.clone(), ..Default::default() };
            for pod in pods.clone() {
                let Some(claim) = self.steps.claim_of(template, &pod.pod) else { continue };
                if claim.metadata.deletion_timestamp.is_none() && is_compatible(&claim, template) {
                    status.compatible_replicas += 1;
                    let given = storage(claim.status.extra.get("capacity"));
                    status.compatible_ready_replicas += i32::from(given >= requested(&claim));
                }
            }
            status
        };
        templates.map(count).collect()
    }

    /// Writes the status if it differs, as that of a complete rollout if it is complete.
    pub(super) fn update_status(&mut self, mut status: AdvancedStatefulSetStatus) -> Result<(), SyncError> {
        let set = self.set;
        if set.spec.update_strategy.strategy_type == UpdateStrategyType::RollingUpdate
            && status.updated_replicas == status.replicas
            && status.ready_replicas == status.replicas
        {
            if status.current_revision != status.update_revision {
                self.steps.decide(Decision::new(Rule::RolloutCompleted));
            }
            status.current_replicas = status.updated_replicas;
            status.current_revision = Rc::clone(&status.update_revision);
        }
        if !is_inconsistent(&set.status, &status) {
            self.steps.leave_status();
            return Ok(());
        }
        let desired = AdvancedStatefulSet { status, ..AdvancedStatefulSet::clone(set) };
        self.steps.write_status(Object::AdvancedStatefulSet(Rc::new(desired)), |newer, desired| {
            match (newer, desired) {
                (Object::AdvancedStatefulSet(newer), Object::AdvancedStatefulSet(own)) => {
                    let status = own.status.clone();
                    Object::AdvancedStatefulSet(Rc::new(AdvancedStatefulSet {
                        status,
                        ..AdvancedStatefulSet::clone(&newer)
                    }))
                }
                (newer, _) => newer,
            }
        })
    }
}

/// The counts of ready and of available updated pods alone are no reason to write; nor is a claim template that is new.
fn is_inconsistent(old: &AdvancedStatefulSetStatus, new: &AdvancedStatefulSetStatus) -> bool {
    let counts = |status: &AdvancedStatefulSetStatus| {
        let AdvancedStatefulSetStatus { replicas, current_replicas, ready_replicas, .. } = *status;
        (replicas, current_replicas, ready_replicas, status.available_replicas, status.updated_replicas)
    };
    new.observed_generation > old.observed_generation
        || counts(new) != counts(old)
        || new.current_revision != old.current_revision
        || new.update_revision != old.update_revision
        || new.label_selector != old.label_selector
        || old.volume_claims.iter().any(|claim| !new.volume_claims.contains(claim))
}

/// Of the template's storage class and access modes, and asking for as much storage at least.
/// Models IsPVCCompatibleAndReady of pkg/util/pvc/pvc_compare_utils.go.
fn is_compatible(claim: &PersistentVolumeClaim, template: &PersistentVolumeClaim) -> bool {
    let class = |claim: &PersistentVolumeClaim| claim.spec.extra.get("storageClassName").cloned();
    let is_other_class = class(template).is_some_and(|wanted| class(claim).is_some_and(|own| own != wanted));
    !is_other_class && claim.spec.access_modes == template.spec.access_modes && requested(claim) >= requested(template)
}

fn requested(claim: &PersistentVolumeClaim) -> i128 {
    let requests = |spec: &Extra| spec.get("resources").and_then(|resources| resources.get("requests")).cloned();
    storage(requests(&claim.spec.extra).as_ref())
}

/// The `storage` of a list of resources; 0 if it has none.
fn storage(resources: Option<&Value>) -> i128 {
    resources.and_then(|list| list.get("storage")?.as_str()).and_then(quantity_in_nano).unwrap_or(0)
}
