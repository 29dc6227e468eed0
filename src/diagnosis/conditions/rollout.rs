//! A rollout that does what it is asked to do, though it may not look so: it goes on, or is held by its own settings.

use super::{Cause, Condition, Finding, Gravity};
use crate::diagnosis::case::Case;
use crate::objects::{ControllerRevision, Kind, Object, Pod, Typed, UpdateStrategyType};
use crate::reconcile::revision_of;
use crate::reconcile::stateful_set::Rule;
use crate::text::Text;
use crate::verdict::Ordered;
use std::rc::Rc;

pub(super) const GOES_ON: Condition = Condition { name: "rollout-goes-on", issue: "", find: goes_on };

pub(super) const HELD: Condition =
    Condition { name: "partition-holds", issue: "https://github.com/kubernetes/kubernetes/issues/91676", find: held };

pub(super) const NOWHERE: Condition = Condition {
    name: "partition-above-replicas",
    issue: "https://github.com/kubernetes/kubernetes/issues/128529",
    find: nowhere,
};

pub(super) const ON_DELETE: Condition =
    Condition { name: "on-delete", issue: "https://github.com/kubernetes/kubernetes/issues/64500", find: on_delete };

pub(super) const NOT_PROMOTED: Condition = Condition {
    name: "current-revision-stays",
    issue: "https://github.com/kubernetes/kubernetes/issues/73492",
    find: not_promoted,
};

type Pods<'a> = Vec<&'a Rc<Pod>>;

/// The set, its pods in range, and those of them that have another revision than the one that is asked for.
fn pods<'a>(case: &Case<'a>) -> Option<(Ordered<'a>, Pods<'a>, Pods<'a>)> {
    let set = case.ordered()?;
    let all: Vec<&Rc<Pod>> = case.observed_pods.iter().copied().filter(|pod| set.in_range(pod)).collect();
    let old = all.iter().copied().filter(|pod| set.is_old(pod)).collect();
    Some((set, all, old))
}

fn names(pods: &[&Rc<Pod>]) -> Text {
    Text::names(pods.iter().map(|pod| &pod.metadata.name))
}

fn goes_on(case: &Case<'_>, condition: &'static Condition) -> Vec<Finding> {
    let Some((set, all, old)) = pods(case).filter(|_| !case.stuck) else { return Vec::new() };
    let left: Vec<&Rc<Pod>> = old.into_iter().filter(|pod| set.is_updated(pod)).collect();
    let is_well = all.iter().all(|pod| pod.is_ready() && !pod.is_terminating());
    let deleted = case.decided(Rule::UpdateDeleted);
    let Some(next) = deleted.iter().find_map(|decision| decision.ordinal()).filter(|_| is_well && !left.is_empty())
    else {
        return Vec::new();
    };
    let text = text!(
        "The rollout goes on by itself: {} is deleted next, to come back at {}. Pods that are still to be replaced: {}.",
        format!("{}-{next}", set.metadata.name),
        set.update_revision,
        left.len()
    );
    let finding = Finding::new(condition, Gravity::Notice, Cause::AsAsked, text)
        .mistaken_for(text!("Not stuck: nothing has to be done."))
        .evidence(case.observed, &["status.updateRevision", "status.updatedReplicas", "spec.updateStrategy"]);
    vec![finding]
}

fn held(case: &Case<'_>, condition: &'static Condition) -> Vec<Finding> {
    let Some((set, _, old)) = pods(case) else { return Vec::new() };
    let is_done = !case.decided(Rule::UpdateDone).is_empty();
    if !is_done || old.is_empty() || set.partition() >= set.replicas {
        return Vec::new();
    }
    let text = text!(
        "Partition {} holds {} at the old revision: the rollout is as far as it was asked to go. If they are made again, they come back at {}.",
        set.partition(),
        names(&old),
        set.current_revision
    );
    let finding = Finding::new(condition, Gravity::Notice, Cause::AsAsked, text)
        .mistaken_for(text!("Not stuck: lowering the partition lets the next pods go."))
        .evidence(
            case.observed,
            &["spec.updateStrategy.rollingUpdate.partition", "status.currentRevision", "status.updateRevision"],
        );
    vec![finding]
}

fn nowhere(case: &Case<'_>, condition: &'static Condition) -> Vec<Finding> {
    let Some((set, _, old)) = pods(case) else { return Vec::new() };
    let rolls = set.rolls();
    if !rolls || set.partition() < set.replicas || set.partition() == 0 || old.is_empty() {
        return Vec::new();
    }
    let text = text!(
        "Partition {} is not below the {} replicas: a change of the template reaches no pod but those that a scale up adds.",
        set.partition(),
        set.replicas
    );
    let finding = Finding::new(condition, Gravity::Notice, Cause::AsAsked, text)
        .mistaken_for(text!("Not stuck: the partition counts from the first ordinal, and no pod is at or above it."))
        .evidence(
            case.observed,
            &["spec.updateStrategy.rollingUpdate.partition", "spec.replicas", "status.updateRevision"],
        );
    vec![finding]
}

/// Pods that OnDelete leaves at an old revision, and the newest one.
fn left_to_people<'a>(case: &Case<'a>) -> Option<(Pods<'a>, Rc<str>)> {
    let Object::DaemonSet(set) = case.observed else {
        let (set, _, old) = pods(case)?;
        return (set.strategy == UpdateStrategyType::OnDelete).then(|| (old, Rc::clone(set.update_revision)));
    };
    let own = case.observed_run.cluster().controlled_by(&set.metadata.uid, Kind::ControllerRevision);
    let newest = own.filter_map(ControllerRevision::of).max_by_key(|revision| revision.revision)?;
    let hash = newest.metadata.labels.get("controller-revision-hash")?;
    let old = case.observed_pods.iter().copied().filter(|pod| revision_of(pod) != &**hash).collect();
    let is_on_delete = set.spec.update_strategy.strategy_type == UpdateStrategyType::OnDelete;
    is_on_delete.then(|| (old, Rc::clone(&newest.metadata.name)))
}

fn on_delete(case: &Case<'_>, condition: &'static Condition) -> Vec<Finding> {
    let Some((old, newest)) = left_to_people(case).filter(|(old, _)| !old.is_empty()) else { return Vec::new() };
    let text = text!(
        "The update strategy is OnDelete: {} keep their revision until somebody deletes them; each then comes back at {}.",
        names(&old),
        newest
    );
    let finding = Finding::new(condition, Gravity::Notice, Cause::AsAsked, text)
        .mistaken_for(text!("Not stuck: which pods are updated, and in which order, is left to people."))
        .evidence(case.observed, &["spec.updateStrategy.type", "status.updateRevision"]);
    vec![finding]
}

fn not_promoted(case: &Case<'_>, condition: &'static Condition) -> Vec<Finding> {
    let Object::StatefulSet(found) = case.observed else { return Vec::new() };
    let Some((set, all, old)) = pods(case) else { return Vec::new() };
    let status = &found.status;
    let is_whole = i64::try_from(all.len()).unwrap_or(i64::MAX) >= i64::from(set.replicas);
    let is_updated = old.is_empty() && is_whole && all.iter().all(|pod| pod.is_ready());
    if !is_updated || status.current_revision == status.update_revision || status.update_revision.is_empty() {
        return Vec::new();
    }
    let stays =
        set.strategy == UpdateStrategyType::OnDelete && !case.cluster().controller_gates().completes_under_any_strategy;
    let text = if stays {
        text!(
            "Every pod has revision {}, and status.currentRevision still says {}: under OnDelete this release never takes it over. Only what reads the status is misled.",
            status.update_revision,
            status.current_revision
        )
    } else {
        text!(
            "Every pod has revision {}, and status.currentRevision still says {}: the next sync takes it over.",
            status.update_revision,
            status.current_revision
        )
    };
    let finding = Finding::new(condition, Gravity::Notice, Cause::AsAsked, text)
        .mistaken_for(text!("Not a rollout that is under way: no pod is to be replaced."))
        .evidence(case.observed, &["status.currentRevision", "status.updateRevision", "spec.updateStrategy.type"]);
    vec![finding]
}
