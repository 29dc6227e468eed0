//! The nodes: what the API says of them, what is due, what can be done.

use super::context::revision_of_pod;
use super::rail::{act, force_risk};
use super::status_word::{look, status_word};
use super::{Act, Condition, Node, NodeLook, NodePod, text};
use crate::objects::{ControllerRevision, Kind, ObjectRef, Pod, Time};
use crate::session::Command;
use crate::sim::{Cluster, NodeHealth, START};
use std::rc::Rc;

pub(super) fn nodes(cluster: &Cluster, revisions: &[&Rc<ControllerRevision>]) -> Vec<Rc<Node>> {
    cluster.nodes().map(|node| Rc::new(draw(cluster, revisions, node))).collect()
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
    let silent = text::passed(now - since.0);
    if node.is_ready() {
        let text = format!("Silent for {silent}; NotReady in {}.", text::left(not_ready_at.0 - now));
        return vec![Condition { text }];
    }
    let at = text::clock(since.0 - START.0);
    let mut conditions = vec![Condition { text: format!("Does not answer since {at}, for {silent}.") }];
    for pod in pods {
        let name = &pod.metadata.name;
        let text = if pod.metadata.deletion_timestamp.is_some() {
            format!("{name} stays Terminating: nobody confirms that it stopped.")
        } else if let Some(due) = eviction_at(node, pod) {
            format!("{name} will be marked for deletion in {}.", text::left(due.0 - now))
        } else {
            format!("{name} tolerates this for ever.")
        };
        conditions.push(Condition { text });
    }
    conditions
}

/// When the pod is marked for deletion because of its node; none if never, or if the node is not tainted yet.
pub(super) fn eviction_at(node: &crate::objects::Node, pod: &Pod) -> Option<Time> {
    let tainted = node.spec.taints.iter().find_map(|taint| taint.time_added)?;
    tolerance(pod).map(|seconds| tainted.plus_seconds(seconds))
}

/// Seconds the pod tolerates an unreachable node: the shortest limit counts. None if for ever.
pub(super) fn tolerance(pod: &Pod) -> Option<i64> {
    let borne: Vec<_> = pod
        .spec
        .tolerations
        .iter()
        .filter(|toleration| toleration.key.is_empty() || &*toleration.key == "node.kubernetes.io/unreachable")
        .filter(|toleration| matches!(&*toleration.effect, "" | "NoExecute"))
        .filter(|toleration| &*toleration.operator == "Exists" || toleration.value.is_empty())
        .collect();
    // Admission gives every pod one that says nothing itself, so none here means that none fits.
    if borne.is_empty() {
        return Some(0);
    }
    borne.iter().filter_map(|toleration| toleration.toleration_seconds).min().map(|seconds| seconds.max(0))
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
        acts.push(act(&label, Command::DeletePod { pod: key, force: true }, force_risk(cluster, pod)));
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
