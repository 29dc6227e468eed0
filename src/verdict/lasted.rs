//! The text's own clock, as a net under every forecast: a state that has lasted far longer than the run takes to leave it is held
//! by something that the run does not know.

use super::moved::last_moved;
use super::pods::pods;
use super::shortfall::Shortfall;
use super::told::Told;
use crate::objects::{
    ContainerState, ContainerStatus, Kind, Node, OUT_OF_SERVICE, Object, ObjectMeta, ObjectRef, Pod, ReplicaSet, Time,
};
use crate::reconcile::is_failed;
use crate::session::dump::{CAME, ClearedBy, Event, SPEC_WRITTEN, side_car_ends};
use crate::sim::Cluster;
use serde_json::Value;
use std::rc::Rc;

/// A state that has lasted so many times as long as the run takes to leave it is far too long.
const FACTOR: i64 = 5;
/// What is shorter, in milliseconds, is never too long: images are pulled and programs start in it.
const PATIENCE_MS: i64 = 120_000;
/// The same where a volume waits to be taken from another node by force, which is after six minutes.
const DETACH_MS: i64 = 480_000;
/// The same where what ends a state may be somebody's last act, of which no text has the time: a pod that is gone, a node that is, a
/// spec that nobody has seen.
const UNDATED_MS: i64 = 9_000_000;
/// The first waits of a container that is started again, and the longest one, in milliseconds.
const BACK_OFF_MS: (i64, i64) = (10_000, 300_000);
/// A container that has run for so long starts anew without a wait when it ends, in milliseconds. What ends after longer does not
/// crash again and again.
const BACK_OFF_RESET_MS: i64 = 600_000;
/// The same of what ends with 0.
const DONE_MS: i64 = 10_800_000;
/// What has run for longer than this, and than twice its last time, is taken to run on, in milliseconds.
const RUNS_ON_MS: i64 = 60_000;
/// A kubelet reports its node's status at least every five minutes (nodeStatusReportFrequency): twice that, in milliseconds, is too long.
const SILENCE_MS: i64 = 600_000;
/// Fewer restarts may each have had a reason of their own.
const FEW_RESTARTS: i32 = 2;
/// Fewer restarts say nothing of how long a container has not run.
const RESTARTS: i32 = 5;
/// Fewer refusals of a deletion may be those of a moment.
const REFUSALS: u64 = 3;
/// The first wait of a controller's work queue after a failed sync, and the longest one, in milliseconds.
const QUEUE_MS: (i64, i64) = (5, 1_000_000);

/// A state of a pod, or of a workload that lacks one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Lasting {
    /// It is past its grace and still there.
    Terminating,
    /// It has ended, and nothing is in its place.
    Ended,
    /// It has no node.
    Unscheduled,
    /// It has a node, and its containers have not been started.
    NotStarted,
    /// Its containers end and are started again.
    Restarting,
    /// It runs and is not ready.
    NotReady,
    /// Its pods are Ready, and have not stayed so for as long as they have to.
    NotAvailable,
    /// A pod is missing, and making it was refused.
    Refused,
    /// The API server does not let its pods be deleted.
    Undeleted,
    /// It is Ready, and its containers have ended and been started again so often that this time need not be the last.
    Flapping,
    /// It is Ready, and its readiness probe has failed again and again until just now.
    LosesReadiness,
    /// It is Ready, and its node was lost and came back again and again.
    LosesNode {
        /// The node.
        node: Rc<str>,
    },
    /// Its node counts as Ready, and its kubelet has not been heard of while those of other nodes have.
    Silent {
        /// The node.
        node: Rc<str>,
    },
    /// Its kubelet pulls an image, and has not said that this failed.
    Pulling,
    /// It has been started, and its startup probe may fail until so many milliseconds after that.
    Starting {
        /// Milliseconds.
        allowed_ms: i64,
    },
    /// The workload is not as it was asked to be, and nothing of it has moved.
    Standing,
    /// Its status counts more pods than the text has, and nothing of it has moved: they may be only missing in the text.
    NotInText {
        /// By its status.
        counted: i32,
        /// In the text.
        there: i32,
    },
    /// The workload, or one of its pods, is made anew again and again.
    MadeAnew,
    /// The workload is scaled up and down again.
    Scaled,
    /// Its pods are evicted again and again for what they use themselves, end or are preempted, and others come in their place.
    Evicted,
    /// A claim was asked to grow and has not: what it waits for.
    Resizing(ClearedBy),
}

/// A forecast that the text does not bear out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refuted {
    /// The pod, or the workload that lacks one.
    pub subject: ObjectRef,
    /// What has lasted.
    pub state: Lasting,
    /// For how long, by the text, in milliseconds.
    pub lasted_ms: i64,
    /// When the run would have ended it, in milliseconds.
    pub would_end_in_ms: i64,
}

impl Refuted {
    /// What is being deleted and has not gone for so many milliseconds, though nothing that the run knows of keeps it.
    pub(super) fn lingering(subject: ObjectRef, lasted_ms: i64) -> Option<Self> {
        let refuted = Self { subject, state: Lasting::Terminating, lasted_ms, would_end_in_ms: 0 };
        (lasted_ms > PATIENCE_MS).then_some(refuted)
    }

    /// That a workload is not available for so many milliseconds, and would be after `after`.
    pub(super) fn unavailable(subject: ObjectRef, lasted_ms: i64, after: i64) -> Option<Self> {
        let refuted = Self { subject, state: Lasting::NotAvailable, lasted_ms, would_end_in_ms: after };
        (lasted_ms > after.saturating_mul(FACTOR).max(PATIENCE_MS)).then_some(refuted)
    }

    /// Whether it is that a state has lasted far longer than the run takes to leave it.
    pub(crate) fn has_lasted_too_long(&self) -> bool {
        !matches!(
            self.state,
            Lasting::Undeleted
                | Lasting::Flapping
                | Lasting::LosesReadiness
                | Lasting::LosesNode { .. }
                | Lasting::Silent { .. }
                | Lasting::Pulling
                | Lasting::Starting { .. }
                | Lasting::NotInText { .. }
        )
    }

    /// Whether it is on its way, and nobody can tell whether it gets there.
    pub(crate) fn is_under_way(&self) -> bool {
        matches!(self.state, Lasting::Pulling | Lasting::Starting { .. })
    }

    /// Whether it is the state of one pod, which may go with it.
    pub(crate) fn is_of_one_pod(&self) -> bool {
        matches!(self.subject.kind, Kind::Pod | Kind::PersistentVolumeClaim)
            && !matches!(
                self.state,
                Lasting::MadeAnew
                    | Lasting::Scaled
                    | Lasting::Evicted
                    | Lasting::LosesReadiness
                    | Lasting::LosesNode { .. }
                    | Lasting::Silent { .. }
                    | Lasting::Pulling
            )
    }
}

/// A state of the text, on its way through the run.
#[derive(Clone, Debug)]
pub(super) struct Watch {
    state: Lasting,
    lasted_ms: i64,
    patience_ms: i64,
    /// When the run left it, in milliseconds; none if it has not, or if the pod was taken away.
    left_ms: Option<i64>,
    is_over: bool,
}

impl Watch {
    /// What a pod is in at the text's moment; nothing where it is as it should be.
    pub(super) fn of_pod(cluster: &Cluster, pod: &Pod, came: Option<Time>, told: Told<'_>) -> Option<Self> {
        let now = cluster.now();
        if let Some((node, lasted_ms)) = silent(cluster, pod).filter(|_| !pod.has_ended()) {
            let (state, left_ms) = (Lasting::Silent { node }, Some(0));
            return Some(Self { state, lasted_ms, patience_ms: 0, left_ms, is_over: true });
        }
        if let Some((lasted_ms, with_node)) = told.loses_readiness(pod, now).filter(|_| !pod.is_terminating()) {
            let node = || Rc::clone(&pod.spec.node_name);
            let state = if with_node { Lasting::LosesNode { node: node() } } else { Lasting::LosesReadiness };
            let left_ms = Some(0);
            return Some(Self { state, lasted_ms, patience_ms: 0, left_ms, is_over: true });
        }
        if let Some(lasted_ms) = flaps(pod, now) {
            let (state, left_ms) = (Lasting::Flapping, Some(0));
            return Some(Self { state, lasted_ms, patience_ms: 0, left_ms, is_over: true });
        }
        let (state, lasted_ms) = state_of(pod, now)?;
        let (state, lasted_ms) = match starting(pod, now).filter(|_| state == Lasting::NotReady) {
            Some((lasted_ms, allowed_ms)) => (Lasting::Starting { allowed_ms }, lasted_ms),
            None => (state, lasted_ms),
        };
        let pulls = told.pulls(pod, now).filter(|_| state == Lasting::NotStarted);
        let (state, lasted_ms) = pulls.map_or((state, lasted_ms), |pulls| (Lasting::Pulling, pulls));
        // It waited for something that is there now.
        let lasted_ms = came.map_or(lasted_ms, |came| lasted_ms.min(now.0.saturating_sub(came.0).max(0)));
        // What frees a pod whose node is gone or does not answer is often somebody's last act.
        let is_undated = state == Lasting::Terminating && !is_on_answering_node(cluster, pod);
        let patience_ms = if is_undated { UNDATED_MS } else { patience_ms(cluster, [pod]) };
        Some(Self { state, lasted_ms, patience_ms, left_ms: None, is_over: false })
    }

    /// What a workload is in whose last attempt to make a pod was refused.
    pub(super) fn of_workload(owners: &[ObjectRef], events: &[Event]) -> Option<Self> {
        let is_own = |event: &&Event| {
            let mut owners = owners.iter();
            owners.any(|owner| {
                *owner.kind.as_str() == *event.kind && owner.name == event.name && owner.namespace == event.namespace
            })
        };
        let last_of = |reasons: [&str; 2]| {
            let is_one = |event: &&Event| reasons.contains(&&*event.reason);
            let last = events.iter().filter(is_own).filter(is_one).max_by_key(|event| event.last);
            last.filter(|event| *event.reason == *reasons[0])
        };
        // Pods that may not be deleted stay, however soon the run takes them away.
        if let Some(last) = last_of(["FailedDelete", "SuccessfulDelete"]).filter(|last| last.count >= REFUSALS) {
            let lasted_ms = last.last.0.saturating_sub(last.first.0);
            let (state, left_ms) = (Lasting::Undeleted, Some(0));
            return Some(Self { state, lasted_ms, patience_ms: 0, left_ms, is_over: true });
        }
        let is_creation = |event: &&Event| matches!(&*event.reason, "FailedCreate" | "SuccessfulCreate" | CAME);
        let last = events.iter().filter(is_own).filter(is_creation).max_by_key(|event| event.last)?;
        let is_refused = &*last.reason == "FailedCreate";
        // The waits of the work queue, which a change of the workload cuts short.
        let told_ms = last.last.0.saturating_sub(last.first.0);
        let lasted_ms = waits(QUEUE_MS, last.count.saturating_sub(1));
        let lasted_ms = if told_ms > 0 { lasted_ms.min(told_ms) } else { lasted_ms };
        let patience_ms = PATIENCE_MS;
        is_refused.then_some(Self { state: Lasting::Refused, lasted_ms, patience_ms, left_ms: None, is_over: false })
    }

    /// What a workload is in of which nothing has moved for some time, and which does not stay as it is.
    pub(super) fn of_standing(cluster: &Cluster, object: &Object, found: Shortfall, events: &[Event]) -> Option<Self> {
        let moved = last_moved(cluster, object, events)?;
        let lasted_ms = cluster.now().0.saturating_sub(moved.0).max(0);
        let own = pods(cluster, object);
        let (counted, there) = (object.pods_by_status(), in_place(&own));
        // A pod that its status counts went within the last sync, or is missing in the text alone. One that is as asked has something
        // before it that is due, or that no text shows to have been there for long.
        let is_dated = there < counted || found.is_none() || shows_how_long(cluster, object, found, events);
        let patience_ms = if is_dated { patience_ms(cluster, own.iter().map(|pod| &***pod)) } else { UNDATED_MS };
        let state = if there < counted { Lasting::NotInText { counted, there } } else { Lasting::Standing };
        Some(Self { state, lasted_ms, patience_ms, left_ms: None, is_over: false })
    }

    /// Sees the pod as it has become after so many milliseconds.
    pub(super) fn see(&mut self, pod: &Pod, gone: bool, after_ms: i64) {
        if self.is_over {
            return;
        }
        let is_left = match self.state {
            Lasting::Terminating | Lasting::Ended => gone,
            // Who takes a pod away for another does not wait for its state to end.
            _ if gone || pod.is_terminating() => {
                self.is_over = true;
                return;
            }
            Lasting::Unscheduled => !pod.spec.node_name.is_empty(),
            Lasting::NotStarted | Lasting::Pulling => has_started(pod),
            Lasting::Restarting | Lasting::NotReady | Lasting::Starting { .. } => pod.is_ready(),
            Lasting::Refused
            | Lasting::NotAvailable
            | Lasting::Undeleted
            | Lasting::Flapping
            | Lasting::LosesReadiness
            | Lasting::LosesNode { .. }
            | Lasting::Silent { .. }
            | Lasting::Standing
            | Lasting::NotInText { .. }
            | Lasting::MadeAnew
            | Lasting::Scaled
            | Lasting::Evicted
            | Lasting::Resizing(_) => true,
        };
        if is_left {
            (self.left_ms, self.is_over) = (Some(after_ms), true);
        }
    }

    /// Sees that the workload has moved after so many milliseconds.
    pub(super) fn see_moved(&mut self, after_ms: i64) {
        if !self.is_over {
            (self.left_ms, self.is_over) = (Some(after_ms), true);
        }
    }

    /// What it refutes.
    pub(super) fn refutes(&self, subject: ObjectRef) -> Option<Refuted> {
        let would_end_in_ms = self.left_ms?;
        let is_too_long = self.lasted_ms > would_end_in_ms.saturating_mul(FACTOR).max(self.patience_ms);
        let (state, lasted_ms) = (self.state.clone(), self.lasted_ms);
        is_too_long.then_some(Refuted { subject, state, lasted_ms, would_end_in_ms })
    }
}

/// Whether a workload's status tells that its controller has seen it as it is, and let it be so; or its managed fields, when its
/// spec was last changed. What a person did a moment ago has no other time in a text.
fn shows_how_long(cluster: &Cluster, object: &Object, found: Shortfall, events: &[Event]) -> bool {
    let own = pods(cluster, object);
    let sets = cluster.replica_sets_of(object);
    let has_no_time = |metadata: &ObjectMeta| {
        let is_of = |event: &&Event| event.name == metadata.name && event.namespace == metadata.namespace;
        !events.iter().filter(is_of).any(|event| &*event.reason == SPEC_WRITTEN)
    };
    // A spec of the first generation is as old as the object.
    let is_new = found.unseen && object.metadata().generation > 1 && has_no_time(object.metadata());
    let is_unseen = |set: &ReplicaSet| set.status.observed_generation < set.metadata.generation;
    let is_set_new = sets.iter().any(|set| is_unseen(set) && has_no_time(&set.metadata));
    // One that is gone has left no time: it may have gone a moment ago, or be only missing in the text. Where the status counts those
    // that are there, its controller has seen that some are missing, and has made none. A set with ordinals counts one that it makes
    // at once; others count it in their next sync.
    let there = in_place(&own);
    let (counted, missing) = (object.pods_by_status(), object.desired().saturating_sub(there));
    let is_seen = there == counted && (object.kind().has_ordinals() || missing > 1);
    // A Deployment tells since when it has had too few.
    let tells_since_when = matches!(object, Object::Deployment(deployment) if deployment.is_unavailable());
    let is_one_gone = there < counted || (missing > 0 && !is_seen && !tells_since_when);
    // What frees a pod whose node does not answer is often somebody's last act.
    let is_node_lost = own.iter().any(|pod| !pod.spec.node_name.is_empty() && !is_on_answering_node(cluster, pod));
    // Its controller looks again at pods that have become available only when something else happens, in some releases
    // (kubernetes/kubernetes#77203).
    let is_late = matches!(object, Object::DaemonSet(set)
        if set.spec.min_ready_seconds > 0 && set.status.number_available < set.status.number_ready)
        && own.iter().all(|pod| pod.is_ready());
    !(is_new || is_set_new || is_one_gone || is_node_lost || is_late)
}

/// How many of the pods have not ended.
fn in_place(pods: &[&Rc<Pod>]) -> i32 {
    i32::try_from(pods.iter().filter(|pod| !pod.has_ended()).count()).unwrap_or(i32::MAX)
}

/// For how long the containers of a pod that is Ready have ended and been started again, in milliseconds, where the last time is so
/// near that nobody can say whether it was the last.
fn flaps(pod: &Pod, now: Time) -> Option<i64> {
    let age = pod.metadata.creation_timestamp.map(|made| now.0.saturating_sub(made.0).max(0));
    let flaps = |status: &ContainerStatus| {
        let ContainerState::Running { started_at } = &status.state else { return None };
        let ended = status.extra.get("lastState").and_then(|last| last.get("terminated"));
        let moment = |name: &str| ended.and_then(|ended| Time::parse(ended.get(name)?.as_str()?));
        let [from, until] = ["startedAt", "finishedAt"].map(moment);
        // What does not tell when it was started is not taken to have run for long.
        let runs_ms = now.0.saturating_sub(started_at.or(until).unwrap_or(now).0);
        // A table does not tell when the last run began, and of some containers nothing is kept: on average it took so long. Where
        // that is not known either, it need not have taken longer than the one that is under way.
        let on_average = || age.map_or(runs_ms, |age| age / i64::from(status.restart_count.max(1)));
        let ran_ms = from.zip(until).map_or_else(on_average, |(from, until)| until.0.saturating_sub(from.0));
        // Without a readiness probe a container is ready as it is started, however soon it ends.
        let container = pod.spec.containers.iter().find(|container| container.name == status.name);
        let is_asked = container.is_some_and(|container| container.extra.contains_key("readinessProbe"));
        // What ends with 0 after a while may be meant to, or not.
        let is_done = ended.is_some_and(|ended| ended["exitCode"] == 0) && ran_ms <= DONE_MS;
        let flaps = status.restart_count >= if is_asked || is_done { RESTARTS } else { FEW_RESTARTS }
            && (ran_ms < BACK_OFF_RESET_MS || is_done)
            && runs_ms <= ran_ms.saturating_mul(2).max(RUNS_ON_MS);
        flaps.then(|| age.unwrap_or(ran_ms.saturating_add(runs_ms)).max(1))
    };
    let is_ready = pod.is_ready() && !pod.is_terminating();
    let of_side_car = || side_car_ends(pod, now).then(|| age.unwrap_or(1).max(1));
    is_ready.then(|| statuses(pod).find_map(flaps).or_else(of_side_car)).flatten()
}

/// The sum of so many waits, each twice as long as the one before.
fn waits((first, longest): (i64, i64), count: u64) -> i64 {
    let count = u32::try_from(count).unwrap_or(u32::MAX);
    let doublings = (longest / first.max(1)).max(1).ilog2();
    let growing = first.saturating_mul((1_i64 << count.min(doublings)) - 1);
    growing.saturating_add(longest.saturating_mul(i64::from(count.saturating_sub(doublings))))
}

/// What a pod is in, and for how many milliseconds it has been by its own times.
fn state_of(pod: &Pod, now: Time) -> Option<(Lasting, i64)> {
    let since = |at: Option<Time>| at.map_or(0, |at| now.0.saturating_sub(at.0).max(0));
    let of = |condition: &str| pod.condition(condition).and_then(|condition| condition.last_transition_time);
    let made = pod.metadata.creation_timestamp;
    if let Some(grace_ends) = pod.metadata.deletion_timestamp {
        return Some((Lasting::Terminating, since(Some(grace_ends))));
    }
    if pod.has_ended() {
        return is_failed(pod).then(|| (Lasting::Ended, since(of("Ready"))));
    }
    if pod.spec.node_name.is_empty() {
        return Some((Lasting::Unscheduled, since(of("PodScheduled").or(made))));
    }
    if pod.is_ready() {
        return None;
    }
    let restarts = statuses(pod).map(|status| status.restart_count).max().unwrap_or(0);
    let in_back_off = statuses(pod)
        .any(|status| matches!(&status.state, ContainerState::Waiting { reason } if &**reason == "CrashLoopBackOff"));
    let unready = since(of("Ready").or(of("PodScheduled")).or(made));
    if in_back_off || restarts >= RESTARTS {
        let backed_off = waits(BACK_OFF_MS, u64::try_from(restarts).unwrap_or(0));
        let lasted = if restarts >= RESTARTS && in_back_off { backed_off.min(since(made)) } else { 0 };
        return Some((Lasting::Restarting, unready.max(lasted)));
    }
    let state = if has_started(pod) { Lasting::NotReady } else { Lasting::NotStarted };
    Some((state, unready))
}

fn statuses(pod: &Pod) -> impl Iterator<Item = &ContainerStatus> {
    pod.status.init_container_statuses.iter().chain(&pod.status.container_statuses)
}

/// For how long a container of the pod has been starting, and for how long its startup probe lets it, both in milliseconds.
fn starting(pod: &Pod, now: Time) -> Option<(i64, i64)> {
    let of = |status: &ContainerStatus| {
        let ContainerState::Running { started_at: Some(at) } = &status.state else { return None };
        let container = pod.spec.containers.iter().find(|container| container.name == status.name)?;
        let probe = container.extra.get("startupProbe")?;
        let number = |name: &str, default: i64| probe.get(name).and_then(Value::as_i64).unwrap_or(default).max(0);
        let tries = number("failureThreshold", 3).saturating_mul(number("periodSeconds", 10));
        let allowed_ms = number("initialDelaySeconds", 0).saturating_add(tries).saturating_mul(1_000);
        let lasted_ms = now.0.saturating_sub(at.0).max(0);
        let is_starting = status.extra.get("started").is_some_and(|started| *started == Value::Bool(false));
        (is_starting && lasted_ms <= allowed_ms).then_some((lasted_ms, allowed_ms))
    };
    pod.status.container_statuses.iter().find_map(of)
}

/// The pod's node, if it counts as Ready though its kubelet was not heard of for so many milliseconds while others were: whoever would say
/// that it is lost does not look. Of two nodes one may have a clock that is ahead: it takes two others.
fn silent(cluster: &Cluster, pod: &Pod) -> Option<(Rc<str>, i64)> {
    let heard = |node: &Node| node.ready_condition()?.last_heartbeat_time;
    let node = cluster.node(&pod.spec.node_name).filter(|node| node.is_ready())?;
    let own = heard(node)?;
    let mut others: Vec<Time> =
        cluster.nodes().filter(|other| other.is_ready()).filter_map(|other| heard(other)).collect();
    others.sort();
    let newest_but_one = others.iter().rev().nth(1)?;
    let silent_ms = newest_but_one.0.saturating_sub(own.0);
    (silent_ms > SILENCE_MS).then(|| (Rc::clone(&node.metadata.name), silent_ms))
}

/// Whether every container of the pod has been started.
fn has_started(pod: &Pod) -> bool {
    let own = &pod.status.container_statuses;
    !own.is_empty() && own.iter().all(|status| !matches!(status.state, ContainerState::Waiting { .. }))
}

/// Whether the pod's node is there, Ready, and not said to be out of service.
fn is_on_answering_node(cluster: &Cluster, pod: &Pod) -> bool {
    let is_out = |node: &Node| node.spec.taints.iter().any(|taint| &*taint.key == OUT_OF_SERVICE);
    cluster.node(&pod.spec.node_name).is_some_and(|node| node.is_ready() && !is_out(node))
}

/// Whether a volume of the pod is attached to another node than its own, or may be to one that does not answer.
fn waits_for_detach(cluster: &Cluster, pod: &Pod) -> bool {
    let namespace = &pod.metadata.namespace;
    let may_be = pod.claim_names().next().is_some() && cluster.nodes().any(|node| !node.is_ready());
    may_be
        || cluster.attachments().iter().any(|held| {
            held.node != pod.spec.node_name
                && held.claim.namespace == *namespace
                && pod.claim_names().any(|name| *name == held.claim.name)
        })
}

/// What is never too long for something that these pods wait for, in milliseconds.
fn patience_ms<'a>(cluster: &Cluster, pods: impl IntoIterator<Item = &'a Pod>) -> i64 {
    if pods.into_iter().any(|pod| waits_for_detach(cluster, pod)) { DETACH_MS } else { PATIENCE_MS }
}

/// The pod as what a state is of.
pub(super) fn reference(pod: &Rc<Pod>) -> ObjectRef {
    Object::Pod(Rc::clone(pod)).reference()
}
