//! Under OrderedReady the only pod that is there runs, or is killed by its probe, and does not get Ready: if it waits for its peers, they
//! never come.

use super::kubelet::{holds_of, probes};
use super::{Cause, Condition, Finding, Gravity};
use crate::diagnosis::case::{Case, condition_of, of_pod};
use crate::objects::{ContainerState, Pod, PodPhase};
use crate::reconcile::stateful_set::Rule;

pub(super) const CONDITION: Condition =
    Condition { name: "may-wait-for-peers", issue: "https://github.com/kubernetes/kubernetes/issues/38418", find };

fn find(case: &Case<'_>, condition: &'static Condition) -> Vec<Finding> {
    let (Some(set), [pod]) = (case.ordered(), &case.observed_pods[..]) else { return Vec::new() };
    let pod = *pod;
    if !is_alone(case, pod) {
        return Vec::new();
    }
    let is_killed = restarts(pod) > 0;
    let text = if is_killed {
        text!(
            "{} runs until its probe ends it, has not been Ready for {}, and is the only pod of {}. If its readiness needs the others, neither comes: OrderedReady makes no other before it is Ready.",
            pod.metadata.name,
            case.ready_since(pod),
            set.replicas
        )
    } else {
        text!(
            "{} runs without a restart, has not been Ready for {}, and is the only pod of {}. If its readiness needs the others, neither comes: OrderedReady makes no other before it is Ready.",
            pod.metadata.name,
            case.ready_since(pod),
            set.replicas
        )
    };
    let mistaken_for = if is_killed {
        text!("Not a crash of its own: the kubelet ends the container, because its probe fails.")
    } else {
        text!("Not a crash: the container runs, and only its readiness probe fails.")
    };
    let finding = Finding::new(condition, Gravity::Stuck, Cause::AppNotReady, text)
        .at(pod)
        .mistaken_for(mistaken_for)
        .evidence(&of_pod(pod), &["status.containerStatuses"])
        .evidence(case.observed, &["spec.podManagementPolicy", "spec.replicas"])
        .with(condition_of(pod, "Ready"));
    vec![finding]
}

fn restarts(pod: &Pod) -> i32 {
    pod.status.container_statuses.iter().map(|status| status.restart_count).max().unwrap_or(0)
}

/// Whether OrderedReady waits for this pod before it makes any other, and its program runs: until a probe ends it, if at all.
pub(in crate::diagnosis) fn is_alone<'a>(case: &Case<'a>, pod: &'a Pod) -> bool {
    let Some(set) = case.ordered().filter(|_| case.stands_at(Rule::ReplicaNotReady)) else { return false };
    let is_it = |other: &Pod| other.metadata.uid == pod.metadata.uid;
    let (true, Some(blocker)) = (case.observed_pods.len() == 1, case.observed_blocker()) else { return false };
    let runs = |state: &ContainerState| matches!(state, ContainerState::Running { .. });
    let is_probed = || {
        let is_ending = |message: &str| message.starts_with("Startup probe ") || message.starts_with("Liveness probe ");
        let by_hold = holds_of(case, pod).filter_map(|held| held.event.as_ref());
        by_hold.chain(probes(case, pod)).any(|event| is_ending(&event.message))
    };
    let is_up = pod.status.container_statuses.iter().all(|status| runs(&status.state));
    set.replicas > 1
        && is_it(blocker)
        && is_up
        && (restarts(pod) == 0 || is_probed())
        && pod.status.phase == PodPhase::Running
        && case.node_of(pod).is_some_and(|node| node.is_ready())
        && !(case.is_gated(pod) || pod.is_ready() || pod.is_terminating())
}
