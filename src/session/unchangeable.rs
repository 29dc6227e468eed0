//! What a change would have changed that stays as it is for an object's life, field by field.

use crate::kubectl::{Error, Problem, Refusal};
use crate::objects::defaults_workloads::workload;
use crate::objects::{ApiError, ErrorKind, FieldError, Object, Server};
use crate::text::Text;
use serde_json::Value;
use std::collections::BTreeSet;

/// A longer value is cut.
const SHOWN: usize = 80;
/// So many fields are told.
const FIELDS: usize = 8;

/// The server's refusal of a change, with the fields that may not change.
pub(super) fn refused(error: ApiError, stored: &Object, sent: &Value, server: &Server) -> Refusal {
    let fields: Vec<String> = error
        .fields()
        .filter(|field| is_about_change(field))
        .flat_map(|field| of(field, stored, sent, server))
        .collect();
    let is_spec = error.fields().any(|field| is_about_change(field) && field.path.starts_with("spec"));
    let problem = Problem::new(Error::from(error));
    if fields.is_empty() {
        return problem.into();
    }
    let listed = Text::list("; ", fields.into_iter().take(FIELDS).map(Text::verbatim));
    let differs = text!("What differs: {}.", listed);
    let way = text!(
        "It stays so as long as the object lives: delete it with --cascade=orphan, which leaves its pods, and create it again."
    );
    let remedy = if is_spec { Text::sentences([differs, way]) } else { differs };
    problem.with_remedy(remedy).into()
}

fn is_about_change(field: &FieldError) -> bool {
    let words = &field.detail;
    field.kind == ErrorKind::Forbidden && words.starts_with("updates to ") || words.contains("field is immutable")
}

/// Each field below the one that is refused, with both values. The server fills in what was sent before it compares.
fn of(error: &FieldError, stored: &Object, sent: &Value, server: &Server) -> Vec<String> {
    let mut sent = sent.clone();
    workload(stored.kind(), &mut sent, server);
    let stored = stored.to_json();
    let pointer = format!("/{}", error.path.replace('.', "/"));
    let [old, new] = [&stored, &sent].map(|value| value.pointer(&pointer));
    let mut all = Vec::new();
    match (old, new) {
        (Some(Value::Object(old)), Some(Value::Object(new))) if error.path == "spec" => {
            // The server's own words name what may change.
            let may: BTreeSet<&str> = error.detail.split('\'').skip(1).step_by(2).collect();
            for name in old.keys().chain(new.keys()).collect::<BTreeSet<_>>() {
                if !may.contains(name.as_str()) {
                    differences(old.get(name), new.get(name), &format!("spec{}", step(name)), &mut all);
                }
            }
        }
        _ => differences(old, new, &error.path, &mut all),
    }
    all
}

/// `.name`, or `["a.name/with signs"]`.
fn step(name: &str) -> String {
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_';
    if name.bytes().all(is_plain) { format!(".{name}") } else { format!("[{name:?}]") }
}

fn differences(old: Option<&Value>, new: Option<&Value>, path: &str, all: &mut Vec<String>) {
    match (old, new) {
        _ if old == new => {}
        (None | Some(Value::Null), None | Some(Value::Null)) => {}
        (Some(Value::Object(old)), Some(Value::Object(new))) => {
            for name in old.keys().chain(new.keys()).collect::<BTreeSet<_>>() {
                differences(old.get(name), new.get(name), &format!("{path}{}", step(name)), all);
            }
        }
        (Some(Value::Array(old)), Some(Value::Array(new))) => {
            for at in 0..old.len().max(new.len()) {
                differences(old.get(at), new.get(at), &format!("{path}[{at}]"), all);
            }
        }
        _ => all.push(format!("{path}: {} → {}", shown(old), shown(new))),
    }
}

fn shown(value: Option<&Value>) -> String {
    let text = value.filter(|value| !value.is_null()).map_or_else(|| "none".to_owned(), Value::to_string);
    match text.char_indices().nth(SHOWN) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text,
    }
}
