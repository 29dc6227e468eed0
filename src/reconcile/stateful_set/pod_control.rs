//! Creating, updating and deleting one pod, with its claims and its events.
//! Models stateful_pod_control.go, v1.20.

use super::Sync;
use super::history::UPDATE_TRIES;
use super::identity::{claims_of, identity_matches, storage_matches, update_identity, update_storage};
use crate::objects::{ApiError, Event, EventType, Kind, Object, ObjectRef, Pod, Reason};
use crate::reconcile::SyncError;
use std::rc::Rc;

/// What is done to a pod, in the words of its events.
#[derive(Clone, Copy)]
enum Act {
    Create,
    Update,
    Delete,
}

impl Act {
    fn verb(self) -> &'static str {
        match self {
            Self::Create => "create",
            Self::Update => "update",
            Self::Delete => "delete",
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

impl Sync<'_> {
    pub(super) fn record(&mut self, event_type: EventType, reason: &'static str, message: String) {
        self.api.record(Event { event_type, reason, message: message.into() });
    }

    /// Claims first, then the pod. A name that is taken is an error without an event.
    pub(super) fn create_stateful_pod(&mut self, pod: Pod) -> Result<(), SyncError> {
        let name = pod.metadata.name.clone();
        if let Err(error) = self.create_claims(&pod) {
            self.record_pod_event(Act::Create, &name, Some(&error));
            return Err(error);
        }
        match self.api.create(Object::Pod(Rc::new(pod))) {
            Ok(_) => {
                self.record_pod_event(Act::Create, &name, None);
                Ok(())
            }
            Err(refusal) if refusal.reason == Reason::AlreadyExists => Err(refusal.into()),
            Err(refusal) => {
                let error = SyncError::from(refusal);
                self.record_pod_event(Act::Create, &name, Some(&error));
                Err(error)
            }
        }
    }

    pub(super) fn delete_stateful_pod(&mut self, pod: &Pod) -> Result<(), SyncError> {
        let metadata = &pod.metadata;
        let target = ObjectRef { kind: Kind::Pod, namespace: metadata.namespace.clone(), name: metadata.name.clone() };
        let result = self.api.delete(&target).map_err(SyncError::from);
        self.record_pod_event(Act::Delete, &metadata.name, result.as_ref().err());
        result
    }

    /// Puts identity and storage right, retrying conflicts from the cache.
    pub(super) fn update_stateful_pod(&mut self, pod: &Pod) -> Result<(), SyncError> {
        let set = self.set();
        let mut pod = pod.clone();
        let mut attempted = false;
        let mut result = Ok(());
        for attempt in 1..=UPDATE_TRIES {
            let mut consistent = true;
            if !identity_matches(set, &pod) {
                update_identity(set, &mut pod);
                consistent = false;
            }
            if !storage_matches(set, &pod) {
                update_storage(set, &mut pod);
                consistent = false;
                if let Err(error) = self.create_claims(&pod) {
                    // Recorded here, and once more below if an update was sent before: upstream records both.
                    self.record_pod_event(Act::Update, &pod.metadata.name.clone(), Some(&error));
                    result = Err(error);
                    break;
                }
            }
            if consistent {
                result = Ok(());
                break;
            }
            attempted = true;
            let Err(refusal) = self.api.update(Object::Pod(Rc::new(pod.clone()))) else {
                result = Ok(());
                break;
            };
            if let Some(cached) = self.observed.pods.iter().find(|cached| cached.metadata.name == pod.metadata.name) {
                pod = (**cached).clone();
            }
            let again = refusal.reason == Reason::Conflict && attempt < UPDATE_TRIES;
            result = Err(SyncError::from(refusal));
            if !again {
                break;
            }
        }
        if attempted {
            self.record_pod_event(Act::Update, &pod.metadata.name.clone(), result.as_ref().err());
        }
        result
    }

    /// Creates the pod's claims that the cache does not hold. All are tried; the refusals are joined.
    fn create_claims(&mut self, pod: &Pod) -> Result<(), SyncError> {
        let mut errors = Vec::new();
        for claim in claims_of(self.gates, self.set(), pod) {
            let name = claim.metadata.name.clone();
            match self.observed.claims.get(&*name) {
                Some(existing)
                    if self.gates.waits_for_terminating_claims && existing.metadata.deletion_timestamp.is_some() =>
                {
                    errors.push(SyncError(format!("pvc {name} is being deleted")));
                }
                Some(_) => {}
                None => {
                    let refusal = self.api.create(Object::Claim(Rc::new(claim))).err();
                    if refusal.as_ref().is_none_or(|refusal| refusal.reason != Reason::AlreadyExists) {
                        self.record_claim_event(&name, &pod.metadata.name, refusal.as_ref());
                    }
                    let failed = self.gates.claim_failure;
                    errors
                        .extend(refusal.map(|refusal| SyncError(format!("{failed} to create PVC {name}: {refusal}"))));
                }
            }
        }
        SyncError::aggregate(errors)
    }

    fn record_pod_event(&mut self, act: Act, pod: &str, error: Option<&SyncError>) {
        let (set, verb, reason) = (&self.set().metadata.name, act.verb(), act.reason(error.is_none()));
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
        let set = &self.set().metadata.name;
        match refusal {
            None => {
                let message = format!("create Claim {claim} Pod {pod} in StatefulSet {set} success");
                self.record(EventType::Normal, "SuccessfulCreate", message);
            }
            Some(refusal) => {
                let message =
                    format!("create Claim {claim} for Pod {pod} in StatefulSet {set} failed error: {refusal}");
                self.record(EventType::Warning, "FailedCreate", message);
            }
        }
    }
}
