//! Patches: a text as a value, and the value merged into an object as the API server's strategic merge does it.

use super::json_patch;
use super::place::Places;
use super::read::note_places;
use super::yaml::parse;
use crate::kubectl::Problem;
use serde_json::Value;

/// Lists that are merged by a key of their items; other lists are replaced.
const KEYS: [(&str, &str); 7] = [
    ("containers", "name"),
    ("initContainers", "name"),
    ("volumes", "name"),
    ("env", "name"),
    ("volumeMounts", "mountPath"),
    ("volumeDevices", "devicePath"),
    ("ports", "containerPort"),
];

/// The value of a text, null fields included.
///
/// # Errors
/// The text is not one YAML or JSON object.
pub fn read_value(text: &str) -> Result<Value, Problem> {
    read_patch(text).and_then(|value| if value.is_object() { Ok(value) } else { Err(no_patch(text)) })
}

fn no_patch(text: &str) -> Problem {
    let message = format!("error: unable to parse {text:?}: a patch is an object");
    Problem { line: None, column: None, message, hint: None }
}

/// The value of a patch: an object to be merged, or a list of operations.
///
/// # Errors
/// The text is neither in YAML nor in JSON.
pub fn read_patch(text: &str) -> Result<Value, Problem> {
    let problem = |line, column, message| Problem { line, column, message, hint: None };
    let (documents, unreadable) = parse(text);
    if let Some(wrong) = unreadable {
        let message = format!("error: unable to parse {text:?}: yaml: line {}: {}", wrong.line, wrong.message);
        return Err(problem(Some(wrong.line), Some(wrong.column), message));
    }
    match documents.first().map(|document| document.to_value(true)) {
        Some(value @ (Value::Object(_) | Value::Array(_))) => Ok(value),
        _ => Err(no_patch(text)),
    }
}

/// Carries out a patch: merges an object, does what a list of operations says.
///
/// # Errors
/// An operation does not apply, in kubectl's words for what the API server answers then.
pub fn patch(target: &mut Value, patch: Value) -> Result<(), Problem> {
    match patch {
        Value::Array(operations) => json_patch::apply(target, &operations).ok_or_else(|| {
            let message = "The request is invalid: the server rejected our request due to an error in our request";
            Problem { line: None, column: None, message: message.to_owned(), hint: None }
        }),
        object => {
            merge(target, object);
            Ok(())
        }
    }
}

/// Where the fields of a text stand that `read_value` reads.
pub fn places(text: &str) -> Places {
    let mut places = Places::default();
    parse(text).0.first().into_iter().for_each(|document| note_places(document, "", &mut places));
    places
}

/// Merges a patch: null takes a field away, `$patch: replace` takes an object or a list as it is, lists go by
/// their key.
pub fn merge(target: &mut Value, patch: Value) {
    let Value::Object(mut patch) = patch else {
        *target = patch;
        return;
    };
    if patch.remove("$patch").is_some_and(|how| how == "replace") || !target.is_object() {
        *target = Value::Object(serde_json::Map::new());
    }
    let Some(fields) = target.as_object_mut() else { return };
    for (name, value) in patch {
        match (value, KEYS.iter().find(|(list, _)| *list == name)) {
            (Value::Null, _) => {
                fields.remove(&name);
            }
            (Value::Array(items), Some((_, key))) => {
                let held = fields.entry(name).or_insert_with(|| Value::Array(Vec::new()));
                merge_list(held, items, key);
            }
            (value, _) => merge(fields.entry(name).or_insert(Value::Null), value),
        }
    }
}

/// Makes a patch one that replaces every list, as `--type=merge` does, and the API server with what is not its own.
pub fn replace_lists(patch: &mut Value) {
    let Value::Object(fields) = patch else { return };
    for (name, value) in fields {
        match value {
            Value::Array(items) if KEYS.iter().any(|(list, _)| *list == name) => {
                items.push(serde_json::json!({"$patch": "replace"}));
            }
            value => replace_lists(value),
        }
    }
}

fn merge_list(held: &mut Value, mut items: Vec<Value>, key: &str) {
    let Some(held) = held.as_array_mut() else { return };
    let all = items.len();
    items.retain(|item| item["$patch"] != "replace");
    if items.len() < all {
        held.clear();
    }
    for item in items {
        let at = held.iter().position(|own| own[key] == item[key]);
        match at {
            Some(at) if item["$patch"] == "delete" => {
                held.remove(at);
            }
            Some(at) => merge(&mut held[at], item),
            None => {
                let mut new = Value::Null;
                merge(&mut new, item);
                held.push(new);
            }
        }
    }
}
