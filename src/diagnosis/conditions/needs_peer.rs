//! Under OrderedReady the only pod that is there runs and does not get Ready: if it waits for its peers, they never come.

use super::{Cause, Condition, Finding, Gravity};
use crate::diagnosis::case::{Case, condition_of, of_pod};
use crate::objects::{ContainerState, PodPhase};
use crate::reconcile::stateful_set::Rule;

pub(super) const CONDITION: Condition =
    Condition { name: "may-wait-for-peers", issue: "https://github.com/kubernetes/kubernetes/issues/38418", find };

fn find(case: &Case<'_>, condition: &'static Condition) -> Vec<Finding> {
    let Some(set) = case.ordered().filter(|_| case.stands_at(Rule::ReplicaNotReady)) else { return Vec::new() };
    let ([pod], Some(blocker)) = (&case.found_pods[..], case.found_blocker()) else { return Vec::new() };
    let runs = pod
        .status
        .container_statuses
        .iter()
        .all(|status| status.restart_count == 0 && matches!(status.state, ContainerState::Running { .. }));
    let is_here = case.node_of(pod).is_some_and(|node| node.is_ready());
    let is_alone = set.replicas > 1 && pod.metadata.uid == blocker.metadata.uid;
    if case.is_gated(pod)
        || !(is_alone && is_here && runs && pod.status.phase == PodPhase::Running)
        || pod.is_ready()
        || pod.is_terminating()
    {
        return Vec::new();
    }
    let text = text!(
        "{} runs without a restart, has not been Ready for {}, and is the only pod of {}. If its readiness needs the others, neither comes: OrderedReady makes no other before it is Ready.",
        pod.metadata.name,
        case.ready_since(pod),
        set.replicas
    );
    let finding = Finding::new(condition, Gravity::Stuck, Cause::AppNotReady, text)
        .at(pod)
        .but_not(text!("Not a crash: the container runs, and only its readiness probe fails."))
        .seen(&of_pod(pod), &["status.containerStatuses"])
        .seen(case.found, &["spec.podManagementPolicy", "spec.replicas"])
        .with(condition_of(pod, "Ready"));
    vec![finding]
}
