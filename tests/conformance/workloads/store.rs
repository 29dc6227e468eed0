//! An API server for one sync: it keeps resource versions, gives names and the refusals the vector asks for, and writes down
//! every request.

use super::Input;
use crate::vector::Refusal;
use serde_json::{Value, json};
use setscope::objects::{ApiError, Details, Event, Json, Kind, Object, ObjectRef, Pod, PodPhase, Reason, Time};
use setscope::reconcile::{Api, MetadataPatch, OwnerPatch};
use std::collections::BTreeMap;
use std::rc::Rc;

pub struct Store {
    now: Time,
    /// The object being synced, as events name it.
    subject: String,
    stored: BTreeMap<ObjectRef, Object>,
    version: u64,
    names: std::vec::IntoIter<String>,
    refusals: Vec<Refusal>,
    pub actions: Vec<Value>,
    pub reads: Vec<Value>,
    pub events: Vec<Value>,
    pub status: Value,
}

impl Store {
    pub fn new(input: &Input) -> Self {
        let subject = input.subject();
        let cached = std::iter::once(subject.clone())
            .chain(input.pods.iter().cloned().map(Object::Pod))
            .chain(input.replica_sets.iter().cloned().map(Object::ReplicaSet))
            .chain(input.controller_revisions.iter().cloned().map(Object::Revision))
            .chain(input.nodes.iter().cloned().map(Object::Node));
        let mut stored: BTreeMap<_, _> = cached.map(|object| (object.reference(), object)).collect();
        stored.retain(|key, _| {
            !input.cache_only.iter().any(|gone| gone.resource == key.kind.resource() && *gone.name == *key.name)
        });
        let only = &input.api_only;
        let fresher = (only.deployments.iter().cloned().map(Object::Deployment))
            .chain(only.daemon_sets.iter().cloned().map(Object::DaemonSet))
            .chain(only.replica_sets.iter().cloned().map(Object::ReplicaSet))
            .chain(only.pods.iter().cloned().map(Object::Pod))
            .chain(only.controller_revisions.iter().cloned().map(Object::Revision));
        stored.extend(fresher.map(|object| (object.reference(), object)));
        Self {
            now: input.now,
            subject: format!("{}/{}", subject.kind().as_str(), subject.metadata().name),
            stored,
            version: input.resource_version,
            names: input.generated_names.clone().into_iter(),
            refusals: input.api_errors.clone(),
            actions: Vec::new(),
            reads: Vec::new(),
            events: Vec::new(),
            status: Value::Null,
        }
    }

    fn injected(&mut self, verb: &str, key: &ObjectRef, subresource: &str) -> Result<(), ApiError> {
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

    fn write_down<T>(&mut self, verb: &str, key: &ObjectRef, more: Value, result: &Result<T, ApiError>) {
        self.actions.push(entry(verb, key, more, result));
    }

    fn held(&self, key: &ObjectRef) -> Result<&Object, ApiError> {
        let missing = || ApiError::not_found(key.kind.qualified_resource(), &key.name);
        self.stored.get(key).ok_or_else(missing)
    }

    /// Stores what differs from what is held, as the next version.
    fn put(&mut self, mut object: Object) -> Object {
        let key = object.reference();
        if self.stored.get(&key) != Some(&object) {
            self.version += 1;
            object.metadata_mut().resource_version = self.version.to_string().into();
            self.stored.insert(key, object.clone());
        }
        object
    }

    /// Replaces the main resource, or the status.
    fn replace(&mut self, sent: &Object, subresource: &str) -> Result<Object, ApiError> {
        let key = sent.reference();
        self.injected("update", &key, subresource)?;
        let held = self.held(&key)?.clone();
        let (wanted, found) = (&sent.metadata().uid, &held.metadata().uid);
        let (resource, name) = (key.kind.qualified_resource(), &key.name);
        if wanted != found {
            let cause = format!("Precondition failed: UID in precondition: {wanted}, UID in object meta: {found}");
            let message = format!("Operation cannot be fulfilled on {resource} \"{name}\": {cause}");
            return Err(ApiError::new(Reason::Conflict, message));
        }
        if sent.metadata().resource_version != held.metadata().resource_version {
            return Err(ApiError::conflict(resource, name));
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
        let held = self.held(key)?.metadata();
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

fn is_finished(pod: &Pod) -> bool {
    matches!(pod.status.phase, PodPhase::Failed | PodPhase::Succeeded)
}

impl Api for Store {
    fn get(&mut self, kind: Kind, namespace: &str, name: &str) -> Result<Object, ApiError> {
        let key = ObjectRef { kind, namespace: namespace.into(), name: name.into() };
        let result = self.injected("get", &key, "").and_then(|()| self.held(&key).cloned());
        self.reads.push(entry("get", &key, Value::Null, &result));
        result
    }

    fn create(&mut self, object: Object) -> Result<Object, ApiError> {
        let mut made = object.clone();
        let result = self.injected("create", &object.reference(), "").and_then(|()| {
            if made.metadata().name.is_empty() {
                made.metadata_mut().name = self.names.next().expect("one create more than recorded").into();
            }
            let key = made.reference();
            if self.stored.contains_key(&key) {
                return Err(ApiError::already_exists(key.kind.qualified_resource(), &key.name));
            }
            let metadata = made.metadata_mut();
            metadata.uid = format!("new-{}", self.version).into();
            metadata.creation_timestamp = Some(self.now);
            metadata.generation = 1;
            Ok(self.put(made.clone()))
        });
        let key = made.reference();
        self.write_down("create", &key, json!({"object": as_recorded(&object, true)}), &result);
        result
    }

    fn update(&mut self, object: Object) -> Result<Object, ApiError> {
        let result = self.replace(&object, "");
        let more = json!({"object": as_recorded(&object, false)});
        self.write_down("update", &object.reference(), more, &result);
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
            self.status = status;
        }
        self.write_down("update", &key, json!({"subresource": "status", "object": sent}), &result);
        result
    }

    fn patch_owner(&mut self, key: &ObjectRef, patch: &OwnerPatch) -> Result<(), ApiError> {
        let result = self.injected("patch", key, "").and_then(|()| {
            let mut patched = self.held(key)?.clone();
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
        self.write_down("patch", key, more, &result);
        result
    }

    fn patch_metadata(&mut self, key: &ObjectRef, patch: &MetadataPatch) -> Result<Object, ApiError> {
        let result = self.injected("patch", key, "").and_then(|()| {
            let mut patched = self.held(key)?.clone();
            patch.apply(patched.metadata_mut());
            self.patched(key, None, patched)
        });
        let labels = patch.labels.to_json();
        let more = json!({"patch": {"metadata": {"labels": labels}}, "patchType": "application/merge-patch+json"});
        self.write_down("patch", key, more, &result);
        result
    }

    fn delete(&mut self, key: &ObjectRef) -> Result<(), ApiError> {
        let now = self.now;
        let result = self.injected("delete", key, "").and_then(|()| {
            let held = self.held(key)?;
            let is_running = matches!(held, Object::Pod(pod) if !pod.spec.node_name.is_empty() && !is_finished(pod));
            if is_running || !held.metadata().finalizers.is_empty() {
                let mut marked = held.clone();
                marked.metadata_mut().deletion_timestamp.get_or_insert(now);
                self.put(marked);
            } else {
                self.stored.remove(key);
            }
            Ok(())
        });
        self.write_down("delete", key, Value::Null, &result);
        result
    }

    fn record(&mut self, event: Event) {
        self.events.push(json!({
            "object": self.subject, "type": event.event_type.as_str(), "reason": event.reason,
            "message": event.message,
        }));
    }
}
