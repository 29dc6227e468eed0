//! Patches laid over objects and made from them.

use super::{merge, patch_finalizers, three_way, two_way};
use serde_json::{Value, json};
use std::rc::Rc;

fn merged(held: Value, patch: Value) -> Result<Value, String> {
    let mut held = held;
    merge(&mut held, patch, false)?;
    Ok(held)
}

/// What `kubectl apply` makes of an object.
fn applied(last: &Value, text: &Value, held: Value) -> Result<Value, String> {
    let fields = |value: &Value| value.as_object().cloned().unwrap_or_default();
    let patch = three_way(&fields(last), &fields(text), &fields(&held))?;
    merged(held, Value::Object(patch))
}

// The cases of patch_test.go that concern these lists, with values of our own.
#[test]
fn plain_values_keep_the_order_that_is_said() {
    let held = || json!({"finalizers": ["hold", "a"]});
    let new_first = merged(held(), json!({"finalizers": ["b"]})).unwrap();
    assert_eq!(new_first, json!({"finalizers": ["b", "hold", "a"]}));
    let patch = json!({
        "$deleteFromPrimitiveList/finalizers": ["a"], "$setElementOrder/finalizers": ["b"], "finalizers": ["b"]
    });
    assert_eq!(merged(held(), patch).unwrap(), json!({"finalizers": ["b", "hold"]}));
    let reordered = merged(held(), json!({"$setElementOrder/finalizers": ["a", "hold"]})).unwrap();
    assert_eq!(reordered, json!({"finalizers": ["a", "hold"]}));
    assert_eq!(merged(held(), json!({"finalizers": []})).unwrap(), held());
    assert_eq!(merged(held(), json!({"finalizers": null})).unwrap(), json!({}));
}

#[test]
fn a_patch_of_two_makes_one_of_the_other() {
    let fields = |value: Value| value.as_object().cloned().unwrap_or_default();
    let patch = two_way(&fields(json!({"finalizers": ["b", "a"]})), &fields(json!({"finalizers": ["c", "b"]})));
    let want = json!({
        "$deleteFromPrimitiveList/finalizers": ["a"],
        "$setElementOrder/finalizers": ["c", "b"],
        "finalizers": ["c"],
    });
    assert_eq!(patch.map(Value::Object), Ok(want));
    let same = two_way(&fields(json!({"finalizers": ["b", "a"]})), &fields(json!({"finalizers": ["b", "a"]})));
    // Upstream sorts the old list before it compares the two.
    assert_eq!(same.map(Value::Object), Ok(json!({"$setElementOrder/finalizers": ["b", "a"]})));
}

#[test]
fn apply_takes_away_only_what_was_applied() {
    let last = json!({"spec": {"containers": [{"name": "a", "image": "x", "tty": true}, {"name": "b"}]}});
    let held = json!({"spec": {"replicas": 5, "containers": [
        {"name": "a", "image": "x", "tty": true, "imagePullPolicy": "Always"}, {"name": "b"}, {"name": "injected"},
    ]}});
    let text = json!({"spec": {"containers": [{"name": "c"}, {"name": "a", "image": "y"}]}});
    let want = json!({"spec": {"replicas": 5, "containers": [
        {"name": "c"}, {"name": "a", "image": "y", "imagePullPolicy": "Always"}, {"name": "injected"},
    ]}});
    assert_eq!(applied(&last, &text, held), Ok(want));
}

#[test]
fn a_union_that_is_replaced_loses_its_old_member() {
    let volumes = |volume: Value| json!({"volumes": [volume]});
    let held = volumes(json!({"name": "v", "emptyDir": {}}));
    let text = volumes(json!({"name": "v", "configMap": {"name": "c"}}));
    assert_eq!(applied(&held, &text, held.clone()), Ok(text.clone()));
    // Even if another one than kubectl put it there.
    assert_eq!(applied(&json!({}), &text, held), Ok(text));
    let held = json!({"strategy": {"type": "RollingUpdate", "rollingUpdate": {"maxSurge": 1}}});
    let text = json!({"strategy": {"type": "Recreate"}});
    assert_eq!(applied(&json!({}), &text, held), Ok(text));
}

#[test]
fn lists_that_cannot_be_compared_are_refused() {
    let held = json!({"containers": [{"name": "a"}]});
    let unnamed = applied(&held, &json!({"containers": [{"image": "x"}]}), held.clone());
    assert_eq!(unnamed, Err("map: map[image:x] does not contain declared merge key: name".into()));
    let mixed = applied(&held, &json!({"containers": [{"name": "a"}, 1]}), held.clone());
    let want = "list element types are not identical: [[map[name:a]] [map[name:a] 1]]";
    assert_eq!(mixed, Err(want.into()));
    let unknown = merged(json!({}), json!({"$patch": "add", "a": 1}));
    assert_eq!(unknown, Err("unknown patch type: add in map: map[$patch:add a:1]".into()));
}

/// Every order of every part of these.
fn lists(of: &[&'static str]) -> Vec<Vec<&'static str>> {
    let mut all = vec![Vec::new()];
    for (at, first) in of.iter().enumerate() {
        let others = [&of[..at], &of[at + 1..]].concat();
        all.extend(lists(&others).into_iter().map(|rest| [vec![*first], rest].concat()));
    }
    all
}

#[test]
fn a_hooks_finalizer_survives_every_change_of_a_templates_in_order() {
    for old in lists(&["a", "b", "c"]) {
        for new in lists(&["a", "b", "c"]).into_iter().filter(|new| !new.is_empty()) {
            for held in (0..=old.len()).map(|at| [&old[..at], &["hook"], &old[at..]].concat()) {
                let fields = |items: &[&str]| {
                    let value = if items.is_empty() { json!({}) } else { json!({"finalizers": items}) };
                    value.as_object().cloned().unwrap_or_default()
                };
                let patch = two_way(&fields(&old), &fields(&new)).unwrap();
                let mut own: Vec<Rc<str>> = held.iter().map(|it| Rc::from(*it)).collect();
                patch_finalizers(&mut own, &patch);
                let own: Vec<&str> = own.iter().map(|it| &**it).collect();
                let named: Vec<&str> = own.iter().filter(|it| **it != "hook").copied().collect();
                assert_eq!(own.iter().filter(|it| **it == "hook").count(), 1, "{held:?} {old:?} {new:?}: {own:?}");
                assert_eq!(named, if patch.is_empty() { old.clone() } else { new.clone() }, "{held:?}: {own:?}");
            }
        }
    }
}

#[test]
fn what_was_not_there_is_not_compared() {
    let text = json!({"containers": [{"name": "a", "ports": [{"name": "p"}, {"name": "p"}]}]});
    let held = json!({"containers": [{"name": "a"}]});
    assert_eq!(applied(&held, &text, held.clone()), Ok(text.clone()));
}
