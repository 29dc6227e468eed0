//! What the controllers of ReplicaSet, Deployment and DaemonSet share: claiming what is theirs, creating
//! in batches that double, and finding a template again.

use super::{Api, Decision, Facts, OwnerPatch, Rule, SyncError};
use crate::objects::{
    Event, EventType, Json, Kind, LabelSelector, Object, ObjectMeta, ObjectRef, OwnerReference, PodTemplateSpec,
    Reason, Typed,
};
use std::rc::Rc;

/// One sync of one object and what it carries along.
pub(super) struct Work<'a> {
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
    pub(super) fn decide_at(&mut self, rule: impl Into<Rule>, name: &str) {
        let mut instance = [0; 5];
        let suffix = name.rsplit('-').next().unwrap_or(name);
        instance.iter_mut().zip(suffix.bytes()).for_each(|(own, byte)| *own = byte);
        self.decide(rule, Facts::Instance(instance));
    }

    pub(super) fn record(&mut self, event_type: EventType, reason: &'static str, message: String) {
        self.api.record(Event { event_type, reason, message: message.into() });
    }

    pub(super) fn is_going(&self) -> bool {
        self.metadata.deletion_timestamp.is_some()
    }

    /// The owner reference that makes the object a controller.
    pub(super) fn controller_reference(&self) -> OwnerReference {
        OwnerReference {
            api_version: self.kind.api_version().into(),
            kind: self.kind.as_str().into(),
            name: self.metadata.name.clone(),
            uid: self.metadata.uid.clone(),
            controller: Some(true),
            block_owner_deletion: Some(true),
        }
    }

    /// Keeps what is its own, takes matching orphans over and lets go what no longer matches. Everything is looked at even
    /// after a refusal; the refusals end the sync. Models ClaimObject of pkg/controller/controller_ref_manager.go.
    pub(super) fn claim<T: Typed>(&mut self, all: &[&Rc<T>], rule: impl Into<Rule>) -> Result<Vec<Rc<T>>, SyncError> {
        let (mut kept, mut errors) = (Vec::new(), Vec::new());
        let (mut adopted, mut released) = (0, 0);
        for item in all {
            let metadata = item.metadata();
            let target =
                ObjectRef { kind: T::KIND, namespace: metadata.namespace.clone(), name: metadata.name.clone() };
            let matches = self.selector.matches(&metadata.labels);
            match metadata.controller_of() {
                Some(owner) if owner.uid != self.metadata.uid => {}
                Some(_) if matches => kept.push(Rc::clone(item)),
                Some(_) if self.is_going() => {}
                Some(_) => {
                    let patch = OwnerPatch::Release { owner_uid: self.metadata.uid.clone(), uid: metadata.uid.clone() };
                    match self.api.patch_owner(&target, &patch) {
                        Ok(()) => released += 1,
                        Err(refusal) if matches!(refusal.reason, Reason::NotFound | Reason::Invalid) => {}
                        Err(refusal) => errors.push(refusal.into()),
                    }
                }
                None if self.is_going() || !matches || metadata.deletion_timestamp.is_some() => {}
                None => match self.adopt(&target, metadata) {
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
        self.decide(rule, Facts::Claimed { owned, adopted, released });
        SyncError::aggregate(errors)?;
        Ok(kept)
    }

    /// Takes an orphan over, once an uncached look shows that the object itself is still there. False if the orphan is gone.
    fn adopt(&mut self, target: &ObjectRef, orphan: &ObjectMeta) -> Result<bool, SyncError> {
        let own = self.metadata;
        let fresh = self.api.get(self.kind, &own.namespace, &own.name)?;
        if fresh.metadata().uid != own.uid || fresh.metadata().deletion_timestamp.is_some() {
            let (kind, name, uid) = (target.kind.as_str(), &target.name, &orphan.uid);
            return Err(SyncError(format!(
                "can't adopt {kind} {}/{name} ({uid}): {}/{} has just been deleted",
                target.namespace, own.namespace, own.name
            )));
        }
        let patch = OwnerPatch::Adopt { owner: self.controller_reference(), uid: orphan.uid.clone() };
        match self.api.patch_owner(target, &patch) {
            Ok(()) => Ok(true),
            Err(refusal) if refusal.reason == Reason::NotFound => Ok(false),
            Err(refusal) => Err(refusal.into()),
        }
    }

    /// A pod of the template, to be named by the API server.
    pub(super) fn pod_of(&self, template: &PodTemplateSpec) -> crate::objects::Pod {
        let own = self.metadata;
        crate::objects::Pod {
            metadata: ObjectMeta {
                generate_name: Some(format!("{}-", own.name).into()),
                namespace: own.namespace.clone(),
                labels: template.metadata.labels.clone(),
                annotations: template.metadata.annotations.clone(),
                finalizers: template.metadata.finalizers.clone(),
                owner_references: vec![self.controller_reference()],
                ..ObjectMeta::default()
            },
            spec: Rc::clone(&template.spec),
            ..crate::objects::Pod::default()
        }
    }

    /// Creates a pod and tells of it, under the rule for what came of it.
    /// Models createPods of pkg/controller/controller_utils.go.
    pub(super) fn create_pod(
        &mut self,
        pod: &crate::objects::Pod,
        (created, refused): (impl Into<Rule>, impl Into<Rule>),
    ) -> Result<(), SyncError> {
        match self.api.create(Object::Pod(Rc::new(pod.clone()))) {
            Ok(made) => {
                let name = made.metadata().name.clone();
                self.record(EventType::Normal, "SuccessfulCreate", format!("Created pod: {name}"));
                self.decide_at(created, &name);
                Ok(())
            }
            Err(refusal) => {
                self.record(EventType::Warning, "FailedCreate", format!("Error creating: {refusal}"));
                self.decide(refused, Facts::None);
                Err(refusal.into())
            }
        }
    }

    /// Deletes a pod and tells of it. One that is gone already is no failure.
    /// Models DeletePod of pkg/controller/controller_utils.go.
    pub(super) fn delete_pod(&mut self, pod: &crate::objects::Pod, rule: impl Into<Rule>) -> Result<(), SyncError> {
        let (namespace, name) = (pod.metadata.namespace.clone(), pod.metadata.name.clone());
        let deleted = self.api.delete(&ObjectRef { kind: Kind::Pod, namespace, name: name.clone() });
        match deleted {
            Ok(()) => {
                self.record(EventType::Normal, "SuccessfulDelete", format!("Deleted pod: {name}"));
                self.decide_at(rule, &name);
                Ok(())
            }
            Err(refusal) if refusal.reason == Reason::NotFound => Ok(()),
            Err(refusal) => {
                self.record(EventType::Warning, "FailedDelete", format!("Error deleting: {refusal}"));
                Err(refusal.into())
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
        labels.remove(super::deployment::TEMPLATE_HASH_LABEL);
    }
    crate::objects::json_text(&value)
}
