//! What OpenKruise's webhook refuses about an Advanced StatefulSet, in its words.
//! Models pkg/webhook/statefulset/validating/statefulset_validation.go of openkruise/kruise.

use super::workloads::{number_or_percent, runs_for_ever, template};
use super::{Check, ErrorKind, FieldError, selector};
use crate::objects::advanced_stateful_set::reserved_range;
use crate::objects::json::quoted;
use crate::objects::{IntOrPercent, Json, Round, json_text};
use crate::releases::RETENTION;
use serde_json::Value;

/// The fields of the spec that may change.
const CHANGEABLE: [&str; 11] = [
    "replicas",
    "template",
    "updateStrategy",
    RETENTION,
    "scaleStrategy",
    "volumeClaimTemplates",
    "volumeClaimUpdateStrategy",
    "reserveOrdinals",
    "lifecycle",
    "revisionHistoryLimit",
    "ordinals",
];

/// The longest `minReadySeconds`.
const MAX_MIN_READY_SECONDS: i64 = 300;

/// Checks one that was decoded and filled in; `old` is what it replaces, if it replaces one.
pub(super) fn validate(value: &Value, old: Option<&Value>, check: &mut Check) {
    let spec = &value["spec"];
    let policy = spec["podManagementPolicy"].as_str().unwrap_or_default();
    if !matches!(policy, "OrderedReady" | "Parallel") {
        check.invalid("spec.podManagementPolicy", quoted(policy), "must be 'OrderedReady' or 'Parallel'");
    }
    reserve_ordinals(spec, check);
    if let Some(most) = spec["scaleStrategy"].get("maxUnavailable").filter(|most| !most.is_null()) {
        max_unavailable(most, policy, "spec.scaleStrategy.maxUnavailable", check);
    }
    update_strategy(spec, policy, check);
    for field in ["whenDeleted", "whenScaled"] {
        check.one_of(&spec[RETENTION], field, &format!("spec.{RETENTION}"), &["Retain", "Delete"]);
    }
    check.not_negative(spec.get("replicas"), "spec.replicas");
    selector::of_workload("statefulset", spec, check);
    if selector::is_convertible(&spec["selector"], check.server) {
        template(&without_claim_mounts(spec), check);
    }
    runs_for_ever(&spec["template"], "StatefulSet", check);
    let Some(old) = old else { return };
    let fixed = |value: &Value| {
        let mut spec = value["spec"].clone();
        if let Some(fields) = spec.as_object_mut() {
            CHANGEABLE.iter().for_each(|field| drop(fields.remove(*field)));
        }
        spec
    };
    if fixed(value) != fixed(old) {
        let detail = "updates to statefulset spec for fields other than 'replicas', 'ordinals', 'template', \
                      'reserveOrdinals', 'lifecycle', 'revisionHistoryLimit', 'persistentVolumeClaimRetentionPolicy', \
                      `volumeClaimTemplates`, `VolumeClaimUpdateStrategy` and 'updateStrategy' are forbidden";
        check.push(FieldError::new(ErrorKind::Forbidden, "spec", "", detail));
    }
}

/// The template, where mounts of claims are no longer mounts of volumes that are missing.
fn without_claim_mounts(spec: &Value) -> Value {
    let mut own = spec["template"].clone();
    let claims = spec["volumeClaimTemplates"].as_array().into_iter().flatten();
    let claims: Vec<&str> = claims.filter_map(|claim| claim["metadata"]["name"].as_str()).collect();
    let is_of_claim = |mount: &Value| mount["name"].as_str().is_some_and(|name| claims.contains(&name));
    for list in ["containers", "initContainers"] {
        for container in own.pointer_mut(&format!("/spec/{list}")).and_then(Value::as_array_mut).into_iter().flatten() {
            if let Some(mounts) = container.get_mut("volumeMounts").and_then(Value::as_array_mut) {
                mounts.retain(|mount| !is_of_claim(mount));
            }
        }
    }
    own
}

fn reserve_ordinals(spec: &Value, check: &mut Check) {
    let list = spec["reserveOrdinals"].as_array().map_or(&[][..], Vec::as_slice);
    let mut wrong = |detail: String| {
        check.push(FieldError::invalid("spec", json_text(&spec["reserveOrdinals"]), detail));
    };
    for (at, item) in list.iter().enumerate() {
        match IntOrPercent::from_json(item.clone()) {
            Ok(IntOrPercent::Int(ordinal)) if ordinal < 0 => {
                wrong(format!("{at} th reserve ordinal is negative: {ordinal}"));
            }
            Ok(own @ IntOrPercent::Text(_)) if reserved_range(&own).is_none() => {
                let text = item.as_str().unwrap_or_default();
                wrong(format!("{at} th reserve ordinal is not a valid range: {text}"));
            }
            _ => {}
        }
    }
}

fn update_strategy(spec: &Value, policy: &str, check: &mut Check) {
    let (strategy, path) = (&spec["updateStrategy"], "spec.updateStrategy");
    let rolling = &strategy["rollingUpdate"];
    let at = |field: &str| format!("{path}.rollingUpdate.{field}");
    match strategy["type"].as_str().unwrap_or_default() {
        "" => check.required(path, ""),
        "OnDelete" if rolling.is_object() => {
            let detail = "only allowed for updateStrategy 'RollingUpdate'";
            check.push(FieldError::invalid(&format!("{path}.rollingUpdate"), json_text(rolling), detail));
        }
        "OnDelete" => {}
        "RollingUpdate" => {
            check.not_negative(rolling.get("partition"), &at("partition"));
            check.not_negative(rolling.get("minReadySeconds"), &at("minReadySeconds"));
            let seconds = rolling["minReadySeconds"].as_i64().unwrap_or(0);
            if seconds > MAX_MIN_READY_SECONDS {
                check.invalid(&at("minReadySeconds"), seconds.to_string(), "must be no more than 300 seconds");
            }
            max_unavailable(&rolling["maxUnavailable"], policy, &at("maxUnavailable"), check);
            pod_update_policy(spec, rolling, &at("podUpdatePolicy"), check);
            unordered_update(rolling, policy, &at("unorderedUpdate"), check);
        }
        _ => {
            let detail = "must be 'RollingUpdate' or 'OnDelete'";
            check.push(FieldError::invalid(path, json_text(strategy), detail));
        }
    }
}

fn max_unavailable(most: &Value, policy: &str, path: &str, check: &mut Check) {
    if most.is_null() {
        return check.required(path, "");
    }
    number_or_percent(most, path, check);
    let shown = most.as_str().map_or_else(|| json_text(most), quoted);
    // Of one pod, rounded up.
    let number = IntOrPercent::from_json(most.clone()).ok().and_then(|most| most.of(1, Round::Up));
    if number.is_some_and(|number| number < 1) {
        check.push(FieldError::invalid(path, shown.clone(), "should not be less than 1"));
    }
    if policy != "Parallel" && *most != 1 {
        let detail = "can only work with Parallel PodManagementPolicyType";
        check.push(FieldError::invalid(path, shown, detail));
    }
}

fn pod_update_policy(spec: &Value, rolling: &Value, path: &str, check: &mut Check) {
    match rolling["podUpdatePolicy"].as_str().unwrap_or_default() {
        "" => check.required(path, ""),
        "ReCreate" => {}
        policy @ ("InPlaceIfPossible" | "InPlaceOnly") => {
            let gates = &spec["template"]["spec"]["readinessGates"];
            let mut own = gates.as_array().into_iter().flatten();
            if !own.any(|gate| gate["conditionType"] == "InPlaceUpdateReady") {
                let detail = format!("must contains InPlaceUpdateReady when podUpdatePolicy is {policy}");
                check.push(FieldError::invalid("spec.template.spec.readinessGates", json_text(gates), detail));
            }
        }
        other => {
            let detail = "must be 'ReCreate', InPlaceIfPossible or 'InPlaceOnly'";
            check.push(FieldError::invalid(path, quoted(other), detail));
        }
    }
}

fn unordered_update(rolling: &Value, policy: &str, path: &str, check: &mut Check) {
    let unordered = &rolling["unorderedUpdate"];
    if !unordered.is_object() {
        return;
    }
    if policy != "Parallel" {
        check.required(path, "unorderedUpdate can only work with Parallel PodManagementPolicyType");
    }
    let strategy = &unordered["priorityStrategy"];
    let is_set = |list: &str| strategy[list].as_array().is_some_and(|terms| !terms.is_empty());
    if is_set("weightPriority") && is_set("orderPriority") {
        let detail = "only one of weightPriority and orderPriority can be used";
        check.required(&format!("{path}.priorityStrategy"), detail);
    }
}
