//! PodDisruptionBudgets, ResourceQuotas, LimitRanges and autoscalers of a text: what evictions may do in the run, what admission
//! takes, and between which numbers replicas are kept.

use super::Options;
use crate::kubectl::{Command, manifest};
use crate::objects::{Autoscaler, DisruptionBudget, Json, LimitRange, Object, ResourceQuota};
use serde_json::{Value, json};

/// Whether it is one that the API server could have stored.
pub(super) fn is_read(value: &Value) -> bool {
    let word = |name: &str| value.get(name).and_then(Value::as_str).unwrap_or_default();
    let sent = || value.clone();
    match (word("apiVersion"), word("kind")) {
        ("policy/v1" | "policy/v1beta1", "PodDisruptionBudget") => {
            DisruptionBudget::from_json(sent()).is_ok_and(|budget| budget.check().is_ok())
        }
        ("v1", "ResourceQuota") => ResourceQuota::from_json(sent()).is_ok_and(|quota| quota.check().is_ok()),
        ("v1", "LimitRange") => LimitRange::from_json(sent()).is_ok_and(|range| range.check().is_ok()),
        _ => false,
    }
}

/// Whether it is an autoscaler that keeps its bounds: its controller reaches what it scales.
pub(super) fn is_scaling(value: &Value) -> bool {
    let conditions = value.pointer("/status/conditions").and_then(Value::as_array);
    let is_kept_off = |condition: &Value| condition["type"] == "AbleToScale" && condition["status"] == "False";
    value["kind"] == "HorizontalPodAutoscaler"
        && !conditions.into_iter().flatten().any(is_kept_off)
        && Autoscaler::from_json(value.clone()).is_ok_and(|own| own.check().is_ok())
}

/// Whether the text shows its target within its bounds: one that is out of them for longer than a look is not kept in them.
fn holds(value: &Value, objects: &[Object]) -> bool {
    let Ok(autoscaler) = Autoscaler::from_json(value.clone()) else { return false };
    let target = autoscaler.target();
    let target = target.and_then(|target| objects.iter().find(|object| object.reference() == target));
    target.and_then(Object::replicas).is_some_and(|replicas| autoscaler.bounded(replicas).is_none())
}

/// Whether one of these is the quota of this name, and says what it limits.
pub(super) fn has_quota(policies: &[Value], namespace: &str, name: &str) -> bool {
    policies.iter().any(|value| {
        let metadata = &value["metadata"];
        let says = value["spec"]["hard"].as_object().is_some_and(|hard| !hard.is_empty());
        value["kind"] == "ResourceQuota" && says && metadata["name"] == *name && metadata["namespace"] == *namespace
    })
}

/// The commands that apply them, of the namespace that is asked for. What a quota's status counts is sent along: others may use it too.
pub(super) fn listed(policies: &[Value], objects: &[Object], options: &Options) -> Vec<Command> {
    let is_asked = |value: &&Value| {
        let in_space = options.namespace.as_ref().is_none_or(|namespace| value["metadata"]["namespace"] == **namespace);
        in_space && (value["kind"] != "HorizontalPodAutoscaler" || holds(value, objects))
    };
    let apply = |value: &Value| {
        let metadata = &value["metadata"];
        let mut sent = json!({
            "apiVersion": value["apiVersion"], "kind": value["kind"], "spec": value["spec"],
            "metadata": {"name": metadata["name"], "namespace": metadata["namespace"]},
        });
        if let (Some(fields), true) = (sent.as_object_mut(), value["kind"] == "ResourceQuota") {
            fields.insert("status".to_owned(), json!({ "used": value["status"]["used"] }));
        }
        Command::Apply { manifest: manifest::write(&sent).into() }
    };
    policies.iter().filter(is_asked).map(apply).collect()
}
