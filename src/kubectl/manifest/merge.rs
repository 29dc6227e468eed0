//! Patches: a text as a value, and the value laid over an object as the API server does it.

use super::json_patch;
use super::place::Places;
use super::read::note_places;
use super::yaml::{Unreadable, parse};
use crate::kubectl::{Error, Problem, Refusal};
use crate::objects::json_object;
use crate::objects::strategic;
use crate::objects::{ApiError, Reason, Server};
use serde_json::{Map, Value};

/// How a patch is meant, as kubectl's `--type` says it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PatchType {
    /// Lists are merged by a key of their items, and directives are obeyed.
    Strategic,
    /// Lists are replaced (RFC 7386).
    Merge,
    /// A list of operations (RFC 6902).
    Json,
}

/// Whether the text of a patch is a list.
pub(in crate::kubectl) fn is_list(patch: &str) -> bool {
    let patch = patch.trim_start();
    patch.starts_with('[') || patch.starts_with("- ")
}

/// A text that is no patch.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NotAPatch {
    text: String,
    /// Why it is neither YAML nor JSON; none if it is, but holds another kind of value.
    pub unreadable: Option<Unreadable>,
}

impl From<NotAPatch> for Refusal {
    fn from(NotAPatch { text, unreadable }: NotAPatch) -> Self {
        match unreadable {
            Some(Unreadable { line, column, message }) => {
                let message = format!("unable to parse {text:?}: {message}");
                Problem::new(Error::Client(message)).at(line, column).into()
            }
            None => {
                let holds = parse(&text).0.first().map_or(Value::Null, |document| document.to_value(true));
                let holds = match holds {
                    Value::Bool(_) => "bool",
                    Value::Number(_) => "number",
                    Value::Array(_) => "array",
                    _ => "string",
                };
                let message = format!("json: cannot unmarshal {holds} into Go value of type map[string]interface {{}}");
                ApiError::new(Reason::BadRequest, message).into()
            }
        }
    }
}

/// The value of a text, null fields included.
///
/// # Errors
/// The text is not one YAML or JSON object.
pub fn read_value(text: &str) -> Result<Value, NotAPatch> {
    let not_an_object = || NotAPatch { text: text.to_owned(), unreadable: None };
    read_patch(text).and_then(|value| if value.is_object() { Ok(value) } else { Err(not_an_object()) })
}

/// The value of a patch: an object to be merged, or a list of operations.
///
/// # Errors
/// The text is neither in YAML nor in JSON.
pub fn read_patch(text: &str) -> Result<Value, NotAPatch> {
    let (documents, unreadable) = parse(text);
    let first = documents.first().filter(|_| unreadable.is_none());
    match first.map(|document| document.to_value(true)) {
        Some(value @ (Value::Object(_) | Value::Array(_))) => Ok(value),
        _ => Err(NotAPatch { text: text.to_owned(), unreadable }),
    }
}

/// Carries out a patch.
///
/// # Errors
/// It does not apply, in the server's words.
pub fn patch(target: &mut Value, patch: Value, how: PatchType, server: &Server) -> Result<(), ApiError> {
    match (how, patch) {
        (_, Value::Array(operations)) => json_patch::apply(target, &operations, server.replaces_whole)
            .map_err(|error| ApiError::new(Reason::Invalid, error.to_string())),
        (PatchType::Strategic, patch) => strategic::merge(target, patch, server.stores_directives)
            .map_err(|message| ApiError::new(Reason::InternalError, message)),
        (_, patch) => {
            merge_plainly(target, patch);
            Ok(())
        }
    }
}

/// Without the null fields of maps, in lists too. Models pruneNils.
fn without_nulls(value: Value) -> Value {
    match value {
        Value::Object(fields) => {
            let fields = fields.into_iter().filter(|(_, value)| !value.is_null());
            json_object(fields.map(|(name, value)| (name, without_nulls(value))))
        }
        Value::Array(items) => items.into_iter().map(without_nulls).collect(),
        value => value,
    }
}

/// Where the fields of a text stand that `read_value` reads.
pub fn places(text: &str) -> Places {
    let mut places = Places::default();
    parse(text).0.first().into_iter().for_each(|document| note_places(document, "", &mut places));
    places
}

/// Merges a patch as RFC 7386 says: null takes a field away, lists are replaced.
fn merge_plainly(target: &mut Value, patch: Value) {
    let Value::Object(patch) = patch else {
        // evanphx/json-patch takes nulls out of what replaces anything but a map.
        *target = if target.is_object() { patch } else { without_nulls(patch) };
        return;
    };
    if !target.is_object() {
        *target = Value::Object(Map::new());
    }
    let Some(fields) = target.as_object_mut() else { return };
    for (name, value) in patch {
        if value.is_null() {
            fields.remove(&name);
        } else {
            merge_plainly(fields.entry(name).or_insert(Value::Null), value);
        }
    }
}
