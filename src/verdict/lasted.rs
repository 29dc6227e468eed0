//! The text's own clock, as a net under every forecast: a state that has lasted far longer than the run takes to leave it is held
//! by something that the run does not know.

use crate::objects::{ContainerState, ContainerStatus, Node, OUT_OF_SERVICE, Object, ObjectRef, Pod, Time};
use crate::reconcile::is_failed;
use crate::session::dump::Event;
use crate::sim::Cluster;
use std::rc::Rc;

/// A state that has lasted so many times as long as the run takes to leave it is far too long.
const FACTOR: i64 = 5;
/// What is shorter, in milliseconds, is never too long: images are pulled and programs start in it.
const PATIENCE_MS: i64 = 120_000;
/// The same where a volume waits to be taken from another node by force, which is after six minutes.
const DETACH_MS: i64 = 480_000;
/// The first waits of a container that is started again, and the longest one, in milliseconds.
const BACK_OFF_MS: (i64, i64) = (10_000, 300_000);
/// Fewer restarts say nothing of how long a container has not run.
const RESTARTS: i32 = 5;
/// The first wait of a controller's work queue after a failed sync, and the longest one, in milliseconds.
const QUEUE_MS: (i64, i64) = (5, 1_000_000);

/// A state of a pod, or of a workload that lacks one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
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
    /// A pod is missing, and making it was refused.
    Refused,
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
    pub(super) fn of_pod(cluster: &Cluster, pod: &Pod) -> Option<Self> {
        let now = cluster.now();
        let (state, lasted_ms) = state_of(pod, now)?;
        // What frees a pod whose node is gone or does not answer is often somebody's last act, of which no text has the time.
        if state == Lasting::Terminating && !is_on_answering_node(cluster, pod) {
            return None;
        }
        let patience_ms = if waits_for_detach(cluster, pod) { DETACH_MS } else { PATIENCE_MS };
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
        let is_creation = |event: &&Event| matches!(&*event.reason, "FailedCreate" | "SuccessfulCreate");
        let last = events.iter().filter(is_own).filter(is_creation).max_by_key(|event| event.last)?;
        let is_refused = &*last.reason == "FailedCreate";
        let lasted_ms = waits(QUEUE_MS, last.count.saturating_sub(1));
        let patience_ms = PATIENCE_MS;
        is_refused.then_some(Self { state: Lasting::Refused, lasted_ms, patience_ms, left_ms: None, is_over: false })
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
            Lasting::NotStarted => has_started(pod),
            Lasting::Restarting | Lasting::NotReady => pod.is_ready(),
            Lasting::Refused => true,
        };
        if is_left {
            (self.left_ms, self.is_over) = (Some(after_ms), true);
        }
    }

    /// Sees that a pod was made after so many milliseconds.
    pub(super) fn see_made(&mut self, after_ms: i64) {
        if !self.is_over {
            (self.left_ms, self.is_over) = (Some(after_ms), true);
        }
    }

    /// What it refutes.
    pub(super) fn refutes(&self, subject: ObjectRef) -> Option<Refuted> {
        let would_end_in_ms = self.left_ms?;
        let is_too_long = self.lasted_ms > would_end_in_ms.saturating_mul(FACTOR).max(self.patience_ms);
        let (state, lasted_ms) = (self.state, self.lasted_ms);
        is_too_long.then_some(Refuted { subject, state, lasted_ms, would_end_in_ms })
    }
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

/// Whether every container of the pod has been started.
fn has_started(pod: &Pod) -> bool {
    let own = &pod.status.container_statuses;
    !own.is_empty() && own.iter().all(|status| !matches!(status.state, ContainerState::Waiting { .. }))
}

/// Whether the pod's node is there, Ready, and not said to be out of service.
fn is_on_answering_node(cluster: &Cluster, pod: &Pod) -> bool {
    let is_out = |node: &Node| node.spec.taints.iter().any(|taint| &*taint.key == OUT_OF_SERVICE);
    cluster.nodes().any(|node| node.metadata.name == pod.spec.node_name && node.is_ready() && !is_out(node))
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

/// The pod as what a state is of.
pub(super) fn reference(pod: &Rc<Pod>) -> ObjectRef {
    Object::Pod(Rc::clone(pod)).reference()
}
