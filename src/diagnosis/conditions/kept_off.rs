//! Nodes that a DaemonSet asks for, and whose taint keeps its pods off: as it was asked to be, and often not meant so.

use super::{Cause, Condition, Finding, Gravity};
use crate::diagnosis::case::Case;
use crate::objects::{Node, Object};
use crate::reconcile::daemon_set::taint_against;
use crate::text::Text;
use std::collections::BTreeMap;
use std::rc::Rc;

pub(super) const CONDITION: Condition =
    Condition { name: "kept-off-by-a-taint", issue: "https://github.com/kubernetes/kubernetes/issues/72017", find };

fn find(case: &Case<'_>, condition: &'static Condition) -> Vec<Finding> {
    let Object::DaemonSet(set) = case.observed else { return Vec::new() };
    let nodes = case.observed_run.cluster().nodes().filter(|node| set.spec.template.spec.asks_for(node));
    let mut by_taint: BTreeMap<String, Vec<&Rc<Node>>> = BTreeMap::new();
    for node in nodes {
        // What the control plane puts on a node tells of its state, and goes with that.
        if let Some(taint) = taint_against(set, node).filter(|taint| !taint.key.starts_with("node.kubernetes.io/")) {
            by_taint.entry(taint.to_string()).or_default().push(node);
        }
    }
    let finding = |(taint, nodes): (String, Vec<&Rc<Node>>)| {
        let names: Vec<&str> = nodes.iter().map(|node| &*node.metadata.name).collect();
        let text = text!(
            "{} makes no pod on {}: its template does not tolerate taint {}.",
            set.metadata.name,
            Text::names(names),
            taint
        );
        let finding = Finding::new(condition, Gravity::Notice, Cause::AsAsked, text).mistaken_for(text!(
            "Not a failure: a toleration in the template, or taking the taint away, brings a pod there."
        ));
        let finding =
            finding.evidence(case.observed, &["spec.template.spec.tolerations", "status.desiredNumberScheduled"]);
        nodes
            .into_iter()
            .take(1)
            .fold(finding, |finding, node| finding.evidence(&Object::Node(Rc::clone(node)), &["spec.taints"]))
    };
    by_taint.into_iter().map(finding).collect()
}
