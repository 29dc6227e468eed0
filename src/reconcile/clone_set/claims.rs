//! Which pods and volume claims are the set's own.
//! Models getActiveResources, cleanupPVCs and claimPods of cloneset_controller.go of openkruise/kruise.

use super::Rule;
use super::diff::count;
use super::pods::instance_of;
use super::{Sync, reference};
use crate::objects::{
    ApiError, EventType, Kind, Object, ObjectMeta, OwnerReference, PersistentVolumeClaim, Pod, Reason,
};
use crate::reconcile::sync_cache::OwnPod;
use crate::reconcile::{Facts, SyncError};
use std::rc::Rc;

type Claim = Rc<PersistentVolumeClaim>;

impl<'a> Sync<'a> {
    /// The claims that pods may use. Unless they are to be reused, claims whose pod is no longer active go: with the pod
    /// while it is still there, at once when it is gone.
    pub(super) fn clean_up_claims(
        &mut self,
        active: &[OwnPod<'_>],
        inactive: &[&Rc<Pod>],
    ) -> Result<Vec<&'a Claim>, SyncError> {
        let claims = self.observed.claims.iter();
        let own = |claim: &&Claim| claim.metadata.deletion_timestamp.is_none() && self.owns(&claim.metadata);
        let claims: Vec<&Claim> = claims.filter(own).collect();
        if claims.is_empty() || self.set().spec.scale_strategy.enable_pvc_reuse {
            return Ok(claims);
        }
        let active: Vec<&Rc<Pod>> = active.iter().map(OwnPod::pod).collect();
        // Of several pods of one instance the last counts.
        let of = |pods: &[&Rc<Pod>], claim: &Claim| {
            let instance = instance_of(&claim.metadata.labels);
            pods.iter().rposition(|pod| !instance.is_empty() && instance_of(&pod.metadata.labels) == instance)
        };
        let (used, unused): (Vec<&Claim>, Vec<&Claim>) = claims.into_iter().partition(|it| of(&active, it).is_some());
        let (terminating, gone): (Vec<&Claim>, Vec<&Claim>) =
            unused.into_iter().partition(|it| of(inactive, it).is_some());
        for claim in terminating {
            if let Some(at) = of(inactive, claim) {
                self.hand_over(claim, inactive[at])?;
                self.decide_at(Rule::ClaimHandedOver, inactive[at]);
            }
        }
        for claim in &gone {
            let deleted = self.api.delete(&reference(Kind::PersistentVolumeClaim, &claim.metadata));
            self.note_refusal(deleted, "FailedDelete", || format!("failed to clean up PVC {}", claim.metadata.name))?;
        }
        if !gone.is_empty() {
            self.decide(Rule::ClaimDeleted, Facts::Count(count(gone.len())));
        }
        Ok(used)
    }

    fn hand_over(&mut self, claim: &Claim, pod: &Pod) -> Result<(), SyncError> {
        let mut claim = (**claim).clone();
        let owners = &mut claim.metadata.owner_references;
        owners.retain(|owner| owner.uid != self.observed.set.metadata.uid);
        owners.push(OwnerReference {
            api_version: "v1".into(),
            kind: "Pod".into(),
            name: pod.metadata.name.clone(),
            uid: pod.metadata.uid.clone(),
            controller: Some(true),
            block_owner_deletion: Some(true),
        });
        let name = claim.metadata.name.clone();
        let updated = self.api.update(Object::Claim(Rc::new(claim))).map(drop);
        self.note_refusal(updated, "FailedUpdate", || format!("failed to update PVC {name}"))
    }

    /// An event tells of the refusal. One because the claim is gone is none to the sync.
    fn note_refusal(
        &mut self,
        result: Result<(), ApiError>,
        reason: &'static str,
        what: impl FnOnce() -> String,
    ) -> Result<(), SyncError> {
        let Err(refusal) = result else { return Ok(()) };
        self.record(EventType::Warning, reason, format!("{}: {refusal}", what()));
        if refusal.reason == Reason::NotFound { Ok(()) } else { Err(refusal.into()) }
    }

    /// The active pods that match the selector. Others are let go, unless the set is being deleted.
    pub(super) fn claim_pods<'p>(&mut self, mut pods: Vec<OwnPod<'p>>) -> Result<Vec<OwnPod<'p>>, SyncError> {
        let set = self.set();
        let is_anothers = |pod: &Pod| pod.metadata.controller_of().is_some_and(|it| it.uid != set.metadata.uid);
        // What the last sync knew it had claimed.
        let is_strange = |sight: &mut OwnPod<'_>| match sight {
            OwnPod::Known(_) => false,
            OwnPod::Changed(pod) => is_anothers(pod) || !set.spec.selector.matches(&pod.metadata.labels),
        };
        let strange: Vec<OwnPod<'_>> = pods.extract_if(.., is_strange).collect();
        let (mut released, mut errors) = (0, Vec::new());
        for pod in strange.iter().map(OwnPod::pod).filter(|pod| !is_anothers(pod)) {
            if set.metadata.deletion_timestamp.is_some() {
                continue;
            }
            let mut free = (**pod).clone();
            free.metadata.owner_references.retain(|owner| owner.uid != set.metadata.uid);
            if let Err(refusal) = self.api.update(Object::Pod(Rc::new(free))) {
                let ObjectMeta { namespace, name, uid, .. } = &pod.metadata;
                let owner = &set.metadata.uid;
                errors.push(SyncError(format!(
                    "can't remove Pod {namespace}/{name} ({uid}) owner reference {namespace}/{name} ({owner}): {refusal}"
                )));
                continue;
            }
            self.decide_at(Rule::CloneReleased, pod);
            released += 1;
        }
        SyncError::aggregate(errors)?;
        self.decide(Rule::ClonesClaimed, Facts::Claimed { owned: count(pods.len()), adopted: 0, released });
        Ok(pods)
    }
}
