//! Which pods and volume claims are the set's own.
//! Models getActiveResources, cleanupPVCs and claimPods of cloneset_controller.go of openkruise/kruise.

use super::Rule;
use super::diff::count;
use super::pods::instance_of;
use super::{Sync, reference};
use crate::objects::{Kind, Object, OwnerReference, PersistentVolumeClaim, Pod};
use crate::reconcile::{Facts, SyncError};
use std::rc::Rc;

type Claim = Rc<PersistentVolumeClaim>;

impl<'a> Sync<'a> {
    /// The claims that pods may use. Unless they are to be reused, claims whose pod is no longer active go: with the pod
    /// while it is still there, at once when it is gone.
    pub(super) fn clean_up_claims(
        &mut self,
        active: &[&Rc<Pod>],
        inactive: &[&Rc<Pod>],
    ) -> Result<Vec<&'a Claim>, SyncError> {
        let claims = self.observed.claims.iter();
        let own = |claim: &&Claim| claim.metadata.deletion_timestamp.is_none() && self.owns(&claim.metadata);
        let claims: Vec<&Claim> = claims.filter(own).collect();
        if self.set().spec.scale_strategy.enable_pvc_reuse {
            return Ok(claims);
        }
        let of = |pods: &[&Rc<Pod>], claim: &Claim| {
            let instance = instance_of(&claim.metadata.labels);
            pods.iter().position(|pod| instance_of(&pod.metadata.labels) == instance)
        };
        let (used, unused): (Vec<&Claim>, Vec<&Claim>) = claims.into_iter().partition(|it| of(active, it).is_some());
        let (terminating, gone): (Vec<&Claim>, Vec<&Claim>) =
            unused.into_iter().partition(|it| of(inactive, it).is_some());
        for claim in terminating {
            if let Some(at) = of(inactive, claim) {
                self.hand_over(claim, inactive[at])?;
                self.decide_at(Rule::ClaimHandedOver, inactive[at]);
            }
        }
        for claim in &gone {
            self.api.delete(&reference(Kind::PersistentVolumeClaim, &claim.metadata))?;
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
        self.api.update(Object::Claim(Rc::new(claim)))?;
        Ok(())
    }

    /// The active pods that match the selector. Others are let go, unless the set is being deleted.
    pub(super) fn claim_pods<'p>(&mut self, pods: Vec<&'p Rc<Pod>>) -> Result<Vec<&'p Rc<Pod>>, SyncError> {
        let set = self.set();
        let (own, strange): (Vec<_>, Vec<_>) =
            pods.into_iter().partition(|pod| set.spec.selector.matches(&pod.metadata.labels));
        let mut released = 0;
        for pod in strange {
            if set.metadata.deletion_timestamp.is_some() {
                continue;
            }
            let mut free = (**pod).clone();
            free.metadata.owner_references.retain(|owner| owner.uid != set.metadata.uid);
            self.api.update(Object::Pod(Rc::new(free)))?;
            self.decide_at(Rule::CloneReleased, pod);
            released += 1;
        }
        self.decide(Rule::ClonesClaimed, Facts::Claimed { owned: count(own.len()), adopted: 0, released });
        Ok(own)
    }
}
