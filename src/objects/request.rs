//! Requests to write a workload: decoded, filled in, prepared and checked, in the API server's order, for every kind alike.
//! Models rest.BeforeCreate and BeforeUpdate with the strategies of pkg/registry/apps.

use super::decode::{decode, served, written};
use super::defaults_workloads::workload;
use super::json::{field, slot};
use super::schema::type_of;
use super::strategic;
use super::validation::validate;
use super::{ApiError, FieldError, Kind, Server};
use serde_json::Value;

/// Where apps/v1 keeps the number of a DaemonSet's template.
const TEMPLATE_GENERATION: &str = "deprecated.daemonset.template.generation";

/// Prepares a decoded new object for storage.
///
/// # Errors
/// What is wrong with it.
pub(crate) fn create(kind: Kind, mut value: Value, server: &Server) -> Result<Value, ApiError> {
    // Only the server says that an object is being deleted, or in which cluster it is.
    if let Some(metadata) = value.get_mut("metadata").and_then(Value::as_object_mut).filter(|_| kind != Kind::CloneSet)
    {
        metadata.remove("deletionGracePeriodSeconds");
        metadata.remove("clusterName");
    }
    workload(kind, &mut value, server);
    drop_disabled(kind, &mut value, None, server);
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
    drop_disabled(kind, &mut value, Some(old), server);
    if kind == Kind::DaemonSet {
        number_template(&mut value, Some(old));
    }
    *field(&mut value, "status") = old["status"].clone();
    checked(kind, value, Some(old), server)
}

/// Checks that what a strategic patch made of a stored object can be an object of its kind.
/// Models applyPatchToObject, apiserver pkg/endpoints/handlers/patch.go.
///
/// # Errors
/// A field is of another type.
pub(crate) fn converted(kind: Kind, patched: &Value, patch: &Value, server: &Server) -> Result<(), ApiError> {
    let words = decode(patched, type_of(kind), server).mismatch.and_then(|wrong| wrong.unconverted);
    words.map_or(Ok(()), |words| {
        let shown = format!("{:?}", strategic::go_text(patch));
        Err(ApiError::invalid("", "", vec![FieldError::invalid("patch", shown, words)]))
    })
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

const CONTAINERS: [&str; 3] = ["initContainers", "containers", "ephemeralContainers"];

/// A way to mount /proc is set back where its feature gate is off, unless the stored object has one already. Models
/// dropDisabledProcMountField of pkg/api/pod/util.go; ProcMountType is on by default since 1.33.
fn drop_disabled(kind: Kind, value: &mut Value, old: Option<&Value>, server: &Server) {
    let is_in_use = |own: &Value| own["securityContext"]["procMount"].as_str().is_some_and(|own| own != "Default");
    let of =
        |value: &Value, list: &str| value["spec"]["template"]["spec"][list].as_array().cloned().unwrap_or_default();
    let is_kept = old.is_some_and(|old| CONTAINERS.iter().any(|list| of(old, list).iter().any(is_in_use)));
    if !server.drops_proc_mount || kind.is_custom_resource() || is_kept {
        return;
    }
    for list in CONTAINERS {
        let containers =
            value.pointer_mut("/spec/template/spec").and_then(|spec| spec.get_mut(list)).and_then(Value::as_array_mut);
        for own in containers.into_iter().flatten().filter(|own| is_in_use(own)) {
            *slot(own, "securityContext.procMount") = "Default".into();
        }
    }
}

/// Numbers the generations of a DaemonSet's template.
fn number_template(value: &mut Value, old: Option<&Value>) {
    let number = old.map_or(1, |old| {
        let stored = old["metadata"]["annotations"][TEMPLATE_GENERATION].as_str();
        let stored: i64 = stored.and_then(|text| text.parse().ok()).unwrap_or(1);
        let changed = old["spec"]["template"] != written(&value["spec"]["template"], "PodTemplateSpec");
        stored + i64::from(changed)
    });
    *field(slot(value, "metadata.annotations"), TEMPLATE_GENERATION) = number.to_string().into();
}

/// What an object becomes when a text is applied to it: kubectl's patch takes away what was applied before and is not in the
/// text, sets what is, and leaves alone what others have set.
///
/// # Errors
/// The text and the object cannot be compared, in kubectl's words.
pub(crate) fn apply_over(
    kind: Kind,
    desired: &Value,
    last_applied: Option<&Value>,
    stored: &Value,
    server: &Server,
) -> Result<Value, String> {
    let stored = &served(stored, kind.as_str(), server);
    let fields = |value: &Value| value.as_object().cloned().unwrap_or_default();
    let last_applied = last_applied.map(fields).unwrap_or_default();
    let patch = strategic::three_way(&last_applied, &fields(desired), &fields(stored))?;
    let mut patched = stored.clone();
    strategic::merge(&mut patched, Value::Object(patch), server.stores_directives)?;
    Ok(patched)
}
