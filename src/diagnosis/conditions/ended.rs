//! A pod of a StatefulSet has ended, Failed or Succeeded: whether it is made again is the release's matter.

use super::{Cause, Condition, Finding, Gravity};
use crate::diagnosis::case::{Case, of_pod};
use crate::objects::{Pod, PodPhase};
use crate::reconcile::stateful_set::Rule;
use crate::verdict::ordinal;

pub(super) const CONDITION: Condition =
    Condition { name: "pod-ended", issue: "https://github.com/kubernetes/kubernetes/issues/89067", find };

/// The other pod that the controller waits for before it comes to this one, if it would make it again then.
fn waits_for<'a>(case: &Case<'a>, pod: &Pod) -> Option<&'a str> {
    let is_remade =
        pod.status.phase == PodPhase::Failed || !case.cluster().controller_gates().recreates_failed_pod_in_same_sync;
    let blocker = case.blocker().filter(|_| is_remade)?;
    (blocker.metadata.uid != pod.metadata.uid && ordinal(blocker) < ordinal(pod)).then_some(&*blocker.metadata.name)
}

fn find(case: &Case<'_>, condition: &'static Condition) -> Vec<Finding> {
    let Some(set) = case.ordered() else { return Vec::new() };
    let remade: Vec<i32> = [Rule::ReplicaFailed, Rule::ReplicaSucceeded]
        .into_iter()
        .flat_map(|rule| case.decided(rule))
        .filter_map(|decision| decision.ordinal())
        .collect();
    let mut findings = Vec::new();
    for pod in case.observed_pods.iter().copied() {
        // One that is to go is not made again.
        if !pod.has_ended() || pod.is_terminating() || !set.in_range(pod) {
            continue;
        }
        let (name, phase) = (&pod.metadata.name, pod.status.phase.as_str());
        let (gravity, text) = if remade.contains(&ordinal(pod)) {
            (Gravity::Waiting, text!("{} is {}: the next sync deletes it, to make it again.", name, phase))
        } else if let Some(blocker) = waits_for(case, pod) {
            let text = text!(
                "{} is {}: the controller deletes it, to make it again, once {}, for which it waits, lets it come so far.",
                name,
                phase,
                blocker
            );
            (Gravity::Waiting, text)
        } else {
            (Gravity::Stuck, text!("{} is {}, and nothing makes it again before somebody deletes it.", name, phase))
        };
        let finding = Finding::new(condition, gravity, Cause::AppNotReady, text)
            .at(pod)
            .mistaken_for(text!(
                "Not restarted by the kubelet: a pod that has ended is only ever replaced, without any back-off."
            ))
            .evidence(&of_pod(pod), &["status.phase", "status.reason", "status.message"]);
        findings.push(finding);
    }
    findings
}
