//! A pod of a StatefulSet has ended, Failed or Succeeded: whether it is made again is the release's matter.

use super::{Cause, Condition, Finding, Gravity};
use crate::diagnosis::case::{Case, is_terminating, of_pod};
use crate::diagnosis::ordered::ordinal;
use crate::objects::PodPhase;
use crate::reconcile::stateful_set::Rule;

pub(super) const CONDITION: Condition =
    Condition { name: "pod-ended", issue: "https://github.com/kubernetes/kubernetes/issues/89067", find };

fn find(case: &Case<'_>, condition: &'static Condition) -> Vec<Finding> {
    if case.ordered().is_none() {
        return Vec::new();
    }
    let remade: Vec<i32> = [Rule::ReplicaFailed, Rule::ReplicaSucceeded]
        .into_iter()
        .flat_map(|rule| case.decided(rule))
        .filter_map(|decision| decision.ordinal())
        .collect();
    let mut findings = Vec::new();
    for pod in case.found_pods.iter().copied() {
        if !matches!(pod.status.phase, PodPhase::Failed | PodPhase::Succeeded) || is_terminating(pod) {
            continue;
        }
        let (name, phase) = (&pod.metadata.name, pod.status.phase.as_str());
        let (gravity, text) = if remade.contains(&ordinal(pod)) {
            (Gravity::Waiting, text!("{} is {}: the next sync deletes it, to make it again.", name, phase))
        } else {
            (Gravity::Stuck, text!("{} is {}, and nothing makes it again before somebody deletes it.", name, phase))
        };
        let finding = Finding::new(condition, gravity, Cause::AppNotReady, text)
            .at(pod)
            .but_not(text!(
                "Not restarted by the kubelet: a pod that has ended is only ever replaced, without any back-off."
            ))
            .seen(&of_pod(pod), &["status.phase", "status.reason", "status.message"]);
        findings.push(finding);
    }
    findings
}
