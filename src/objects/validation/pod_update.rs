//! What may change in a pod that is there. Models ValidatePodUpdate of pkg/apis/core/validation/validation.go, read in 1.21, in 1.25 to
//! 1.29 and in 1.36; what it says behind its first line, Go's comparison of both specs, is left out.

use super::pod::tolerations;
use super::{Check, Server};
use crate::objects::json::quoted;
use crate::objects::{ApiError, Json, Pod, PodSpec, Toleration, field};
use serde_json::Value;
use std::rc::Rc;

const CONTAINERS: [&str; 2] = ["containers", "initContainers"];
const DEADLINE: &str = "activeDeadlineSeconds";
const GRACE: &str = "terminationGracePeriodSeconds";
const GATES: &str = "schedulingGates";

/// Validates a pod that replaces another.
///
/// # Errors
/// What of its spec may not change so.
pub(crate) fn pod_update(stored: &Pod, sent: &Pod, server: &Server) -> Result<(), ApiError> {
    if Rc::ptr_eq(&stored.spec, &sent.spec) || stored.spec == sent.spec {
        return Ok(());
    }
    let mut check = Check::new(server);
    changes(&stored.spec, &sent.spec, &mut check);
    match &check.errors[..] {
        [] => Ok(()),
        _ => Err(ApiError::invalid("Pod", &sent.metadata.name, check.errors)),
    }
}

fn changes(stored: &PodSpec, sent: &PodSpec, check: &mut Check) {
    let (old, mut new) = (stored.to_json(), sent.to_json());
    for list in CONTAINERS {
        if items(&old, list).count() != items(&new, list).count() {
            return check.forbidden(&format!("spec.{list}"), "pod updates may not add or remove containers");
        }
        for (index, container) in items(&new, list).enumerate() {
            image(container, &format!("spec.{list}[{index}].image"), check);
        }
    }
    if !deadline(&old, &new, check) {
        return;
    }
    if stored.tolerations != sent.tolerations {
        added_tolerations(stored, sent, &new, check);
    }
    if check.server.removes_scheduling_gates {
        removed_gates(&old, &new, check);
        keep(&mut new, &old, GATES);
    }
    for list in CONTAINERS {
        let containers = new.get_mut(list).and_then(Value::as_array_mut);
        for (own, before) in containers.into_iter().flatten().zip(items(&old, list)) {
            keep(own, before, "image");
        }
    }
    keep(&mut new, &old, DEADLINE);
    keep(&mut new, &old, "tolerations");
    let seconds = |spec: &PodSpec| spec.termination_grace_period_seconds;
    if check.server.negative_grace == 1 && seconds(stored) < Some(0) && seconds(sent) == Some(1) {
        keep(&mut new, &old, GRACE);
    }
    if check.server.gated_pods_are_narrowed && items(&old, GATES).next().is_some() {
        narrowed(&old, &mut new, check);
    }
    if new != old {
        check
            .forbidden("spec", format!("pod updates may not change fields other than {}", check.server.pod_changeable));
    }
}

fn items<'a>(value: &'a Value, name: &str) -> impl Iterator<Item = &'a Value> {
    value.get(name).and_then(Value::as_array).into_iter().flatten()
}

/// Takes a field as it was.
fn keep(value: &mut Value, before: &Value, name: &str) {
    match (before.get(name), value.as_object_mut()) {
        (Some(before), _) => *field(value, name) = before.clone(),
        (None, Some(fields)) => drop(fields.remove(name)),
        (None, None) => {}
    }
}

fn image(container: &Value, path: &str, check: &mut Check) {
    let image = container.get("image").and_then(Value::as_str).unwrap_or_default();
    if image.is_empty() {
        check.required(path, "");
    } else if image.trim() != image {
        check.invalid(path, quoted(image), "must not have leading or trailing whitespace");
    }
}

/// A deadline may be set, and brought forward. Whether the rest is looked at.
fn deadline(old: &Value, new: &Value, check: &mut Check) -> bool {
    let path = format!("spec.{DEADLINE}");
    let [before, seconds] = [old, new].map(|spec| spec.get(DEADLINE).and_then(Value::as_i64));
    let detail = match (before, seconds) {
        (_, Some(seconds)) if !(1..=i64::from(i32::MAX)).contains(&seconds) => {
            "must be between 1 and 2147483647, inclusive"
        }
        (Some(before), Some(seconds)) if before < seconds => "must be less than or equal to previous value",
        (Some(_), None) => {
            check.invalid(&path, "null".to_owned(), "must not update from a positive integer to nil value");
            return true;
        }
        _ => return true,
    };
    check.invalid(&path, seconds.unwrap_or_default().to_string(), detail);
    false
}

/// Models validateOnlyAddedTolerations.
fn added_tolerations(stored: &PodSpec, sent: &PodSpec, new: &Value, check: &mut Check) {
    let is_there = |old: &Toleration| {
        let is_same =
            |new: &Toleration| Toleration { toleration_seconds: new.toleration_seconds, ..old.clone() } == *new;
        sent.tolerations.iter().any(is_same)
    };
    if stored.tolerations.iter().all(is_there) {
        tolerations(new, "spec.tolerations", check);
    } else {
        check.forbidden("spec.tolerations", "existing toleration can not be modified except its tolerationSeconds");
    }
}

/// Models validateOnlyDeletedSchedulingGates.
fn removed_gates(old: &Value, new: &Value, check: &mut Check) {
    let name = |gate: &Value| gate.get("name").and_then(Value::as_str).unwrap_or_default().to_owned();
    let known: Vec<String> = items(old, GATES).map(name).collect();
    for (index, gate) in items(new, GATES).map(name).enumerate().filter(|(_, gate)| !known.contains(gate)) {
        let detail = format!("only deletion is allowed, but found new scheduling gate '{gate}'");
        check.forbidden(&format!("spec.{GATES}[{index}].name"), detail);
    }
}

/// A pod that waits behind its gates may be kept to fewer nodes. Models validateNodeSelectorMutation and validateNodeAffinityMutation.
fn narrowed(old: &Value, new: &mut Value, check: &mut Check) {
    let selector = "nodeSelector";
    let selected = |spec: &Value| spec.get(selector).and_then(Value::as_object).cloned().unwrap_or_default();
    let (before, now) = (selected(old), selected(new));
    if before.iter().any(|(key, value)| now.get(key) != Some(value)) {
        let detail = "only additions to spec.nodeSelector are allowed (no mutations or deletions)";
        check.invalid("spec.nodeSelector", Value::Object(now).to_string(), detail);
    }
    keep(new, old, selector);
    let required = "requiredDuringSchedulingIgnoredDuringExecution";
    let path = format!("spec.affinity.nodeAffinity.{required}.nodeSelectorTerms");
    let pointer = format!("/{}", path.trim_start_matches("spec.").replace('.', "/"));
    let terms = |spec: &Value| spec.pointer(&pointer).and_then(Value::as_array).cloned().unwrap_or_default();
    let (before, now) = (terms(old), terms(new));
    if !before.is_empty() && before.len() != now.len() {
        let detail = "no additions/deletions to non-empty NodeSelectorTerms list are allowed";
        check.invalid(&path, Value::Array(now).to_string(), detail);
    } else {
        let pairs = before.iter().zip(&now).enumerate();
        for (index, (_, changed)) in pairs.filter(|(_, (before, now))| !is_added_to(before, now)) {
            let detail = "only additions are allowed (no mutations or deletions)";
            check.invalid(&format!("{path}[{index}]"), changed.to_string(), detail);
        }
    }
    let own = "nodeAffinity";
    let before = old.get("affinity").cloned();
    match (new.get_mut("affinity"), before) {
        (Some(affinity), Some(before)) => keep(affinity, &before, own),
        (Some(affinity), None) => {
            affinity.as_object_mut().map(|kinds| kinds.remove(own));
            if affinity.as_object().is_some_and(serde_json::Map::is_empty) {
                new.as_object_mut().map(|spec| spec.remove("affinity"));
            }
        }
        (None, Some(before)) if before.get(own).is_some() => {
            *field(field(new, "affinity"), own) = before.get(own).cloned().unwrap_or_default();
        }
        (None, _) => {}
    }
}

/// Models validateNodeSelectorTermHasOnlyAdditions.
fn is_added_to(old: &Value, new: &Value) -> bool {
    let lists = ["matchExpressions", "matchFields"];
    let list = |term: &Value, name: &str| items(term, name).cloned().collect::<Vec<_>>();
    let is_empty = |term: &Value| lists.iter().all(|name| list(term, name).is_empty());
    let begins = |name: &&str| list(new, name).starts_with(&list(old, name));
    if is_empty(old) { is_empty(new) } else { lists.iter().all(begins) }
}
