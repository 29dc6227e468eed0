//! A pod has its node and does not start: its volume is still attached to a node that is lost.

use super::{Cause, Condition, Finding, Gravity};
use crate::diagnosis::case::{Case, of_pod};
use crate::objects::{Node, Object, PersistentVolumeClaim, Pod, PodPhase};
use crate::text::{named_node, span};
use std::rc::Rc;

pub(super) const CONDITION: Condition =
    Condition { name: "volume-on-a-lost-node", issue: "https://github.com/kubernetes/kubernetes/issues/53059", find };

/// Whether the node's status lists the volume that the claim is bound to: its name there ends in the volume's.
fn lists(node: &Node, claim: &PersistentVolumeClaim) -> bool {
    let attached = node.status.extra.get("volumesAttached").and_then(|list| list.as_array());
    let mut names = attached.into_iter().flatten().filter_map(|volume| volume["name"].as_str());
    claim.spec.volume_name.as_ref().is_some_and(|volume| names.any(|name| name.ends_with(&**volume)))
}

/// The lost node that has the claim's volume, and when that is taken from it, if it is known.
fn holder<'a>(case: &Case<'a>, pod: &Pod, claim: &Rc<PersistentVolumeClaim>) -> Option<(Rc<str>, Option<i64>)> {
    let is_lost = |name: &str| case.cluster().nodes().all(|node| *node.metadata.name != *name || !node.is_ready());
    let reference = Object::Claim(Rc::clone(claim)).reference();
    let elsewhere = |name: &Rc<str>| *name != pod.spec.node_name && is_lost(name);
    let held = case.cluster().attached_elsewhere(pod).find(|held| held.claim == reference && is_lost(&held.node));
    let known = held.map(|held| (Rc::clone(&held.node), held.force_detach_at().map(|at| at.0)));
    let listed = || {
        let mut nodes = case.observed_run.cluster().nodes();
        nodes.find(|node| elsewhere(&node.metadata.name) && lists(node, claim))
    };
    known.or_else(|| listed().map(|node| (Rc::clone(&node.metadata.name), None)))
}

fn find(case: &Case<'_>, condition: &'static Condition) -> Vec<Finding> {
    let mut findings = Vec::new();
    let waits = |pod: &&Rc<Pod>| {
        pod.status.phase == PodPhase::Pending && !pod.spec.node_name.is_empty() && !pod.is_terminating()
    };
    for pod in case.observed_pods.iter().copied().filter(waits) {
        for claim in case.claims_of(pod) {
            let Some((node, until)) = holder(case, pod, claim) else { continue };
            let when = match until {
                Some(at) => text!("It is taken away by force in {}.", span((at - case.asked().0).max(0))),
                None => {
                    text!("It is taken away by force about 6 minutes after the last pod that used it there is gone.")
                }
            };
            let text = text!(
                "{} has waited for {} for the volume of {}, which is still attached to {}, and that does not answer. {}",
                pod.metadata.name,
                case.ready_since(pod),
                claim.metadata.name,
                named_node(&node),
                when
            );
            let finding = Finding::new(condition, Gravity::Waiting, Cause::Storage, text)
                .at(pod)
                .mistaken_for(text!("Not a slow image: a volume that one node has cannot be attached to another one."))
                .evidence(&of_pod(pod), &["spec.nodeName", "status.phase"])
                .evidence(&Object::Claim(Rc::clone(claim)), &["spec.accessModes", "spec.volumeName"]);
            findings.push(finding);
        }
    }
    findings
}
