//! The controller waits for a pod that already has the revision it would be made at again: another pod of it would be the
//! same.

use super::kubelet::holds_of;
use super::needs_peer;
use super::{Cause, Condition, Finding, Gravity};
use crate::diagnosis::case::{Case, condition_of, of_pod};
use crate::objects::{ContainerState, Pod};
use crate::reconcile::revision_of;
use crate::reconcile::stateful_set::Rule;
use crate::session::dump::{ClearedBy, Held, is_revision_assumed};
use crate::verdict::{Ordered, ordinal};
use std::rc::Rc;

pub(super) const CONDITION: Condition = Condition {
    name: "new-revision-not-ready",
    issue: "https://github.com/kubernetes/kubernetes/issues/60164",
    find: not_ready,
};

pub(super) const STOPPED: Condition = Condition {
    name: "rollout-stopped-at-first",
    issue: "https://github.com/kubernetes/kubernetes/issues/67250",
    find: stopped,
};

/// A pod that has started less than this ago may still get ready.
const PATIENCE_MS: i64 = 60_000;

/// The object without which a pod does not start, and whether it is there and lacks a key.
fn missing(held: &Held) -> Option<(&Rc<str>, &Rc<str>, bool)> {
    if let ClearedBy::Named { kind, name } = &held.cleared_by { Some((kind, name, held.lacks_key())) } else { None }
}

/// The pod that is waited for, if making it again would not change it, and its node is not the reason.
fn blocker<'a>(case: &Case<'a>) -> Option<(Ordered<'a>, &'a Rc<Pod>)> {
    let set = case.ordered()?;
    let waits = case.stands_at(Rule::ReplicaNotReady) || case.stands_at(Rule::UpdateNotHealthy);
    let pod =
        case.observed_blocker().filter(|pod| waits && !pod.is_terminating() && !pod.has_ended() && !pod.is_ready())?;
    let is_here = case.node_of(pod).is_some_and(|node| node.is_ready());
    let is_late = case.stuck || case.lasts(pod, "Ready") > PATIENCE_MS;
    // A pod whose container was never made says nothing of its revision.
    let is_creating =
        pod.status.container_statuses.iter().any(
            |status| matches!(&status.state, ContainerState::Waiting { reason } if &**reason == "ContainerCreating"),
        );
    // What no line tells, nobody is shown to have asked for.
    let is_told = !is_revision_assumed(revision_of(pod)) && !case.is_guessed();
    (is_told && is_here && is_late && !is_creating && !case.is_gated(pod) && set.comes_back_at(pod).is_none())
        .then_some((set, pod))
}

/// Pods in range that serve at another revision while the blocker is the first that was updated.
fn first_of<'a>(case: &Case<'a>, set: &Ordered<'_>, pod: &Pod) -> Vec<&'a Rc<Pod>> {
    let others = || case.observed_pods.iter().copied().filter(|other| set.in_range(other) && set.is_updated(other));
    let is_first = others().all(|other| other.metadata.uid == pod.metadata.uid || set.is_old(other));
    let is_highest = others().all(|other| ordinal(other) <= ordinal(pod));
    let old: Vec<_> = others().filter(|other| set.is_old(other)).collect();
    if is_first && is_highest && !set.is_old(pod) { old } else { Vec::new() }
}

fn gravity(case: &Case<'_>) -> Gravity {
    if case.stuck { Gravity::Stuck } else { Gravity::Waiting }
}

fn not_ready(case: &Case<'_>, condition: &'static Condition) -> Vec<Finding> {
    let Some((set, pod)) = blocker(case) else { return Vec::new() };
    if !first_of(case, &set, pod).is_empty() {
        return Vec::new();
    }
    let name = &pod.metadata.name;
    let serves =
        |other: &&Rc<Pod>| other.is_ready() && !other.is_terminating() && revision_of(other) == revision_of(pod);
    let (cause, mistaken_for) = if case.observed_pods.iter().any(serves) {
        (Cause::AppNotReady, text!("Not the revision: other pods of it are Ready."))
    } else if let Some((kind, missing, lacks_key)) = holds_of(case, pod).find_map(missing) {
        let mistaken_for = match lacks_key {
            true => text!("Not the controller: {} {} is there and lacks a key.", kind, missing),
            false => text!("Not the template: {} {} is missing.", kind, missing),
        };
        (Cause::AppNotReady, mistaken_for)
    } else if needs_peer::is_alone(case, pod) {
        (
            Cause::AppNotReady,
            text!("Whether it is the template is not known: it may wait for pods that are not made yet."),
        )
    } else if holds_of(case, pod).any(|held| held.cleared_by != ClearedBy::AnotherRevision) {
        (
            Cause::AppNotReady,
            text!("Whether it is the template is not known: a pod of this revision was Ready, or was never started."),
        )
    } else if !case.stuck {
        (
            Cause::AppNotReady,
            text!("Whether it is the template is not known: nothing that the text shows holds the pod."),
        )
    } else {
        let words = text!("Deleting {} alone gives the same pod again: the template has to be corrected first.", name);
        (Cause::NewRevision, words)
    };
    let text = text!(
        "{} has the revision that it is asked to have, {}, and has not been Ready for {}: the controller waits for it.",
        name,
        revision_of(pod),
        case.ready_since(pod)
    );
    let finding = Finding::new(condition, gravity(case), cause, text)
        .at(pod)
        .mistaken_for(mistaken_for)
        .evidence(&of_pod(pod), &["metadata.labels"])
        .evidence(case.object, &["status.updateRevision"])
        .with(condition_of(pod, "Ready"));
    vec![finding]
}

fn stopped(case: &Case<'_>, condition: &'static Condition) -> Vec<Finding> {
    let Some((set, pod)) = blocker(case) else { return Vec::new() };
    let old = first_of(case, &set, pod);
    if old.is_empty() {
        return Vec::new();
    }
    let text = text!(
        "The rollout stopped at {}, the first pod of revision {}, which has not been Ready for {}. Pods that still have the old revision: {}.",
        pod.metadata.name,
        revision_of(pod),
        case.ready_since(pod),
        old.len()
    );
    let finding = Finding::new(condition, gravity(case), Cause::NewRevision, text)
        .at(pod)
        .mistaken_for(text!("Not a fault of the controller: a rolling update stops at the first pod that does not get Ready, so that the others serve on."))
        .evidence(&of_pod(pod), &["metadata.labels"])
        .evidence(case.object, &["status.updateRevision", "spec.updateStrategy"])
        .with(condition_of(pod, "Ready"));
    vec![finding]
}
