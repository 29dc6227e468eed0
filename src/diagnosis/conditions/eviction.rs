//! A pod is not terminating yet, and its node is lost or tainted: its eviction is to come, was stopped, or never comes.

use super::{Cause, Condition, Finding, Gravity};
use crate::diagnosis::case::{Case, condition_of, of_pod, said_by_kubelet};
use crate::objects::{Node, Object, Pod};
use crate::text::{Text, named_node, span};
use std::rc::Rc;

pub(super) const DUE: Condition =
    Condition { name: "eviction-due", issue: "https://github.com/kubernetes/kubernetes/issues/55713", find: due };

pub(super) const STOPPED: Condition = Condition {
    name: "evictions-stopped",
    issue: "https://github.com/kubernetes/kubernetes/issues/55713",
    find: stopped,
};

pub(super) const TOLERATED: Condition = Condition { name: "tolerates-lost-node", issue: "", find: tolerated };

pub(super) const RUNS_OUT: Condition = Condition { name: "toleration-runs-out", issue: "", find: runs_out };

const UNREACHABLE: &str = "node.kubernetes.io/unreachable";
const NOT_READY: &str = "node.kubernetes.io/not-ready";

/// Pods that are not Ready on a node that is not.
fn pods<'a>(case: &Case<'a>) -> Vec<(&'a Rc<Pod>, &'a Rc<Node>)> {
    let of_lost = |pod: &&'a Rc<Pod>| {
        let node = case.node_of(pod).filter(|node| !node.is_ready())?;
        (!pod.is_terminating() && !pod.is_ready()).then_some((*pod, node))
    };
    case.observed_pods.iter().filter_map(of_lost).collect()
}

fn has_taint(node: &Node) -> bool {
    node.spec
        .taints
        .iter()
        .any(|taint| [UNREACHABLE, NOT_READY].contains(&&*taint.key) && &*taint.effect == "NoExecute")
}

fn bears_for_ever(pod: &Pod) -> bool {
    let mut own = pod.spec.tolerations.iter();
    own.any(|one| {
        (one.key.is_empty() || &*one.key == UNREACHABLE)
            && matches!(&*one.effect, "" | "NoExecute")
            && &*one.operator == "Exists"
            && one.toleration_seconds.is_none()
    })
}

fn due(case: &Case<'_>, condition: &'static Condition) -> Vec<Finding> {
    let mut findings = Vec::new();
    for (pod, node) in pods(case) {
        let Some(at) = case.cluster().eviction_due(pod) else { continue };
        let text = text!(
            "{} is not Ready on {}, which is lost: it is marked for deletion in {}, and then terminates until the node is back or declared gone.",
            pod.metadata.name,
            named_node(&node.metadata.name),
            span((at.0 - case.asked().0).max(0))
        );
        let text = Text::sentences([text].into_iter().chain(said_by_kubelet(node)));
        let finding = Finding::new(condition, Gravity::Waiting, Cause::Node, text)
            .at(pod)
            .mistaken_for(text!(
                "Not a fault of the controller: until then it takes the pod for one that is only not Ready."
            ))
            .evidence(&of_pod(pod), &["spec.tolerations"])
            .evidence(&Object::Node(Rc::clone(node)), &["spec.taints"])
            .with(condition_of(pod, "Ready"));
        findings.push(finding);
    }
    findings
}

/// A node that answers is tainted, by somebody, and the pod tolerates that for a time.
fn runs_out(case: &Case<'_>, condition: &'static Condition) -> Vec<Finding> {
    let mut findings = Vec::new();
    let cluster = case.cluster();
    for pod in case.observed_pods.iter().filter(|pod| !pod.is_terminating() && cluster.is_to_be_evicted(pod)) {
        let Some(node) = case.node_of(pod).filter(|node| node.is_ready()) else { continue };
        let Some(at) = cluster.eviction_due(pod) else { continue };
        let text = text!(
            "{} is deleted in {}: {} has a NoExecute taint, which the pod tolerates only for a time.",
            pod.metadata.name,
            span((at.0 - case.asked().0).max(0)),
            named_node(&node.metadata.name)
        );
        let finding = Finding::new(condition, Gravity::Waiting, Cause::Node, text)
            .at(pod)
            .mistaken_for(text!(
                "Not the end of it: the scheduler does not ask for how long a taint is tolerated, and may put the next pod there again."
            ))
            .evidence(&of_pod(pod), &["spec.tolerations"])
            .evidence(&Object::Node(Rc::clone(node)), &["spec.taints"]);
        findings.push(finding);
    }
    findings
}

fn stopped(case: &Case<'_>, condition: &'static Condition) -> Vec<Finding> {
    let mut findings = Vec::new();
    let cluster = case.observed_run.cluster();
    let all_lost = cluster.nodes().all(|node| !node.is_ready());
    let taints = cluster.gates().taint_based_eviction;
    for (pod, _) in pods(case).into_iter().filter(|(pod, _)| taints && !bears_for_ever(pod)) {
        let found = cluster.node(&pod.spec.node_name);
        let Some(node) = found.filter(|node| !has_taint(node)) else { continue };
        let (pod_name, name) = (&pod.metadata.name, named_node(&node.metadata.name));
        let (text, mistaken_for) = if all_lost {
            (
                text!(
                    "{} is not evicted from {}: no node is Ready, so the node lifecycle controller takes its own connection for the fault and stops evictions.",
                    pod_name,
                    name
                ),
                text!("Not a toleration: the taint that evicts is not there while every node is lost."),
            )
        } else if cluster.is_zone_stopped(node) {
            (
                text!(
                    "{} is not evicted from {}: most nodes of its zone are not Ready, so the node lifecycle controller stops evictions there.",
                    pod_name,
                    name
                ),
                text!("Not a toleration: the taint that evicts is not put on while most of the zone is lost."),
            )
        } else {
            continue;
        };
        let finding = Finding::new(condition, Gravity::Stuck, Cause::Node, text)
            .at(pod)
            .mistaken_for(mistaken_for)
            .evidence(&Object::Node(Rc::clone(node)), &["spec.taints"])
            .with(condition_of(pod, "Ready"));
        findings.push(finding);
    }
    findings
}

fn tolerated(case: &Case<'_>, condition: &'static Condition) -> Vec<Finding> {
    let mut findings = Vec::new();
    // A DaemonSet's pods are meant to stay.
    let of_daemon_set = matches!(case.object, Object::DaemonSet(_));
    for (pod, node) in pods(case).into_iter().filter(|(pod, _)| !of_daemon_set && bears_for_ever(pod)) {
        let text = text!(
            "{} tolerates an unreachable node without a limit: it is never evicted from {}, however long that is lost.",
            pod.metadata.name,
            named_node(&node.metadata.name)
        );
        let text = Text::sentences([text].into_iter().chain(said_by_kubelet(node)));
        let finding = Finding::new(condition, Gravity::Stuck, Cause::Node, text)
            .at(pod)
            .mistaken_for(text!("Not slow: without tolerationSeconds there is no moment at which it would be evicted."))
            .evidence(&of_pod(pod), &["spec.tolerations"])
            .evidence(&Object::Node(Rc::clone(node)), &["spec.taints"]);
        findings.push(finding);
    }
    findings
}
