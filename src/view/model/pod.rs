//! A pod, wherever it is drawn.

use super::Revision;
use std::rc::Rc;

/// A pod.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pod {
    /// Its uid: another one is another pod.
    pub key: Rc<str>,
    /// Its name.
    pub name: Rc<str>,
    /// kubectl's STATUS word.
    pub status: Rc<str>,
    /// kubectl's READY column, such as `0/1`.
    pub ready: Rc<str>,
    /// How it looks.
    pub look: PodAppearance,
    /// Its node, empty before it has one; of a kind whose pods are made for a node, that.
    pub node: Rc<str>,
    /// Its address; empty before it has one.
    pub ip: Rc<str>,
    /// The tag of its first container's image.
    pub tag: Rc<str>,
    /// How often its containers were started again.
    pub restarts: i32,
    /// The revision it is of.
    pub revision: Revision,
    /// Where it is in its life, as OpenKruise labels it: `Normal`, `Updating` and others; empty otherwise.
    pub state: Rc<str>,
    /// Whether the gate of an update in place is open; none if it has none.
    pub gate: Option<bool>,
    /// How it came to run what it runs.
    pub came: UpdateKind,
    /// Whether it is Running, and not Ready before somebody acts.
    pub is_held: bool,
    /// What an update under way has in mind with it.
    pub turn: UpdateRank,
}

impl Pod {
    /// The part of its name that is its own: a CloneSet's instance id, an ordinal.
    pub fn instance(&self) -> &str {
        self.name.rsplit('-').next().unwrap_or(&self.name)
    }
}

/// How a pod came to run what it runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UpdateKind {
    /// It is as it was made, of the first version.
    First,
    /// It is as it was made, of a later version: in the place of another.
    Replaced,
    /// It was changed where it is: the same pod runs another image.
    InPlace,
}

/// When it is a pod's turn to be updated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UpdateRank {
    /// It is up to date, or nobody ranks it.
    None,
    /// It waits behind others.
    Later,
    /// It is next.
    Next,
    /// Not at all: the partition keeps it as it is.
    Kept,
}

/// What a lifecycle hook waits for before the pod goes on, as `key=value`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::view) enum Hook {
    /// The label is to be given to the pod.
    PutOn(String),
    /// The label is to be taken off the pod.
    TakeOff(String),
}

/// How a pod's state looks; words and shapes go with it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum PodAppearance {
    /// Solid, check.
    Ready,
    /// Open ring, blue.
    Starting,
    /// Dashed, amber.
    Pending,
    /// Hatched, brown-gray.
    Terminating,
    /// Red, `!`.
    Failed,
    /// Last known state under a broken link, purple.
    Unreachable,
}

/// How large a place is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Density {
    /// Up to 40 ordinals.
    Card,
    /// Up to 200.
    Chip,
    /// Above.
    Cell,
}

impl Density {
    /// How much of each of so many pods there is room for.
    pub(in crate::view) fn of(pods: usize) -> Self {
        match pods {
            0..=40 => Self::Card,
            41..=200 => Self::Chip,
            _ => Self::Cell,
        }
    }
}
