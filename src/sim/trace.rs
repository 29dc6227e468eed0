//! Everything that happened, in order.

use crate::objects::{EventType, Kind, ObjectRef, Reason, StatefulSetStatus, Time};
use crate::reconcile::Decision;
use std::rc::Rc;

/// What a request asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
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
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// Done.
    Done,
    /// Refused, in the API server's words.
    Refused(Reason, Rc<str>),
}

/// One write of one sync.
#[derive(Clone, Debug, PartialEq, Eq)]
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
    /// The set.
    pub set: ObjectRef,
    /// Whether the set was still in the cache. If not, nothing else was looked at.
    pub found: bool,
    /// What was decided, in the order of the real code.
    pub decisions: Vec<Decision>,
    /// What was written, in order.
    pub writes: Vec<Write>,
    /// What the sync returned, if it failed.
    pub error: Option<Rc<str>>,
    /// The status before and after.
    pub status: (StatefulSetStatus, StatefulSetStatus),
}

/// One event of the API, counted as the API counts equal ones.
#[derive(Clone, Debug, PartialEq)]
pub struct EventRecord {
    /// What it is about.
    pub about: ObjectRef,
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

/// The record of a run.
#[derive(Clone, Debug, Default)]
pub struct Trace {
    /// Every sync, oldest first.
    pub syncs: Vec<Rc<SyncRecord>>,
    /// Every event, oldest first by first occurrence.
    pub events: Vec<Rc<EventRecord>>,
}
