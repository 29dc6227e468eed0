//! An API server for one sync: it holds what the vector says, gives the refusals the vector asks for, and writes down
//! every request.

use super::Input;
use crate::vector::Refusal;
use serde_json::{Map, Value, json};
use setscope::objects::{ApiError, Event, Kind, Object, ObjectRef, Reason};
use setscope::reconcile::{Api, OwnerPatch};
use std::collections::BTreeMap;
use std::rc::Rc;

pub struct Recorder {
    stored: BTreeMap<ObjectRef, Object>,
    refusals: Vec<Refusal>,
    pub actions: Vec<Value>,
    pub reads: Vec<Value>,
    pub events: Vec<Value>,
    pub status: Value,
}

impl Recorder {
    pub fn new(input: &Input) -> Self {
        let set = |set: &_| Object::StatefulSet(Rc::new(Clone::clone(set)));
        let cached = std::iter::once(set(&input.stateful_set))
            .chain(input.pods.iter().cloned().map(Object::Pod))
            .chain(input.controller_revisions.iter().cloned().map(Object::Revision))
            .chain(input.persistent_volume_claims.iter().cloned().map(Object::Claim));
        let mut stored: BTreeMap<_, _> = cached.map(|object| (object.reference(), object)).collect();
        stored.retain(|key, _| {
            !input.cache_only.iter().any(|gone| gone.resource == key.kind.resource() && *gone.name == *key.name)
        });
        let only = &input.api_only;
        let fresher = (only.stateful_set.iter().map(set))
            .chain(only.pods.iter().cloned().map(Object::Pod))
            .chain(only.controller_revisions.iter().cloned().map(Object::Revision))
            .chain(only.persistent_volume_claims.iter().cloned().map(Object::Claim));
        for object in fresher {
            stored.insert(object.reference(), object);
        }
        Self {
            stored,
            refusals: input.api_errors.clone(),
            actions: Vec::new(),
            reads: Vec::new(),
            events: Vec::new(),
            status: Value::Null,
        }
    }

    fn injected(&mut self, verb: &str, kind: Kind, subresource: &str, name: &str) -> Result<(), ApiError> {
        let refusal = self.refusals.iter_mut().find(|refusal| {
            refusal.times != 0
                && refusal.verb == verb
                && refusal.resource == kind.resource()
                && refusal.subresource == subresource
                && (refusal.name == "*" || refusal.name == name)
        });
        match refusal {
            None => Ok(()),
            Some(refusal) => {
                refusal.times -= i32::from(refusal.times > 0);
                Err(ApiError::new(refusal.reason, refusal.error.clone()))
            }
        }
    }

    fn write_down<T>(&mut self, verb: &str, key: &ObjectRef, more: Value, result: &Result<T, ApiError>) {
        self.actions.push(entry(verb, key, more, result));
    }

    fn held(&self, key: &ObjectRef) -> Result<&Object, ApiError> {
        let missing = || ApiError::not_found(key.kind.qualified_resource(), &key.name);
        self.stored.get(key).ok_or_else(missing)
    }

    fn replace(&mut self, key: &ObjectRef, object: &Object, subresource: &str) -> Result<Object, ApiError> {
        self.injected("update", key.kind, subresource, &key.name)?;
        let held = self.held(key)?;
        let (wanted, found) = (&object.metadata().uid, &held.metadata().uid);
        if wanted != found {
            let cause = format!("Precondition failed: UID in precondition: {wanted}, UID in object meta: {found}");
            let message =
                format!("Operation cannot be fulfilled on {} \"{}\": {cause}", key.kind.qualified_resource(), key.name);
            return Err(ApiError::new(Reason::Conflict, message));
        }
        if let (Object::Pod(old), Object::Pod(new)) = (held, object)
            && old.spec != new.spec
        {
            let message = format!(
                "Pod \"{}\" is invalid: spec: Forbidden: pod updates may not change fields other than the image",
                key.name
            );
            return Err(ApiError::new(Reason::Invalid, message));
        }
        self.stored.insert(key.clone(), object.clone());
        Ok(object.clone())
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

/// The object as the recording shows it: what Go's encoder always writes though it is empty is left out, and so is the
/// namespace of a new revision, which the client puts in the path.
fn as_recorded(object: &Object, creating: bool) -> Value {
    let (value, is_pod) = match object {
        Object::StatefulSet(object) => (serde_json::to_value(object), false),
        Object::Pod(object) => (serde_json::to_value(object), true),
        Object::Claim(object) => (serde_json::to_value(object), false),
        Object::Revision(object) => (serde_json::to_value(object), false),
        Object::Node(object) => (serde_json::to_value(object), false),
        other => panic!("a StatefulSet's controller writes no {}", other.kind().as_str()),
    };
    let mut value = value.unwrap();
    let fields = value.as_object_mut().unwrap();
    drop_if_empty(fields, "status");
    drop_if_empty(fields, "metadata");
    if fields.get("data") == Some(&Value::Null) {
        fields.remove("data");
    }
    if is_pod {
        for containers in ["containers", "initContainers"] {
            for container in fields["spec"].get_mut(containers).and_then(Value::as_array_mut).into_iter().flatten() {
                drop_if_empty(container.as_object_mut().unwrap(), "resources");
            }
        }
    }
    if creating && object.kind() == Kind::ControllerRevision {
        fields["metadata"].as_object_mut().unwrap().remove("namespace");
    }
    value
}

fn drop_if_empty(fields: &mut Map<String, Value>, key: &str) {
    if fields.get(key).is_some_and(|value| value == &json!({})) {
        fields.remove(key);
    }
}

impl Api for Recorder {
    fn get(&mut self, kind: Kind, namespace: &str, name: &str) -> Result<Object, ApiError> {
        let key = ObjectRef { kind, namespace: namespace.into(), name: name.into() };
        let result = self.injected("get", kind, "", name).and_then(|()| self.held(&key).cloned());
        self.reads.push(entry("get", &key, Value::Null, &result));
        result
    }

    fn create(&mut self, object: Object) -> Result<Object, ApiError> {
        let key = object.reference();
        let result = self.injected("create", key.kind, "", &key.name).and_then(|()| {
            if self.stored.contains_key(&key) {
                return Err(ApiError::already_exists(key.kind.qualified_resource(), &key.name));
            }
            self.stored.insert(key.clone(), object.clone());
            Ok(object.clone())
        });
        self.write_down("create", &key, json!({"object": as_recorded(&object, true)}), &result);
        result
    }

    fn update(&mut self, object: Object) -> Result<Object, ApiError> {
        let key = object.reference();
        let result = self.replace(&key, &object, "");
        self.write_down("update", &key, json!({"object": as_recorded(&object, false)}), &result);
        result
    }

    fn update_status(&mut self, object: Object) -> Result<Object, ApiError> {
        let key = object.reference();
        let status = as_recorded(&object, false)["status"].take();
        let result = self.replace(&key, &object, "status");
        if result.is_ok() {
            self.status = status.clone();
        }
        let metadata = json!({"name": key.name, "namespace": key.namespace});
        let more = json!({"subresource": "status", "object": {"metadata": metadata, "status": status}});
        self.write_down("update", &key, more, &result);
        result
    }

    fn patch_owner(&mut self, key: &ObjectRef, patch: &OwnerPatch) -> Result<(), ApiError> {
        let result = self.injected("patch", key.kind, "", &key.name).and_then(|()| {
            let held = self.held(key)?;
            let (OwnerPatch::Adopt { uid, .. } | OwnerPatch::Release { uid, .. }) = patch;
            if *uid != held.metadata().uid {
                return Err(ApiError::conflict(key.kind.qualified_resource(), &key.name));
            }
            let mut patched = held.clone();
            let owners = &mut patched.metadata_mut().owner_references;
            match patch {
                OwnerPatch::Adopt { owner, .. } => owners.push(owner.clone()),
                OwnerPatch::Release { owner_uid, .. } => owners.retain(|owner| owner.uid != *owner_uid),
            }
            self.stored.insert(key.clone(), patched);
            Ok(())
        });
        let more = json!({"patch": patch.to_json(), "patchType": "application/strategic-merge-patch+json"});
        self.write_down("patch", key, more, &result);
        result
    }

    fn delete(&mut self, key: &ObjectRef) -> Result<(), ApiError> {
        let result = self.injected("delete", key.kind, "", &key.name).and_then(|()| {
            self.held(key)?;
            // A pod goes gracefully: until its kubelet confirms, its name stays taken.
            let is_graceful =
                matches!(&self.stored[key], Object::Pod(pod) if !pod.spec.node_name.is_empty() && !is_finished(pod));
            if !is_graceful {
                self.stored.remove(key);
            }
            Ok(())
        });
        self.write_down("delete", key, Value::Null, &result);
        result
    }

    fn record(&mut self, event: Event) {
        self.events.push(json!({
            "type": event.event_type.as_str(), "reason": event.reason, "message": event.message,
        }));
    }
}

fn is_finished(pod: &setscope::objects::Pod) -> bool {
    use setscope::objects::PodPhase::{Failed, Succeeded};
    matches!(pod.status.phase, Failed | Succeeded)
}
