//! Claims that go with their pod or with their set: `persistentVolumeClaimRetentionPolicy` as owner references.
//! Models stateful_pod_control.go and the claim functions of stateful_set_utils.go, v1.28 and v1.34.

use super::identity::{claim_name_at, ordinal_of};
use super::{Step, Steps};
use crate::objects::{
    ApiError, EventType, Kind, Object, ObjectMeta, ObjectRef, OwnerReference, PersistentVolumeClaim, Pod,
};
use crate::reconcile::{Facts, SyncError};
use std::rc::Rc;

/// Group and version, and kind.
const POD_KIND: (&str, &str) = ("v1", "Pod");

/// With what a claim is to be deleted, and so what is to own it.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Keeper {
    Nobody,
    Set,
    Pod,
}

impl Steps<'_> {
    /// The keeper of the claims of this ordinal.
    fn keeper(&self, ordinal: i32) -> Keeper {
        let policy = self.set.claim_deletion;
        match (policy.when_scaled && !self.ordinals.contains(ordinal), policy.when_deleted) {
            (true, _) => Keeper::Pod,
            (false, true) => Keeper::Set,
            (false, false) => Keeper::Nobody,
        }
    }

    /// Group and version, and kind, of the set.
    fn set_kind(&self) -> (&'static str, &'static str) {
        (self.set.kind.api_version(), self.set.kind.as_str())
    }

    /// The claim as the cache holds it.
    pub(super) fn claim(&mut self, name: &Rc<str>) -> Option<Rc<PersistentVolumeClaim>> {
        let namespace = &self.set.metadata.namespace;
        if self.looks_claims_up {
            let key =
                ObjectRef { kind: Kind::PersistentVolumeClaim, namespace: Rc::clone(namespace), name: Rc::clone(name) };
            if let Some(Object::Claim(newer)) = self.api.cached_after(&key, 0) {
                return Some(newer);
            }
        }
        self.claims.get(name).cloned()
    }

    /// The claim that a pod has for a template, as the cache holds it.
    pub(in crate::reconcile) fn claim_of(
        &mut self,
        template: &PersistentVolumeClaim,
        pod: &Pod,
    ) -> Option<Rc<PersistentVolumeClaim>> {
        let name = claim_name_at(template, &self.set, pod, ordinal_of(pod));
        self.claim(&name)
    }

    /// The claims of a pod that the cache holds.
    fn claims_held(&mut self, pod: &Pod, ordinal: i32) -> Vec<Rc<PersistentVolumeClaim>> {
        let set = self.set;
        let names = set.claim_templates.iter().map(|template| claim_name_at(template, &set, pod, ordinal));
        names.filter_map(|name| self.claim(&name)).collect()
    }

    /// Whether every claim of the pod that the cache holds has the owner that the policy asks for.
    pub(in crate::reconcile) fn claims_match_retention_policy(&mut self, pod: &Pod, ordinal: i32) -> bool {
        if !self.gates.auto_delete_claims || self.set.claim_templates.is_empty() {
            return true;
        }
        let keeper = self.keeper(ordinal);
        if keeper == Keeper::Nobody && !self.claims.has_owned() {
            return true;
        }
        self.claims_held(pod, ordinal).iter().all(|claim| self.is_kept_right(&claim.metadata, &pod.metadata, keeper))
    }

    fn is_kept_right(&self, claim: &ObjectMeta, pod: &ObjectMeta, keeper: Keeper) -> bool {
        let set = self.set.metadata;
        let owners = &claim.owner_references;
        let (by_set, by_pod) = (has_owner(owners, set), has_owner(owners, pod));
        if self.gates.controls_claims {
            if is_stale(owners, self.set_kind(), set) || is_stale(owners, POD_KIND, pod) {
                return true;
            }
            if self.is_controlled_by_another(owners, pod) {
                return !by_set && !by_pod;
            }
            let mut ours = owners.iter().filter(|owner| owner.uid == set.uid || owner.uid == pod.uid);
            if ours.any(|owner| owner.controller != Some(true)) {
                return false;
            }
        }
        by_set == (keeper == Keeper::Set) && by_pod == (keeper == Keeper::Pod)
    }

    /// Whether the policy would delete claims, but another object, or an older set or pod of the same name, manages this
    /// one.
    fn is_controlled_by_another(&self, owners: &[OwnerReference], pod: &ObjectMeta) -> bool {
        let set = self.set.metadata;
        (self.set.claim_deletion.when_scaled || self.set.claim_deletion.when_deleted)
            && owners.iter().any(|owner| {
                if names(owner, self.set_kind(), set) {
                    owner.uid != set.uid
                } else if names(owner, POD_KIND, pod) {
                    owner.uid != pod.uid
                } else {
                    owner.controller == Some(true)
                }
            })
    }

    /// Gives the pod's claims that the cache holds the owner that the policy asks for. Says whether any was written.
    pub(in crate::reconcile) fn update_pod_claim_for_retention_policy(
        &mut self,
        pod: &Pod,
        ordinal: i32,
    ) -> Result<bool, ApiError> {
        let keeper = self.keeper(ordinal);
        let mut written = false;
        for claim in self.claims_held(pod, ordinal) {
            let name = &claim.metadata.name;
            let conflict = self.gates.controls_claims
                && self.is_controlled_by_another(&claim.metadata.owner_references, &pod.metadata);
            if conflict {
                self.decide_step(Step::ClaimLeftToOther, Some(ordinal), Facts::None);
                self.record(EventType::Warning, "ConflictingController", format!(
                    "PersistentVolumeClaim {name} has a conflicting OwnerReference that acts as a manging controller, the retention policy is ignored for this claim"
                ));
            }
            if self.is_kept_right(&claim.metadata, &pod.metadata, keeper) {
                continue;
            }
            let mut claim = (*claim).clone();
            let keeper = if conflict { Keeper::Nobody } else { keeper };
            self.set_owner(&mut claim.metadata.owner_references, &pod.metadata, keeper);
            let could_not = if self.gates.controls_claims { "could not" } else { "Could not" };
            self.api.update(Object::Claim(Rc::new(claim))).map_err(|refusal| ApiError {
                message: format!("{could_not} update claim {name} for delete policy ownerRefs: {refusal}"),
                ..refusal
            })?;
            written = true;
        }
        Ok(written)
    }

    fn set_owner(&self, owners: &mut Vec<OwnerReference>, pod: &ObjectMeta, keeper: Keeper) {
        let set = self.set.metadata;
        let wanted = match keeper {
            Keeper::Nobody => None,
            Keeper::Set => Some((self.set_kind(), set)),
            Keeper::Pod => Some((POD_KIND, pod)),
        };
        let controls = self.gates.controls_claims;
        owners.retain(|owner| {
            if controls {
                !names(owner, self.set_kind(), set) && !names(owner, POD_KIND, pod)
            } else {
                let is_wanted = wanted.is_some_and(|(_, object)| owner.uid == object.uid);
                is_wanted || (owner.uid != set.uid && owner.uid != pod.uid)
            }
        });
        let Some(((version, kind), object)) = wanted.filter(|(_, object)| !has_owner(owners, object)) else { return };
        owners.push(OwnerReference {
            api_version: version.into(),
            kind: kind.into(),
            name: object.name.clone(),
            uid: object.uid.clone(),
            controller: controls.then_some(true),
            block_owner_deletion: controls.then_some(true),
        });
    }

    /// Whether a claim of a pod yet to be made still belongs to the last pod of that name, with which it is to go.
    pub(in crate::reconcile) fn pod_claim_is_stale(&mut self, pod: &Pod, ordinal: i32) -> bool {
        if !self.gates.auto_delete_claims || !self.set.claim_deletion.when_scaled {
            return false;
        }
        let controls = self.gates.controls_claims;
        self.claims_held(pod, ordinal).iter().any(|claim| {
            let (owners, pod) = (&claim.metadata.owner_references, &pod.metadata);
            if controls {
                is_stale(owners, POD_KIND, pod)
            } else {
                owners.iter().any(|owner| owner.name == pod.name && owner.uid != pod.uid)
            }
        })
    }

    /// The claims of a condemned pod get the owner with which they are to be deleted before the pod does.
    pub(in crate::reconcile) fn fix_pod_claim(&mut self, pod: &Pod, ordinal: i32) -> Result<(), SyncError> {
        if self.claims_match_retention_policy(pod, ordinal) {
            return Ok(());
        }
        let kept = self.update_pod_claim_for_retention_policy(pod, ordinal).map(|_| ()).map_err(SyncError::from);
        let step = if kept.is_ok() { Step::CondemnedClaimsKept } else { Step::CondemnedClaimsRefused };
        self.decide_step(step, Some(ordinal), Facts::None);
        kept
    }
}

fn has_owner(owners: &[OwnerReference], object: &ObjectMeta) -> bool {
    owners.iter().any(|owner| owner.uid == object.uid)
}

/// Whether an owner reference names this object, whatever its uid.
fn names(owner: &OwnerReference, (version, kind): (&str, &str), object: &ObjectMeta) -> bool {
    *owner.api_version == *version && *owner.kind == *kind && owner.name == object.name
}

/// Whether the first owner of this object's name is an older object.
fn is_stale(owners: &[OwnerReference], kind: (&str, &str), object: &ObjectMeta) -> bool {
    owners.iter().find(|owner| names(owner, kind, object)).is_some_and(|owner| owner.uid != object.uid)
}
