//! What is wrong with a document's fields, in kubectl's words before 1.25 and in the API server's since.

use super::place::Places;
use super::read::{Held, Reading};
use crate::kubectl::{Error, Problem};
use crate::objects::FieldError;
use crate::objects::decode::{Wrong, check_schema, decode};
use crate::objects::request::apply_over;
use crate::objects::{ApiError, Kind, Server};
use serde_json::Value;

/// A document of one kind of workload.
pub(super) struct Workload<'a> {
    pub(super) kind: Kind,
    /// Its type, which depends on the version.
    pub(super) type_name: &'static str,
    pub(super) value: &'a Value,
    pub(super) places: &'a Places,
    pub(super) name: &'a str,
    /// The object, if it is there already.
    pub(super) held: Option<Held>,
}

/// A document that the server takes: as it reads it, as it was sent, and what the object that is there becomes.
pub(super) struct Read {
    pub(super) value: Value,
    pub(super) sent: Value,
    pub(super) patched: Option<Value>,
}

/// What kubectl says of an object without a name, which it looks for before it applies it.
/// Models Get of the builder's Info and AddSourceToErr, k8s.io/kubectl pkg/cmd/apply/apply.go.
fn nameless(workload: &Workload<'_>) -> String {
    let kind = workload.kind;
    let (group, version) = kind.api_version().split_once('/').unwrap_or(("", kind.api_version()));
    let namespace = workload.value["metadata"]["namespace"].as_str().filter(|own| !own.is_empty()).unwrap_or("default");
    format!(
        "error when retrieving current configuration of:\nResource: \"{group}/{version}, Resource={}\", \
         GroupVersionKind: \"{group}/{version}, Kind={}\"\nName: \"\", Namespace: {namespace:?}\nfrom server for: \
         \"STDIN\": resource name may not be empty",
        kind.resource(),
        kind.as_str()
    )
}

/// The document as the server reads it; none if it refuses it, which is reported.
pub(super) fn read(workload: &Workload<'_>, server: &Server, reading: &mut Reading) -> Option<Read> {
    let is_custom = workload.kind.is_custom_resource();
    if !server.decodes_strictly && !is_custom {
        let wrong = check_schema(workload.value, workload.kind.as_str(), server);
        if !wrong.is_empty() {
            let problem = |wrong: Wrong| workload.problem(Error::Client(validation_error(&wrong.message)), wrong);
            reading.problems.extend(wrong.into_iter().map(problem));
            return None;
        }
    }
    if workload.name.is_empty() {
        let (line, column) = workload.places.find("metadata.name");
        reading.problems.push(Problem::new(Error::Client(nameless(workload))).at(line, column));
        return None;
    }
    let mut sent = workload.value.clone();
    if let Some(metadata) = sent.get_mut("metadata").and_then(Value::as_object_mut) {
        let namespace = metadata.entry("namespace").or_insert(Value::Null);
        if namespace.is_null() || namespace == "" {
            *namespace = "default".into();
        }
    }
    let patched = match &workload.held {
        None => None,
        Some(held) => match apply_over(workload.kind, &sent, held.last_applied.as_deref(), &held.stored, server) {
            Ok(patched) => Some(patched),
            Err(message) => {
                let (line, column) = workload.places.find("spec");
                reading.problems.push(Problem::new(Error::client(message)).at(line, column));
                return None;
            }
        },
    };
    let decoded = decode(patched.as_ref().unwrap_or(&sent), workload.type_name, server);
    if let Some(wrong) = decoded.mismatch {
        let kind = workload.kind.as_str();
        let error = if is_custom {
            workload.custom_mismatch(&wrong)
        } else {
            let message = format!("{kind} in version \"v1\" cannot be handled as a {kind}: {}", wrong.message);
            ApiError::bad_request(message)
        };
        reading.problems.push(workload.problem(error.into(), wrong));
        return None;
    }
    if (server.decodes_strictly || is_custom) && !decoded.unknown.is_empty() {
        let problem = |wrong: Wrong| {
            let error = ApiError::bad_request(format!("strict decoding error: {}", wrong.message));
            workload.problem(error.into(), wrong)
        };
        reading.problems.extend(decoded.unknown.into_iter().map(problem));
        return None;
    }
    Some(Read { value: decoded.value, sent, patched })
}

impl Workload<'_> {
    fn problem(&self, error: Error, wrong: Wrong) -> Problem {
        let (line, column) = self.places.find(&wrong.path);
        Problem { remedy: wrong.remedy, ..Problem::new(error).at(line, column) }
    }

    /// A custom resource is checked against its schema, whose words differ from those of Go's decoder.
    fn custom_mismatch(&self, wrong: &Wrong) -> ApiError {
        let path = &wrong.path;
        let pointer: String = path.split(['.', '[']).map(|step| format!("/{}", step.trim_end_matches(']'))).collect();
        let given = match self.value.pointer(&pointer) {
            Some(Value::Bool(_)) => "boolean",
            Some(Value::Number(_)) => "number",
            Some(Value::Array(_)) => "array",
            Some(Value::Object(_)) => "object",
            _ => "string",
        };
        let expected = match wrong.expected {
            Some("map") => "object",
            expected => expected.unwrap_or_default(),
        };
        let detail = format!("{path} in body must be of type {expected}: \"{given}\"");
        let name = self.value["metadata"]["name"].as_str().unwrap_or_default();
        let error = FieldError::invalid(path, format!("\"{given}\""), detail);
        ApiError::invalid(self.kind.as_str(), name, vec![error])
    }
}

/// kubectl's frame around what it found itself.
pub(super) fn validation_error(message: &str) -> String {
    format!(
        "error validating \"STDIN\": error validating data: {message}; if you choose to ignore these errors, turn \
         validation off with --validate=false"
    )
}
