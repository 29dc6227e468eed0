//! The fields of the update strategy of workloads without ordinals, with what each does and its kubectl line.

use super::MoreField;
use crate::kubectl::command_line;
use crate::objects::{Kind, Object, ObjectRef, json_text};
use crate::session::{Command, patch_of};
use serde_json::Value;

const POLICIES: [&str; 3] = ["ReCreate", "InPlaceIfPossible", "InPlaceOnly"];
const TYPES: [&str; 2] = ["RollingUpdate", "OnDelete"];
const STRATEGIES: [&str; 2] = ["RollingUpdate", "Recreate"];
const SWITCH: [&str; 2] = ["true", "false"];

pub(super) type Field = (&'static str, &'static [&'static str], &'static str);

const CLONE_SET: [Field; 16] = [
    ("updateStrategy.type", &TYPES, "Whether the controller updates old pods, or the user deletes them."),
    ("updateStrategy.rollingUpdate.podUpdatePolicy", &POLICIES, "Whether pods are replaced or changed in place."),
    ("updateStrategy.rollingUpdate.partition", &[], "How many pods stay old: a number or a percentage."),
    ("updateStrategy.rollingUpdate.maxUnavailable", &[], "How many pods an update may take down at once."),
    ("updateStrategy.rollingUpdate.maxSurge", &[], "How many pods there may be above the replicas."),
    ("updateStrategy.rollingUpdate.paused", &SWITCH, "Whether updates are held."),
    (
        "updateStrategy.rollingUpdate.inPlaceUpdateStrategy.gracePeriodSeconds",
        &[],
        "Seconds between the closed gate and the changed image.",
    ),
    (
        "updateStrategy.rollingUpdate.priorityStrategy.weightPriority",
        &[],
        r#"Which pods are updated first, such as [{"weight":50,"matchSelector":{"matchLabels":{"tier":"test"}}}]."#,
    ),
    (
        "updateStrategy.rollingUpdate.priorityStrategy.orderPriority",
        &[],
        r#"The same by the number at the end of a label's value, such as [{"orderedKey":"order"}]."#,
    ),
    (
        "updateStrategy.rollingUpdate.scatterStrategy",
        &[],
        r#"Which pods are spread over the update, such as [{"key":"tier","value":"test"}]."#,
    ),
    (
        "scaleStrategy.podsToDelete",
        &[],
        r#"Which pods scaling down deletes first, such as ["clones-4jdjt"]; with unchanged replicas they are replaced."#,
    ),
    ("scaleStrategy.maxUnavailable", &[], "How many unavailable pods creating may lead to."),
    ("scaleStrategy.enablePVCReuse", &SWITCH, "Whether a new pod takes over the claims of one that is gone."),
    ("progressDeadlineSeconds", &[], "Seconds without an end after which a rollout counts as failed."),
    ("minReadySeconds", &[], "Seconds a pod must be Ready before it counts as available."),
    ("revisionHistoryLimit", &[], "How many old revisions are kept."),
];

const DEPLOYMENT: [Field; 7] = [
    ("strategy.type", &STRATEGIES, "Whether old and new pods stand side by side."),
    (
        "strategy.rollingUpdate.maxSurge",
        &[],
        "How many pods there may be above the replicas; a percentage is rounded up.",
    ),
    ("strategy.rollingUpdate.maxUnavailable", &[], "How many pods may be unavailable; a percentage is rounded down."),
    ("paused", &SWITCH, "Whether rollouts are held."),
    ("progressDeadlineSeconds", &[], "Seconds without progress after which a rollout counts as failed."),
    ("minReadySeconds", &[], "Seconds a pod must be Ready before it counts as available."),
    ("revisionHistoryLimit", &[], "How many old ReplicaSets are kept."),
];

const DAEMON_SET: [Field; 5] = [
    ("updateStrategy.type", &TYPES, "Whether the controller updates old pods, or the user deletes them."),
    ("updateStrategy.rollingUpdate.maxUnavailable", &[], "On how many nodes the pod may be unavailable."),
    ("updateStrategy.rollingUpdate.maxSurge", &[], "How many nodes may have two pods."),
    ("minReadySeconds", &[], "Seconds a pod must be Ready before it counts as available."),
    ("revisionHistoryLimit", &[], "How many old revisions are kept."),
];

/// The fields, with their values.
pub(super) fn controls(object: &Object) -> Vec<MoreField> {
    let fields: &[Field] = match object.kind() {
        Kind::CloneSet => &CLONE_SET,
        Kind::Deployment => &DEPLOYMENT,
        Kind::DaemonSet => &DAEMON_SET,
        _ => &[],
    };
    let spec = &object.to_json()["spec"];
    let set = object.reference();
    fields.iter().map(|(path, options, means)| field(&set, spec, (path, options, means))).collect()
}

/// A field of this spec.
pub(super) fn field(set: &ObjectRef, spec: &Value, (path, options, means): Field) -> MoreField {
    let value = match path.split('.').fold(spec, |held, name| &held[name]) {
        Value::Null => String::new(),
        Value::String(text) => text.clone(),
        other => json_text(other),
    };
    // Of a field that is not set it is the line that takes it away.
    let kubectl = command_line(&Command::patch(set.clone(), patch_of(path, &value).into()));
    MoreField { path, value, options, means, kubectl }
}
