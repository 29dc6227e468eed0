//! Creating, updating and deleting one pod, with its claims and its events.
//! Models stateful_pod_control.go.

use super::identity::{
    get_persistent_volume_claims, identity_matches, ordinal_of, storage_matches, update_identity, update_storage,
};
use super::{Step, Steps};
use crate::objects::{ApiError, EventType, Kind, Object, ObjectRef, Pod, Reason};
use crate::reconcile::api::UPDATE_TRIES;
use crate::reconcile::pods::{has_volumes_of_ordinal, is_named_as_ordinal};
use crate::reconcile::{Facts, SyncError};
use std::rc::Rc;

/// What is done to a pod, in the words of its events.
#[derive(Clone, Copy)]
enum Act {
    Create,
    Update,
    Delete,
}

impl Act {
    fn verb(self, capital: bool) -> &'static str {
        match (self, capital) {
            (Self::Create, false) => "create",
            (Self::Create, true) => "Create",
            (Self::Update, false) => "update",
            (Self::Update, true) => "Update",
            (Self::Delete, false) => "delete",
            (Self::Delete, true) => "Delete",
        }
    }

    fn reason(self, done: bool) -> &'static str {
        match (self, done) {
            (Self::Create, true) => "SuccessfulCreate",
            (Self::Create, false) => "FailedCreate",
            (Self::Update, true) => "SuccessfulUpdate",
            (Self::Update, false) => "FailedUpdate",
            (Self::Delete, true) => "SuccessfulDelete",
            (Self::Delete, false) => "FailedDelete",
        }
    }
}

impl Steps<'_> {
    /// Told before a failed pod is deleted, where the release tells.
    pub(in crate::reconcile) fn record_failed_pod_event(&mut self, pod: &Pod) {
        if self.gates.emits_failed_pod_event {
            let set = self.set.metadata;
            let message =
                format!("StatefulSet {}/{} is recreating failed Pod {}", set.namespace, set.name, pod.metadata.name);
            self.record(EventType::Warning, "RecreatingFailedPod", message);
        }
    }

    /// Claims first, then the pod. A name that is taken is an error without an event.
    pub(in crate::reconcile) fn create_stateful_pod(&mut self, pod: &Rc<Pod>) -> Result<(), SyncError> {
        let name = pod.metadata.name.clone();
        if let Err(error) = self.create_persistent_volume_claims(pod) {
            self.record_pod_event(Act::Create, &name, Some(&error));
            return Err(error);
        }
        let created = self.api.create(Object::Pod(Rc::clone(pod)));
        if let Err(refusal) = &created
            && refusal.reason == Reason::AlreadyExists
        {
            return Err(SyncError(refusal.message.clone()));
        }
        if self.gates.auto_delete_claims {
            // Upstream goes on to the claims after other refusals too.
            self.update_pod_claim_for_retention_policy(pod, ordinal_of(pod))
                .map_err(|refusal| self.update_failed(&name, refusal))?;
        }
        let created = created.map(|_| ()).map_err(SyncError::from);
        self.record_pod_event(Act::Create, &name, created.as_ref().err());
        created
    }

    /// A pod that waits for claims which are gone gets them again.
    pub(in crate::reconcile) fn create_missing_persistent_volume_claims(
        &mut self,
        pod: &Pod,
        ordinal: i32,
    ) -> Result<(), SyncError> {
        let outcome = self.make_claims(pod, ordinal);
        match &outcome {
            Ok(false) => {}
            Ok(true) => self.decide_step(Step::ClaimsCreated, Some(ordinal), Facts::None),
            Err(_) => self.decide_step(Step::ClaimsRefused, Some(ordinal), Facts::None),
        }
        outcome.map(|_| ())
    }

    /// Makes the claims that a pod lacks and gives those it has their owner. Says whether any was made.
    fn make_claims(&mut self, pod: &Pod, ordinal: i32) -> Result<bool, SyncError> {
        let made = self.create_persistent_volume_claims(pod)?;
        if self.gates.auto_delete_claims {
            let name = &pod.metadata.name;
            self.update_pod_claim_for_retention_policy(pod, ordinal)
                .map_err(|refusal| self.update_failed(name, refusal))?;
        }
        Ok(made)
    }

    /// A refusal, told as a failed update of the pod.
    fn update_failed(&mut self, pod: &str, refusal: ApiError) -> SyncError {
        let error = SyncError::from(refusal);
        self.record_pod_event(Act::Update, pod, Some(&error));
        error
    }

    pub(in crate::reconcile) fn delete_stateful_pod(&mut self, pod: &Pod) -> Result<(), SyncError> {
        Ok(self.delete_pod(pod)?)
    }

    pub(in crate::reconcile) fn delete_pod(&mut self, pod: &Pod) -> Result<(), ApiError> {
        let metadata = &pod.metadata;
        let target = ObjectRef { kind: Kind::Pod, namespace: metadata.namespace.clone(), name: metadata.name.clone() };
        let result = match self.api.delete(&target) {
            Err(refusal) if self.gates.gone_pod_counts_as_deleted && refusal.reason == Reason::NotFound => Ok(()),
            other => other,
        };
        let error = result.clone().err().map(SyncError::from);
        self.record_pod_event(Act::Delete, &metadata.name, error.as_ref());
        result
    }

    /// Puts the pod's identity, storage and the owners of its claims right, unless they are.
    pub(in crate::reconcile) fn put_right(&mut self, pod: &Pod, ordinal: i32) -> Result<(), SyncError> {
        if is_named_as_ordinal(self.set.metadata, pod, ordinal)
            && has_volumes_of_ordinal(self.set.metadata, self.set.claim_templates, pod, ordinal)
            && self.claims_match_retention_policy(pod, ordinal)
        {
            return Ok(());
        }
        let updated = self.update_stateful_pod(pod);
        let step = if updated.is_ok() { Step::PodPutRight } else { Step::PodNotPutRight };
        self.decide_step(step, Some(ordinal), Facts::None);
        updated
    }

    /// Puts identity, storage and the owners of claims right, retrying conflicts from the cache.
    pub(in crate::reconcile) fn update_stateful_pod(&mut self, pod: &Pod) -> Result<(), SyncError> {
        let mut pod = pod.clone();
        let mut sent = false;
        let mut attempt = 1;
        let result = loop {
            let refusal = match self.try_update(&mut pod, &mut sent) {
                Ok(()) => break Ok(()),
                Err(refusal) => refusal,
            };
            if refusal.reason != Reason::Conflict || attempt == UPDATE_TRIES {
                break Err(SyncError::from(refusal));
            }
            attempt += 1;
        };
        if sent {
            self.record_pod_event(Act::Update, &pod.metadata.name, result.as_ref().err());
        }
        result
    }

    /// One try. What is refused before the update itself is recorded here, and by the caller once more if an update was
    /// sent before: upstream records both.
    fn try_update(&mut self, pod: &mut Pod, sent: &mut bool) -> Result<(), ApiError> {
        let set = &self.set;
        let mut consistent = identity_matches(set, pod);
        if !consistent {
            update_identity(self.gates, set, pod);
        }
        let name = pod.metadata.name.clone();
        if !storage_matches(set, pod) {
            update_storage(set, pod);
            consistent = false;
            if let Err(error) = self.create_persistent_volume_claims(pod) {
                self.record_pod_event(Act::Update, &name, Some(&error));
                // Joined from several refusals: never taken for a conflict.
                return Err(ApiError::new(Reason::InternalError, error.0));
            }
        }
        let ordinal = ordinal_of(pod);
        if !self.claims_match_retention_policy(pod, ordinal) {
            consistent = false;
            if let Err(refusal) = self.update_pod_claim_for_retention_policy(pod, ordinal) {
                self.update_failed(&name, refusal.clone());
                return Err(refusal);
            }
        }
        if consistent {
            return Ok(());
        }
        *sent = true;
        let refusal = match self.api.update(Object::Pod(Rc::new(pod.clone()))) {
            Ok(_) => return Ok(()),
            Err(refusal) => refusal,
        };
        if let Some(cached) = self.pods.iter().find(|cached| cached.pod.metadata.name == name) {
            *pod = Pod::clone(&cached.pod);
        }
        Err(refusal)
    }

    /// Creates the pod's claims that the cache does not hold. All are tried; the refusals are joined. Says whether any
    /// was made.
    fn create_persistent_volume_claims(&mut self, pod: &Pod) -> Result<bool, SyncError> {
        let mut made = false;
        let mut errors = Vec::new();
        for claim in get_persistent_volume_claims(self.gates, &self.set, pod) {
            let name = claim.metadata.name.clone();
            if let Some(claim) = self.claim(&name) {
                if self.gates.waits_for_terminating_claims && claim.metadata.deletion_timestamp.is_some() {
                    errors.push(SyncError(format!("pvc {name} is {}", self.gates.claim_going)));
                }
                continue;
            }
            let refusal = self.api.create(Object::Claim(Rc::new(claim))).err();
            made |= refusal.is_none();
            if refusal.as_ref().is_none_or(|refusal| refusal.reason != Reason::AlreadyExists) {
                self.record_claim_event(&name, &pod.metadata.name, refusal.as_ref());
            }
            let failed = self.gates.claim_failure;
            errors.extend(refusal.map(|refusal| SyncError(format!("{failed} to create PVC {name}: {refusal}"))));
        }
        SyncError::aggregate(errors).map(|()| made)
    }

    fn record_pod_event(&mut self, act: Act, pod: &str, error: Option<&SyncError>) {
        let verb = act.verb(self.gates.capitalizes_events);
        let (set, reason) = (&self.set.metadata.name, act.reason(error.is_none()));
        match error {
            None => {
                let message = format!("{verb} Pod {pod} in StatefulSet {set} successful");
                self.record(EventType::Normal, reason, message);
            }
            Some(error) => {
                let message = format!("{verb} Pod {pod} in StatefulSet {set} failed error: {error}");
                self.record(EventType::Warning, reason, message);
            }
        }
    }

    fn record_claim_event(&mut self, claim: &str, pod: &str, refusal: Option<&ApiError>) {
        let set = &self.set.metadata.name;
        let verb = Act::Create.verb(self.gates.capitalizes_events);
        match refusal {
            None => {
                let message = format!("{verb} Claim {claim} Pod {pod} in StatefulSet {set} success");
                self.record(EventType::Normal, "SuccessfulCreate", message);
            }
            Some(refusal) => {
                let message =
                    format!("{verb} Claim {claim} for Pod {pod} in StatefulSet {set} failed error: {refusal}");
                self.record(EventType::Warning, "FailedCreate", message);
            }
        }
    }
}
