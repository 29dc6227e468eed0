//! A pod is terminating on a node that does not answer: nobody confirms that it has ended.

use super::{Condition, Finding, Gravity};
use crate::diagnosis::case::{Case, condition_of, evidence, is_terminating};
use crate::objects::Object;
use std::rc::Rc;

pub(super) const CONDITION: Condition = Condition {
    name: "terminating-on-a-lost-node",
    issue: "https://github.com/kubernetes/kubernetes/issues/54368",
    find,
};

fn find(case: &Case<'_>, condition: &'static Condition) -> Vec<Finding> {
    let mut findings = Vec::new();
    for pod in case.pods.iter().filter(|pod| is_terminating(pod)) {
        let Some(node) = case.node_of(pod).filter(|node| !node.is_ready()) else { continue };
        let ready = node.status.conditions.iter().position(|condition| &*condition.condition_type == "Ready");
        let node_ready = format!("status.conditions[{}].status", ready.unwrap_or(0));
        findings.push(Finding {
            condition,
            gravity: Gravity::Stuck,
            pod: Some(Rc::clone(&pod.metadata.name)),
            text: text!(
                "{} is terminating on node {}, which is not Ready: the API server keeps it until the kubelet there confirms that it has ended, or somebody says that the node is gone.",
                pod.metadata.name,
                node.metadata.name
            ),
            is_not: text!("Not a finalizer and not a long grace period: nobody is there to confirm the end."),
            evidence: vec![
                evidence(&Object::Pod(Rc::clone(pod)), "metadata.deletionTimestamp"),
                evidence(&Object::Node(Rc::clone(node)), &node_ready),
                condition_of(pod, "Ready"),
            ],
        });
    }
    findings
}
