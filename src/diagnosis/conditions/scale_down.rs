//! A scale down of OrderedReady stands still: at a pod that is to stay, or among the pods that are to go.

use super::{Cause, Condition, Finding, Gravity};
use crate::diagnosis::case::{Case, condition_of, of_pod};
use crate::objects::{Object, Pod};
use crate::reconcile::parent_and_ordinal;
use crate::reconcile::stateful_set::Rule;
use crate::text::{Text, named_node};
use crate::verdict::Ordered;
use std::rc::Rc;

pub(super) const SURVIVOR: Condition = Condition {
    name: "scale-down-waits-for-survivor",
    issue: "https://github.com/kubernetes/kubernetes/issues/36333",
    find: survivor,
};

pub(super) const DEADLOCK: Condition = Condition {
    name: "scale-down-deadlock",
    issue: "https://github.com/kubernetes/kubernetes/issues/57865",
    find: deadlock,
};

pub(super) const BLOCKS_UPDATE: Condition =
    Condition { name: "condemned-pod-blocks-update", issue: "", find: blocks_update };

fn condemned<'a>(case: &Case<'a>, set: &Ordered<'_>) -> Vec<&'a Rc<Pod>> {
    case.observed_pods.iter().copied().filter(|pod| !set.in_range(pod)).collect()
}

fn survivor(case: &Case<'_>, condition: &'static Condition) -> Vec<Finding> {
    let Some(set) = case.ordered() else { return Vec::new() };
    let waits = [Rule::ReplicaNotReady, Rule::ReplicaTerminating, Rule::ReplicaNotAvailable];
    let Some(pod) = case.observed_blocker().filter(|_| waits.into_iter().any(|rule| case.stands_at(rule))) else {
        return Vec::new();
    };
    let condemned = condemned(case, &set);
    if condemned.is_empty() {
        return Vec::new();
    }
    let names: Vec<&str> = condemned.iter().map(|pod| &*pod.metadata.name).collect();
    let text = text!(
        "{} is to have {} pods, and {} cannot go before {}, which is to stay, is Ready.",
        set.metadata.name,
        set.replicas,
        Text::names(names),
        pod.metadata.name
    );
    let gravity = if case.stuck { Gravity::Stuck } else { Gravity::Waiting };
    let finding = Finding::new(condition, gravity, Cause::AppNotReady, text)
        .at(pod)
        .mistaken_for(text!(
            "Not a fault of the pods that are to go: OrderedReady takes none away while one that stays is unwell."
        ))
        .evidence(case.observed, &["spec.replicas", "status.replicas", "spec.podManagementPolicy"])
        .with(condition_of(pod, "Ready"));
    vec![finding]
}

/// The first unhealthy pod, as decided; Advanced StatefulSet, which makes no step of it, takes the lowest ordinal.
fn first_unhealthy(case: &Case<'_>, set: &Ordered<'_>) -> Option<String> {
    if matches!(case.object, Object::AdvancedStatefulSet(_)) {
        let unwell = case.observed_pods.iter().filter(|pod| !pod.is_ready() || pod.is_terminating());
        let ordinals = unwell.filter_map(|pod| parent_and_ordinal(&pod.metadata.name));
        return ordinals.min_by_key(|(_, ordinal)| *ordinal).map(|(set, ordinal)| format!("{set}-{ordinal}"));
    }
    let decision = case.decided(Rule::FirstUnhealthy).into_iter().next_back()?;
    Some(format!("{}-{}", set.metadata.name, decision.ordinal()?))
}

fn deadlock(case: &Case<'_>, condition: &'static Condition) -> Vec<Finding> {
    let Some(set) = case.ordered().filter(|_| case.stands_at(Rule::CondemnedNotReady)) else { return Vec::new() };
    let Some(pod) = case.observed_blocker() else { return Vec::new() };
    let Some(first) = first_unhealthy(case, &set).filter(|first| *first != *pod.metadata.name) else {
        return Vec::new();
    };
    let unready: Vec<&str> =
        condemned(case, &set).iter().filter(|pod| !pod.is_ready()).map(|pod| &*pod.metadata.name).collect();
    let text = text!(
        "{} is to go and is not Ready, so it goes only if it is the first unhealthy pod, and that is {}; {} goes only after {}. Neither goes. Not Ready and to go: {}.",
        pod.metadata.name,
        first,
        first,
        pod.metadata.name,
        Text::names(unready)
    );
    let finding = Finding::new(condition, Gravity::Stuck, Cause::AppNotReady, text)
        .at(pod)
        .mistaken_for(text!(
            "Not {}, though the controller's log names it: deleting {} by hand ends it, and it is not made again.",
            first,
            pod.metadata.name
        ))
        .evidence(case.observed, &["spec.replicas", "status.replicas"])
        .with(condition_of(pod, "Ready"));
    vec![finding]
}

fn blocks_update(case: &Case<'_>, condition: &'static Condition) -> Vec<Finding> {
    let Some(set) = case.ordered().filter(|_| case.stands_at(Rule::CondemnedTerminating)) else {
        return Vec::new();
    };
    let Some(pod) = case.observed_blocker().filter(|pod| pod.is_terminating()) else { return Vec::new() };
    let is_lost = case.node_of(pod).is_none_or(|node| !node.is_ready());
    let old = case.observed_pods.iter().filter(|pod| set.in_range(pod) && set.is_old(pod)).count();
    if !is_lost || old == 0 {
        return Vec::new();
    }
    let text = text!(
        "{} is to go and terminates on {}, which is lost: the rolling update of the pods that stay waits for it too. Pods that wait to be updated: {}.",
        pod.metadata.name,
        named_node(&pod.spec.node_name),
        old
    );
    let finding = Finding::new(condition, Gravity::Stuck, Cause::Node, text)
        .at(pod)
        .mistaken_for(text!(
            "Not the new revision: an update begins only after the last pod that is out of range is gone."
        ))
        .evidence(&of_pod(pod), &["metadata.deletionTimestamp", "spec.nodeName"])
        .evidence(case.observed, &["spec.replicas", "status.updateRevision"]);
    vec![finding]
}
