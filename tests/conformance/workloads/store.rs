//! An API server for one sync: it keeps resource versions, gives names and the refusals the vector asks for, and writes down
//! every request.

use super::Input;
use crate::conformance::requests::{Requests, ends_gracefully};
use serde_json::{Value, json};
use setscope::objects::{ApiError, Event, Json, Kind, Object, ObjectRef, Reason, Time};
use setscope::reconcile::{Api, MetadataPatch, OwnerPatch};
use std::rc::Rc;

pub struct Store {
    now: Time,
    /// The object being synced, as events name it.
    subject: String,
    pub requests: Requests,
    version: u64,
    names: std::vec::IntoIter<String>,
}

impl Store {
    pub fn new(input: &Input) -> Self {
        let subject = input.subject();
        let cached = std::iter::once(subject.clone())
            .chain(input.pods.iter().cloned().map(Object::Pod))
            .chain(input.replica_sets.iter().cloned().map(Object::ReplicaSet))
            .chain(input.controller_revisions.iter().cloned().map(Object::Revision))
            .chain(input.nodes.iter().cloned().map(Object::Node));
        let only = &input.api_only;
        let newer = (only.deployments.iter().cloned().map(Object::Deployment))
            .chain(only.daemon_sets.iter().cloned().map(Object::DaemonSet))
            .chain(only.replica_sets.iter().cloned().map(Object::ReplicaSet))
            .chain(only.pods.iter().cloned().map(Object::Pod))
            .chain(only.controller_revisions.iter().cloned().map(Object::Revision));
        Self {
            now: input.now,
            subject: format!("{}/{}", subject.kind().as_str(), subject.metadata().name),
            requests: Requests::new(cached, &input.cache_only, newer, &input.api_errors),
            version: input.resource_version,
            names: input.generated_names.clone().into_iter(),
        }
    }

    /// Stores what differs from what is held, as the next version.
    fn put(&mut self, mut object: Object) -> Object {
        let key = object.reference();
        if self.requests.stored.get(&key) != Some(&object) {
            self.version += 1;
            object.metadata_mut().resource_version = self.version.to_string().into();
            self.requests.stored.insert(key, object.clone());
        }
        object
    }

    /// Replaces the main resource, or the status.
    fn replace(&mut self, sent: &Object, subresource: &str) -> Result<Object, ApiError> {
        let key = sent.reference();
        self.requests.injected("update", &key, subresource)?;
        let held = self.requests.held_as(sent)?.clone();
        if sent.metadata().resource_version != held.metadata().resource_version {
            return Err(ApiError::conflict(key.kind.qualified_resource(), &key.name));
        }
        let is_status = !subresource.is_empty();
        let mut merged = if is_status { held.clone() } else { sent.clone() };
        let other = if is_status { sent } else { &held };
        let mut is_changed = false;
        match (&mut merged, other) {
            (Object::Deployment(merged), Object::Deployment(other)) => {
                let merged = Rc::make_mut(merged);
                merged.status = other.status.clone();
                if is_status {
                    is_changed = merged.metadata.annotations != other.metadata.annotations;
                    merged.metadata.annotations = other.metadata.annotations.clone();
                } else {
                    let annotations = merged.metadata.annotations != other.metadata.annotations;
                    is_changed = annotations || merged.spec != other.spec;
                }
            }
            (Object::ReplicaSet(merged), Object::ReplicaSet(other)) => {
                let merged = Rc::make_mut(merged);
                merged.status = other.status.clone();
                is_changed = !is_status && merged.spec != other.spec;
            }
            (Object::DaemonSet(merged), Object::DaemonSet(other)) => {
                let merged = Rc::make_mut(merged);
                merged.status = other.status.clone();
                is_changed = !is_status && merged.spec != other.spec;
            }
            (Object::Pod(merged), Object::Pod(other)) => Rc::make_mut(merged).status = other.status.clone(),
            _ => {}
        }
        merged.metadata_mut().generation = held.metadata().generation + i64::from(is_changed);
        Ok(self.put(merged))
    }

    fn patched(&mut self, key: &ObjectRef, uid: Option<&str>, patched: Object) -> Result<Object, ApiError> {
        let held = self.requests.held(key)?.metadata();
        if uid.is_some_and(|uid| *uid != *held.uid) {
            let message = format!(
                "{} \"{}\" is invalid: metadata.uid: Invalid value: {:?}: field is immutable",
                key.kind.as_str(),
                key.name,
                uid.unwrap_or_default()
            );
            return Err(ApiError::new(Reason::Invalid, message));
        }
        Ok(self.put(patched))
    }
}

/// The object as the recording shows it: without its version, and without what Go always writes though it is empty. What the
/// client puts into the path of a create is not in the object.
fn as_recorded(object: &Object, creating: bool) -> Value {
    let value = match object {
        Object::Deployment(object) => serde_json::to_value(object),
        Object::ReplicaSet(object) => serde_json::to_value(object),
        Object::DaemonSet(object) => serde_json::to_value(object),
        Object::Pod(object) => serde_json::to_value(object),
        Object::Revision(object) => serde_json::to_value(object),
        other => panic!("none of these controllers writes a {}", other.kind().as_str()),
    };
    let mut value = value.unwrap();
    let data = value.get_mut("data").map(Value::take);
    drop_empty(&mut value);
    if let Some(data) = data {
        value["data"] = data;
    }
    if let Some(metadata) = value.get_mut("metadata").and_then(Value::as_object_mut) {
        metadata.remove("resourceVersion");
        if creating && object.kind() == Kind::Pod {
            metadata.remove("namespace");
        }
    }
    value
}

const EMPTY: [&str; 8] =
    ["status", "resources", "metadata", "strategy", "updateStrategy", "state", "lastState", "nodeInfo"];

fn drop_empty(value: &mut Value) {
    // What a container without a state is read as.
    let no_state = json!({"waiting": {"reason": ""}});
    match value {
        Value::Object(fields) => {
            fields.values_mut().for_each(drop_empty);
            let is_empty = |value: &Value| *value == json!({}) || *value == no_state;
            fields.retain(|key, value| !(EMPTY.contains(&key.as_str()) && is_empty(value)));
        }
        Value::Array(items) => items.iter_mut().for_each(drop_empty),
        _ => {}
    }
}

impl Api for Store {
    fn get(&mut self, kind: Kind, namespace: &str, name: &str) -> Result<Object, ApiError> {
        self.requests.get(&ObjectRef { kind, namespace: namespace.into(), name: name.into() })
    }

    fn create(&mut self, object: Object) -> Result<Object, ApiError> {
        let mut made = object.clone();
        let result = self.requests.injected("create", &object.reference(), "").and_then(|()| {
            if made.metadata().name.is_empty() {
                made.metadata_mut().name = self.names.next().expect("one create more than recorded").into();
            }
            let key = made.reference();
            self.requests.check_is_new(&key)?;
            let metadata = made.metadata_mut();
            metadata.uid = format!("new-{}", self.version).into();
            metadata.creation_timestamp = Some(self.now);
            metadata.generation = 1;
            Ok(self.put(made.clone()))
        });
        let key = made.reference();
        self.requests.write_down("create", &key, json!({"object": as_recorded(&object, true)}), &result);
        result
    }

    fn update(&mut self, object: Object) -> Result<Object, ApiError> {
        let result = self.replace(&object, "");
        let more = json!({"object": as_recorded(&object, false)});
        self.requests.write_down("update", &object.reference(), more, &result);
        result
    }

    fn update_status(&mut self, object: Object) -> Result<Object, ApiError> {
        let key = object.reference();
        let mut sent = json!({"metadata": {"name": key.name, "namespace": key.namespace}});
        let status = as_recorded(&object, false).get("status").cloned().unwrap_or(json!({}));
        sent["status"] = status.clone();
        if let Object::Deployment(set) = &object
            && !set.metadata.annotations.is_empty()
        {
            sent["metadata"]["annotations"] = set.metadata.annotations.to_json();
        }
        let result = self.replace(&object, "status");
        if result.is_ok() && format!("{}/{}", key.kind.as_str(), key.name) == self.subject {
            self.requests.status = status;
        }
        self.requests.write_down("update", &key, json!({"subresource": "status", "object": sent}), &result);
        result
    }

    fn patch_owner(&mut self, key: &ObjectRef, patch: &OwnerPatch) -> Result<(), ApiError> {
        let result = self.requests.injected("patch", key, "").and_then(|()| {
            let mut patched = self.requests.held(key)?.clone();
            let owners = &mut patched.metadata_mut().owner_references;
            let uid = match patch {
                OwnerPatch::Adopt { owner, uid } => {
                    if owners.iter().any(|held| held.controller == Some(true) && held.uid != owner.uid) {
                        let message = format!(
                            "{} \"{}\" is invalid: metadata.ownerReferences: Invalid value: \"null\": Only one reference \
                             can have Controller set to true.",
                            key.kind.as_str(),
                            key.name
                        );
                        return Err(ApiError::new(Reason::Invalid, message));
                    }
                    owners.retain(|held| held.uid != owner.uid);
                    owners.push(owner.clone());
                    uid
                }
                OwnerPatch::Release { owner_uid, uid } => {
                    owners.retain(|owner| owner.uid != *owner_uid);
                    uid
                }
            };
            self.patched(key, Some(uid), patched).map(drop)
        });
        let more = json!({"patch": patch.to_json(), "patchType": "application/strategic-merge-patch+json"});
        self.requests.write_down("patch", key, more, &result);
        result
    }

    fn patch_metadata(&mut self, key: &ObjectRef, patch: &MetadataPatch) -> Result<Object, ApiError> {
        let result = self.requests.injected("patch", key, "").and_then(|()| {
            let mut patched = self.requests.held(key)?.clone();
            patch.apply(patched.metadata_mut());
            self.patched(key, None, patched)
        });
        let labels = patch.labels.to_json();
        let more = json!({"patch": {"metadata": {"labels": labels}}, "patchType": "application/merge-patch+json"});
        self.requests.write_down("patch", key, more, &result);
        result
    }

    fn delete(&mut self, key: &ObjectRef) -> Result<(), ApiError> {
        let now = self.now;
        let result = self.requests.injected("delete", key, "").and_then(|()| {
            let held = self.requests.held(key)?;
            if ends_gracefully(held) || !held.metadata().finalizers.is_empty() {
                let mut marked = held.clone();
                marked.metadata_mut().deletion_timestamp.get_or_insert(now);
                self.put(marked);
            } else {
                self.requests.stored.remove(key);
            }
            Ok(())
        });
        self.requests.write_down("delete", key, Value::Null, &result);
        result
    }

    fn record(&mut self, event: Event) {
        self.requests.events.push(json!({
            "object": self.subject, "type": event.event_type.as_str(), "reason": event.reason,
            "message": event.message,
        }));
    }
}
