//! A CloneSet as people mostly still write it: what the webhook fills into v1alpha1, and its form in v1beta1.
//! The annotations for image pre-download are not carried over: pre-download is not ported.
//! Models apis/apps/defaults/v1alpha1.go and apis/apps/v1alpha1/cloneset_conversion.go of openkruise/kruise.

use serde_json::{Map, Value, json};

type Fields = Map<String, Value>;

/// The version whose form this is.
pub(crate) const CLONE_SET_V1ALPHA1: &str = "apps.kruise.io/v1alpha1";

const EXCLUDE_PREPARING_DELETE: &str = "apps.kruise.io/cloneset-scaling-exclude-preparing-delete";

/// Fills in a v1alpha1 CloneSet, its template left as it is.
pub fn default_v1alpha1(set: &mut Value) {
    let Some(spec) = set.get_mut("spec").and_then(Value::as_object_mut) else { return };
    fill(spec, "replicas", json!(1));
    fill(spec, "revisionHistoryLimit", json!(10));
    let Value::Object(strategy) = spec.entry("updateStrategy").or_insert_with(|| json!({})) else { return };
    if strategy.get("type").and_then(Value::as_str).unwrap_or_default().is_empty() {
        strategy.insert("type".into(), json!("ReCreate"));
    }
    fill(strategy, "partition", json!(0));
    fill(strategy, "maxUnavailable", json!("20%"));
    fill(strategy, "maxSurge", json!(0));
    if matches!(strategy["type"].as_str(), Some("InPlaceIfPossible" | "InPlaceOnly")) {
        fill(strategy, "inPlaceUpdateStrategy", json!({}));
    }
}

/// The field that a patch of a CloneSet names and only v1alpha1 has there, or with such a value, and what v1beta1 has for it.
pub(crate) fn only_v1alpha1(patch: &Value) -> Option<(&'static str, &'static str)> {
    const FIELDS: [(&str, &str); 8] = [
        ("updateStrategy/partition", "updateStrategy.rollingUpdate.partition"),
        ("updateStrategy/maxUnavailable", "updateStrategy.rollingUpdate.maxUnavailable"),
        ("updateStrategy/maxSurge", "updateStrategy.rollingUpdate.maxSurge"),
        ("updateStrategy/paused", "updateStrategy.rollingUpdate.paused"),
        ("updateStrategy/priorityStrategy", "updateStrategy.rollingUpdate.priorityStrategy"),
        ("updateStrategy/scatterStrategy", "updateStrategy.rollingUpdate.scatterStrategy"),
        ("updateStrategy/inPlaceUpdateStrategy", "updateStrategy.rollingUpdate.inPlaceUpdateStrategy"),
        ("scaleStrategy/disablePVCReuse", "scaleStrategy.enablePVCReuse"),
    ];
    const TYPE: (&str, &str) = ("updateStrategy/type", "updateStrategy.rollingUpdate.podUpdatePolicy");
    let is_policy = |value: Option<&Value>| {
        value
            .and_then(Value::as_str)
            .is_some_and(|word| ["ReCreate", "InPlaceIfPossible", "InPlaceOnly"].contains(&word))
    };
    let is_of_type = |one: &Value| one["path"] == "/spec/updateStrategy/type" && is_policy(one.get("value"));
    if is_policy(patch.pointer("/spec/updateStrategy/type")) || patch.as_array().into_iter().flatten().any(is_of_type) {
        return Some(TYPE);
    }
    let paths: Vec<&str> = patch.as_array().into_iter().flatten().filter_map(|one| one.get("path")?.as_str()).collect();
    let is_in = |(field, _): &(&str, &str)| {
        let path = format!("/spec/{field}");
        patch.pointer(&path).is_some() || paths.contains(&path.as_str())
    };
    FIELDS.into_iter().find(is_in)
}

/// The patch that does to a CloneSet of v1beta1 what this one does to the same of v1alpha1.
pub(crate) fn newest_patch(mut patch: Value) -> Value {
    if let Value::Array(operations) = &mut patch {
        operations.iter_mut().for_each(newest_operation);
        return patch;
    }
    let Some(spec) = patch.get_mut("spec").and_then(Value::as_object_mut) else { return patch };
    if let Some(strategy) = spec.get_mut("updateStrategy") {
        *strategy = strategy_patch(strategy.take());
    }
    let scale = spec.get_mut("scaleStrategy").and_then(Value::as_object_mut);
    if let Some((scale, disabled)) = scale.and_then(|scale| scale.remove(DISABLED).map(|disabled| (scale, disabled))) {
        scale.insert(ENABLED.into(), json!(disabled != json!(true)));
    }
    patch
}

const DISABLED: &str = "disablePVCReuse";
const ENABLED: &str = "enablePVCReuse";

fn strategy_patch(strategy: Value) -> Value {
    let Value::Object(mut strategy) = strategy else { return strategy };
    let kind = strategy.remove("type");
    match kind.as_ref().and_then(Value::as_str) {
        Some("OnDelete") => return json!({"type": "OnDelete", "rollingUpdate": null}),
        Some(policy) => strategy.insert("podUpdatePolicy".into(), json!(policy)),
        None => return json!({"rollingUpdate": strategy}),
    };
    json!({"type": "RollingUpdate", "rollingUpdate": strategy})
}

fn newest_operation(operation: &mut Value) {
    const STRATEGY: &str = "/spec/updateStrategy";
    const REUSE: &str = "/spec/scaleStrategy/disablePVCReuse";
    let path = operation["path"].as_str().unwrap_or_default().to_owned();
    if path == REUSE {
        let enabled = operation.get("value") != Some(&json!(true));
        *operation = json!({"op": "add", "path": REUSE.replace(DISABLED, ENABLED), "value": enabled});
    } else if path == STRATEGY && operation["value"].is_object() {
        *operation = json!({"op": operation["op"], "path": path, "value": strategy_patch(operation["value"].clone())});
    } else if let Some(field) = path.strip_prefix("/spec/updateStrategy/") {
        let own = if field == "type" { "podUpdatePolicy" } else { field };
        let path = match operation["value"].as_str() {
            Some("OnDelete") if field == "type" => format!("{STRATEGY}/type"),
            _ => format!("{STRATEGY}/rollingUpdate/{own}"),
        };
        let mut moved = json!({"op": operation["op"], "path": path});
        if let (Some(moved), Some(value)) = (moved.as_object_mut(), operation.get("value")) {
            moved.insert("value".into(), value.clone());
        }
        *operation = moved;
    }
}

/// The v1beta1 form of a v1alpha1 CloneSet.
pub fn v1beta1_of(mut set: Value) -> Value {
    let label = set.pointer("/metadata/labels").and_then(|labels| labels.get(EXCLUDE_PREPARING_DELETE));
    let excludes = label.and_then(Value::as_str) == Some("true");
    let Some(spec) = set.get_mut("spec").and_then(Value::as_object_mut) else { return set };
    let old = spec.remove("scaleStrategy").and_then(object).unwrap_or_default();
    spec.insert("scaleStrategy".into(), Value::Object(scale_strategy(old, excludes)));
    let old = spec.remove("updateStrategy").and_then(object).unwrap_or_default();
    spec.insert("updateStrategy".into(), update_strategy(old));
    set
}

fn scale_strategy(mut strategy: Fields, excludes: bool) -> Fields {
    let disabled = strategy.remove("disablePVCReuse") == Some(json!(true));
    if !disabled {
        strategy.insert("enablePVCReuse".into(), json!(true));
    }
    if excludes {
        strategy.insert("excludePreparingDelete".into(), json!(true));
    }
    strategy
}

fn update_strategy(mut strategy: Fields) -> Value {
    let kind = strategy.remove("type");
    let kind = kind.as_ref().and_then(Value::as_str).unwrap_or_default();
    if kind == "OnDelete" {
        return json!({"type": "OnDelete"});
    }
    let policy = if matches!(kind, "InPlaceIfPossible" | "InPlaceOnly") { kind } else { "ReCreate" };
    strategy.insert("podUpdatePolicy".into(), json!(policy));
    json!({"type": "RollingUpdate", "rollingUpdate": strategy})
}

fn fill(fields: &mut Fields, name: &str, value: Value) {
    if fields.get(name).is_none_or(Value::is_null) {
        fields.insert(name.into(), value);
    }
}

fn object(value: Value) -> Option<Fields> {
    if let Value::Object(fields) = value { Some(fields) } else { None }
}

#[cfg(test)]
mod tests {
    use super::newest_patch;
    use serde_json::json;

    #[test]
    fn a_patch_says_the_same_in_the_newer_form() {
        let of = "/spec/updateStrategy";
        for (old, new) in [
            (
                json!({"spec": {"updateStrategy": {"type": "InPlaceOnly", "partition": 2}, "replicas": 4}}),
                json!({"spec": {"updateStrategy": {
                    "type": "RollingUpdate", "rollingUpdate": {"podUpdatePolicy": "InPlaceOnly", "partition": 2},
                }, "replicas": 4}}),
            ),
            (
                json!({"spec": {"updateStrategy": {"paused": null}, "scaleStrategy": {"disablePVCReuse": true}}}),
                json!({"spec": {
                    "updateStrategy": {"rollingUpdate": {"paused": null}}, "scaleStrategy": {"enablePVCReuse": false},
                }}),
            ),
            (
                json!([{"op": "replace", "path": format!("{of}/type"), "value": "InPlaceIfPossible"}]),
                json!([{"op": "replace", "path": format!("{of}/rollingUpdate/podUpdatePolicy"), "value": "InPlaceIfPossible"}]),
            ),
            (
                json!([{"op": "remove", "path": format!("{of}/maxSurge")}, {"op": "test", "path": "/spec/replicas", "value": 3}]),
                json!([{"op": "remove", "path": format!("{of}/rollingUpdate/maxSurge")}, {"op": "test", "path": "/spec/replicas", "value": 3}]),
            ),
        ] {
            assert_eq!(newest_patch(old), new);
        }
    }
}
