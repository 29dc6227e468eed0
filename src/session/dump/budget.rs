//! PodDisruptionBudgets of a text: what evictions may do in the run.

use super::Options;
use crate::kubectl::{Command, manifest};
use crate::objects::{DisruptionBudget, Json};
use serde_json::{Value, json};

/// Whether it is one that the API server could have stored.
pub(super) fn is_read(value: &Value) -> bool {
    let is_known = matches!(value["apiVersion"].as_str(), Some("policy/v1" | "policy/v1beta1"));
    is_known && DisruptionBudget::from_json(value.clone()).is_ok_and(|budget| budget.check().is_ok())
}

/// The commands that apply them, of the namespace that is asked for.
pub(super) fn listed(budgets: &[Value], options: &Options) -> Vec<Command> {
    let is_asked = |value: &&Value| {
        options.namespace.as_ref().is_none_or(|namespace| value["metadata"]["namespace"] == **namespace)
    };
    let apply = |value: &Value| {
        let metadata = &value["metadata"];
        let sent = json!({
            "apiVersion": value["apiVersion"], "kind": value["kind"], "spec": value["spec"],
            "metadata": {"name": metadata["name"], "namespace": metadata["namespace"]},
        });
        Command::Apply { manifest: manifest::write(&sent).into() }
    };
    budgets.iter().filter(is_asked).map(apply).collect()
}
