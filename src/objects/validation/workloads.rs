//! What the API server refuses about a Deployment, ReplicaSet or DaemonSet, and OpenKruise's webhook about a CloneSet, in
//! their own words. Models pkg/apis/apps/validation/validation.go, and pkg/webhook/cloneset/validating/validation.go of
//! openkruise/kruise.

use super::{ErrorKind, FieldError, names, not_negative, quoted, selector_of, template};
use crate::objects::{IntOrPercent, Json, Kind, Round, Server, json_text};
use serde_json::Value;

type Errors = Vec<FieldError>;

/// The fields of a CloneSet's spec that may change.
const CHANGEABLE: [&str; 9] = [
    "replicas",
    "template",
    "lifecycle",
    "scaleStrategy",
    "updateStrategy",
    "minReadySeconds",
    "volumeClaimTemplates",
    "progressDeadlineSeconds",
    "revisionHistoryLimit",
];

/// Everything wrong with a new workload, already defaulted; `old` is what it replaces, if it replaces one.
pub fn validate(kind: Kind, value: &Value, old: Option<&Value>, server: &Server) -> Vec<FieldError> {
    if kind == Kind::StatefulSet {
        return old.map_or_else(|| super::validate(value, server), |old| super::validate_update(value, old, server));
    }
    let mut errors = Vec::new();
    let spec = &value["spec"];
    match old {
        None => names::metadata(&value["metadata"], "metadata", false, &mut errors),
        Some(_) => names::labels_and_annotations(&value["metadata"], "metadata", &mut errors),
    }
    not_negative(spec.get("replicas"), "spec.replicas", &mut errors);
    not_negative(spec.get("minReadySeconds"), "spec.minReadySeconds", &mut errors);
    if kind != Kind::CloneSet {
        not_negative(spec.get("revisionHistoryLimit"), "spec.revisionHistoryLimit", &mut errors);
    }
    selector_of(kind.singular(), spec, server, &mut errors);
    match kind {
        Kind::Deployment => deployment(spec, &mut errors),
        Kind::DaemonSet => daemon_set(spec, &mut errors),
        Kind::CloneSet => clone_set(value, old, &mut errors),
        _ => {}
    }
    template::validate(&spec["template"], server, &mut errors);
    if let Some(old) = old.filter(|old| kind != Kind::CloneSet && old["spec"]["selector"] != spec["selector"]) {
        let _ = old;
        errors.push(FieldError::invalid("spec.selector", json_text(&spec["selector"]), "field is immutable"));
    }
    errors
}

/// Whether the value is a number, or a percentage, that is not negative; and whether it means 0.
fn number_or_percent(value: &Value, path: &str, errors: &mut Errors) -> bool {
    match value {
        Value::Null => true,
        Value::String(text) => {
            let percent = text.strip_suffix('%').and_then(|digits| digits.parse::<u32>().ok());
            if percent.is_none() {
                let detail = "a valid percent string must be a numeric string followed by an ending '%' (e.g. '1%',  or \
                              '93%', regex used for validation is '[0-9]+%')";
                errors.push(FieldError::invalid(path, quoted(text), detail));
            }
            percent == Some(0)
        }
        number => {
            not_negative(Some(number), path, errors);
            number.as_i64() == Some(0)
        }
    }
}

fn at_most_all(value: &Value, path: &str, errors: &mut Errors) {
    let percent = value.as_str().and_then(|text| text.strip_suffix('%')?.parse::<u32>().ok());
    if percent.is_some_and(|percent| percent > 100) {
        let shown = value.as_str().map_or_else(String::new, quoted);
        errors.push(FieldError::invalid(path, shown, "must not be greater than 100%"));
    }
}

fn shown(value: &Value) -> String {
    value.as_str().map_or_else(|| json_text(value), quoted)
}

fn deployment(spec: &Value, errors: &mut Errors) {
    let strategy = &spec["strategy"];
    let rolling = &strategy["rollingUpdate"];
    match strategy["type"].as_str().unwrap_or_default() {
        "Recreate" => {
            if rolling.is_object() {
                let detail = "may not be specified when strategy `type` is 'Recreate'";
                errors.push(FieldError::new(ErrorKind::Forbidden, "spec.strategy.rollingUpdate", "", detail));
            }
        }
        "RollingUpdate" => {
            let path = "spec.strategy.rollingUpdate.maxUnavailable";
            let none = number_or_percent(&rolling["maxUnavailable"], path, errors);
            let flat = number_or_percent(&rolling["maxSurge"], "spec.strategy.rollingUpdate.maxSurge", errors);
            if none && flat {
                let value = shown(&rolling["maxUnavailable"]);
                errors.push(FieldError::invalid(path, value, "may not be 0 when `maxSurge` is 0"));
            }
            at_most_all(&rolling["maxUnavailable"], path, errors);
        }
        other => {
            let detail = r#"supported values: "Recreate", "RollingUpdate""#;
            errors.push(FieldError::new(ErrorKind::NotSupported, "spec.strategy.type", quoted(other), detail));
        }
    }
    deadline(spec, errors);
}

fn deadline(spec: &Value, errors: &mut Errors) {
    let path = "spec.progressDeadlineSeconds";
    not_negative(spec.get("progressDeadlineSeconds"), path, errors);
    let Some(deadline) = spec["progressDeadlineSeconds"].as_i64() else { return };
    if deadline <= spec["minReadySeconds"].as_i64().unwrap_or(0) {
        errors.push(FieldError::invalid(path, deadline.to_string(), "must be greater than minReadySeconds"));
    }
}

fn daemon_set(spec: &Value, errors: &mut Errors) {
    let strategy = &spec["updateStrategy"];
    let path = "spec.updateStrategy";
    match strategy["type"].as_str().unwrap_or_default() {
        "OnDelete" => {}
        "RollingUpdate" => {
            let rolling = &strategy["rollingUpdate"];
            let path = "spec.updateStrategy.rollingUpdate.maxUnavailable";
            let surge_path = "spec.updateStrategy.rollingUpdate.maxSurge";
            let none = number_or_percent(&rolling["maxUnavailable"], path, errors);
            let flat = number_or_percent(&rolling["maxSurge"], surge_path, errors);
            if none && flat {
                let value = shown(&rolling["maxUnavailable"]);
                errors.push(FieldError::invalid(path, value, "cannot be 0 when maxSurge is 0"));
            }
            if !none && !flat && !rolling["maxSurge"].is_null() {
                let value = shown(&rolling["maxSurge"]);
                errors.push(FieldError::invalid(surge_path, value, "may not be set when maxUnavailable is non-zero"));
            }
            at_most_all(&rolling["maxUnavailable"], path, errors);
            at_most_all(&rolling["maxSurge"], surge_path, errors);
        }
        other => {
            let detail = r#"supported values: "OnDelete", "RollingUpdate""#;
            errors.push(FieldError::new(ErrorKind::NotSupported, &format!("{path}.type"), quoted(other), detail));
        }
    }
}

fn clone_set(value: &Value, old: Option<&Value>, errors: &mut Errors) {
    let spec = &value["spec"];
    let names = |value: &Value| -> Vec<String> {
        let named = value["spec"]["scaleStrategy"]["podsToDelete"].as_array();
        named.into_iter().flatten().filter_map(Value::as_str).map(str::to_owned).collect()
    };
    let doomed = names(value);
    let twice: Vec<&String> =
        doomed.iter().enumerate().filter(|(at, name)| doomed[..*at].contains(name)).map(|(_, name)| name).collect();
    if !twice.is_empty() {
        let list: Vec<&str> = twice.iter().map(|name| &***name).collect();
        let detail = format!("duplicated items [{}]", list.join(" "));
        let value = json_text(&spec["scaleStrategy"]["podsToDelete"]);
        errors.push(FieldError::invalid("spec.scaleStrategy.podsToDelete", value, detail));
    }
    match spec["updateStrategy"]["type"].as_str().unwrap_or_default() {
        "OnDelete" => {}
        "RollingUpdate" => clone_set_rolling(spec, errors),
        other => {
            let detail = "must be 'RollingUpdate' or 'OnDelete'";
            errors.push(FieldError::invalid("spec.updateStrategy.type", quoted(other), detail));
        }
    }
    let Some(old) = old else { return };
    let fixed = |value: &Value| {
        let mut spec = value["spec"].clone();
        if let Some(fields) = spec.as_object_mut() {
            CHANGEABLE.iter().for_each(|field| drop(fields.remove(*field)));
        }
        spec
    };
    if fixed(value) != fixed(old) {
        let detail = "updates to cloneset spec for fields other than 'replicas', 'template', 'lifecycle', 'scaleStrategy', \
                      'updateStrategy', 'minReadySeconds', 'volumeClaimTemplates' and 'revisionHistoryLimit' are forbidden";
        errors.push(FieldError::new(ErrorKind::Forbidden, "spec", "", detail));
    }
    let pod_of = |value: &Value| value["spec"]["template"]["spec"].clone();
    let change = if spec["updateStrategy"]["rollingUpdate"]["podUpdatePolicy"] == "InPlaceOnly" {
        first_change_but_images(&pod_of(old), &pod_of(value), "")
    } else {
        None
    };
    if let Some((operation, path)) = change {
        let detail = format!("only allowed to update images in spec for InPlaceOnly, but found {operation} {path}");
        errors.push(FieldError::new(ErrorKind::Forbidden, "spec", "", &detail));
    }
}

/// The first step of the JSON patch from one pod spec to another that does more than replace a container's image: its
/// operation and path.
fn first_change_but_images(old: &Value, new: &Value, path: &str) -> Option<(&'static str, String)> {
    let at = |step: &dyn std::fmt::Display| format!("{path}/{step}");
    match (old, new) {
        (Value::Object(old), Value::Object(new)) => {
            let changed = old.iter().find_map(|(key, value)| match new.get(key) {
                Some(new) => first_change_but_images(value, new, &at(key)),
                None => Some(("remove", at(key))),
            });
            changed.or_else(|| new.keys().find(|key| !old.contains_key(*key)).map(|key| ("add", at(key))))
        }
        (Value::Array(old), Value::Array(new)) if old.len() > new.len() => Some(("remove", at(&(old.len() - 1)))),
        (Value::Array(old), Value::Array(new)) if old.len() < new.len() => Some(("add", at(&old.len()))),
        (Value::Array(old), Value::Array(new)) => old
            .iter()
            .zip(new)
            .enumerate()
            .find_map(|(index, (old, new))| first_change_but_images(old, new, &at(&index))),
        _ if old == new || is_an_image(path) => None,
        _ => Some(("replace", path.to_owned())),
    }
}

fn is_an_image(path: &str) -> bool {
    let index = path.strip_prefix("/containers/").and_then(|rest| rest.strip_suffix("/image"));
    index.is_some_and(|index| !index.is_empty() && index.bytes().all(|byte| byte.is_ascii_digit()))
}

fn clone_set_rolling(spec: &Value, errors: &mut Errors) {
    let rolling = &spec["updateStrategy"]["rollingUpdate"];
    let at = |field: &str| format!("spec.updateStrategy.rollingUpdate.{field}");
    let replicas = spec["replicas"].as_i64().and_then(|replicas| i32::try_from(replicas).ok()).unwrap_or(1);
    let policy = rolling["podUpdatePolicy"].as_str().unwrap_or_default();
    if !matches!(policy, "ReCreate" | "InPlaceIfPossible" | "InPlaceOnly") {
        let detail = "must be 'ReCreate', InPlaceIfPossible or 'InPlaceOnly'";
        errors.push(FieldError::invalid(&at("podUpdatePolicy"), quoted(policy), detail));
    }
    // Every percentage is rounded up here.
    let mut number = |field: &str| -> i32 {
        let meant = IntOrPercent::from_json(rolling[field].clone()).ok();
        let number = meant.and_then(|value| value.of(replicas, Round::Up));
        if number.is_none() && !rolling[field].is_null() {
            let text = rolling[field].as_str().unwrap_or_default();
            let detail = format!(
                "failed GetScaledValueFromIntOrPercent for {field}: invalid value for IntOrString: invalid type: string is \
                 not a percentage"
            );
            errors.push(FieldError::invalid(&at(field), quoted(text), detail));
        }
        number.unwrap_or(0)
    };
    let (partition, unavailable, surge) = (number("partition"), number("maxUnavailable"), number("maxSurge"));
    if partition < 0 {
        let detail = "must be greater than or equal to 0";
        errors.push(FieldError::invalid(&at("partition"), partition.to_string(), detail));
    }
    let is_set = |list: &str| rolling["priorityStrategy"][list].as_array().is_some_and(|terms| !terms.is_empty());
    if is_set("weightPriority") && is_set("orderPriority") {
        let detail = "only one of weightPriority and orderPriority can be used";
        errors.push(FieldError::required(&at("priorityStrategy"), detail));
    }
    if policy == "InPlaceOnly" && surge > 0 {
        let detail = "can not use maxSurge with strategy type InPlaceOnly";
        errors.push(FieldError::invalid(&at("maxSurge"), shown(&rolling["maxSurge"]), detail));
    }
    if replicas > 0 && unavailable < 1 && surge < 1 {
        let detail = "maxUnavailable and maxSurge should not both be less than 1";
        errors.push(FieldError::invalid(&at("maxUnavailable"), shown(&rolling["maxUnavailable"]), detail));
    }
}
