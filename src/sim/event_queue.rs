//! What is due, in order of time; ties in the order they were put in.

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
    /// `kubectl drain` tries to evict a pod.
    Drain { node: Rc<str>, pod: ObjectRef, uid: Rc<str>, until: Option<Time> },
}

/// A queue ordered by time, then by insertion.
#[derive(Clone, Debug, Default)]
pub(super) struct EventQueue {
    /// The next one last.
    pub(super) entries: Vec<(Time, ScheduledEvent)>,
}

impl EventQueue {
    pub(super) fn put(&mut self, at: Time, due: ScheduledEvent) {
        let place = self.entries.partition_point(|(then, _)| *then > at);
        self.entries.insert(place, (at, due));
    }

    pub(super) fn next_at(&self) -> Option<Time> {
        self.entries.last().map(|(at, _)| *at)
    }

    pub(super) fn take(&mut self) -> Option<(Time, ScheduledEvent)> {
        self.entries.pop()
    }
}
