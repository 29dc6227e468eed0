//! What trials say, as values for programs: the command prints them, JavaScript has them. Texts are in English.

use super::remedies::lines;
use crate::trial::{Change, Free, NoNode, Reason, Unfit};
use serde::Serialize;

/// Why pods have no node.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct NoNodeValue {
    pod: String,
    /// Other pods of the workload of which the same is true.
    alike: Vec<String>,
    nodes: Vec<UnfitValue>,
    free: Vec<FreeValue>,
    changes: Vec<ChangeValue>,
}

/// A node that does not take the pod.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct UnfitValue {
    node: String,
    reasons: Vec<ReasonValue>,
}

/// Why it does not.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct ReasonValue {
    reason: &'static str,
    text: String,
}

/// A resource, in Kubernetes' amounts.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct FreeValue {
    resource: String,
    asked: String,
    in_sum: String,
    most_on_one_node: String,
    node: String,
    largest_node: String,
}

/// Something after which a node takes the pod.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct ChangeValue {
    changes: Vec<&'static str>,
    title: String,
    node: Option<String>,
    commands: Vec<String>,
    risk: String,
}

impl From<&NoNode> for NoNodeValue {
    fn from(told: &NoNode) -> Self {
        let unfit = |unfit: &Unfit| UnfitValue {
            node: unfit.node.to_string(),
            reasons: unfit.reasons.iter().map(reason).collect(),
        };
        Self {
            pod: told.pod.name.to_string(),
            alike: told.alike.iter().map(ToString::to_string).collect(),
            nodes: told.nodes.iter().map(unfit).collect(),
            free: told.free.iter().map(free).collect(),
            changes: told.changes.iter().map(change).collect(),
        }
    }
}

fn reason(reason: &Reason) -> ReasonValue {
    ReasonValue { reason: reason.name, text: reason.text.to_string() }
}

fn free(free: &Free) -> FreeValue {
    FreeValue {
        resource: free.resource.to_string(),
        asked: free.asked.clone(),
        in_sum: free.in_sum.clone(),
        most_on_one_node: free.most.clone(),
        node: free.on.to_string(),
        largest_node: free.largest.clone(),
    }
}

fn change(change: &Change) -> ChangeValue {
    ChangeValue {
        changes: change.names.clone(),
        title: change.title.to_string(),
        node: change.node.as_ref().map(ToString::to_string),
        commands: lines(&change.commands),
        risk: change.risk.to_string(),
    }
}
