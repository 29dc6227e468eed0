//! What is due, in order of time; ties in the order they were put in.

use super::map::Map;
use crate::objects::{Kind, ObjectRef, Time};
use crate::reconcile::WatchEvent;
use std::rc::Rc;

/// Something that is due at a moment. Handlers look at the state as it is then, so an event that has lost its point does
/// nothing.
#[derive(Clone, Debug)]
pub(super) enum ScheduledEvent {
    /// A change reaches the controllers' cache.
    Deliver(WatchEvent),
    /// A worker takes a key off its controller's queue.
    Work(Kind),
    /// A key that failed is put into the queue again.
    Requeue(ObjectRef),
    /// The scheduler looks at the pods that have no node.
    Schedule,
    /// A claim is bound to a volume.
    BindClaim(ObjectRef),
    /// A claim that grows takes its next step.
    GrowClaim(ObjectRef),
    /// A node's kubelet looks at one of its pods.
    Kubelet { node: Rc<str>, pod: ObjectRef, uid: Rc<str> },
    /// The node lifecycle controller looks at a node.
    NodeMonitor { node: Rc<str> },
    /// A pod's tolerance of its node's NoExecute taint runs out.
    TaintEviction { pod: ObjectRef, uid: Rc<str> },
    /// Nodes whose turn it is are tainted with NoExecute.
    TaintPass,
    /// The pod garbage collector looks at the pods of a node that is gone.
    PodGc { node: Rc<str> },
    /// The pod garbage collector looks at the pods of nodes that are out of service.
    PodGcLoop,
    /// A new node becomes ready.
    NodeJoins { node: Rc<str> },
    /// A machine that reboots is up again.
    Boot { node: Rc<str> },
    /// A machine that shuts down gracefully goes off.
    PowerOff { node: Rc<str> },
    /// The attach-detach controller has waited long enough for a node's unmounts.
    ForceDetach { node: Rc<str> },
    /// Deleted claims that no pod uses go.
    ReleaseClaims,
    /// Dependents of owners that are gone are deleted.
    CollectGarbage,
    /// An owner whose dependents were orphaned goes.
    Orphaned(ObjectRef),
    /// An autoscaler looks at its target.
    Autoscale { namespace: Rc<str>, name: Rc<str> },
    /// `kubectl drain` tries to evict a pod.
    Drain(Drain),
}

/// A pod that `kubectl drain` asks to go.
#[derive(Clone, Debug)]
pub(super) struct Drain {
    pub(super) node: Rc<str>,
    pub(super) pod: ObjectRef,
    pub(super) uid: Rc<str>,
    /// So many seconds; none for the pod's own.
    pub(super) grace: Option<i64>,
    /// When kubectl stops asking.
    pub(super) until: Option<Time>,
}

/// A queue ordered by time, then by insertion.
#[derive(Clone, Debug, Default)]
pub(super) struct EventQueue {
    /// By time, then by place among all that were ever put in.
    entries: Map<QueuePosition, ScheduledEvent>,
    /// How many were put in.
    count: u64,
}

/// Where an event stands in the queue.
pub(super) type QueuePosition = (Time, u64);

impl EventQueue {
    pub(super) fn put(&mut self, at: Time, due: ScheduledEvent) {
        self.entries.insert((at, self.count), due);
        self.count += 1;
    }

    pub(super) fn next_at(&self) -> Option<Time> {
        self.entries.get_min().map(|((at, _), _)| *at)
    }

    pub(super) fn take(&mut self) -> Option<(Time, ScheduledEvent)> {
        let place = self.entries.get_min()?.0;
        self.take_at(place)
    }

    /// Takes the event at this place, whoever is next.
    pub(super) fn take_at(&mut self, place: QueuePosition) -> Option<(Time, ScheduledEvent)> {
        self.entries.remove(&place).map(|due| (place.0, due))
    }

    /// What is in it, the next one first.
    pub(super) fn iter(&self) -> impl DoubleEndedIterator<Item = (QueuePosition, &ScheduledEvent)> {
        self.entries.iter().map(|(place, due)| (*place, due))
    }
}

/// The next multiple of a step, in milliseconds.
pub(super) fn round_up(time: i64, step: i64) -> i64 {
    (time + step - 1).div_euclid(step) * step
}
