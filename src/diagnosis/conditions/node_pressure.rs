//! Pods on a node that lacks memory, disk or process ids: its kubelet evicts some of them before long.

use super::{Cause, Condition, Finding, Gravity};
use crate::diagnosis::case::Case;
use crate::objects::{NodeCondition, Object};
use crate::text::{Text, named_node_first, span};
use std::rc::Rc;

pub(super) const CONDITION: Condition = Condition { name: "node-under-pressure", issue: "", find };

/// What a condition of a node says that it lacks.
pub(in crate::diagnosis) fn lack(condition: &NodeCondition) -> Option<Text> {
    match &*condition.condition_type {
        "MemoryPressure" => Some(text!("memory")),
        "DiskPressure" => Some(text!("disk")),
        "PIDPressure" => Some(text!("process ids")),
        _ => None,
    }
    .filter(|_| &*condition.status == "True")
}

fn find(case: &Case<'_>, condition: &'static Condition) -> Vec<Finding> {
    let cluster = case.observed_run.cluster();
    let mut all = Vec::new();
    for node in cluster.nodes().filter(|node| node.is_ready()) {
        let name = &node.metadata.name;
        let here = case.observed_pods.iter().filter(|pod| pod.spec.node_name == *name && !pod.has_ended());
        let here: Vec<&str> = here.map(|pod| &*pod.metadata.name).collect();
        let told = node.status.conditions.iter().enumerate().find_map(|(at, one)| Some((at, one, lack(one)?)));
        let Some((at, told, lack)) = told.filter(|_| !here.is_empty()) else { continue };
        let since = told.last_transition_time.map_or(0, |since| (cluster.now().0 - since.0).max(0));
        let text = text!(
            "{}, where {} run, has had {} pressure for {}: its kubelet evicts pods there until that ends.",
            named_node_first(name),
            Text::names(here),
            lack,
            span(since)
        );
        let finding = Finding::new(condition, Gravity::Notice, Cause::Node, text)
            .mistaken_for(text!("Not the controller: it makes another pod for each that is evicted."))
            .evidence(&Object::Node(Rc::clone(node)), &[&format!("status.conditions[{at}]")]);
        all.push(finding);
    }
    all
}
