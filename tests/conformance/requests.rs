//! What the API server of one sync has in any recording: the objects, the refusals that the vector asks for, and every request.

use crate::conformance::compare;
use crate::conformance::vector::{Named, Refusal};
use serde::Deserialize;
use serde_json::{Value, json};
use setscope::objects::{ApiError, Details, Object, ObjectRef, Reason};
use setscope::reconcile::{Outcome, RATE_LIMITED};
use std::collections::BTreeMap;

/// What was recorded of one sync.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Output {
    actions: Vec<Value>,
    events: Vec<Value>,
    status: Value,
    error: Option<String>,
    #[serde(default)]
    reads: Vec<Value>,
    requeue_after_seconds: Option<Value>,
    /// How often the key was handed to the rate limiter without a failure.
    #[serde(default)]
    requeue_rate_limited: u64,
    /// All of them, where there are more than one: the work queue keeps the least.
    #[serde(rename = "requeues")]
    _requeues: Option<Value>,
}

pub struct Requests {
    pub stored: BTreeMap<ObjectRef, Object>,
    refusals: Vec<Refusal>,
    actions: Vec<Value>,
    reads: Vec<Value>,
    pub events: Vec<Value>,
    pub status: Value,
}

impl Requests {
    /// Of a server that holds what the cache does, but for what it holds newer and what only the cache still has.
    pub fn new(
        cached: impl Iterator<Item = Object>,
        cache_only: &[Named],
        newer: impl Iterator<Item = Object>,
        refusals: &[Refusal],
    ) -> Self {
        let with_key = |object: Object| (object.reference(), object);
        let is_gone = |key: &ObjectRef| {
            cache_only.iter().any(|gone| gone.resource == key.kind.resource() && *gone.name == *key.name)
        };
        let mut stored: BTreeMap<_, _> = cached.map(with_key).filter(|(key, _)| !is_gone(key)).collect();
        stored.extend(newer.map(with_key));
        let (actions, reads, events) = (Vec::new(), Vec::new(), Vec::new());
        Self { stored, refusals: refusals.to_vec(), actions, reads, events, status: Value::Null }
    }

    /// The refusal that the vector asks for here.
    pub fn injected(&mut self, verb: &str, key: &ObjectRef, subresource: &str) -> Result<(), ApiError> {
        let refusal = self.refusals.iter_mut().find(|refusal| {
            refusal.times != 0
                && refusal.verb == verb
                && refusal.resource == key.kind.resource()
                && refusal.subresource == subresource
                && (refusal.name == "*" || *refusal.name == *key.name)
        });
        refusal.map_or(Ok(()), |refusal| {
            refusal.times -= i32::from(refusal.times > 0);
            let details = Details { causes: refusal.cause.iter().cloned().collect(), ..Details::default() };
            Err(ApiError { details, ..ApiError::new(refusal.reason, refusal.error.clone()) })
        })
    }

    pub fn get(&mut self, key: &ObjectRef) -> Result<Object, ApiError> {
        let result = self.injected("get", key, "").and_then(|()| self.held(key).cloned());
        self.reads.push(entry("get", key, Value::Null, &result));
        result
    }

    pub fn held(&self, key: &ObjectRef) -> Result<&Object, ApiError> {
        let missing = || ApiError::not_found(key.kind.qualified_resource(), &key.name);
        self.stored.get(key).ok_or_else(missing)
    }

    /// What is held in place of the object that is sent, which must be the same one.
    pub fn held_as(&self, sent: &Object) -> Result<&Object, ApiError> {
        let key = sent.reference();
        let held = self.held(&key)?;
        let (wanted, found) = (&sent.metadata().uid, &held.metadata().uid);
        if wanted == found {
            return Ok(held);
        }
        let cause = format!("Precondition failed: UID in precondition: {wanted}, UID in object meta: {found}");
        let (resource, name) = (key.kind.qualified_resource(), &key.name);
        let message = format!("Operation cannot be fulfilled on {resource} \"{name}\": {cause}");
        Err(ApiError::new(Reason::Conflict, message))
    }

    pub fn check_is_new(&self, key: &ObjectRef) -> Result<(), ApiError> {
        match self.stored.contains_key(key) {
            true => Err(ApiError::already_exists(key.kind.qualified_resource(), &key.name)),
            false => Ok(()),
        }
    }

    /// How the sync differs from the recorded one.
    pub fn differences(&self, want: &Output, outcome: &Outcome) -> Vec<String> {
        let is_limited = outcome.requeue_after == Some(RATE_LIMITED);
        let again = outcome.requeue_after.filter(|_| !is_limited).map(|after| {
            assert_eq!(after.subsec_nanos(), 0, "whole seconds");
            after.as_secs()
        });
        let error = outcome.error.as_ref().map(|error| &error.0);
        let mut differences = Vec::new();
        compare("actions", &json!(want.actions), &json!(self.actions), &mut differences);
        compare("events", &json!(want.events), &json!(self.events), &mut differences);
        compare("status", &want.status, &self.status, &mut differences);
        compare("error", &json!(want.error), &json!(error), &mut differences);
        compare("requeueAfterSeconds", &json!(want.requeue_after_seconds), &json!(again), &mut differences);
        let limited = u64::from(is_limited);
        compare("requeueRateLimited", &json!(want.requeue_rate_limited), &json!(limited), &mut differences);
        compare("reads", &json!(want.reads), &json!(self.reads), &mut differences);
        differences
    }

    pub fn write_down<T>(&mut self, verb: &str, key: &ObjectRef, more: Value, result: &Result<T, ApiError>) {
        self.actions.push(entry(verb, key, more, result));
    }
}

fn entry<T>(verb: &str, key: &ObjectRef, more: Value, result: &Result<T, ApiError>) -> Value {
    let mut entry = json!({"verb": verb, "resource": key.kind.resource(), "name": key.name});
    let fields = entry.as_object_mut().unwrap();
    if let Value::Object(more) = more {
        fields.extend(more);
    }
    if let Err(error) = result {
        fields.insert("error".into(), json!({"reason": error.reason, "message": error.message}));
    }
    entry
}

/// Whether a pod goes gracefully when it is deleted: until its kubelet confirms, its name stays taken.
pub fn ends_gracefully(object: &Object) -> bool {
    use setscope::objects::PodPhase::{Failed, Succeeded};
    matches!(object, Object::Pod(pod) if !pod.spec.node_name.is_empty() && !matches!(pod.status.phase, Failed | Succeeded))
}
