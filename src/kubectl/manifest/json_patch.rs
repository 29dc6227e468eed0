//! JSON patches (RFC 6902), as the API server carries them out: `kubectl patch --type=json`.

use serde_json::Value;

/// Does what a list of operations says, in order. The target is half changed if one of them does not apply.
///
/// # Errors
/// The words of the server's library (evanphx/json-patch) for the first that does not apply.
pub(super) fn apply(target: &mut Value, operations: &[Value]) -> Result<(), String> {
    operations.iter().try_for_each(|operation| one(target, operation))
}

fn one(target: &mut Value, operation: &Value) -> Result<(), String> {
    let word = |name: &str| operation[name].as_str().unwrap_or_default();
    let (path, from) = (word("path"), word("from"));
    let value = operation.get("value").cloned().unwrap_or_default();
    let missing = |operation: &str, path: &str| {
        format!("{operation} operation does not apply: doc is missing path: {path:?}: missing value")
    };
    match word("op") {
        "add" => add(target, path, value, "add"),
        "remove" => remove(target, path, "remove").map(drop),
        // The whole cannot be replaced.
        "replace" if path.is_empty() => {
            Err("replace operation does not apply: doc is missing path: : missing value".to_owned())
        }
        "replace" => {
            let Some((holder, key)) = holder(target, path) else { return Err(missing("replace", path)) };
            let place = match holder {
                // The library lets a field be replaced that is not there.
                Value::Object(fields) => Some(fields.entry(key).or_insert(Value::Null)),
                Value::Array(items) => place(&key, items.len()).and_then(|at| items.get_mut(at)),
                _ => None,
            };
            let words = || format!("replace operation does not apply: doc is missing key: {path}: missing value");
            *place.ok_or_else(words)? = value;
            Ok(())
        }
        "move" => {
            let moved = remove(target, from, "move")?;
            add(target, path, moved, "move")
        }
        "copy" => {
            let copied = find(target, from).cloned().ok_or_else(|| missing("copy", from))?;
            add(target, path, copied, "copy")
        }
        "test" if find(target, path).unwrap_or(&Value::Null) == &value => Ok(()),
        "test" => Err(format!("testing value {path} failed: test failed")),
        other => Err(format!("Unexpected kind: {other}")),
    }
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

fn add(target: &mut Value, path: &str, value: Value, operation: &str) -> Result<(), String> {
    if path.is_empty() {
        *target = value;
        return Ok(());
    }
    let missing = || format!("{operation} operation does not apply: doc is missing path: {path:?}: missing value");
    match holder(target, path).ok_or_else(missing)? {
        (Value::Object(fields), key) => {
            fields.insert(key, value);
        }
        (Value::Array(items), key) => {
            let at = if key == "-" { Some(items.len()) } else { place(&key, items.len() + 1) };
            let outside = || {
                format!(
                    "error in {operation} for path: '{path}': Unable to access invalid index: {key}: invalid index referenced"
                )
            };
            items.insert(at.ok_or_else(outside)?, value);
        }
        _ => return Err(missing()),
    }
    Ok(())
}

fn remove(target: &mut Value, path: &str, operation: &str) -> Result<Value, String> {
    let missing = || format!("{operation} operation does not apply: doc is missing path: {path:?}: missing value");
    match holder(target, path).ok_or_else(missing)? {
        (Value::Object(fields), key) => fields.remove(&key).ok_or_else(|| {
            format!("error in {operation} for path: '{path}': Unable to remove nonexistent key: {key}: missing value")
        }),
        (Value::Array(items), key) => match place(&key, items.len()) {
            Some(at) => Ok(items.remove(at)),
            None => Err(format!(
                "error in {operation} for path: '{path}': Unable to access invalid index: {key}: invalid index referenced"
            )),
        },
        _ => Err(missing()),
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
        let got = apply(&mut target, &operations).ok().map(|()| target);
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
