//! A node that is back still has the out-of-service taint, which goes on evicting.

use super::{Cause, Condition, Finding, Gravity};
use crate::diagnosis::case::Case;
use crate::objects::{OUT_OF_SERVICE, Object};
use crate::text::named_node_first;
use std::rc::Rc;

pub(super) const CONDITION: Condition = Condition {
    name: "out-of-service-taint-left",
    issue: "https://github.com/kubernetes/kubernetes/issues/108486",
    find,
};

fn find(case: &Case<'_>, condition: &'static Condition) -> Vec<Finding> {
    let Some(template) = case.object.template() else { return Vec::new() };
    let bears = template.spec.tolerations.iter().any(|one| one.key.is_empty() || &*one.key == OUT_OF_SERVICE);
    let mut findings = Vec::new();
    for node in case.cluster().nodes().filter(|node| node.is_ready() && !bears) {
        if !node.spec.taints.iter().any(|taint| &*taint.key == OUT_OF_SERVICE) {
            continue;
        }
        let text = text!(
            "{} is Ready and still tainted out-of-service: no pod that does not tolerate the taint is scheduled there, and NoExecute evicts those that run there.",
            named_node_first(&node.metadata.name)
        );
        let finding = Finding::new(condition, Gravity::Stuck, Cause::Node, text)
            .mistaken_for(text!(
                "Not a fault of the node: the taint was meant for the time when it was off, and nobody takes it away."
            ))
            .evidence(&Object::Node(Rc::clone(node)), &["spec.taints"]);
        findings.push(finding);
    }
    findings
}
