//! JSON patches (RFC 6902), as the API server carries them out: `kubectl patch --type=json`.

use serde_json::Value;

/// Does what a list of operations says, in order. None, and a value half changed, if one of them does not apply.
pub(super) fn apply(target: &mut Value, operations: &[Value]) -> Option<()> {
    operations.iter().try_for_each(|operation| one(target, operation))
}

fn one(target: &mut Value, operation: &Value) -> Option<()> {
    let path = operation["path"].as_str()?;
    let value = operation.get("value").cloned().unwrap_or_default();
    let from = || operation["from"].as_str();
    match operation["op"].as_str()? {
        "add" => add(target, path, value),
        "remove" => remove(target, path).map(drop),
        "replace" if path.is_empty() => add(target, path, value),
        "replace" => {
            *target.pointer_mut(path)? = value;
            Some(())
        }
        "move" => {
            let moved = remove(target, from()?)?;
            add(target, path, moved)
        }
        "copy" => {
            let copied = target.pointer(from()?)?.clone();
            add(target, path, copied)
        }
        "test" => (target.pointer(path).unwrap_or(&Value::Null) == &value).then_some(()),
        _ => None,
    }
}

/// What holds the place, and the place's key in it.
fn holder<'a>(target: &'a mut Value, path: &str) -> Option<(&'a mut Value, String)> {
    let (before, key) = path.rsplit_once('/')?;
    Some((target.pointer_mut(before)?, key.replace("~1", "/").replace("~0", "~")))
}

fn add(target: &mut Value, path: &str, value: Value) -> Option<()> {
    if path.is_empty() {
        *target = value;
        return Some(());
    }
    match holder(target, path)? {
        (Value::Object(fields), key) => {
            fields.insert(key, value);
        }
        (Value::Array(items), key) => {
            let at = if key == "-" { items.len() } else { place(&key).filter(|at| *at <= items.len())? };
            items.insert(at, value);
        }
        _ => return None,
    }
    Some(())
}

fn remove(target: &mut Value, path: &str) -> Option<Value> {
    match holder(target, path)? {
        (Value::Object(fields), key) => fields.remove(&key),
        (Value::Array(items), key) => {
            let at = place(&key).filter(|at| *at < items.len())?;
            Some(items.remove(at))
        }
        _ => None,
    }
}

/// A place in a list: digits alone.
fn place(key: &str) -> Option<usize> {
    key.bytes().all(|digit| digit.is_ascii_digit()).then(|| key.parse().ok())?
}

#[cfg(test)]
mod tests {
    use super::apply;
    use serde_json::{Value, json};

    #[track_caller]
    fn check(operations: Value, want: Option<Value>) {
        let mut target = json!({"a": {"b/c": 1, "d~e": 2}, "list": ["x", "y"]});
        let operations = operations.as_array().cloned().unwrap_or_default();
        let got = apply(&mut target, &operations).map(|()| target);
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
            json!({"op": "replace", "path": "/none", "value": 1}),
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
