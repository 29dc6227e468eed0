//! Requests to write a workload: decoded, filled in, prepared and checked, in the API server's order, for every kind alike.
//! Models rest.BeforeCreate and BeforeUpdate with the strategies of pkg/registry/apps.

use super::decode::{decode, written};
use super::defaults_workloads::workload;
use super::schema::type_of;
use super::validation::validate;
use super::{ApiError, Kind, Server};
use serde_json::{Map, Value, json};

/// Where apps/v1 keeps the number of a DaemonSet's template.
const TEMPLATE_GENERATION: &str = "deprecated.daemonset.template.generation";

/// Prepares a decoded new object for storage.
///
/// # Errors
/// What is wrong with it.
pub(crate) fn create(kind: Kind, mut value: Value, server: &Server) -> Result<Value, ApiError> {
    // Only the server says that an object is being deleted, or in which cluster it is.
    if let Some(metadata) = value["metadata"].as_object_mut().filter(|_| kind != Kind::CloneSet) {
        metadata.remove("deletionGracePeriodSeconds");
        metadata.remove("clusterName");
    }
    workload(kind, &mut value, server);
    if kind == Kind::DaemonSet {
        number_template(&mut value, None);
    }
    checked(kind, value, None, server)
}

/// Prepares a changed object for storage in place of the old one.
///
/// # Errors
/// What is wrong with it.
pub(crate) fn update(kind: Kind, sent: &Value, old: &Value, server: &Server) -> Result<Value, ApiError> {
    let mut value = redecode(kind, sent, server)?;
    let (sent, stored) = (&value["metadata"]["namespace"], &old["metadata"]["namespace"]);
    if sent != stored && !sent.is_null() {
        let message = "the namespace of the provided object does not match the namespace sent on the request";
        return Err(ApiError::bad_request(message));
    }
    workload(kind, &mut value, server);
    if kind == Kind::DaemonSet {
        number_template(&mut value, Some(old));
    }
    value["status"] = old["status"].clone();
    checked(kind, value, Some(old), server)
}

fn redecode(kind: Kind, sent: &Value, server: &Server) -> Result<Value, ApiError> {
    let name = kind.as_str();
    let handled =
        |words: &str| ApiError::bad_request(format!("{name} in version \"v1\" cannot be handled as a {name}: {words}"));
    let word = |field: &str| sent[field].as_str().unwrap_or_default();
    if !kind.is_custom_resource() && (word("kind") != name || word("apiVersion") != kind.api_version()) {
        return Err(handled(&match (word("kind"), word("apiVersion")) {
            ("", _) => "Object 'Kind' is missing in '{}'".to_owned(),
            (kind, version) => format!(
                "no kind \"{kind}\" is registered for version \"{version}\" in scheme \
                 \"k8s.io/kubernetes/pkg/api/legacyscheme/scheme.go:30\""
            ),
        }));
    }
    let decoded = decode(sent, type_of(kind), server);
    if let Some(wrong) = decoded.mismatch {
        return Err(handled(&wrong.message));
    }
    if server.decodes_strictly && !kind.is_custom_resource() && !decoded.unknown.is_empty() {
        let unknown: Vec<&str> = decoded.unknown.iter().map(|wrong| &*wrong.message).collect();
        return Err(handled(&format!("strict decoding error: {}", unknown.join(", "))));
    }
    Ok(decoded.value)
}

fn checked(kind: Kind, value: Value, old: Option<&Value>, server: &Server) -> Result<Value, ApiError> {
    let errors = validate(kind, &value, old, server);
    if errors.is_empty() {
        return Ok(written(&value, kind.as_str()));
    }
    let name = value["metadata"]["name"].as_str().unwrap_or_default();
    Err(ApiError::invalid(kind.as_str(), name, errors))
}

/// Numbers the generations of a DaemonSet's template.
fn number_template(value: &mut Value, old: Option<&Value>) {
    let number = old.map_or(1, |old| {
        let stored = old["metadata"]["annotations"][TEMPLATE_GENERATION].as_str();
        let stored: i64 = stored.and_then(|text| text.parse().ok()).unwrap_or(1);
        let changed = old["spec"]["template"] != written(&value["spec"]["template"], "PodTemplateSpec");
        stored + i64::from(changed)
    });
    if !value["metadata"]["annotations"].is_object() {
        value["metadata"]["annotations"] = json!({});
    }
    value["metadata"]["annotations"][TEMPLATE_GENERATION] = number.to_string().into();
}

/// What `kubectl apply` sends for an object that is there: the text's fields, and of those that the text does not name
/// only what the server filled in by itself. kubectl knows them by the text that was applied before; here they are the
/// fields that come back when the object is filled in without them.
pub(crate) fn apply_over(kind: Kind, desired: &Value, stored: &Value, server: &Server) -> Value {
    let mut bare = shared_part(stored, desired);
    workload(kind, &mut bare, server);
    let mut merged = overlay(desired, stored, &bare);
    for field in ["uid", "resourceVersion", "creationTimestamp", "generation", "ownerReferences", "finalizers"] {
        let sent = desired["metadata"].get(field).filter(|value| !value.is_null());
        if let (None, Some(own), Some(metadata)) =
            (sent, stored["metadata"].get(field), merged["metadata"].as_object_mut())
        {
            metadata.insert(field.to_owned(), own.clone());
        }
    }
    merged
}

/// The part of the stored value at paths where the desired one has a value too.
fn shared_part(stored: &Value, desired: &Value) -> Value {
    match (stored, desired) {
        (Value::Object(stored), Value::Object(desired)) => stored
            .iter()
            .filter_map(|(key, own)| Some((key.clone(), shared_part(own, desired.get(key)?))))
            .collect::<Map<_, _>>()
            .into(),
        (Value::Array(stored), Value::Array(desired)) => stored
            .iter()
            .enumerate()
            .map(|(at, own)| partner(at, own, desired).map_or(own.clone(), |it| shared_part(own, it)))
            .collect(),
        (stored, _) => stored.clone(),
    }
}

/// The corresponding item of another list: by its merge key, otherwise by its index.
fn partner<'a>(at: usize, item: &Value, others: &'a [Value]) -> Option<&'a Value> {
    ["name", "mountPath", "containerPort", "ip", "topologyKey"]
        .iter()
        .find(|key| !item[**key].is_null())
        .map_or_else(|| others.get(at), |key| others.iter().find(|other| other[*key] == item[*key]))
}

fn overlay(desired: &Value, stored: &Value, bare: &Value) -> Value {
    match (desired, stored, bare) {
        (Value::Object(desired), Value::Object(stored), Value::Object(bare)) => {
            let none = Value::Null;
            let mut merged: Map<String, Value> = desired
                .iter()
                .map(|(key, own)| {
                    let (stored, bare) = (stored.get(key).unwrap_or(&none), bare.get(key).unwrap_or(&none));
                    (key.clone(), overlay(own, stored, bare))
                })
                .collect();
            let kept = stored.iter().filter(|(key, own)| !desired.contains_key(*key) && bare.get(*key) == Some(*own));
            merged.extend(kept.map(|(key, own)| (key.clone(), own.clone())));
            Value::Object(merged)
        }
        (Value::Array(desired), Value::Array(stored), Value::Array(bare)) => desired
            .iter()
            .enumerate()
            .map(|(at, own)| match (partner(at, own, stored), partner(at, own, bare)) {
                (Some(stored), Some(bare)) => overlay(own, stored, bare),
                _ => own.clone(),
            })
            .collect(),
        (desired, ..) => desired.clone(),
    }
}
