//! Everything that happened, in order.

use super::eviction_refusal::EvictionRefusal;
use super::failure::Failure;
use super::log::Log;
use crate::objects::{EventType, Kind, Object, ObjectRef, Reason, StatefulSetStatus, Time};
use crate::reconcile::Decision;
use serde::Serialize;
use std::rc::Rc;

/// What a request asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub enum Verb {
    /// A new object.
    Create,
    /// A whole object.
    Update,
    /// The status of an object.
    UpdateStatus,
    /// Owner references.
    Patch,
    /// An object's deletion.
    Delete,
}

/// How a request ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub enum Outcome {
    /// Done.
    Done,
    /// Refused, in the API server's words.
    Refused(Reason, Rc<str>),
}

/// One write of one sync.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Write {
    /// What was asked for.
    pub verb: Verb,
    /// The kind of the object.
    pub kind: Kind,
    /// Its name.
    pub name: Rc<str>,
    /// What came of it.
    pub outcome: Outcome,
}

/// One sync of one set.
#[derive(Clone, Debug, PartialEq)]
pub struct SyncRecord {
    /// Counts from 1.
    pub number: u64,
    /// When it ran.
    pub at: Time,
    /// The object it was about.
    pub subject: ObjectRef,
    /// The object as the cache held it. If it did not, nothing else was looked at.
    pub before: Option<Object>,
    /// The object as its status was last written; as before, if it was not.
    pub after: Option<Object>,
    /// What was decided, in the order of the real code; shared with the sync before where that decided the same.
    pub decisions: Rc<[Decision]>,
    /// What was written, in order.
    pub writes: Vec<Write>,
    /// What the sync returned, if it failed.
    pub error: Option<Rc<str>>,
}

impl SyncRecord {
    /// Whether the object was still in the cache.
    pub(crate) fn is_found(&self) -> bool {
        self.before.is_some()
    }

    /// The status of a StatefulSet before and after.
    pub(crate) fn stateful_set_status(&self) -> Option<[&StatefulSetStatus; 2]> {
        match (&self.before, &self.after) {
            (Some(Object::StatefulSet(before)), Some(Object::StatefulSet(after))) => {
                Some([&before.status, &after.status])
            }
            _ => None,
        }
    }
}

/// One event of the API, counted as the API counts equal ones.
#[derive(Clone, Debug, PartialEq)]
pub struct EventRecord {
    /// What it is about.
    pub about: ObjectRef,
    /// The part of it, such as `spec.containers{web}`; empty for the whole.
    pub field: Rc<str>,
    /// Normal or Warning.
    pub event_type: EventType,
    /// CamelCase cause.
    pub reason: Rc<str>,
    /// The sentence.
    pub message: Rc<str>,
    /// Who says so, such as `statefulset-controller`.
    pub component: &'static str,
    /// When first.
    pub first: Time,
    /// When last.
    pub last: Time,
    /// How often.
    pub count: u32,
}

/// Something that happened at one step.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub enum TraceEvent {
    /// A change of this object reached the controller's cache.
    Delivered(ObjectRef),
    /// The controller synced a set: the sync of this number.
    Synced(u64),
    /// A set whose sync failed is queued again.
    Requeued(ObjectRef),
    /// A pod got its node.
    Scheduled {
        /// The pod.
        pod: ObjectRef,
        /// The node.
        node: Rc<str>,
    },
    /// No node takes the pod.
    Unschedulable {
        /// The pod.
        pod: ObjectRef,
    },
    /// A claim got its volume.
    ClaimBound(ObjectRef),
    /// A kubelet reported a pod's new status.
    PodReported {
        /// The pod.
        pod: ObjectRef,
    },
    /// A kubelet confirmed that a pod's containers have stopped, and its object went.
    PodStopped {
        /// The pod.
        pod: ObjectRef,
    },
    /// A machine failed.
    NodeFailed {
        /// The node.
        node: Rc<str>,
        /// How.
        failure: Failure,
    },
    /// A failed machine's kubelet answers again.
    NodeReturned {
        /// The node.
        node: Rc<str>,
    },
    /// A pod's object went while its containers run on, where nobody can reach them.
    GhostLeft {
        /// The pod.
        pod: ObjectRef,
        /// Where they run.
        node: Rc<str>,
    },
    /// A container was started while another of the same pod name runs: at most one is broken.
    SecondStarted {
        /// The pod.
        pod: ObjectRef,
        /// Where the other one runs.
        other: Rc<str>,
    },
    /// A kubelet stopped containers whose pod has no object any more.
    GhostStopped {
        /// The pod.
        pod: ObjectRef,
        /// Where they ran.
        node: Rc<str>,
    },
    /// A pod's volume is attached elsewhere: its containers cannot be created.
    AttachRefused {
        /// The pod.
        pod: ObjectRef,
    },
    /// A volume was detached from a node.
    Detached {
        /// The claim that is bound to it.
        claim: ObjectRef,
        /// The node.
        node: Rc<str>,
        /// Whether without a confirmed unmount.
        forced: bool,
    },
    /// `kubectl drain` was refused an eviction.
    EvictionRefused {
        /// The pod.
        pod: ObjectRef,
        /// Why.
        why: EvictionRefusal,
    },
    /// A node was found silent for too long.
    NodeNotReady {
        /// The node.
        node: Rc<str>,
    },
    /// A pod was marked for deletion: its node is unreachable, unwell, tainted or being drained.
    Evicted {
        /// The pod.
        pod: ObjectRef,
    },
    /// A pod was deleted because its node no longer exists or is out of service.
    Collected {
        /// The pod.
        pod: ObjectRef,
    },
    /// An autoscaler brought a workload back between its bounds.
    Rescaled {
        /// The workload.
        workload: ObjectRef,
        /// The name of the autoscaler.
        by: Rc<str>,
        /// The replicas before.
        from: i32,
        /// The replicas now.
        to: i32,
    },
    /// Nothing came of it: the state had moved on.
    Nothing,
}

/// A pod, a node or a workload as it was from a moment on.
#[derive(Clone, Debug, PartialEq)]
pub struct ObjectVersion {
    /// When it became so.
    pub at: Time,
    /// What the API server held.
    pub object: Object,
    /// Whether it went then.
    pub gone: bool,
}

/// The record of a run; its past is shared with every snapshot.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Trace {
    /// Every sync, oldest first.
    pub syncs: Log<Rc<SyncRecord>>,
    /// Every event, oldest first by first occurrence.
    pub api_events: Log<Rc<EventRecord>>,
    /// What each step did, oldest first.
    pub events: Log<(Time, TraceEvent)>,
    /// Every state a pod, a node or a workload was in, oldest first.
    pub history: Log<ObjectVersion>,
}
