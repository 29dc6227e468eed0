//! A DaemonSet that wants no pod: no node is one that its template asks for.

use super::{Cause, Condition, Finding, Gravity};
use crate::diagnosis::case::Case;
use crate::objects::Object;
use std::rc::Rc;

pub(super) const CONDITION: Condition = Condition { name: "no-node-for-it", issue: "", find };

fn find(case: &Case<'_>, condition: &'static Condition) -> Vec<Finding> {
    let Object::DaemonSet(set) = case.observed else { return Vec::new() };
    let nodes = case.observed_run.cluster().nodes().count();
    let is_seen = set.status.observed_generation >= set.metadata.generation;
    if set.status.desired_number_scheduled > 0 || nodes == 0 || !is_seen || !case.observed_pods.is_empty() {
        return Vec::new();
    }
    // A text may have no status: then its controller tells, once it has synced.
    if matches!(case.object, Object::DaemonSet(now) if now.status.desired_number_scheduled > 0) {
        return Vec::new();
    }
    let name = &set.metadata.name;
    let selector = &set.spec.template.spec.node_selector;
    let has = |key: &str, value: &Rc<str>| {
        case.observed_run.cluster().nodes().any(|node| node.metadata.labels.get(key) == Some(value))
    };
    let missing = selector.iter().filter(|(key, value)| !has(key, value));
    let missing: Vec<String> = missing.map(|(key, value)| format!("{key}={value}")).collect();
    let text = if missing.is_empty() {
        text!(
            "{} has no pod and wants none: none of the {} nodes is one that its template asks for, by its labels, its affinity or its tolerations.",
            name,
            nodes
        )
    } else {
        text!("{} has no pod and wants none: none of the {} nodes has the label {}.", name, nodes, missing.join(", "))
    };
    let finding = Finding::new(condition, Gravity::Notice, Cause::AsAsked, text)
        .mistaken_for(text!("Not a failure: it makes a pod as soon as a node fits."))
        .evidence(
            case.observed,
            &["spec.template.spec.nodeSelector", "spec.template.spec.affinity", "status.desiredNumberScheduled"],
        );
    vec![finding]
}
