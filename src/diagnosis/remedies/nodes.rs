//! What can be done about the nodes of pods that are not well.

use super::Remedy;
use crate::diagnosis::case::Case;
use crate::kubectl::Command;
use crate::objects::{Kind, Node, Pod};
use crate::sim::Failure;
use crate::text::{Text, named_node, named_node_first};
use std::rc::Rc;

/// Nodes that are not Ready and have pods of the workload, by name.
fn lost<'a>(case: &Case<'a>) -> Vec<&'a Rc<Node>> {
    let mut all: Vec<&Rc<Node>> =
        case.pods.iter().filter_map(|pod| case.node_of(pod)).filter(|node| !node.is_ready()).collect();
    all.sort_by_key(|node| Rc::clone(&node.metadata.name));
    all.dedup_by_key(|node| Rc::clone(&node.metadata.name));
    all
}

/// What is done about these nodes at once.
fn of_nodes(case: &Case<'_>, nodes: &[&Rc<Node>]) -> Vec<Remedy> {
    let each = |command: &dyn Fn(Rc<str>) -> Command| {
        nodes.iter().map(|node| command(Rc::clone(&node.metadata.name))).collect::<Vec<_>>()
    };
    let recover = each(&|node| Command::RecoverNode { node });
    let taint = || each(&|node| Command::TaintOutOfService { node, effect: "NoExecute".into() });
    let delete = || each(&|node| Command::RemoveNode { node });
    let names = || Text::names(nodes.iter().map(|node| &node.metadata.name));
    let [bring, mark, remove, off, copies] = match nodes {
        [node] => {
            let name = &node.metadata.name;
            [
                text!("Bring {} back", named_node(name)),
                text!("Taint {} out-of-service", named_node(name)),
                text!("Delete the Node object of {}", name),
                text!("{} is off and does not come back by itself.", named_node_first(name)),
                text!("If {} still runs its containers, two copies run at once.", named_node(name)),
            ]
        }
        _ => [
            text!("Bring back every node that is lost: {}", names()),
            text!("Taint every node that is lost out-of-service: {}", names()),
            text!("Delete the Node objects of all that are lost: {}", names()),
            text!("They are off and do not come back by themselves."),
            text!("If one of them still runs its containers, two copies run at once."),
        ],
    };
    let mut all = vec![Remedy::new(if nodes.len() == 1 { "recover-node" } else { "recover-nodes" }, bring, recover)];
    // What its kubelet runs goes on: it is neither off nor gone.
    if nodes.iter().any(|node| Failure::of(node) == Failure::KubeletUnwell) {
        return all;
    }
    let risky = |remedy: Remedy| remedy.assuming(off.clone()).with_risk(copies.clone());
    if case.cluster().gates().out_of_service {
        all.push(risky(Remedy::new("out-of-service", mark, taint())));
    }
    all.push(risky(Remedy::new("delete-node", remove, delete())));
    all
}

pub(super) fn remedies(case: &Case<'_>) -> Vec<Remedy> {
    let lost = lost(case);
    // Where each pod has a place of its own, one of several nodes that comes back leaves the others.
    let has_places = case.object.kind().has_ordinals() || case.object.kind() == Kind::DaemonSet;
    let mut all = if lost.len() > 1 { of_nodes(case, &lost) } else { Vec::new() };
    if lost.len() == 1 || !has_places {
        all.extend(lost.iter().flat_map(|node| of_nodes(case, &[node])));
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
