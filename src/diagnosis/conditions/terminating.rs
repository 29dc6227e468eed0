//! A pod is terminating and stays: its node is lost, declared lost or gone, or something on a working node holds it.

use super::{Cause, Condition, Finding, Gravity, holds_of};
use crate::diagnosis::case::{Case, condition_of, evidence, of_pod, said_by_kubelet, untold};
use crate::objects::{ContainerState, Node, OUT_OF_SERVICE, Object, Pod, Time};
use crate::session::dump::Event;
use crate::sim::What;
use crate::text::{Text, named_node, span};
use std::rc::Rc;

pub(super) const LOST_NODE: Condition = Condition {
    name: "terminating-on-a-lost-node",
    issue: "https://github.com/kubernetes/kubernetes/issues/54368",
    find: on_lost_node,
};

pub(super) const OUT_OF_SERVICE_NODE: Condition = Condition {
    name: "freed-by-out-of-service",
    issue: "https://github.com/kubernetes/kubernetes/issues/108486",
    find: on_tainted_node,
};

pub(super) const NO_NODE: Condition = Condition { name: "terminating-without-node", issue: "", find: without_node };

pub(super) const HELD: Condition = Condition { name: "terminating-and-held", issue: "", find: held };

pub(super) const WITHIN_GRACE: Condition = Condition { name: "takes-its-grace", issue: "", find: within_grace };

fn terminating<'a>(case: &Case<'a>) -> impl Iterator<Item = &'a Rc<Pod>> {
    let pods: Vec<_> = case.observed_pods.iter().copied().filter(|pod| pod.is_terminating()).collect();
    pods.into_iter()
}

fn lost_node<'a>(case: &Case<'a>, pod: &Pod) -> Option<&'a Rc<Node>> {
    case.node_of(pod).filter(|node| !node.is_ready())
}

/// Whether the taint is there that frees pods of a node that is not Ready, in a release that knows it.
fn is_freed(case: &Case<'_>, node: &Node) -> bool {
    case.cluster().gates().out_of_service && node.spec.taints.iter().any(|taint| &*taint.key == OUT_OF_SERVICE)
}

fn ready_path(node: &Node) -> String {
    let ready = node.status.conditions.iter().position(|condition| &*condition.condition_type == "Ready");
    format!("status.conditions[{}].status", ready.unwrap_or(0))
}

fn on_lost_node(case: &Case<'_>, condition: &'static Condition) -> Vec<Finding> {
    let mut findings = Vec::new();
    for pod in terminating(case) {
        let Some(node) = lost_node(case, pod).filter(|node| !is_freed(case, node)) else { continue };
        let since = node.ready_condition().and_then(|ready| ready.last_transition_time);
        let text = text!(
            "{} has been terminating for {} on {}, which has not been Ready for {}: the API server keeps it until the kubelet there confirms that it has ended, or somebody says that the node is gone.",
            pod.metadata.name,
            case.terminating_for(pod),
            named_node(&node.metadata.name),
            since.map_or_else(untold, |since| case.for_as_long(since))
        );
        let text = Text::sentences([text].into_iter().chain(said_by_kubelet(node)));
        let finding = Finding::new(condition, Gravity::Stuck, Cause::Node, text)
            .at(pod)
            .mistaken_for(text!("Not a finalizer and not a long grace period: nobody is there to confirm the end."))
            .evidence(&of_pod(pod), &["metadata.deletionTimestamp", "spec.nodeName"])
            .with(evidence(&Object::Node(Rc::clone(node)), &ready_path(node)))
            .with(condition_of(pod, "Ready"));
        findings.push(finding);
    }
    findings
}

fn on_tainted_node(case: &Case<'_>, condition: &'static Condition) -> Vec<Finding> {
    let mut findings = Vec::new();
    for pod in terminating(case) {
        let Some(node) = lost_node(case, pod).filter(|node| is_freed(case, node)) else { continue };
        let text = text!(
            "{} is terminating on {}, which is tainted out-of-service: the pod garbage collector deletes it within 20 s, and its volumes are detached at once.",
            pod.metadata.name,
            named_node(&node.metadata.name)
        );
        let finding = Finding::new(condition, Gravity::Waiting, Cause::Node, text)
            .at(pod)
            .mistaken_for(text!(
                "Not stuck: the taint says that the machine is off, which is as good as its confirmation."
            ))
            .evidence(&of_pod(pod), &["metadata.deletionTimestamp"])
            .evidence(&Object::Node(Rc::clone(node)), &["spec.taints"]);
        findings.push(finding);
    }
    findings
}

fn without_node(case: &Case<'_>, condition: &'static Condition) -> Vec<Finding> {
    let mut findings = Vec::new();
    for pod in terminating(case).filter(|pod| !pod.spec.node_name.is_empty() && case.node_of(pod).is_none()) {
        let text = text!(
            "{} is terminating on {}, whose object is gone: the pod garbage collector deletes it about 40 s to 60 s after the node was removed.",
            pod.metadata.name,
            named_node(&pod.spec.node_name)
        );
        let finding = Finding::new(condition, Gravity::Waiting, Cause::Node, text)
            .at(pod)
            .mistaken_for(text!("Not stuck: with its Node object gone, nobody has to confirm that it has ended."))
            .evidence(&of_pod(pod), &["metadata.deletionTimestamp", "spec.nodeName"]);
        findings.push(finding);
    }
    findings
}

/// Reasons of events that say why a kubelet does not come to an end with a pod.
const ENDS_NOT: [&str; 3] = ["FailedKillPod", "FailedPreStopHook", "FailedUnMount"];

/// The last that the kubelet said of a pod that does not end.
fn last_of_end<'a>(case: &Case<'a>, pod: &'a Pod) -> Option<&'a Event> {
    let own = case.events_of(&pod.metadata.name).filter(|event| ENDS_NOT.contains(&&*event.reason));
    own.filter(|event| event.uid.is_empty() || event.uid == pod.metadata.uid).last()
}

fn held(case: &Case<'_>, condition: &'static Condition) -> Vec<Finding> {
    let mut findings = Vec::new();
    for pod in terminating(case).filter(|pod| case.node_of(pod).is_some_and(|node| node.is_ready())) {
        let finalizers: Vec<&str> = pod.metadata.finalizers.iter().map(|finalizer| &**finalizer).collect();
        let is_late = pod.metadata.deletion_timestamp.is_some_and(|deadline| deadline < case.asked());
        if finalizers.is_empty() && !is_late {
            continue;
        }
        let runs = |at: &usize| !matches!(pod.status.container_statuses[*at].state, ContainerState::Terminated { .. });
        let running: Vec<usize> = (0..pod.status.container_statuses.len()).filter(runs).collect();
        let text = if finalizers.is_empty() {
            text!(
                "{} has been terminating for {}, past its grace, on {}, which is Ready: its preStop hook, the container runtime or an unmount holds it.",
                pod.metadata.name,
                case.terminating_for(pod),
                named_node(&pod.spec.node_name)
            )
        } else {
            text!(
                "{} has been terminating for {} and stays until these finalizers are removed: {}.",
                pod.metadata.name,
                case.terminating_for(pod),
                finalizers.join(", ")
            )
        };
        let said = last_of_end(case, pod).filter(|_| is_late);
        let said = said.map(|event| text!("{} times so far: {}", event.count, event.message.trim()));
        let is_not = match said {
            Some(_) => text!("Not the workload: its node does not come to an end with the pod."),
            None => text!("Not a node problem: the kubelet of {} answers.", pod.spec.node_name),
        };
        let text = Text::sentences([text].into_iter().chain(said));
        let mut finding = Finding::new(condition, Gravity::Stuck, Cause::BeingDeleted, text)
            .at(pod)
            .mistaken_for(is_not)
            .evidence(&of_pod(pod), &["metadata.deletionTimestamp", "metadata.finalizers"]);
        for at in running {
            finding = finding.evidence(&of_pod(pod), &[&format!("status.containerStatuses[{at}].state")]);
        }
        findings.push(finding);
    }
    findings
}

/// That a pod takes so long to end, in milliseconds, is worth no word.
const SOON_MS: i64 = 30_000;

fn within_grace(case: &Case<'_>, condition: &'static Condition) -> Vec<Finding> {
    let mut findings = Vec::new();
    for pod in terminating(case) {
        let takes = holds_of(case, pod).any(|held| held.hold.what == What::TakesGrace);
        let grace = pod.metadata.deletion_grace_period_seconds.unwrap_or(0);
        let is_late = |end: &Time| case.asked().0 - end.plus_seconds(grace.saturating_neg()).0 > SOON_MS;
        let Some(end) = pod.metadata.deletion_timestamp.filter(|end| takes && is_late(end)) else { continue };
        let text = text!(
            "{} has been terminating for {}: its preStop hook or its program takes its time, and its grace of {} is over in {}.",
            pod.metadata.name,
            case.terminating_for(pod),
            span(grace.saturating_mul(1_000)),
            span((end.0 - case.asked().0).max(0))
        );
        let finding = Finding::new(condition, Gravity::Waiting, Cause::BeingDeleted, text)
            .at(pod)
            .mistaken_for(text!("Not for ever: the kubelet of {} ends it then at the latest.", pod.spec.node_name))
            .evidence(&of_pod(pod), &["metadata.deletionTimestamp", "metadata.deletionGracePeriodSeconds"]);
        findings.push(finding);
    }
    findings
}
