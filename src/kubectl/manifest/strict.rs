//! What is wrong with a document's fields, in kubectl's words before 1.25 and in the API server's since.

use super::place::Places;
use super::read::{Diagnostic, Reading};
use crate::objects::Server;
use crate::objects::decode::{Wrong, check_schema, decode};
use serde_json::Value;

/// A document of one kind of workload.
pub(super) struct Workload<'a> {
    pub(super) kind: &'static str,
    /// Its type, which depends on the version.
    pub(super) type_name: &'static str,
    pub(super) value: &'a Value,
    pub(super) places: &'a Places,
}

/// The document as the server reads it; none if it refuses it, which is reported.
pub(super) fn read(workload: &Workload<'_>, server: &Server, reading: &mut Reading) -> Option<Value> {
    let is_custom = workload.kind == "CloneSet";
    let mut problems: Vec<Diagnostic> = Vec::new();
    let mut report = |wrong: Wrong, message: String| {
        let (line, column) = workload.places.find(&wrong.path);
        problems.push(Diagnostic { hint: wrong.hint, ..Diagnostic::error(line, column, message) });
    };
    if !server.decodes_strictly && !is_custom {
        for wrong in check_schema(workload.value, workload.kind, server) {
            let message = validation_error(&wrong.message);
            report(wrong, message);
        }
    }
    let decoded = decode(workload.value, workload.type_name, server);
    let kind = workload.kind;
    if problems.is_empty()
        && let Some(wrong) = decoded.mismatch
    {
        let message = if is_custom {
            custom_mismatch(&wrong, workload.value)
        } else {
            format!("{kind} in version \"v1\" cannot be handled as a {kind}: {}", wrong.message)
        };
        let (line, column) = workload.places.find(&wrong.path);
        problems.push(Diagnostic { hint: wrong.hint, ..Diagnostic::error(line, column, message) });
    } else if problems.is_empty() && (server.decodes_strictly || is_custom) {
        for wrong in decoded.unknown {
            let (line, column) = workload.places.find(&wrong.path);
            let message = format!("strict decoding error: {}", wrong.message);
            problems.push(Diagnostic { hint: wrong.hint, ..Diagnostic::error(line, column, message) });
        }
    }
    let fine = problems.is_empty();
    reading.diagnostics.extend(problems);
    fine.then_some(decoded.value)
}

/// kubectl's frame around what it found itself.
pub(super) fn validation_error(message: &str) -> String {
    format!(
        "error: error validating \"STDIN\": error validating data: {message}; if you choose to ignore these errors, turn \
         validation off with --validate=false"
    )
}

/// A custom resource is checked against its schema, whose words differ from those of Go's decoder.
fn custom_mismatch(wrong: &Wrong, value: &Value) -> String {
    let pointer: String = wrong.path.split(['.', '[']).map(|step| format!("/{}", step.trim_end_matches(']'))).collect();
    let given = match value.pointer(&pointer) {
        Some(Value::Bool(_)) => "boolean",
        Some(Value::Number(_)) => "number",
        Some(Value::Array(_)) => "array",
        Some(Value::Object(_)) => "object",
        _ => "string",
    };
    let wanted = wrong.message.rsplit(' ').next().unwrap_or_default();
    let wanted = match wanted {
        "int32" | "int64" => "integer",
        "bool" => "boolean",
        _ if wanted.starts_with("[]") => "array",
        _ if wanted.starts_with("map[") || wanted.starts_with("v1.") => "object",
        other => other,
    };
    let path = &wrong.path;
    format!(
        "The CloneSet is invalid: {path}: Invalid value: \"{given}\": {path} in body must be of type {wanted}: \"{given}\""
    )
}
