//! What the controllers of ReplicaSet, Deployment and DaemonSet share: claiming what is theirs, creating
//! in batches that double, and finding a template again.

use super::pods::pod_of_template;
use super::template_hash::TEMPLATE_HASH_LABEL;
use super::{Api, Decision, Facts, Gates, OwnerPatch, Rule, Subject, SyncError};
use crate::objects::{
    Event, EventType, Json, Kind, LabelSelector, Object, ObjectMeta, ObjectRef, OwnerReference, Pod, PodTemplateSpec,
    Reason, Typed, shared,
};
use std::rc::Rc;

/// The longest name that a pod may have.
const LONGEST_NAME: usize = 253;

/// One sync of one object and what it carries along.
pub(super) struct Work<'a> {
    pub(super) gates: Gates,
    pub(super) kind: Kind,
    pub(super) metadata: &'a ObjectMeta,
    pub(super) selector: &'a LabelSelector,
    pub(super) api: &'a mut dyn Api,
    pub(super) decisions: &'a mut Vec<Decision>,
}

impl Work<'_> {
    pub(super) fn decide(&mut self, rule: impl Into<Rule>, facts: Facts) {
        self.decisions.push(Decision::new(rule).with(facts));
    }

    /// A decision about the pod of this name.
    pub(super) fn decide_at(&mut self, rule: impl Into<Rule>, name: &Rc<str>) {
        self.decisions.push(Decision::about(rule, Subject::Pod(Rc::clone(name))));
    }

    pub(super) fn record(&mut self, event_type: EventType, reason: &'static str, message: String) {
        self.api.record(Event { event_type, reason, message: message.into() });
    }

    pub(super) fn is_going(&self) -> bool {
        self.metadata.deletion_timestamp.is_some()
    }

    /// The owner reference that makes the object a controller.
    pub(super) fn controller_reference(&self) -> OwnerReference {
        self.metadata.controller_reference(self.kind.api_version(), self.kind.as_str())
    }

    /// Keeps what is its own, takes matching orphans over and lets go what no longer matches. Everything is looked at even
    /// after a refusal; the refusals end the sync. Models ClaimObject of pkg/controller/controller_ref_manager.go.
    pub(super) fn claim<'p, T: Typed + 'p>(
        &mut self,
        all: impl IntoIterator<Item = &'p Rc<T>>,
        rule: Option<Rule>,
    ) -> Result<Vec<Rc<T>>, SyncError> {
        let (mut kept, mut errors) = (Vec::new(), Vec::new());
        let (mut adopted, mut released) = (0, 0);
        let mut may_adopt = None;
        for item in all {
            let metadata = item.metadata();
            let target =
                || ObjectRef { kind: T::KIND, namespace: metadata.namespace.clone(), name: metadata.name.clone() };
            let owner = metadata.controller_of();
            if owner.is_some_and(|owner| owner.uid != self.metadata.uid) {
                continue;
            }
            let matches = self.selector.matches(&metadata.labels);
            match owner {
                Some(_) if matches => kept.push(Rc::clone(item)),
                Some(_) if self.is_going() => {}
                Some(_) => {
                    let patch = OwnerPatch::Release { owner_uid: self.metadata.uid.clone(), uid: metadata.uid.clone() };
                    match self.api.patch_owner(&target(), &patch) {
                        Ok(()) => released += 1,
                        Err(refusal) if matches!(refusal.reason, Reason::NotFound | Reason::Invalid) => {}
                        Err(refusal) => errors.push(refusal.into()),
                    }
                }
                None if self.is_going() || !matches || metadata.deletion_timestamp.is_some() => {}
                None => match self.adopt(&target(), metadata, &mut may_adopt) {
                    Ok(true) => {
                        adopted += 1;
                        kept.push(Rc::clone(item));
                    }
                    Ok(false) => {}
                    Err(error) => errors.push(error),
                },
            }
        }
        let owned = i32::try_from(kept.len()).unwrap_or(i32::MAX);
        if let Some(rule) = rule {
            self.decide(rule, Facts::Claimed { owned, adopted, released });
        }
        SyncError::aggregate(errors)?;
        Ok(kept)
    }

    /// Whether claiming this object would ask something of the API server.
    pub(super) fn is_to_be_claimed(&self, metadata: &ObjectMeta) -> bool {
        let matches = || self.selector.matches(&metadata.labels);
        match metadata.controller_of() {
            Some(owner) => owner.uid == self.metadata.uid && !matches() && !self.is_going(),
            None => metadata.deletion_timestamp.is_none() && matches() && !self.is_going(),
        }
    }

    /// The pods that a claim looks at, in its order: newer releases look orphans up after the set's own. Models
    /// FilterPodsByOwner of pkg/controller/controller_utils.go.
    pub(super) fn in_order_of_claim<'p>(&self, pods: impl Iterator<Item = &'p Rc<Pod>>) -> Vec<&'p Rc<Pod>> {
        let mut pods: Vec<&Rc<Pod>> = pods.collect();
        let is_orphan = |pod: &&Rc<Pod>| pod.metadata.controller_of().is_none();
        if self.gates.claims_orphans_last && pods.iter().any(is_orphan) {
            pods.sort_by_key(is_orphan);
        }
        pods
    }

    /// Takes an orphan over, once an uncached look, one for all orphans, shows that the object itself is still there. False
    /// if the orphan is gone.
    fn adopt(
        &mut self,
        target: &ObjectRef,
        orphan: &ObjectMeta,
        may_adopt: &mut Option<Result<(), String>>,
    ) -> Result<bool, SyncError> {
        if let Err(refusal) = may_adopt.get_or_insert_with(|| self.can_adopt()) {
            let (kind, namespace, name) = (target.kind.as_str(), &target.namespace, &target.name);
            return Err(SyncError(format!("can't adopt {kind} {namespace}/{name} ({}): {refusal}", orphan.uid)));
        }
        let patch = OwnerPatch::Adopt { owner: self.controller_reference(), uid: orphan.uid.clone() };
        match self.api.patch_owner(target, &patch) {
            Ok(()) => Ok(true),
            Err(refusal) if refusal.reason == Reason::NotFound => Ok(false),
            Err(refusal) => Err(refusal.into()),
        }
    }

    /// Models RecheckDeletionTimestamp of pkg/controller/controller_ref_manager.go.
    fn can_adopt(&mut self) -> Result<(), String> {
        let ObjectMeta { namespace, name, uid, .. } = self.metadata;
        let recheck = |refusal: String| format!("can't recheck DeletionTimestamp: {refusal}");
        let fresh = self.api.get(self.kind, namespace, name).map_err(|refusal| recheck(refusal.message))?;
        let fresh = fresh.metadata();
        if fresh.uid != *uid {
            let kind = self.kind.as_str();
            let gone = format!("original {kind} {namespace}/{name} is gone: got uid {}, wanted {uid}", fresh.uid);
            return Err(recheck(gone));
        }
        match fresh.deletion_timestamp {
            Some(since) => Err(format!("{namespace}/{name} has just been deleted at {}", since.go_string())),
            None => Ok(()),
        }
    }

    /// A pod of the template, to be named by the API server.
    pub(super) fn pod_of(&self, template: &PodTemplateSpec) -> Pod {
        let own = self.metadata;
        // A name that leaves no room for the dash is the prefix itself.
        let dash = if own.name.len() < LONGEST_NAME { "-" } else { "" };
        let prefix = shared(&format!("{}{dash}", own.name));
        pod_of_template(template, &own.namespace, prefix, vec![self.controller_reference()].into())
    }

    /// Creates a pod and tells of it, under the rule for what came of it. In a namespace that is terminating nothing comes of it,
    /// and that is no failure: whether a pod was made.
    /// Models createPods of pkg/controller/controller_utils.go.
    pub(super) fn create_pod(
        &mut self,
        pod: &Pod,
        (created, refused): (impl Into<Rule>, impl Into<Rule>),
    ) -> Result<bool, SyncError> {
        if pod.metadata.labels.is_empty() {
            return Err(SyncError("unable to create pods, no labels".to_owned()));
        }
        match self.api.create(Object::Pod(Rc::new(pod.clone()))) {
            Ok(made) => {
                let name = made.metadata().name.clone();
                self.record(EventType::Normal, "SuccessfulCreate", format!("Created pod: {name}"));
                self.decide_at(created, &name);
                Ok(true)
            }
            Err(refusal) => {
                self.decide(refused, Facts::None);
                if refusal.is_namespace_terminating() {
                    return Ok(false);
                }
                self.record(EventType::Warning, "FailedCreate", format!("Error creating: {refusal}"));
                Err(refusal.into())
            }
        }
    }

    /// Deletes a pod and tells of it. One that is gone already is no failure: whether one was there.
    /// Models DeletePod of pkg/controller/controller_utils.go.
    pub(super) fn delete_pod(&mut self, pod: &Pod, rule: impl Into<Rule>) -> Result<bool, SyncError> {
        let (namespace, name) = (pod.metadata.namespace.clone(), pod.metadata.name.clone());
        let deleted = self.api.delete(&ObjectRef { kind: Kind::Pod, namespace, name: name.clone() });
        match deleted {
            Ok(()) => {
                self.record(EventType::Normal, "SuccessfulDelete", format!("Deleted pod: {name}"));
                self.decide_at(rule, &name);
                Ok(true)
            }
            Err(refusal) if refusal.reason == Reason::NotFound => Ok(false),
            Err(refusal) => {
                self.record(EventType::Warning, "FailedDelete", format!("Error deleting: {refusal}"));
                Err(SyncError(format!("unable to delete pods: {refusal}")))
            }
        }
    }
}

/// Does `count` things in batches of 1, 2, 4 and so on; after a failure its batch is finished and later ones are left.
/// Gives the first failure. Models slowStartBatch of pkg/controller/replicaset/replica_set.go.
pub(super) fn slow_start(count: usize, act: &mut dyn FnMut(usize) -> Result<(), SyncError>) -> Result<(), SyncError> {
    let (mut done, mut batch) = (0, 1);
    while done < count {
        let end = (done + batch).min(count);
        let results: Vec<Result<(), SyncError>> = (done..end).map(&mut *act).collect();
        results.into_iter().collect::<Result<(), SyncError>>()?;
        done = end;
        batch *= 2;
    }
    Ok(())
}

/// A template as a text by which it is found again and hashed; its labels without `pod-template-hash`. Upstream hashes a dump
/// of the Go value, which nothing outside of Go can write: names differ from a real cluster's in their letters only.
pub(crate) fn template_text(template: &PodTemplateSpec) -> String {
    let mut value = template.to_json();
    if let Some(labels) = value.pointer_mut("/metadata/labels").and_then(serde_json::Value::as_object_mut) {
        labels.remove(TEMPLATE_HASH_LABEL);
    }
    crate::objects::json_text(&value)
}
