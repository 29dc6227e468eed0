//! The ReplicaSet controller of Kubernetes 1.34: as many pods as wanted, under names that nobody keeps.
//! Models pkg/controller/replicaset and ActivePodsWithRanks of pkg/controller/controller_utils.go.
//!
//! A worked example: `web-5d4` wants 3 pods and one of them is marked for deletion because its node is lost. It no longer
//! counts as active: 2 pods are found where 3 are wanted, and a third is created at once under a new name.

mod rules;

pub use rules::Rule;

use super::cache::{Cache, WatchEvent};
use super::controller::{Context, Controller, Observed, Outcome};
use super::enqueue::{self, Orphans};
use super::pods::{has_ended, is_available, is_terminating};
use super::workload::{Work, slow_start};
use super::{Api, Decision, Facts, SyncError};
use crate::objects::workload::{Condition, ReplicaSetStatus};
use crate::objects::{Kind, Object, ObjectRef, Pod, PodPhase, ReplicaSet, Time};
use std::cmp::Ordering;
use std::rc::Rc;
use std::time::Duration;

pub(super) const CONTROLLER: Controller = Controller {
    kind: Kind::ReplicaSet,
    name: "replicaset-controller",
    waits_for_own_writes: false,
    enqueue: keys_of,
    sync: sync_key,
};

fn keys_of(cache: &Cache, event: &WatchEvent) -> Vec<ObjectRef> {
    let of_pod = enqueue::of_pod(cache, event, Orphans::Adopted(|set: &ReplicaSet| &set.spec.selector));
    enqueue::own::<ReplicaSet>(event).into_iter().chain(of_pod).collect()
}

fn sync_key(context: &mut Context<'_>, key: &ObjectRef) -> Outcome {
    let Some(observed) = Observed::of(context, key) else { return Outcome::default() };
    sync(&observed, context.api, context.decisions)
}

/// At most this many pods are created or deleted in one sync.
const BURST: usize = 500;
const DELETION_COST: &str = "controller.kubernetes.io/pod-deletion-cost";
const FAILURE: &str = "ReplicaFailure";

/// One sync of one set. Models syncReplicaSet.
pub fn sync(observed: &Observed<'_, ReplicaSet>, api: &mut dyn Api, decisions: &mut Vec<Decision>) -> Outcome {
    let set = observed.set;
    let (kind, metadata, selector) = (Kind::ReplicaSet, &set.metadata, &set.spec.selector);
    let mut work = Work { kind, metadata, selector, api, decisions };
    reconcile(observed, &mut work).into()
}

/// Neither going nor at its end.
pub(super) fn is_active(pod: &Pod) -> bool {
    !is_terminating(pod) && !has_ended(pod)
}

fn reconcile(observed: &Observed<'_, ReplicaSet>, work: &mut Work<'_>) -> Result<Option<Duration>, SyncError> {
    let active: Vec<&Rc<Pod>> = observed.pods.iter().filter(|pod| is_active(pod)).collect();
    let pods = work.claim(&active, Rule::ReplicasClaimed)?;
    let managed = if work.is_going() {
        work.decide(Rule::ReplicaSetTerminating, Facts::None);
        Ok(())
    } else if observed.up_to_date {
        manage(observed, work, &pods)
    } else {
        work.decide(Rule::ReplicasPending, Facts::None);
        Ok(())
    };
    let status = new_status(observed, &pods, managed.as_ref().err());
    let after = status.clone();
    write_status(observed, work, status)?;
    managed?;
    let waits = after.ready_replicas == observed.set.replicas() && after.available_replicas != after.ready_replicas;
    Ok(waits.then(|| delay(observed.set.spec.min_ready_seconds)).flatten())
}

/// After which a pod may have become available; none where that does not take time.
pub(super) fn delay(min_ready_seconds: i32) -> Option<Duration> {
    u64::try_from(min_ready_seconds).ok().filter(|seconds| *seconds > 0).map(Duration::from_secs)
}

/// Creates what is missing or deletes what is too much. Models manageReplicas.
fn manage(observed: &Observed<'_, ReplicaSet>, work: &mut Work<'_>, pods: &[Rc<Pod>]) -> Result<(), SyncError> {
    let wanted = usize::try_from(observed.set.replicas()).unwrap_or(0);
    if pods.len() < wanted {
        let pod = work.pod_of(&observed.set.spec.template);
        let rules = (Rule::ReplicaAdded, Rule::ReplicaAddRefused);
        return slow_start((wanted - pods.len()).min(BURST), &mut |_| work.create_pod(&pod, rules));
    }
    if pods.len() == wanted {
        work.decide(Rule::ReplicasSettled, Facts::Count(observed.set.replicas()));
        return Ok(());
    }
    let mut first = Ok(());
    for pod in choose(observed, pods, (pods.len() - wanted).min(BURST)) {
        let deleted = work.delete_pod(&pod, Rule::ReplicaRemoved);
        first = first.and(deleted);
    }
    first
}

/// The set's active pods in the order in which they are deleted when it is scaled in.
pub fn ranking(observed: &Observed<'_, ReplicaSet>) -> Vec<Rc<Pod>> {
    let is_own = |pod: &Pod| pod.metadata.controller_of().is_some_and(|owner| owner.uid == observed.set.metadata.uid);
    let own: Vec<Rc<Pod>> = observed.pods.iter().filter(|pod| is_active(pod) && is_own(pod)).cloned().collect();
    choose(observed, &own, own.len())
}

/// What a pod is compared by. Less means less worth keeping.
struct Standing<'a> {
    pod: &'a Rc<Pod>,
    /// Active pods of the same owner on its node.
    crowd: usize,
}

/// The pods to be deleted, first the first. Models getPodsToDelete.
fn choose(observed: &Observed<'_, ReplicaSet>, pods: &[Rc<Pod>], count: usize) -> Vec<Rc<Pod>> {
    let related = related_pods(observed);
    let crowd = |pod: &Pod| related.iter().filter(|other| other.spec.node_name == pod.spec.node_name).count();
    let mut standings: Vec<Standing<'_>> = pods.iter().map(|pod| Standing { pod, crowd: crowd(pod) }).collect();
    standings.sort_by(|a, b| compare(a, b, observed.now));
    standings.into_iter().take(count).map(|standing| Rc::clone(standing.pod)).collect()
}

/// Active pods of every ReplicaSet with the same owner, or of this one. Models getIndirectlyRelatedPods.
fn related_pods<'a>(observed: &Observed<'a, ReplicaSet>) -> Vec<&'a Rc<Pod>> {
    let owner = |set: &ReplicaSet| set.metadata.controller_of().map(|owner| owner.uid.clone());
    let own = owner(observed.set);
    let is_sibling =
        |set: &&Rc<ReplicaSet>| set.metadata.uid == observed.set.metadata.uid || (own.is_some() && owner(set) == own);
    let sets: Vec<&Rc<str>> = observed.replica_sets.iter().filter(is_sibling).map(|set| &set.metadata.uid).collect();
    let is_related =
        |pod: &&Rc<Pod>| is_active(pod) && pod.metadata.controller_of().is_some_and(|owner| sets.contains(&&owner.uid));
    observed.pods.iter().filter(is_related).collect()
}

fn compare(a: &Standing<'_>, b: &Standing<'_>, now: Time) -> Ordering {
    let key = |it: &Standing<'_>| {
        let pod = it.pod;
        (!pod.spec.node_name.is_empty(), phase(pod), is_ready(pod), deletion_cost(pod))
    };
    let (one, other) = (a.pod, b.pod);
    let ready = if is_ready(one) && is_ready(other) {
        newer_first(ready_since(one), ready_since(other), (one, other), now)
    } else {
        Ordering::Equal
    };
    let (made, made_other) = (one.metadata.creation_timestamp, other.metadata.creation_timestamp);
    key(a)
        .cmp(&key(b))
        .then(b.crowd.cmp(&a.crowd))
        .then(ready)
        .then(restarts(other).cmp(&restarts(one)))
        .then_with(|| newer_first(made, made_other, (one, other), now))
}

/// The later moment first; moments of about the same age are as good as one, and the uid decides.
fn newer_first(a: Option<Time>, b: Option<Time>, pods: (&Pod, &Pod), now: Time) -> Ordering {
    match (a, b) {
        (Some(a), Some(b)) if a == b => Ordering::Equal,
        (Some(a), Some(b)) => {
            // In nanoseconds, as upstream counts.
            let age = |since: Time| (now.0 - since.0).max(0) * 1_000_000;
            let rank = |since| age(since).checked_ilog2().map_or(-1, i64::from);
            rank(a).cmp(&rank(b)).then_with(|| pods.0.metadata.uid.cmp(&pods.1.metadata.uid))
        }
        (a, b) => a.is_some().cmp(&b.is_some()),
    }
}

fn phase(pod: &Pod) -> u8 {
    match pod.status.phase {
        PodPhase::Unknown => 1,
        PodPhase::Running => 2,
        _ => 0,
    }
}

pub(super) fn is_ready(pod: &Pod) -> bool {
    pod.condition("Ready").is_some_and(|ready| &*ready.status == "True")
}

fn ready_since(pod: &Pod) -> Option<Time> {
    pod.condition("Ready").and_then(|ready| ready.last_transition_time)
}

fn restarts(pod: &Pod) -> i32 {
    pod.status.container_statuses.iter().map(|container| container.restart_count).max().unwrap_or(0)
}

fn deletion_cost(pod: &Pod) -> i32 {
    pod.metadata.annotations.get(DELETION_COST).and_then(|cost| cost.parse().ok()).unwrap_or(0)
}

fn count(pods: &[Rc<Pod>], is_counted: impl Fn(&Pod) -> bool) -> i32 {
    i32::try_from(pods.iter().filter(|pod| is_counted(pod)).count()).unwrap_or(i32::MAX)
}

/// Models calculateStatus of pkg/controller/replicaset/replica_set_utils.go.
fn new_status(observed: &Observed<'_, ReplicaSet>, pods: &[Rc<Pod>], failure: Option<&SyncError>) -> ReplicaSetStatus {
    let set = observed.set;
    let labels = &set.spec.template.metadata.labels;
    let seconds = set.spec.min_ready_seconds;
    let replicas = count(pods, |_| true);
    let mut status = ReplicaSetStatus {
        replicas,
        fully_labeled_replicas: count(pods, |pod| {
            labels.iter().all(|(key, value)| pod.metadata.labels.get(key) == Some(value))
        }),
        ready_replicas: count(pods, is_ready),
        available_replicas: count(pods, |pod| is_available(pod, seconds, true, observed.now)),
        observed_generation: set.metadata.generation,
        ..set.status.clone()
    };
    let held = status.conditions.iter().any(|condition| &*condition.condition_type == FAILURE);
    match failure {
        Some(error) if !held => status.conditions.push(Condition {
            condition_type: FAILURE.into(),
            status: "True".into(),
            reason: if replicas < set.replicas() { "FailedCreate" } else { "FailedDelete" }.into(),
            message: error.0.as_str().into(),
            last_transition_time: Some(observed.now),
            ..Condition::default()
        }),
        None => status.conditions.retain(|condition| &*condition.condition_type != FAILURE),
        Some(_) => {}
    }
    status
}

/// Models updateReplicaSetStatus.
fn write_status(
    observed: &Observed<'_, ReplicaSet>,
    work: &mut Work<'_>,
    status: ReplicaSetStatus,
) -> Result<(), SyncError> {
    if status == observed.set.status {
        work.decide(Rule::ReplicaSetStatusUnchanged, Facts::None);
        return Ok(());
    }
    let mut changed = (**observed.set).clone();
    changed.status = status;
    let mut written = work.api.update_status(Object::ReplicaSet(Rc::new(changed.clone())));
    if written.is_err()
        && let Ok(fresh) = work.api.get(Kind::ReplicaSet, &changed.metadata.namespace, &changed.metadata.name)
    {
        // Once more, on the version as it is.
        changed.metadata = fresh.metadata().clone();
        written = work.api.update_status(Object::ReplicaSet(Rc::new(changed)));
    }
    let rule = if written.is_ok() { Rule::ReplicaSetStatusWritten } else { Rule::ReplicaSetStatusRefused };
    work.decide(rule, Facts::None);
    written?;
    Ok(())
}
