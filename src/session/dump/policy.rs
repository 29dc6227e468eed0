//! PodDisruptionBudgets, ResourceQuotas and LimitRanges of a text: what evictions may do in the run, and what admission takes.

use super::Options;
use crate::kubectl::{Command, manifest};
use crate::objects::{DisruptionBudget, Json, LimitRange, ResourceQuota};
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

/// Whether one of these is the quota of this name, and says what it limits.
pub(super) fn has_quota(policies: &[Value], namespace: &str, name: &str) -> bool {
    policies.iter().any(|value| {
        let metadata = &value["metadata"];
        let says = value["spec"]["hard"].as_object().is_some_and(|hard| !hard.is_empty());
        value["kind"] == "ResourceQuota" && says && metadata["name"] == *name && metadata["namespace"] == *namespace
    })
}

/// The commands that apply them, of the namespace that is asked for. What a quota's status counts is sent along: others may use it too.
pub(super) fn listed(policies: &[Value], options: &Options) -> Vec<Command> {
    let is_asked = |value: &&Value| {
        options.namespace.as_ref().is_none_or(|namespace| value["metadata"]["namespace"] == **namespace)
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
