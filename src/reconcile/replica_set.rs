//! The ReplicaSet controller: as many pods as desired, under names that nobody keeps.
//! Models pkg/controller/replicaset and ActivePodsWithRanks of pkg/controller/controller_utils.go.
//!
//! A worked example: `web-5d4` wants 3 pods and one of them is marked for deletion because its node is lost. It no longer
//! counts as active: 2 pods are found where 3 are wanted, and a third is created at once under a new name.

mod rules;

pub use rules::Rule;

use super::cache::{Cache, WatchEvent};
use super::controller::{Context, Controller, Observed, Outcome};
use super::enqueue::{self, Orphans};
use super::go_sort::go_sort;
use super::pods::is_available;
use super::workload::{Work, slow_start};
use super::{Api, Decision, Facts, Gates, SyncError};
use crate::objects::replica_set::{Condition, ReplicaSetStatus};
use crate::objects::{Kind, Object, ObjectRef, Pod, PodPhase, ReplicaSet, Time};
use crate::releases::WorkloadGates;
use std::cmp::Ordering;
use std::collections::BTreeMap;
use std::rc::Rc;
use std::time::Duration;

pub(super) const CONTROLLER: Controller = Controller {
    kind: Kind::ReplicaSet,
    name: "replicaset-controller",
    waits_for_own_writes: false,
    revisions: None,
    enqueue: keys_of,
    sync: sync_key,
};

fn keys_of(_: &Gates, cache: &Cache, event: &WatchEvent) -> Vec<ObjectRef> {
    let of_pod = enqueue::of_pod(cache, event, Orphans::Adopted(|set: &ReplicaSet| &set.spec.selector));
    enqueue::own::<ReplicaSet>(event).into_iter().chain(of_pod).collect()
}

fn sync_key(context: &mut Context<'_>, key: &ObjectRef) -> Outcome {
    let is_on = context.gates.workloads.replica_set_waits_for_own_writes;
    if let Some(deferred) = context.check_own_writes(is_on, Rule::ReplicasBehindOwnWrites.into()) {
        return deferred;
    }
    let Some(observed) = Observed::of(context, key) else { return Outcome::default() };
    sync(context.gates, &observed, context.api, context.decisions)
}

/// At most this many pods are created or deleted in one sync.
const BURST: usize = 500;
const DELETION_COST: &str = "controller.kubernetes.io/pod-deletion-cost";
const FAILURE: &str = "ReplicaFailure";

/// One sync of one set. Models syncReplicaSet.
pub fn sync(
    gates: &Gates,
    observed: &Observed<'_, ReplicaSet>,
    api: &mut dyn Api,
    decisions: &mut Vec<Decision>,
) -> Outcome {
    let set = observed.set;
    let (kind, metadata, selector) = (Kind::ReplicaSet, &set.metadata, &set.spec.selector);
    let mut work = Work { gates: *gates, kind, metadata, selector, api, decisions };
    reconcile(observed, &mut work).into()
}

/// Neither terminating nor at its end.
pub(super) fn is_active(pod: &Pod) -> bool {
    !pod.is_terminating() && !pod.has_ended()
}

fn reconcile(observed: &Observed<'_, ReplicaSet>, work: &mut Work<'_>) -> Result<Option<Duration>, SyncError> {
    let active = work.in_order_of_claim(observed.pods.iter().filter(|pod| is_active(pod)));
    let pods = work.claim(active, Some(Rule::ReplicasClaimed.into()))?;
    let managed = if work.is_going() {
        work.decide(Rule::ReplicaSetTerminating, Facts::None);
        Ok(())
    } else if observed.up_to_date {
        manage_replicas(observed, work, &pods)
    } else {
        work.decide(Rule::ReplicasPending, Facts::None);
        Ok(())
    };
    let status = calculate_status(observed, &work.gates, &pods, managed.as_ref().err());
    let written = update_replica_set_status(observed, work, status)?;
    managed?;
    Ok(next_look(observed, &work.gates, &pods, &written))
}

/// After how many milliseconds the next pod may have become available, if the set waits for one. Models the end of
/// syncReplicaSet and FindMinNextPodAvailabilityCheck of pkg/controller/controller_utils.go.
fn next_look(
    observed: &Observed<'_, ReplicaSet>,
    gates: &Gates,
    pods: &[Rc<Pod>],
    set: &ReplicaSet,
) -> Option<Duration> {
    let (status, seconds) = (&set.status, set.spec.min_ready_seconds);
    let at_most = delay(seconds)?;
    if !gates.workloads.requeues_for_next_available {
        let desired = set.replicas();
        return (status.ready_replicas == desired && status.available_replicas != desired).then_some(at_most);
    }
    if status.ready_replicas == status.available_replicas {
        return None;
    }
    let due = |pod: &Rc<Pod>| {
        let since = ready_since(pod).filter(|_| pod.is_ready())?;
        let wait = u64::try_from(since.plus_seconds(seconds.into()).0 - observed.now.0).ok();
        wait.filter(|wait| *wait > 0).map(Duration::from_millis)
    };
    Some(pods.iter().filter_map(due).min().unwrap_or(at_most))
}

/// A delay of that many seconds; none if that is no time.
pub(super) fn delay(seconds: i32) -> Option<Duration> {
    u64::try_from(seconds).ok().filter(|seconds| *seconds > 0).map(Duration::from_secs)
}

/// Creates what is missing or deletes what is too much. Models manageReplicas.
fn manage_replicas(
    observed: &Observed<'_, ReplicaSet>,
    work: &mut Work<'_>,
    pods: &[Rc<Pod>],
) -> Result<(), SyncError> {
    let desired = usize::try_from(observed.set.replicas()).unwrap_or(0);
    if pods.len() < desired {
        let pod = work.pod_of(&observed.set.spec.template);
        let rules = (Rule::ReplicaAdded, Rule::ReplicaAddRefused);
        return slow_start((desired - pods.len()).min(BURST), &mut |_| work.create_pod(&pod, rules).map(drop));
    }
    if pods.len() == desired {
        work.decide(Rule::ReplicasSettled, Facts::Count(observed.set.replicas()));
        return Ok(());
    }
    let mut first = Ok(());
    for pod in get_pods_to_delete(observed, &work.gates, pods, (pods.len() - desired).min(BURST)) {
        let deleted = work.delete_pod(&pod, Rule::ReplicaRemoved);
        first = first.and(deleted.map(drop));
    }
    first
}

/// The set's active pods in the order in which a scale-down deletes them.
pub fn ranking(gates: &Gates, observed: &Observed<'_, ReplicaSet>) -> Vec<Rc<Pod>> {
    let is_own = |pod: &Pod| pod.metadata.controller_of().is_some_and(|owner| owner.uid == observed.set.metadata.uid);
    let own: Vec<Rc<Pod>> = observed.pods.iter().filter(|pod| is_active(pod) && is_own(pod)).cloned().collect();
    ranked(observed, gates, &own)
}

/// What a pod is compared by. Less means less worth keeping.
#[derive(Clone, Copy)]
struct Standing<'a> {
    pod: &'a Rc<Pod>,
    /// Related active pods on its node.
    crowd: usize,
}

/// The pods to be deleted, first the first; in any order if all of them go. Models getPodsToDelete.
fn get_pods_to_delete(
    observed: &Observed<'_, ReplicaSet>,
    gates: &Gates,
    pods: &[Rc<Pod>],
    count: usize,
) -> Vec<Rc<Pod>> {
    let mut chosen = if count < pods.len() { ranked(observed, gates, pods) } else { pods.to_vec() };
    chosen.truncate(count);
    chosen
}

fn ranked(observed: &Observed<'_, ReplicaSet>, gates: &Gates, pods: &[Rc<Pod>]) -> Vec<Rc<Pod>> {
    let related = get_indirectly_related_pods(observed);
    let mut crowds: BTreeMap<&str, usize> = BTreeMap::new();
    related.iter().for_each(|pod| *crowds.entry(&pod.spec.node_name).or_default() += 1);
    let crowd = |pod: &Pod| crowds.get(&*pod.spec.node_name).copied().unwrap_or(0);
    let mut standings: Vec<Standing<'_>> = pods.iter().map(|pod| Standing { pod, crowd: crowd(pod) }).collect();
    go_sort(&mut standings, |a, b| compare(a, b, &gates.workloads, observed.now));
    standings.into_iter().map(|standing| Rc::clone(standing.pod)).collect()
}

/// Active pods that a ReplicaSet with the same owner selects; none for a set without an owner. Models
/// getIndirectlyRelatedPods.
fn get_indirectly_related_pods<'a>(observed: &Observed<'a, ReplicaSet>) -> Vec<&'a Rc<Pod>> {
    let owner = |set: &ReplicaSet| set.metadata.controller_of().map(|owner| owner.uid.clone());
    let Some(own) = owner(observed.set) else { return Vec::new() };
    let siblings: Vec<_> = observed.replica_sets.iter().filter(|set| owner(set).as_ref() == Some(&own)).collect();
    let is_selected = |pod: &Pod| siblings.iter().any(|set| set.spec.selector.matches(&pod.metadata.labels));
    observed.namespace_pods.iter().filter(|pod| is_active(pod) && is_selected(pod)).collect()
}

fn compare(a: &Standing<'_>, b: &Standing<'_>, gates: &WorkloadGates, now: Time) -> Ordering {
    let key = |it: &Standing<'_>| {
        let pod = it.pod;
        let cost = if gates.ranks_by_deletion_cost { deletion_cost(pod) } else { 0 };
        (!pod.spec.node_name.is_empty(), phase(pod), pod.is_ready(), cost)
    };
    let (one, other) = (a.pod, b.pod);
    let newer_first = |a: Option<Time>, b: Option<Time>| {
        if gates.compares_ages_by_magnitude {
            newer_magnitude_first(a, b, (one, other), now)
        } else {
            // What has no time counts as the newest.
            b.map_or(i64::MAX, |time| time.0).cmp(&a.map_or(i64::MAX, |time| time.0))
        }
    };
    let are_ready = one.is_ready() && other.is_ready();
    let ready = if are_ready { newer_first(ready_since(one), ready_since(other)) } else { Ordering::Equal };
    let restarts = |pod: &Pod| (restarts(pod), if gates.compares_sidecar_restarts { sidecar_restarts(pod) } else { 0 });
    key(a)
        .cmp(&key(b))
        .then(b.crowd.cmp(&a.crowd))
        .then(ready)
        .then_with(|| restarts(other).cmp(&restarts(one)))
        .then_with(|| newer_first(one.metadata.creation_timestamp, other.metadata.creation_timestamp))
}

/// The later moment first; moments of about the same age are as good as one, and the uid decides.
fn newer_magnitude_first(a: Option<Time>, b: Option<Time>, pods: (&Pod, &Pod), now: Time) -> Ordering {
    match (a, b) {
        (Some(a), Some(b)) if a == b => Ordering::Equal,
        (Some(a), Some(b)) => {
            // In nanoseconds, as upstream counts.
            let age = |since: Time| (now.0 - since.0).max(0).saturating_mul(1_000_000);
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

fn ready_since(pod: &Pod) -> Option<Time> {
    pod.condition("Ready").and_then(|ready| ready.last_transition_time)
}

fn restarts(pod: &Pod) -> i32 {
    pod.status.container_statuses.iter().map(|container| container.restart_count).max().unwrap_or(0)
}

/// The most restarts of an init container that goes on running.
fn sidecar_restarts(pod: &Pod) -> i32 {
    let is_sidecar = |name: &Rc<str>| pod.spec.init_containers.iter().any(|own| own.name == *name && own.is_sidecar());
    let sidecars = pod.status.init_container_statuses.iter().filter(|status| is_sidecar(&status.name));
    sidecars.map(|status| status.restart_count).max().unwrap_or(0)
}

/// 0 where there is none or none that upstream takes for a number. Models GetDeletionCostFromPodAnnotations of
/// pkg/apis/core/v1/helper/helpers.go.
fn deletion_cost(pod: &Pod) -> i32 {
    let is_taken = |cost: &&Rc<str>| match cost.as_bytes() {
        [b'-' | b'1'..=b'9', ..] => true,
        digits => digits == b"0",
    };
    let cost = pod.metadata.annotations.get(DELETION_COST).filter(is_taken);
    cost.and_then(|cost| cost.parse().ok()).unwrap_or(0)
}

fn count(pods: &[Rc<Pod>], is_counted: impl Fn(&Pod) -> bool) -> i32 {
    i32::try_from(pods.iter().filter(|pod| is_counted(pod)).count()).unwrap_or(i32::MAX)
}

/// How many of the set's pods are on their way out. Models FilterTerminatingPods and FilterClaimedPods of
/// pkg/controller/controller_utils.go.
fn terminating(observed: &Observed<'_, ReplicaSet>) -> i32 {
    let set = observed.set;
    let is_own = |pod: &Pod| pod.metadata.controller_of().is_some_and(|owner| owner.uid == set.metadata.uid);
    let is_selected = |pod: &Pod| set.spec.selector.matches(&pod.metadata.labels);
    count(&observed.pods, |pod| pod.is_terminating() && !pod.has_ended() && is_own(pod) && is_selected(pod))
}

/// Models calculateStatus of pkg/controller/replicaset/replica_set_utils.go.
fn calculate_status(
    observed: &Observed<'_, ReplicaSet>,
    gates: &Gates,
    pods: &[Rc<Pod>],
    failure: Option<&SyncError>,
) -> ReplicaSetStatus {
    let set = observed.set;
    let labels = &set.spec.template.metadata.labels;
    let seconds = set.spec.min_ready_seconds;
    let in_time = gates.available_at_exact_deadline;
    let replicas = count(pods, |_| true);
    let (mut ready_replicas, mut available_replicas) = (0, 0);
    for pod in pods.iter().filter(|pod| pod.is_ready()) {
        ready_replicas += 1;
        // For 0 seconds a pod that is ready is available.
        available_replicas += i32::from(seconds == 0 || is_available(pod, seconds, in_time, observed.now));
    }
    let mut status = ReplicaSetStatus {
        replicas,
        fully_labeled_replicas: count(pods, |pod| labels.are_among(&pod.metadata.labels)),
        ready_replicas,
        available_replicas,
        terminating_replicas: gates.workloads.counts_terminating_replicas.then(|| terminating(observed)),
        observed_generation: set.metadata.generation,
        ..set.status.clone()
    };
    let has_failure = status.conditions.iter().any(|condition| &*condition.condition_type == FAILURE);
    match failure {
        Some(error) if !has_failure => status.conditions.push(Condition {
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

/// Writes the status if it differs, once more after a refusal, and gives the set as it is then. Models
/// updateReplicaSetStatus.
fn update_replica_set_status(
    observed: &Observed<'_, ReplicaSet>,
    work: &mut Work<'_>,
    status: ReplicaSetStatus,
) -> Result<Rc<ReplicaSet>, SyncError> {
    if status == observed.set.status {
        work.decide(Rule::ReplicaSetStatusUnchanged, Facts::None);
        return Ok(Rc::clone(observed.set));
    }
    let mut changed = (**observed.set).clone();
    changed.status = status.clone();
    let mut written = work.api.update_status(Object::ReplicaSet(Rc::new(changed.clone())));
    if written.is_err() {
        work.decide(Rule::ReplicaSetStatusRefused, Facts::None);
        let fresh = work.api.get(Kind::ReplicaSet, &changed.metadata.namespace, &changed.metadata.name)?;
        if let Object::ReplicaSet(fresh) = fresh {
            changed = ReplicaSet { status, ..(*fresh).clone() };
        }
        written = work.api.update_status(Object::ReplicaSet(Rc::new(changed.clone())));
    }
    let rule = if written.is_ok() { Rule::ReplicaSetStatusWritten } else { Rule::ReplicaSetStatusRefused };
    work.decide(rule, Facts::None);
    Ok(if let Object::ReplicaSet(stored) = written? { stored } else { Rc::new(changed) })
}
