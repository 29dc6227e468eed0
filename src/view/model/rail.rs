//! The axis of ordinals.

use super::Pod;
use crate::text::Text;
use std::rc::Rc;

/// The rail.
#[derive(Clone, Debug, PartialEq)]
pub struct Rail {
    /// What all names begin with, such as `web-`.
    pub prefix: String,
    /// Whether claims stay when the set is scaled down.
    pub keeps_claims: bool,
    /// Places by ordinal, without gaps from the first in range on; below it only what is there.
    pub places: Rc<Vec<Rc<Place>>>,
    /// The partition's flag; none with OnDelete.
    pub partition: Option<Flag>,
    /// The flag behind the last ordinal that should exist.
    pub replicas: Option<Flag>,
    /// What is pinned, waited for and ready, where there are too many places to read each; empty otherwise.
    pub line: Text,
    /// The pods that wait for something that time ends, by ordinal.
    pub waits: Vec<Wait>,
}

/// A flag that stands before an ordinal and can be moved.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Flag {
    /// Its value: how many ordinals in range it stands behind.
    pub at: i32,
    /// The highest value it can be moved to.
    pub max: i32,
    /// The ordinal that 0 stands before: the first in range.
    pub start: i32,
    /// How many places lie before that.
    pub before: i32,
    /// What its place means, for `aria-valuetext`: `partition 2: web-2 to web-4 will update`.
    pub consequence: Text,
}

/// One ordinal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// Stable while the pod is the same one: its uid, or `empty-<ordinal>`.
    pub key: Rc<str>,
    /// The ordinal.
    pub ordinal: i32,
    /// The name of its pod, there or not.
    pub name: Rc<str>,
    /// The pod, if there is one.
    pub pod: Option<Rc<Pod>>,
    /// What an empty place says, such as `will be created at revision B`.
    pub empty: Text,
    /// Out of range: drawn on hatched ground.
    pub condemned: bool,
    /// The last sync stopped here.
    pub ringed: bool,
    /// Its claims, which stay when the pod goes.
    pub claims: Vec<Claim>,
    /// Nodes on which containers of a deleted pod of this name run on.
    pub ghosts: Vec<String>,
}

/// A claim under its ordinal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Claim {
    /// Such as `www-web-0`.
    pub name: String,
    /// Such as `Bound`.
    pub phase: String,
    /// The node its volume is attached to, if it is to one at a time.
    pub attached: Option<String>,
    /// Containers of more than one pod write to it.
    pub shared: bool,
}

/// What a pod waits for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WaitKind {
    /// Its containers run, and its readiness probe is due to pass.
    Readiness,
    /// It is marked for deletion, and its containers are given time to stop.
    Grace,
}

/// A wait that time ends.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Wait {
    /// The pod's ordinal.
    pub ordinal: i32,
    /// What it waits for.
    pub kind: WaitKind,
    /// The time that is left, in whole seconds.
    pub left: Text,
    /// How much of it is left, in percent.
    pub percent: i64,
}
