//! Pods that run on a node which the text's list of nodes lacks: it is not whole, or the node is gone and they with it.

use super::{Cause, Condition, Finding, Gravity};
use crate::diagnosis::case::{Case, of_pod};
use crate::objects::Pod;
use crate::text::{Text, named_node};
use std::collections::BTreeMap;
use std::rc::Rc;

pub(super) const CONDITION: Condition =
    Condition { name: "node-not-listed", issue: "https://github.com/kubernetes/kubernetes/issues/121100", find };

fn find(case: &Case<'_>, condition: &'static Condition) -> Vec<Finding> {
    let Some(missing) = case.missing_nodes else { return Vec::new() };
    let mut by_node: BTreeMap<&Rc<str>, Vec<&Rc<Pod>>> = BTreeMap::new();
    for pod in case.observed_pods.iter().filter(|pod| !pod.has_ended() && missing.contains(&pod.spec.node_name)) {
        by_node.entry(&pod.spec.node_name).or_default().push(pod);
    }
    let finding = |(node, pods): (&Rc<str>, Vec<&Rc<Pod>>)| {
        let names = Text::names(pods.iter().map(|pod| &pod.metadata.name));
        let text = text!(
            "On {}, which the list of nodes lacks: {}. Where that node is gone its pods are, too, whatever is told of them; `{}` says whether it is.",
            named_node(node),
            names,
            format!("kubectl get node {node}")
        );
        let finding = Finding::new(condition, Gravity::Notice, Cause::Node, text).mistaken_for(text!(
            "Ready is the last word of its kubelet, and nobody takes it back before the node or the pod is given up."
        ));
        pods.into_iter().take(1).fold(finding, |finding, pod| finding.evidence(&of_pod(pod), &["spec.nodeName"]))
    };
    by_node.into_iter().map(finding).collect()
}
