//! Which revisions and pods are the set's own.
//! Models adoptOrphanRevisions of stateful_set.go and PodControllerRefManager of controller_ref_manager.go, v1.20.

use super::Sync;
use crate::objects::{Kind, ObjectMeta, ObjectRef, Pod, Reason};
use crate::reconcile::pods::parent_and_ordinal;
use crate::reconcile::{Decision, Facts, OwnerPatch, Rule, SyncError};
use std::rc::Rc;

/// A pod of the set. Its ordinal, −1 if it does not fit 32 bits, is read from its name once: a sync asks for it often.
#[derive(Clone, Copy)]
pub(super) struct Member<'a> {
    pub(super) pod: &'a Rc<Pod>,
    pub(super) ordinal: i32,
}

/// What claiming did with one pod.
enum Claim {
    /// Kept, at this ordinal.
    Owned(i32),
    /// Taken over, at this ordinal.
    Adopted(i32),
    Released,
    Ignored,
}

impl<'a> Sync<'a> {
    pub(super) fn adopt_orphan_revisions(&mut self) -> Result<(), SyncError> {
        let selector = &self.set().spec.selector;
        let mut listed = self.observed.revisions.iter().map(|revision| &revision.metadata);
        let is_orphan =
            |metadata: &&ObjectMeta| metadata.controller_of().is_none() && selector.matches(&metadata.labels);
        let count = listed.clone().filter(is_orphan).count();
        if count == 0 {
            return Ok(());
        }
        let adopted = if self.gates.adopts_only_orphans {
            let allowed = self.can_adopt().map_err(|refusal| format!("can't adopt ControllerRevisions: {refusal}"));
            let mut orphans = listed.filter(is_orphan);
            allowed.map_err(SyncError).and_then(|()| orphans.try_for_each(|orphan| self.adopt_revision(orphan)))
        } else {
            let own = |metadata: &&ObjectMeta| self.is_own_or_orphan(metadata);
            let own: Vec<&ObjectMeta> = listed.by_ref().filter(own).collect();
            let same = self.fresh_set().map_err(SyncError);
            same.and_then(|_| own.into_iter().try_for_each(|revision| self.adopt_revision(revision)))
        };
        let rule = if adopted.is_ok() { Rule::RevisionsAdopted } else { Rule::RevisionAdoptionRefused };
        self.decide(Decision::new(rule).with(Facts::Count(i32::try_from(count).unwrap_or(i32::MAX))));
        adopted
    }

    /// Takes a revision over; one that has an owner is an error, in the words in which Go prints the owner.
    fn adopt_revision(&mut self, revision: &ObjectMeta) -> Result<(), SyncError> {
        let Some(owner) = revision.controller_of() else { return self.adopt(Kind::ControllerRevision, revision) };
        let block = owner.block_owner_deletion.map_or("nil".to_owned(), |block| format!("*{block}"));
        Err(SyncError(format!(
            "attempt to adopt revision owned by &OwnerReference{{Kind:{},Name:{},UID:{},APIVersion:{},Controller:*true,BlockOwnerDeletion:{block},}}",
            owner.kind, owner.name, owner.uid, owner.api_version
        )))
    }

    /// Whether an object matches the selector and is the set's own or nobody's.
    pub(super) fn is_own_or_orphan(&self, metadata: &ObjectMeta) -> bool {
        let set = self.set();
        set.spec.selector.matches(&metadata.labels)
            && metadata.controller_of().is_none_or(|owner| owner.uid == set.metadata.uid)
    }

    fn adopt(&mut self, kind: Kind, orphan: &ObjectMeta) -> Result<(), SyncError> {
        let target = ObjectRef { kind, namespace: orphan.namespace.clone(), name: orphan.name.clone() };
        let patch = OwnerPatch::Adopt { owner: self.controller_reference(), uid: orphan.uid.clone() };
        Ok(self.api.patch_owner(&target, &patch)?)
    }

    /// The set's pods in the cache's order. Every pod is looked at even after a refusal; the refusals end the sync.
    pub(super) fn claim_pods(&mut self) -> Result<Vec<Member<'a>>, SyncError> {
        let mut claimed = Vec::with_capacity(self.observed.pods.len());
        let (mut adopted, mut released) = (0, 0);
        let mut errors = Vec::new();
        let mut may_adopt: Option<Result<(), String>> = None;
        for pod in self.observed.pods {
            match self.claim_pod(pod, &mut may_adopt) {
                Ok(Claim::Owned(ordinal)) => claimed.push(Member { pod, ordinal }),
                Ok(Claim::Adopted(ordinal)) => {
                    adopted += 1;
                    claimed.push(Member { pod, ordinal });
                }
                Ok(Claim::Released) => released += 1,
                Ok(Claim::Ignored) => {}
                Err(error) => {
                    self.decide(at_pod(Rule::PodClaimRefused, pod));
                    errors.push(error);
                }
            }
        }
        SyncError::aggregate(errors)?;
        let owned = i32::try_from(claimed.len()).unwrap_or(i32::MAX);
        self.decide(Decision::new(Rule::PodsClaimed).with(Facts::Claimed { owned, adopted, released }));
        Ok(claimed)
    }

    fn claim_pod(&mut self, pod: &Pod, may_adopt: &mut Option<Result<(), String>>) -> Result<Claim, SyncError> {
        let set = self.set();
        let metadata = &pod.metadata;
        let ordinal = || {
            let (parent, ordinal) = parent_and_ordinal(&metadata.name)?;
            let matches = parent == &*set.metadata.name && set.spec.selector.matches(&metadata.labels);
            matches.then_some(ordinal)
        };
        if let Some(controller) = metadata.controller_of() {
            if controller.uid != set.metadata.uid {
                return Ok(Claim::Ignored);
            }
            if let Some(ordinal) = ordinal() {
                return Ok(Claim::Owned(ordinal));
            }
            if set.metadata.deletion_timestamp.is_some() {
                return Ok(Claim::Ignored);
            }
            return self.release(pod);
        }
        let deleting = set.metadata.deletion_timestamp.or(metadata.deletion_timestamp).is_some();
        let Some(ordinal) = ordinal().filter(|_| !deleting) else { return Ok(Claim::Ignored) };
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
                self.decide(at_pod(Rule::PodAdopted, pod));
                Ok(Claim::Adopted(ordinal))
            }
            Err(refusal) if refusal.reason == Reason::NotFound => Ok(Claim::Ignored),
            Err(refusal) => Err(refusal.into()),
        }
    }

    fn release(&mut self, pod: &Pod) -> Result<Claim, SyncError> {
        let patch = OwnerPatch::Release { owner_uid: self.set().metadata.uid.clone(), uid: pod.metadata.uid.clone() };
        match self.api.patch_owner(&pod_reference(pod), &patch) {
            Ok(()) => {
                self.decide(at_pod(Rule::PodReleased, pod));
                Ok(Claim::Released)
            }
            // Gone, or its owners changed meanwhile: the next sync sees it.
            Err(refusal) if matches!(refusal.reason, Reason::NotFound | Reason::Invalid) => Ok(Claim::Ignored),
            Err(refusal) => Err(refusal.into()),
        }
    }
}

fn pod_reference(pod: &Pod) -> ObjectRef {
    ObjectRef { kind: Kind::Pod, namespace: pod.metadata.namespace.clone(), name: pod.metadata.name.clone() }
}

fn at_pod(rule: Rule, pod: &Pod) -> Decision {
    Decision { ordinal: parent_and_ordinal(&pod.metadata.name).map(|(_, ordinal)| ordinal), ..Decision::new(rule) }
}
