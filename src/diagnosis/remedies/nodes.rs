//! What can be done about the nodes of pods that are not well.

use super::Remedy;
use crate::diagnosis::case::Case;
use crate::kubectl::Command;
use crate::objects::{Node, Pod};
use crate::order::Order;
use crate::sim::Failure;
use crate::text::{Text, named_node, named_node_first};
use std::rc::Rc;

/// Nodes that are not Ready and have pods of the workload, by name.
fn lost<'a>(case: &Case<'a>) -> Vec<&'a Rc<Node>> {
    let mut all: Vec<&Rc<Node>> =
        case.pods.iter().filter_map(|pod| case.node_of(pod)).filter(|node| !node.is_ready()).collect();
    all.order_by_key(|node| Rc::clone(&node.metadata.name));
    all.dedup_by_key(|node| Rc::clone(&node.metadata.name));
    all
}

pub(super) fn remedies(case: &Case<'_>) -> Vec<Remedy> {
    let mut all = Vec::new();
    let lost = lost(case);
    // One of several that comes back leaves the others.
    if lost.len() > 1 {
        let recover = |node: &&Rc<Node>| Command::RecoverNode { node: Rc::clone(&node.metadata.name) };
        let names = Text::names(lost.iter().map(|node| &node.metadata.name));
        all.push(Remedy::new(
            "recover-nodes",
            text!("Bring back every node that is lost: {}", names),
            lost.iter().map(recover).collect(),
        ));
    }
    for node in lost {
        let name = &node.metadata.name;
        let named = || Rc::clone(name);
        let off = || text!("{} is off and does not come back by itself.", named_node_first(name));
        let copies = || text!("If {} still runs its containers, two copies run at once.", named_node(name));
        all.push(Remedy::new(
            "recover-node",
            text!("Bring {} back", named_node(name)),
            vec![Command::RecoverNode { node: named() }],
        ));
        // What its kubelet runs goes on: it is neither off nor gone.
        if Failure::of(node) == Failure::KubeletUnwell {
            continue;
        }
        if case.cluster().gates().out_of_service {
            let taint = Command::TaintOutOfService { node: named(), effect: "NoExecute".into() };
            let remedy = Remedy::new("out-of-service", text!("Taint {} out-of-service", named_node(name)), vec![taint]);
            all.push(remedy.assuming(off()).with_risk(copies()));
        }
        let remedy = Remedy::new(
            "delete-node",
            text!("Delete the Node object of {}", name),
            vec![Command::RemoveNode { node: named() }],
        );
        all.push(remedy.assuming(off()).with_risk(copies()));
    }
    let waits = |pod: &&&Rc<Pod>| pod.spec.node_name.is_empty() && !pod.is_terminating();
    let cordoned: Vec<&Rc<Node>> =
        case.cluster().nodes().filter(|node| node.spec.unschedulable && node.is_ready()).collect();
    if case.pods.iter().any(|pod| waits(&pod)) && !cordoned.is_empty() {
        for node in &cordoned {
            let name = &node.metadata.name;
            let uncordon = Command::Uncordon { node: Rc::clone(name) };
            all.push(Remedy::new("uncordon", text!("Uncordon {}", named_node(name)), vec![uncordon]));
        }
        if cordoned.len() > 1 {
            let commands =
                cordoned.iter().map(|node| Command::Uncordon { node: Rc::clone(&node.metadata.name) }).collect();
            all.push(Remedy::new("uncordon-all", text!("Uncordon every node that is cordoned"), commands));
        }
    }
    all
}
