//! Which revisions and pods are the set's own.
//! Models adoptOrphanRevisions of stateful_set.go and PodControllerRefManager of controller_ref_manager.go.

use super::{Step, Steps, to_i32};
use crate::objects::{Kind, Object, ObjectMeta, ObjectRef, OwnerReference, Pod, Reason};
use crate::reconcile::pods::parent_and_ordinal;
use crate::reconcile::readings::{Owner, Reading};
use crate::reconcile::{Facts, OwnerPatch, SyncError};
use std::rc::Rc;

/// A pod of the set with what a sync asks of it again and again.
#[derive(Clone, Copy)]
pub(in crate::reconcile) struct Member<'a> {
    pub(in crate::reconcile) pod: &'a Rc<Pod>,
    /// −1 if it does not fit 32 bits.
    pub(in crate::reconcile) ordinal: i32,
    /// Empty if it carries none.
    pub(in crate::reconcile) revision: &'a str,
    pub(in crate::reconcile) is_created: bool,
    pub(in crate::reconcile) is_ready: bool,
    pub(in crate::reconcile) is_terminating: bool,
    /// Named and labelled as its ordinal's pod is.
    pub(in crate::reconcile) is_identified: bool,
    /// As the release sees it; known once the pods are split.
    pub(in crate::reconcile) is_healthy: bool,
    /// Whether it is at the update revision; known once the pods are split.
    pub(in crate::reconcile) is_updated: bool,
}

impl<'a> Member<'a> {
    fn new(pod: &'a Rc<Pod>, reading: &'a Reading, ordinal: i32) -> Self {
        let &Reading { is_created, is_ready, is_terminating, is_identified, .. } = reading;
        let revision = &*reading.revision;
        let (is_healthy, is_updated) = (false, false);
        Self { pod, ordinal, revision, is_created, is_ready, is_terminating, is_identified, is_healthy, is_updated }
    }
}

/// What claiming did with one pod.
enum Claim {
    /// Taken over, at this ordinal.
    Adopted(i32),
    Released,
    Ignored,
}

/// What claiming did with all of them.
#[derive(Default)]
struct Claims<'a> {
    members: Vec<Member<'a>>,
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

    /// The set's pods in the cache's order, or those without an owner last. Every pod is looked at even after a refusal;
    /// the refusals end the sync.
    pub(in crate::reconcile) fn claim_pods(&mut self) -> Result<Vec<Member<'a>>, SyncError> {
        let mut claims = Claims::default();
        claims.members.reserve(self.pods.len());
        let mut orphans = Vec::new();
        let readings: &'a [Reading] = self.readings.pods();
        for (pod, reading) in self.pods.iter().zip(readings) {
            let claim = match (reading.owner, reading.ordinal) {
                (Owner::Set, Some(ordinal)) => {
                    claims.members.push(Member::new(pod, reading, ordinal));
                    continue;
                }
                (Owner::Set, None) => self.claim_strange(pod),
                (Owner::Other, _) => continue,
                (Owner::Nobody, _) if self.gates.claims_orphans_last => {
                    orphans.push((pod, reading));
                    continue;
                }
                (Owner::Nobody, _) => self.claim_orphan(pod, reading, &mut claims.may_adopt),
            };
            self.sort_in(&mut claims, (pod, reading), claim);
        }
        for (orphan, reading) in orphans {
            let claim = self.claim_orphan(orphan, reading, &mut claims.may_adopt);
            self.sort_in(&mut claims, (orphan, reading), claim);
        }
        SyncError::aggregate(claims.errors)?;
        let owned = to_i32(claims.members.len());
        let (adopted, released) = (claims.adopted, claims.released);
        self.decide_step(Step::PodsClaimed, None, Facts::Claimed { owned, adopted, released });
        Ok(claims.members)
    }

    fn sort_in(
        &mut self,
        claims: &mut Claims<'a>,
        (pod, reading): (&'a Rc<Pod>, &'a Reading),
        claim: Result<Claim, SyncError>,
    ) {
        match claim {
            Ok(Claim::Adopted(ordinal)) => {
                claims.adopted += 1;
                claims.members.push(Member::new(pod, reading, ordinal));
            }
            Ok(Claim::Released) => claims.released += 1,
            Ok(Claim::Ignored) => {}
            Err(error) => {
                self.decide_at_pod(Step::PodClaimRefused, pod);
                claims.errors.push(error);
            }
        }
    }

    /// One of the set's own that is not named or labelled as its pods are.
    fn claim_strange(&mut self, pod: &Pod) -> Result<Claim, SyncError> {
        if self.set.metadata.deletion_timestamp.is_some() {
            return Ok(Claim::Ignored);
        }
        self.release(pod)
    }

    fn claim_orphan(
        &mut self,
        pod: &Pod,
        reading: &Reading,
        may_adopt: &mut Option<Result<(), String>>,
    ) -> Result<Claim, SyncError> {
        let metadata = &pod.metadata;
        let deleting = self.set.metadata.deletion_timestamp.or(metadata.deletion_timestamp).is_some();
        let Some(ordinal) = reading.ordinal.filter(|_| !deleting) else { return Ok(Claim::Ignored) };
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
                Ok(Claim::Adopted(ordinal))
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
