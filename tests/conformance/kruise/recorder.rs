//! An API server for one reconcile: it keeps resource versions, gives the refusals the vector asks for, and records
//! every request with the merge patch from what was stored to what came of it.

use serde_json::{Map, Value, json};
use setscope::objects::{ApiError, Event, Kind, Object, ObjectRef, Reason};
use setscope::reconcile::{Api, MetadataPatch, Observed, OwnerPatch};
use std::collections::BTreeMap;
use std::rc::Rc;

pub struct Recorder {
    /// The set that is reconciled.
    subject: ObjectRef,
    stored: BTreeMap<ObjectRef, Object>,
    /// Verb, resource, subresource, requests until the refusal, reason.
    faults: Vec<(String, String, String, i64, Reason)>,
    version: u64,
    pub actions: Vec<Value>,
    pub events: Vec<Value>,
    pub status: Value,
}

impl Recorder {
    pub fn new<T>(set: Object, observed: &Observed<'_, T>, faults: &Value) -> Self {
        let subject = set.reference();
        let objects = std::iter::once(set)
            .chain(observed.pods.iter().cloned().map(Object::Pod))
            .chain(observed.claims.iter().cloned().map(Object::Claim))
            .chain(observed.revisions.iter().cloned().map(Object::Revision));
        let text = |fault: &Value, name: &str| fault[name].as_str().unwrap_or_default().to_owned();
        let fault = |fault: &Value| {
            let reason = serde_json::from_value(fault["error"].clone()).unwrap();
            let nth = fault["nth"].as_i64().unwrap();
            (text(fault, "verb"), text(fault, "resource"), text(fault, "subresource"), nth, reason)
        };
        Self {
            subject,
            stored: objects.map(|object| (object.reference(), object)).collect(),
            faults: faults.as_array().into_iter().flatten().map(fault).collect(),
            version: 1_000_000,
            actions: Vec::new(),
            events: Vec::new(),
            status: Value::Null,
        }
    }

    /// The refusal that the vector asks for here.
    fn injected(&mut self, verb: &str, key: &ObjectRef, subresource: &str) -> Result<(), ApiError> {
        let resource = key.kind.resource();
        let mut refused = None;
        for (its_verb, its_resource, its_subresource, left, reason) in &mut self.faults {
            if its_verb == verb && its_resource == resource && its_subresource == subresource {
                if *left == 0 {
                    refused = Some(*reason);
                }
                *left -= 1;
            }
        }
        let (qualified, name) = (key.kind.qualified_resource(), &key.name);
        refused.map_or(Ok(()), |reason| {
            Err(match reason {
                Reason::Conflict => {
                    let message = format!("Operation cannot be fulfilled on {qualified} \"{name}\": injected");
                    ApiError::new(reason, message)
                }
                Reason::AlreadyExists => ApiError::already_exists(qualified, name),
                Reason::NotFound => ApiError::not_found(qualified, name),
                Reason::Forbidden => ApiError::new(reason, format!("{qualified} \"{name}\" is forbidden: injected")),
                _ => ApiError::new(reason, "Internal error occurred: injected".to_owned()),
            })
        })
    }

    fn stored(&self, key: &ObjectRef) -> Result<&Object, ApiError> {
        let missing = || ApiError::not_found(key.kind.qualified_resource(), &key.name);
        self.stored.get(key).ok_or_else(missing)
    }

    fn put(&mut self, mut object: Object) -> Object {
        self.version += 1;
        object.metadata_mut().resource_version = self.version.to_string().into();
        self.stored.insert(object.reference(), object.clone());
        object
    }

    /// Records a request with the changes that it made, and gives its answer.
    fn answer<T>(
        &mut self,
        verb: &str,
        key: &ObjectRef,
        more: Value,
        result: Result<(T, Value), ApiError>,
    ) -> Result<T, ApiError> {
        let mut entry = json!({"verb": verb, "resource": key.kind.resource(), "name": key.name});
        let fields = entry.as_object_mut().unwrap();
        if let Value::Object(more) = more {
            fields.extend(more);
        }
        let answer = match result {
            Err(error) => {
                fields.insert("error".into(), json!(error.reason));
                Err(error)
            }
            Ok((answer, changes)) => {
                if changes != json!({}) && !changes.is_null() {
                    fields.insert("changes".into(), changes);
                }
                Ok(answer)
            }
        };
        self.actions.push(entry);
        answer
    }

    /// Replaces the main resource or the status of the stored object, if it is the version that was read.
    fn replace(&mut self, sent: &Object, subresource: &str) -> Result<(Object, Value), ApiError> {
        let key = sent.reference();
        self.injected("update", &key, subresource)?;
        let stored = self.stored(&key)?.clone();
        if stored.metadata().resource_version != sent.metadata().resource_version {
            return Err(ApiError::conflict(key.kind.qualified_resource(), &key.name));
        }
        let mut merged = if subresource.is_empty() { sent.clone() } else { stored.clone() };
        let status_of = if subresource.is_empty() { &stored } else { sent };
        match (&mut merged, status_of) {
            (Object::Pod(merged), Object::Pod(other)) => Rc::make_mut(merged).status = other.status.clone(),
            (Object::CloneSet(merged), Object::CloneSet(other)) => Rc::make_mut(merged).status = other.status.clone(),
            (Object::AdvancedStatefulSet(merged), Object::AdvancedStatefulSet(other)) => {
                Rc::make_mut(merged).status = other.status.clone();
            }
            _ => {}
        }
        let changes = merge_patch(&as_recorded(&stored), &as_recorded(&merged));
        Ok((self.put(merged), changes))
    }
}

/// The object as the recording shows it: what Go always writes though it is empty is left out.
fn as_recorded(object: &Object) -> Value {
    // The client adds the type of what it sends.
    let mut value = object.to_value();
    let is_revision = object.kind() == Kind::ControllerRevision;
    drop_empty(&mut value, !is_revision);
    let metadata = value["metadata"].as_object_mut().unwrap();
    metadata.remove("resourceVersion");
    metadata.remove("generation");
    value
}

/// A revision's data is verbatim.
fn drop_empty(value: &mut Value, into_data: bool) {
    match value {
        Value::Object(fields) => {
            for (_, value) in fields.iter_mut().filter(|(key, _)| into_data || *key != "data") {
                drop_empty(value, into_data);
            }
            let empty = json!({});
            fields.retain(|key, value| {
                !(["status", "resources", "metadata", "scaleStrategy"].contains(&key.as_str()) && *value == empty)
            });
        }
        Value::Array(items) => items.iter_mut().for_each(|item| drop_empty(item, into_data)),
        _ => {}
    }
}

/// RFC 7386.
fn merge_patch(old: &Value, new: &Value) -> Value {
    let (Value::Object(old), Value::Object(new)) = (old, new) else { return new.clone() };
    let mut patch = Map::new();
    for key in old.keys().filter(|key| !new.contains_key(*key)) {
        patch.insert(key.clone(), Value::Null);
    }
    for (key, new) in new {
        match old.get(key) {
            Some(old) if old == new => {}
            Some(old) => drop(patch.insert(key.clone(), merge_patch(old, new))),
            None => drop(patch.insert(key.clone(), new.clone())),
        }
    }
    Value::Object(patch)
}

impl Api for Recorder {
    fn get(&mut self, kind: Kind, namespace: &str, name: &str) -> Result<Object, ApiError> {
        self.stored(&ObjectRef { kind, namespace: namespace.into(), name: name.into() }).cloned()
    }

    fn create(&mut self, object: Object) -> Result<Object, ApiError> {
        let key = object.reference();
        let result = self.injected("create", &key, "").and_then(|()| {
            if self.stored.contains_key(&key) {
                return Err(ApiError::already_exists(key.kind.qualified_resource(), &key.name));
            }
            Ok((self.put(object.clone()), Value::Null))
        });
        let mut more = json!({"object": as_recorded(&object)});
        if let Object::Pod(pod) = &object {
            if self.subject.kind == Kind::CloneSet {
                more["generated"] = json!(true);
            }
            more["revision"] = json!(pod.metadata.labels.get("controller-revision-hash"));
        }
        self.answer("create", &key, more, result)
    }

    fn update(&mut self, object: Object) -> Result<Object, ApiError> {
        let result = self.replace(&object, "");
        self.answer("update", &object.reference(), Value::Null, result)
    }

    fn update_status(&mut self, object: Object) -> Result<Object, ApiError> {
        let mut result = self.replace(&object, "status");
        if let (true, Ok((_, changes))) = (object.reference() == self.subject, &mut result) {
            self.status = object.to_value()["status"].clone();
            *changes = Value::Null;
        }
        self.answer("update", &object.reference(), json!({"subresource": "status"}), result)
    }

    fn patch_metadata(&mut self, target: &ObjectRef, patch: &MetadataPatch) -> Result<Object, ApiError> {
        let result = self.injected("patch", target, "").and_then(|()| {
            let stored = self.stored(target)?.clone();
            let mut patched = stored.clone();
            patch.apply(patched.metadata_mut());
            let changes = merge_patch(&as_recorded(&stored), &as_recorded(&patched));
            Ok((self.put(patched), changes))
        });
        self.answer("patch", target, Value::Null, result)
    }

    fn cached_after(&mut self, key: &ObjectRef, _: i64) -> Option<Object> {
        self.stored(key).ok().cloned()
    }

    fn patch_owner(&mut self, _: &ObjectRef, _: &OwnerPatch) -> Result<(), ApiError> {
        panic!("none of these pods is adopted or released by a patch");
    }

    fn delete(&mut self, key: &ObjectRef) -> Result<(), ApiError> {
        let result = self.injected("delete", key, "").and_then(|()| {
            let stored = self.stored(key)?;
            // A pod goes gracefully: until its kubelet confirms, its name stays taken. A claim waits for its finalizer.
            let stays = match stored {
                Object::Pod(pod) => {
                    let runs = !pod.spec.node_name.is_empty() && !pod.has_ended();
                    runs || !pod.metadata.finalizers.is_empty()
                }
                other => !other.metadata().finalizers.is_empty(),
            };
            if !stays {
                self.stored.remove(key);
            }
            Ok(((), Value::Null))
        });
        self.answer("delete", key, Value::Null, result)
    }

    fn record(&mut self, event: Event) {
        let event_type = event.event_type.as_str();
        self.events.push(json!({"type": event_type, "reason": event.reason, "message": event.message}));
    }
}
