//! What the tabs of the inspector draw.

use super::{Act, Revision, Stage};
use crate::text::Text;

/// A sync.
#[derive(Clone, Debug, PartialEq)]
pub struct SyncView {
    /// Counts from 1 over all sets.
    pub number: u64,
    /// When it ran, what it wrote, and where it stopped.
    pub summary: Text,
    /// The syncs of the same set before and after it.
    pub earlier: Option<u64>,
    /// The next one; none at the last.
    pub later: Option<u64>,
    /// The way it took.
    pub stages: Vec<Stage>,
    /// What it wrote, in order, as much of it as was asked for.
    pub writes: Vec<Written>,
    /// How many writes are left out.
    pub writes_left_out: usize,
    /// How long it has been waiting like this; empty if it is not.
    pub since: Text,
    /// Whether there is a chart of its controller.
    pub chart: bool,
}

/// One write.
#[derive(Clone, Debug, PartialEq)]
pub struct Written {
    /// Such as `created pod web-1`.
    pub text: Text,
    /// What the API server said, if it refused.
    pub refusal: String,
}

/// The status.
#[derive(Clone, Debug, PartialEq)]
pub struct Status {
    /// What the sync did to it, in one sentence.
    pub title: Text,
    /// The fields.
    pub rows: Vec<StatusRow>,
    /// How the spec's generation stands to it.
    pub generation: Text,
}

/// One field.
#[derive(Clone, Debug, PartialEq)]
pub struct StatusRow {
    /// As in the API.
    pub name: String,
    /// What it counts.
    pub means: &'static str,
    /// Its value; empty if the field is not there.
    pub value: String,
    /// Its value before the sync, if that changed it.
    pub before: Option<String>,
}

/// The history, newest first.
#[derive(Clone, Debug, PartialEq)]
pub struct Revisions {
    /// One a revision.
    pub rows: Vec<RevisionRow>,
    /// The numbers of the two that are compared, the older template first; none if there is only one.
    pub compared: Option<[i64; 2]>,
    /// What differs between their templates.
    pub changes: Vec<Change>,
}

/// One revision.
#[derive(Clone, Debug, PartialEq)]
pub struct RevisionRow {
    /// `revision`, which orders the history.
    pub number: i64,
    /// Name, letter and hue.
    pub revision: Revision,
    /// kubectl's age.
    pub age: String,
    /// The pods made from it, such as `web-0 to web-2`.
    pub pods: Text,
    /// `status.currentRevision` names it.
    pub current: bool,
    /// `status.updateRevision` names it.
    pub update: bool,
    /// The way back to it; none if the template is already its own.
    pub undo: Option<Act>,
}

/// One field that differs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    /// Such as `spec.containers[nginx].image`.
    pub path: String,
    /// Its value in the first; empty if it is not there.
    pub old: String,
    /// Its value in the second.
    pub new: String,
}
