//! An API server for one sync: it holds what the vector says, gives the refusals the vector asks for, and writes down
//! every request.

use super::Input;
use crate::conformance::requests::{Requests, ends_gracefully};
use serde_json::{Map, Value, json};
use setscope::objects::{ApiError, Event, Kind, Object, ObjectRef, Reason};
use setscope::reconcile::{Api, OwnerPatch};
use std::rc::Rc;

pub struct Recorder {
    pub requests: Requests,
}

impl Recorder {
    pub fn new(input: &Input) -> Self {
        let set = |set: &_| Object::StatefulSet(Rc::new(Clone::clone(set)));
        let cached = std::iter::once(set(&input.stateful_set))
            .chain(input.pods.iter().cloned().map(Object::Pod))
            .chain(input.controller_revisions.iter().cloned().map(Object::Revision))
            .chain(input.persistent_volume_claims.iter().cloned().map(Object::Claim));
        let only = &input.api_only;
        let newer = (only.stateful_set.iter().map(set))
            .chain(only.pods.iter().cloned().map(Object::Pod))
            .chain(only.controller_revisions.iter().cloned().map(Object::Revision))
            .chain(only.persistent_volume_claims.iter().cloned().map(Object::Claim));
        Self { requests: Requests::new(cached, &input.cache_only, newer, &input.api_errors) }
    }

    fn replace(&mut self, key: &ObjectRef, object: &Object, subresource: &str) -> Result<Object, ApiError> {
        self.requests.injected("update", key, subresource)?;
        let held = self.requests.held_as(object)?;
        if let (Object::Pod(old), Object::Pod(new)) = (held, object)
            && old.spec != new.spec
        {
            let message = format!(
                "Pod \"{}\" is invalid: spec: Forbidden: pod updates may not change fields other than the image",
                key.name
            );
            return Err(ApiError::new(Reason::Invalid, message));
        }
        self.requests.stored.insert(key.clone(), object.clone());
        Ok(object.clone())
    }
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
        self.requests.get(&ObjectRef { kind, namespace: namespace.into(), name: name.into() })
    }

    fn create(&mut self, object: Object) -> Result<Object, ApiError> {
        let key = object.reference();
        let result = self.requests.injected("create", &key, "").and_then(|()| {
            self.requests.check_is_new(&key)?;
            self.requests.stored.insert(key.clone(), object.clone());
            Ok(object.clone())
        });
        self.requests.write_down("create", &key, json!({"object": as_recorded(&object, true)}), &result);
        result
    }

    fn update(&mut self, object: Object) -> Result<Object, ApiError> {
        let key = object.reference();
        let result = self.replace(&key, &object, "");
        self.requests.write_down("update", &key, json!({"object": as_recorded(&object, false)}), &result);
        result
    }

    fn update_status(&mut self, object: Object) -> Result<Object, ApiError> {
        let key = object.reference();
        let status = as_recorded(&object, false)["status"].take();
        let result = self.replace(&key, &object, "status");
        if result.is_ok() {
            self.requests.status = status.clone();
        }
        let metadata = json!({"name": key.name, "namespace": key.namespace});
        let more = json!({"subresource": "status", "object": {"metadata": metadata, "status": status}});
        self.requests.write_down("update", &key, more, &result);
        result
    }

    fn patch_owner(&mut self, key: &ObjectRef, patch: &OwnerPatch) -> Result<(), ApiError> {
        let result = self.requests.injected("patch", key, "").and_then(|()| {
            let held = self.requests.held(key)?;
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
            self.requests.stored.insert(key.clone(), patched);
            Ok(())
        });
        let more = json!({"patch": patch.to_json(), "patchType": "application/strategic-merge-patch+json"});
        self.requests.write_down("patch", key, more, &result);
        result
    }

    fn delete(&mut self, key: &ObjectRef) -> Result<(), ApiError> {
        let result = self.requests.injected("delete", key, "").and_then(|()| {
            if !ends_gracefully(self.requests.held(key)?) {
                self.requests.stored.remove(key);
            }
            Ok(())
        });
        self.requests.write_down("delete", key, Value::Null, &result);
        result
    }

    fn record(&mut self, event: Event) {
        self.requests.events.push(json!({
            "type": event.event_type.as_str(), "reason": event.reason, "message": event.message,
        }));
    }
}
