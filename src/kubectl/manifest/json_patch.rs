//! JSON patches (RFC 6902), as the API server carries them out: `kubectl patch --type=json`.

use serde_json::Value;
use std::fmt;

/// Why an operation does not apply. Displays in the words of the server's library (evanphx/json-patch).
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum PatchError {
    /// Nothing holds a value at the path.
    MissingPath { operation: &'static str, path: String },
    /// The whole document cannot be replaced.
    ReplacesWhole,
    /// There is no value to replace.
    MissingKey { path: String },
    /// There is no value to remove.
    NonexistentKey { operation: &'static str, path: String, key: String },
    /// The list has no such place.
    InvalidIndex { operation: &'static str, path: String, key: String },
    /// The tested value is another one.
    TestFailed { path: String },
    /// The standard has no such operation.
    UnknownOperation(String),
}

impl fmt::Display for PatchError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::MissingPath { operation, path } => {
                write!(f, "{operation} operation does not apply: doc is missing path: {path:?}: missing value")
            }
            Self::ReplacesWhole => {
                f.write_str("replace operation does not apply: doc is missing path: : missing value")
            }
            Self::MissingKey { path } => {
                write!(f, "replace operation does not apply: doc is missing key: {path}: missing value")
            }
            Self::NonexistentKey { operation, path, key } => write!(
                f,
                "error in {operation} for path: '{path}': Unable to remove nonexistent key: {key}: missing value"
            ),
            Self::InvalidIndex { operation, path, key } => write!(
                f,
                "error in {operation} for path: '{path}': Unable to access invalid index: {key}: invalid index referenced"
            ),
            Self::TestFailed { path } => write!(f, "testing value {path} failed: test failed"),
            Self::UnknownOperation(operation) => write!(f, "Unexpected kind: {operation}"),
        }
    }
}

/// Does what a list of operations says, in order; `replaces_whole` if one may replace the whole document. The target is half changed if one of them does not apply.
///
/// # Errors
/// Why the first one that does not apply does not.
pub(super) fn apply(target: &mut Value, operations: &[Value], replaces_whole: bool) -> Result<(), PatchError> {
    operations.iter().try_for_each(|operation| apply_one(target, operation, replaces_whole))
}

fn apply_one(target: &mut Value, operation: &Value, replaces_whole: bool) -> Result<(), PatchError> {
    let word = |name: &str| operation[name].as_str().unwrap_or_default();
    let (path, from) = (word("path"), word("from"));
    let value = operation.get("value").cloned().unwrap_or_default();
    match word("op") {
        "add" => add(target, path, value, "add"),
        "remove" => remove(target, path, "remove").map(drop),
        "replace" if path.is_empty() && replaces_whole => {
            *target = value;
            Ok(())
        }
        "replace" if path.is_empty() => Err(PatchError::ReplacesWhole),
        "replace" => {
            let (holder, key) = holder(target, path).ok_or_else(|| missing_path("replace", path))?;
            let place = match holder {
                // The library lets a field be replaced that is not there.
                Value::Object(fields) => Some(fields.entry(key).or_insert(Value::Null)),
                Value::Array(items) => place(&key, items.len()).and_then(|at| items.get_mut(at)),
                _ => None,
            };
            *place.ok_or_else(|| PatchError::MissingKey { path: path.to_owned() })? = value;
            Ok(())
        }
        "move" => {
            let moved = remove(target, from, "move")?;
            add(target, path, moved, "move")
        }
        "copy" => {
            let copied = find(target, from).cloned().ok_or_else(|| missing_path("copy", from))?;
            add(target, path, copied, "copy")
        }
        "test" if find(target, path).unwrap_or(&Value::Null) == &value => Ok(()),
        "test" => Err(PatchError::TestFailed { path: path.to_owned() }),
        other => Err(PatchError::UnknownOperation(other.to_owned())),
    }
}

fn missing_path(operation: &'static str, path: &str) -> PatchError {
    PatchError::MissingPath { operation, path: path.to_owned() }
}

fn unescaped(key: &str) -> String {
    key.replace("~1", "/").replace("~0", "~")
}

fn find<'a>(target: &'a Value, path: &str) -> Option<&'a Value> {
    path.split('/').skip(1).try_fold(target, |value, key| match value {
        Value::Object(fields) => fields.get(&unescaped(key)),
        Value::Array(items) => items.get(place(key, items.len())?),
        _ => None,
    })
}

/// What holds the place, and the place's key in it.
fn holder<'a>(target: &'a mut Value, path: &str) -> Option<(&'a mut Value, String)> {
    let (before, key) = path.rsplit_once('/')?;
    let holder = before.split('/').skip(1).try_fold(target, |value, key| match value {
        Value::Object(fields) => fields.get_mut(&unescaped(key)),
        Value::Array(items) => {
            let at = place(key, items.len())?;
            items.get_mut(at)
        }
        _ => None,
    })?;
    Some((holder, unescaped(key)))
}

fn add(target: &mut Value, path: &str, value: Value, operation: &'static str) -> Result<(), PatchError> {
    if path.is_empty() {
        *target = value;
        return Ok(());
    }
    match holder(target, path).ok_or_else(|| missing_path(operation, path))? {
        (Value::Object(fields), key) => {
            fields.insert(key, value);
        }
        (Value::Array(items), key) => {
            let at = if key == "-" { Some(items.len()) } else { place(&key, items.len() + 1) };
            let at = at.ok_or_else(|| PatchError::InvalidIndex { operation, path: path.to_owned(), key })?;
            items.insert(at, value);
        }
        _ => return Err(missing_path(operation, path)),
    }
    Ok(())
}

fn remove(target: &mut Value, path: &str, operation: &'static str) -> Result<Value, PatchError> {
    match holder(target, path).ok_or_else(|| missing_path(operation, path))? {
        (Value::Object(fields), key) => {
            fields.remove(&key).ok_or_else(|| PatchError::NonexistentKey { operation, path: path.to_owned(), key })
        }
        (Value::Array(items), key) => match place(&key, items.len()) {
            Some(at) => Ok(items.remove(at)),
            None => Err(PatchError::InvalidIndex { operation, path: path.to_owned(), key }),
        },
        _ => Err(missing_path(operation, path)),
    }
}

/// A place in a list of so many: digits alone, or counted from the end below zero.
fn place(key: &str, length: usize) -> Option<usize> {
    let number = |text: &str| text.bytes().all(|digit| digit.is_ascii_digit()).then(|| text.parse::<usize>().ok())?;
    let at = match key.strip_prefix('-') {
        Some(back) => length.checked_sub(number(back).filter(|back| *back > 0)?)?,
        None => number(key)?,
    };
    (at < length).then_some(at)
}

#[cfg(test)]
mod tests {
    use super::apply;
    use serde_json::{Value, json};

    #[track_caller]
    fn check(operations: Value, want: Option<Value>) {
        let mut target = json!({"a": {"b/c": 1, "d~e": 2}, "list": ["x", "y"]});
        let operations = operations.as_array().cloned().unwrap_or_default();
        let got = apply(&mut target, &operations, true).ok().map(|()| target);
        assert_eq!(got, want);
    }

    #[test]
    fn operations_are_those_of_the_standard() {
        let object = |a: Value, list: Value| Some(json!({"a": a, "list": list}));
        let a = json!({"b/c": 1, "d~e": 2});
        let list = json!(["x", "y"]);
        check(json!([]), object(a.clone(), list.clone()));
        check(json!([{"op": "add", "path": "/list/-", "value": "z"}]), object(a.clone(), json!(["x", "y", "z"])));
        check(json!([{"op": "add", "path": "/list/1", "value": "z"}]), object(a.clone(), json!(["x", "z", "y"])));
        check(json!([{"op": "remove", "path": "/list/0"}]), object(a.clone(), json!(["y"])));
        check(
            json!([{"op": "replace", "path": "/a/b~1c", "value": 3}]),
            object(json!({"b/c": 3, "d~e": 2}), list.clone()),
        );
        check(json!([{"op": "remove", "path": "/a/d~0e"}]), object(json!({"b/c": 1}), list.clone()));
        check(json!([{"op": "move", "from": "/list/0", "path": "/a"}]), object(json!("x"), json!(["y"])));
        check(json!([{"op": "copy", "from": "/list/0", "path": "/a"}]), object(json!("x"), list.clone()));
        check(
            json!([{"op": "test", "path": "/list/0", "value": "x"}, {"op": "remove", "path": "/a"}]),
            Some(json!({"list": list})),
        );
    }

    #[test]
    fn what_does_not_apply_is_refused() {
        for operation in [
            json!({"op": "remove", "path": "/none"}),
            json!({"op": "remove", "path": "/list/2"}),
            json!({"op": "add", "path": "/none/b", "value": 1}),
            json!({"op": "add", "path": "/list/3", "value": 1}),
            json!({"op": "add", "path": "/list/+1", "value": 1}),
            json!({"op": "add", "path": "/list/0/x", "value": 1}),
            json!({"op": "add", "path": "no-slash", "value": 1}),
            json!({"op": "test", "path": "/list/0", "value": "y"}),
            json!({"op": "frobnicate", "path": "/a"}),
            json!({"path": "/a"}),
            json!("add"),
        ] {
            check(json!([operation]), None);
        }
    }
}
