//! A pod has its node and does not start: another pod uses its volume on another node, which answers.

use super::{Cause, Condition, Finding, Gravity};
use crate::diagnosis::case::{Case, of_pod};
use crate::objects::{Object, PersistentVolumeClaim, Pod, PodPhase};
use crate::text::{Text, named_node};
use std::rc::Rc;

pub(super) const CONDITION: Condition = Condition { name: "volume-used-elsewhere", issue: "", find };

/// The pod that uses the claim on another node, which has its volume.
fn user<'a>(case: &Case<'a>, pod: &Pod, claim: &Rc<PersistentVolumeClaim>) -> Option<&'a Rc<Pod>> {
    let reference = Object::Claim(Rc::clone(claim)).reference();
    let uses = |other: &&Rc<Pod>| {
        other.spec.node_name != pod.spec.node_name && !other.spec.node_name.is_empty() && !other.has_ended()
    };
    let has = |other: &&Rc<Pod>| {
        let mut attached = case.observed_run.cluster().attachments().iter();
        attached.any(|held| held.claim == reference && held.node == other.spec.node_name)
            && case.node_of(other).is_some_and(|node| node.is_ready())
    };
    case.observed_run.cluster().users_of(&reference).filter(uses).find(has)
}

/// The pod whose volume this one waits for, on another node.
pub(in crate::diagnosis) fn holder<'a>(case: &Case<'a>, pod: &Pod) -> Option<&'a Rc<Pod>> {
    case.claims_of(pod).into_iter().find_map(|claim| user(case, pod, claim))
}

fn find(case: &Case<'_>, condition: &'static Condition) -> Vec<Finding> {
    let waits = |pod: &&Rc<Pod>| {
        pod.status.phase == PodPhase::Pending && !pod.spec.node_name.is_empty() && !pod.is_terminating()
    };
    let mut findings = Vec::new();
    for pod in case.observed_pods.iter().copied().filter(waits) {
        for claim in case.claims_of(pod) {
            let Some(other) = user(case, pod, claim) else { continue };
            let text = text!(
                "{} has waited for {} for the volume of {}, which is attached to {}: {} uses it there, and it can be attached to one node at a time.",
                &pod.metadata.name,
                case.ready_since(pod),
                &claim.metadata.name,
                named_node(&other.spec.node_name),
                &other.metadata.name
            );
            let said = case.events_of(&pod.metadata.name).filter(|event| &*event.reason == "FailedAttachVolume").last();
            let says = said.map(|event| text!("The event says: {}", &*event.message));
            let text = Text::list(" ", [text].into_iter().chain(says));
            let finding = Finding::new(condition, Gravity::Stuck, Cause::Storage, text)
                .at(pod)
                .mistaken_for(text!(
                    "Not a slow image and not the node: it starts once {} is gone, or on the same node.",
                    &other.metadata.name
                ))
                .evidence(&of_pod(pod), &["spec.nodeName", "status.phase"])
                .evidence(&of_pod(other), &["spec.nodeName"])
                .evidence(&Object::Claim(Rc::clone(claim)), &["spec.accessModes", "spec.volumeName"]);
            findings.push(finding);
        }
    }
    findings
}
