//! The nodes: what the API says of them, what is due, what can be done.

use super::context::revision_of_pod;
use super::rail::{act, force_risk_of};
use super::status_word::{look, status_word};
use super::{Act, Condition, Node, NodeLook, NodePod, text};
use crate::objects::{ControllerRevision, Kind, ObjectRef, Pod};
use crate::session::Command;
use crate::sim::{Cluster, NodeHealth};
use std::rc::Rc;

/// What admission gives a pod that does not say how long it bears an unreachable node.
const DEFAULT_TOLERATION: i64 = 300;

pub(super) fn nodes(cluster: &Cluster, revisions: &[&Rc<ControllerRevision>]) -> Vec<Node> {
    cluster.nodes().map(|node| draw(cluster, revisions, node)).collect()
}

fn draw(cluster: &Cluster, revisions: &[&Rc<ControllerRevision>], node: &crate::objects::Node) -> Node {
    let name = &node.metadata.name;
    let health = cluster.node_health(name);
    let ready = node.is_ready();
    let look_of_node = match (ready, health) {
        (false, _) => NodeLook::Lost,
        (true, NodeHealth::Failed { .. }) => NodeLook::Silent,
        (true, NodeHealth::Running) if node.spec.unschedulable => NodeLook::Cordoned,
        (true, NodeHealth::Running) => NodeLook::Ready,
    };
    let cordoned = if node.spec.unschedulable { ",SchedulingDisabled" } else { "" };
    let pods: Vec<&Rc<Pod>> = cluster.pods().filter(|pod| pod.spec.node_name == *name).collect();
    Node {
        name: name.to_string(),
        status: format!("{}{cordoned}", if ready { "Ready" } else { "NotReady" }),
        look: look_of_node,
        conditions: conditions(cluster, node, health, &pods),
        acts: acts(cluster, node, health, &pods),
        pods: pods
            .iter()
            .map(|pod| NodePod {
                name: pod.metadata.name.to_string(),
                look: look(cluster, pod),
                status: status_word(pod),
                hue: revision_of_pod(revisions, pod).hue,
            })
            .collect(),
    }
}

fn conditions(cluster: &Cluster, node: &crate::objects::Node, health: NodeHealth, pods: &[&Rc<Pod>]) -> Vec<Condition> {
    let now = cluster.now().0;
    let NodeHealth::Failed { since, not_ready_at } = health else { return Vec::new() };
    let silent = text::left(now - since.0);
    if node.is_ready() {
        let text =
            format!("Its kubelet has been silent for {silent}; NotReady in {}.", text::left(not_ready_at.0 - now));
        return vec![Condition { text }];
    }
    let mut conditions = vec![Condition { text: format!("Its kubelet has been silent for {silent}.") }];
    let tainted = node.spec.taints.iter().find_map(|taint| taint.time_added);
    for pod in pods {
        let name = &pod.metadata.name;
        let text = if pod.metadata.deletion_timestamp.is_some() {
            format!("{name} stays Terminating: nobody confirms that it stopped.")
        } else if let (Some(seconds), Some(tainted)) = (tolerance(pod), tainted) {
            format!("{name} is marked for deletion in {}.", text::left(tainted.0 + seconds * 1000 - now))
        } else {
            format!("{name} bears this for ever.")
        };
        conditions.push(Condition { text });
    }
    conditions
}

/// Seconds the pod bears an unreachable node; none if for ever.
pub(super) fn tolerance(pod: &Pod) -> Option<i64> {
    let borne: Vec<_> = pod
        .spec
        .tolerations
        .iter()
        .filter(|toleration| toleration.key.is_empty() || &*toleration.key == "node.kubernetes.io/unreachable")
        .filter(|toleration| matches!(&*toleration.effect, "" | "NoExecute"))
        .collect();
    if borne.is_empty() {
        return Some(DEFAULT_TOLERATION);
    }
    borne.iter().filter_map(|toleration| toleration.toleration_seconds).min()
}

fn acts(cluster: &Cluster, node: &crate::objects::Node, health: NodeHealth, pods: &[&Rc<Pod>]) -> Vec<Act> {
    let name = || Rc::clone(&node.metadata.name);
    let none = String::new;
    let mut acts = vec![match health {
        NodeHealth::Running => act("Lose node", Command::FailNode { node: name() }, none()),
        NodeHealth::Failed { .. } => act("Recover", Command::RecoverNode { node: name() }, none()),
    }];
    for pod in pods.iter().filter(|pod| pod.metadata.deletion_timestamp.is_some() && !node.is_ready()) {
        let key = ObjectRef {
            kind: Kind::Pod,
            namespace: pod.metadata.namespace.clone(),
            name: Rc::clone(&pod.metadata.name),
        };
        let label = format!("Force delete {}", pod.metadata.name);
        acts.push(act(&label, Command::DeletePod { pod: key, force: true }, force_risk_of(cluster, pod)));
    }
    acts.push(if node.spec.unschedulable {
        act("Uncordon", Command::Uncordon { node: name() }, none())
    } else {
        act("Cordon", Command::Cordon { node: name() }, none())
    });
    let risk = "The machine goes with its Node object; its pods are deleted after the garbage collector's quarantine.";
    acts.push(act("Remove", Command::RemoveNode { node: name() }, risk.to_owned()));
    acts
}
