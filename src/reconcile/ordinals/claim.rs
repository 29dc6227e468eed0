//! Which revisions and pods are the set's own.
//! Models adoptOrphanRevisions of stateful_set.go and PodControllerRefManager of controller_ref_manager.go.

use super::{Step, Steps, to_i32};
use crate::objects::{Kind, Object, ObjectMeta, ObjectRef, OwnerReference, Pod, Reason};
use crate::reconcile::pods::parent_and_ordinal;
use crate::reconcile::sync_cache::{CachedPod, PodOwner};
use crate::reconcile::{Facts, OwnerPatch, SyncError};

/// What claiming did with one pod.
enum Claim {
    Adopted,
    Released,
    Ignored,
}

/// What claiming did with all of them.
#[derive(Default)]
struct Claims<'a> {
    claimed: Vec<&'a CachedPod>,
    adopted: i32,
    released: i32,
    errors: Vec<SyncError>,
    /// The one uncached look, once it was made.
    may_adopt: Option<Result<(), String>>,
}

impl<'a> Steps<'a> {
    pub(in crate::reconcile) fn adopt_orphan_revisions(&mut self) -> Result<(), SyncError> {
        let listed = self.revisions.iter().map(|revision| &revision.metadata);
        let mut own: Vec<&ObjectMeta> = listed.filter(|metadata| self.is_own_or_orphan(metadata)).collect();
        let count = own.iter().filter(|metadata| metadata.controller_of().is_none()).count();
        if count == 0 {
            return Ok(());
        }
        if self.gates.adopts_only_orphans {
            own.retain(|metadata| metadata.controller_of().is_none());
        }
        let allowed = if self.gates.adopts_for_deleted_set {
            self.fresh_set().map(|_| ())
        } else {
            self.can_adopt().map_err(|refusal| format!("can't adopt ControllerRevisions: {refusal}"))
        };
        let adopted = allowed.map_err(SyncError).and_then(|()| {
            own.iter().try_for_each(|revision| match revision.controller_of() {
                None => self.adopt(Kind::ControllerRevision, revision),
                Some(owner) => {
                    self.decided(Step::OwnedRevisionInTheWay);
                    Err(SyncError(format!("attempt to adopt revision owned by {}", go_text(owner))))
                }
            })
        });
        let step = if adopted.is_ok() { Step::RevisionsAdopted } else { Step::RevisionAdoptionRefused };
        self.decide_step(step, None, Facts::Count(to_i32(count)));
        adopted
    }

    /// Whether an object matches the selector and is the set's own or nobody's.
    pub(in crate::reconcile) fn is_own_or_orphan(&self, metadata: &ObjectMeta) -> bool {
        let set = &self.set;
        set.selector.matches(&metadata.labels)
            && metadata.controller_of().is_none_or(|owner| owner.uid == set.metadata.uid)
    }

    fn adopt(&mut self, kind: Kind, orphan: &ObjectMeta) -> Result<(), SyncError> {
        let target = ObjectRef { kind, namespace: orphan.namespace.clone(), name: orphan.name.clone() };
        let patch = OwnerPatch::Adopt { owner: self.controller_reference(), uid: orphan.uid.clone() };
        Ok(self.api.patch_owner(&target, &patch)?)
    }

    /// The set's pods in the cache's order, or those without an owner last. Every pod is looked at even after a refusal; the
    /// refusals end the sync. Models ClaimPods.
    pub(in crate::reconcile) fn claim_pods(&mut self) -> Result<Vec<&'a CachedPod>, SyncError> {
        let mut claims = Claims::default();
        let mut orphans = Vec::new();
        for pod in self.pods {
            match pod.owner {
                PodOwner::Set if pod.is_member => claims.claimed.push(pod),
                PodOwner::Nobody if self.gates.claims_orphans_last => orphans.push(pod),
                PodOwner::Set | PodOwner::Nobody => self.claim_object(pod, &mut claims),
                PodOwner::Other => {}
            }
        }
        for orphan in orphans {
            self.claim_object(orphan, &mut claims);
        }
        SyncError::aggregate(claims.errors)?;
        let owned = to_i32(claims.claimed.len());
        let (adopted, released) = (claims.adopted, claims.released);
        self.decide_step(Step::PodsClaimed, None, Facts::Claimed { owned, adopted, released });
        Ok(claims.claimed)
    }

    /// Lets a pod go that is no longer named or labeled as the set's are, or adopts one that is and has no owner.
    /// Models ClaimObject.
    fn claim_object(&mut self, pod: &'a CachedPod, claims: &mut Claims<'a>) {
        let claim = match pod.owner {
            PodOwner::Set => self.release(&pod.pod),
            _ => self.adopt_pod(pod, &mut claims.may_adopt),
        };
        match claim {
            Ok(Claim::Adopted) => {
                claims.adopted += 1;
                claims.claimed.push(pod);
            }
            Ok(Claim::Released) => claims.released += 1,
            Ok(Claim::Ignored) => {}
            Err(error) => {
                self.decide_at_pod(Step::PodClaimRefused, &pod.pod);
                claims.errors.push(error);
            }
        }
    }

    fn adopt_pod(&mut self, pod: &CachedPod, may_adopt: &mut Option<Result<(), String>>) -> Result<Claim, SyncError> {
        if self.set.metadata.deletion_timestamp.is_some() || pod.is_terminating || !pod.is_member {
            return Ok(Claim::Ignored);
        }
        let pod = &pod.pod;
        let metadata = &pod.metadata;
        if let Err(refusal) = may_adopt.get_or_insert_with(|| self.can_adopt()) {
            return Err(SyncError(format!(
                "can't adopt Pod {}/{} ({}): {refusal}",
                metadata.namespace, metadata.name, metadata.uid
            )));
        }
        let target = pod_reference(pod);
        let patch = OwnerPatch::Adopt { owner: self.controller_reference(), uid: metadata.uid.clone() };
        match self.api.patch_owner(&target, &patch) {
            Ok(()) => {
                self.decide_at_pod(Step::PodAdopted, pod);
                Ok(Claim::Adopted)
            }
            Err(refusal) if refusal.reason == Reason::NotFound => Ok(Claim::Ignored),
            Err(refusal) => Err(refusal.into()),
        }
    }

    /// The set as the API server holds it, which must be the same one.
    fn fresh_set(&mut self) -> Result<Object, String> {
        let ObjectMeta { namespace, name, uid: wanted, .. } = self.set.metadata;
        let fresh = self.api.get(self.set.kind, namespace, name).map_err(|error| error.message)?;
        let uid = &fresh.metadata().uid;
        if uid != wanted {
            return Err(format!("original StatefulSet {namespace}/{name} is gone: got uid {uid}, wanted {wanted}"));
        }
        Ok(fresh)
    }

    /// The uncached look before the first adoption: the set must be the same and must not be terminating.
    fn can_adopt(&mut self) -> Result<(), String> {
        let fresh = self.fresh_set().map_err(|error| format!("can't recheck DeletionTimestamp: {error}"))?;
        let ObjectMeta { namespace, name, .. } = self.set.metadata;
        match fresh.metadata().deletion_timestamp {
            Some(since) => Err(format!("{namespace}/{name} has just been deleted at {}", since.go_string())),
            None => Ok(()),
        }
    }

    fn decide_at_pod(&mut self, step: Step, pod: &Pod) {
        self.decide_step(step, parent_and_ordinal(&pod.metadata.name).map(|(_, ordinal)| ordinal), Facts::None);
    }

    fn release(&mut self, pod: &Pod) -> Result<Claim, SyncError> {
        if self.set.metadata.deletion_timestamp.is_some() {
            return Ok(Claim::Ignored);
        }
        let patch = OwnerPatch::Release { owner_uid: self.set.metadata.uid.clone(), uid: pod.metadata.uid.clone() };
        match self.api.patch_owner(&pod_reference(pod), &patch) {
            Ok(()) => {
                self.decide_at_pod(Step::PodReleased, pod);
                Ok(Claim::Released)
            }
            // Gone, or its owners changed meanwhile: the next sync sees it.
            Err(refusal) if matches!(refusal.reason, Reason::NotFound | Reason::Invalid) => Ok(Claim::Ignored),
            Err(refusal) => Err(refusal.into()),
        }
    }
}

/// An owner reference as Go prints it.
fn go_text(owner: &OwnerReference) -> String {
    let OwnerReference { kind, name, uid, api_version, .. } = owner;
    let pointer = |flag: Option<bool>| flag.map_or("nil".to_owned(), |flag| format!("*{flag}"));
    let (controller, block) = (pointer(owner.controller), pointer(owner.block_owner_deletion));
    format!(
        "&OwnerReference{{Kind:{kind},Name:{name},UID:{uid},APIVersion:{api_version},Controller:{controller},BlockOwnerDeletion:{block},}}"
    )
}

fn pod_reference(pod: &Pod) -> ObjectRef {
    ObjectRef { kind: Kind::Pod, namespace: pod.metadata.namespace.clone(), name: pod.metadata.name.clone() }
}
