//! A Parallel set with a pod of the old revision that is not Ready: whether that pod is replaced is the release's matter.

use super::{Cause, Condition, Finding, Gravity};
use crate::diagnosis::case::Case;
use crate::objects::{Kind, Pod};
use crate::reconcile::Facts;
use crate::reconcile::stateful_set::Rule;
use crate::text::Text;
use crate::verdict::Ordered;
use std::rc::Rc;

pub(super) const REPLACED: Condition = Condition {
    name: "parallel-replaces-old-pods",
    issue: "https://github.com/kubernetes/kubernetes/issues/96218",
    find: replaced,
};

pub(super) const REGRESSION: Condition = Condition {
    name: "parallel-update-held-by-budget",
    issue: "https://github.com/kubernetes/kubernetes/issues/137409",
    find: regression,
};

/// Pods of the old revision that are not Ready, if the set is Parallel and updates them.
fn broken<'a>(case: &Case<'a>) -> Option<(Ordered<'a>, Vec<&'a Rc<Pod>>)> {
    let set = case.ordered().filter(|_| case.object.kind() == Kind::StatefulSet)?;
    let is_parallel = set.is_parallel;
    let rolls = set.rolls();
    let is_broken = |pod: &&Rc<Pod>| {
        set.in_range(pod) && set.is_updated(pod) && set.is_old(pod) && !pod.is_ready() && !pod.is_terminating()
    };
    let pods: Vec<_> = case.observed_pods.iter().copied().filter(is_broken).collect();
    (is_parallel && rolls && !pods.is_empty()).then_some((set, pods))
}

fn names(pods: &[&Rc<Pod>]) -> Text {
    Text::names(pods.iter().map(|pod| &pod.metadata.name))
}

fn replaced(case: &Case<'_>, condition: &'static Condition) -> Vec<Finding> {
    let Some((_, pods)) = broken(case) else { return Vec::new() };
    if !case.decided(Rule::UpdateMaxUnavailable).is_empty() {
        return Vec::new();
    }
    let text = text!(
        "The set is Parallel, so {} will be replaced though not Ready: the rolling update comes to it from the highest ordinal down, and waits only for pods that it has updated.",
        names(&pods)
    );
    let finding = Finding::new(condition, Gravity::Waiting, Cause::NewRevision, text)
        .mistaken_for(text!("Not the trap of OrderedReady: nobody has to delete the old pods."))
        .evidence(case.observed, &["spec.podManagementPolicy", "spec.updateStrategy", "status.updateRevision"]);
    vec![finding]
}

fn regression(case: &Case<'_>, condition: &'static Condition) -> Vec<Finding> {
    let Some((set, pods)) = broken(case) else { return Vec::new() };
    let held = case.decided(Rule::UpdateMaxUnavailable).into_iter().next_back();
    let Some(Facts::Unavailable { unavailable, allowed }) = held.map(|decision| decision.facts.clone()) else {
        return Vec::new();
    };
    let text = text!(
        "Pods of {} that are not available: {}; maxUnavailable is {}. With the feature gate MaxUnavailableStatefulSet this release replaces no pod then, not even one of the old revision that is not Ready: {}.",
        set.metadata.name,
        unavailable,
        allowed,
        names(&pods)
    );
    let finding = Finding::new(condition, Gravity::Stuck, Cause::NewRevision, text)
        .mistaken_for(text!("Not the new revision: releases without that gate replace the broken pods first."))
        .evidence(case.observed, &["spec.podManagementPolicy", "spec.updateStrategy", "status.updateRevision"]);
    vec![finding]
}
