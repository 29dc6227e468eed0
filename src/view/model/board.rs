//! What is drawn of a workload beside the axis of ordinals.

use super::{Density, PodAppearance, Revision};
use crate::objects::ObjectRef;
use crate::text::Text;
use std::rc::Rc;

/// How pods stand in the picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Layout {
    /// Each in its place by ordinal.
    Ordinals,
    /// Cards, one for each node.
    Nodes,
    /// Cards in the order of their making.
    Made,
}

/// A workload whose pods are cards, or are ranked.
#[derive(Clone, Debug, PartialEq)]
pub struct Board {
    /// What it is.
    pub set: ObjectRef,
    /// How its pods stand in the picture.
    pub layout: Layout,
    /// What its pods are grouped by: a Deployment's ReplicaSets, oldest first; of others one group without a name.
    pub groups: Vec<Group>,
    /// Its pods, oldest first; a DaemonSet's by node.
    pub cards: Vec<Rc<Card>>,
    /// How much of a pod there is room for.
    pub density: Density,
    /// Places without a pod: of pods that are missing, for a surge, of nodes that have none.
    pub blanks: Vec<Blank>,
    /// How many pods should exist; of a DaemonSet, on how many nodes.
    pub wanted: i32,
    /// How many pods the partition keeps old, and what that means; none where there is no partition.
    pub kept_old: Option<(i32, Text)>,
    /// Who is updated next, the first first.
    pub next_updated: Vec<Ranked>,
    /// Who is deleted first when it is scaled down, the first first.
    pub next_deleted: Vec<Ranked>,
}

/// Pods that belong together.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Group {
    /// Whether it is of the template as it is; none if it is the only one there can be.
    pub is_new: Option<bool>,
    /// Such as `ReplicaSet web-5d9c`; empty if it is the only one there can be.
    pub title: Text,
    /// Its version; none where pods of several versions stand in it.
    pub revision: Option<Revision>,
    /// What it is and what it counts, such as `new: 2 desired, 1 ready, 1 available`.
    pub counts: Text,
}

/// A place without a pod.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Blank {
    /// Tells it from the others.
    pub key: String,
    /// What stands there, such as `surge` or a node's name.
    pub title: Text,
    /// What it waits for.
    pub words: Text,
    /// The group it is in.
    pub group: usize,
}

impl Blank {
    pub(in crate::view) fn new(key: String, title: Text, words: Text, group: usize) -> Self {
        Self { key, title, words, group }
    }
}

/// A pod in a ranking.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ranked {
    /// Its name.
    pub name: String,
    /// By what it has its rank.
    pub because: Text,
    /// Whether the partition keeps it as it is.
    pub kept: bool,
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
pub enum Hook {
    /// The label is to be given to the pod.
    PutOn(String),
    /// The label is to be taken off the pod.
    TakeOff(String),
}

/// One pod.
#[derive(Clone, Debug, PartialEq)]
pub struct Card {
    /// Its uid: another one is another pod.
    pub key: Rc<str>,
    /// Its name.
    pub name: Rc<str>,
    /// The part of its name that is its own: a CloneSet's instance id.
    pub instance: String,
    /// kubectl's STATUS.
    pub status: Rc<str>,
    /// Whether it is being deleted.
    pub terminating: bool,
    /// kubectl's READY.
    pub ready: Rc<str>,
    /// How it looks.
    pub look: PodAppearance,
    /// Its node; empty before it has one.
    pub node: Rc<str>,
    /// Its address; empty before it has one.
    pub ip: Rc<str>,
    /// Its image's tag.
    pub tag: Rc<str>,
    /// How often its containers were started again.
    pub restarts: i32,
    /// Its version.
    pub revision: Revision,
    /// Where it is in a CloneSet's life of a pod: `Normal`, `Updating` and others; empty otherwise.
    pub state: String,
    /// Whether the gate of an update in place is open; none if it has none.
    pub gate: Option<bool>,
    /// The same of OpenKruise's own gate, which a hook may close.
    pub kruise_gate: Option<bool>,
    /// How it came to run what it runs.
    pub came: UpdateKind,
    /// What an update under way has in mind with it.
    pub turn: UpdateRank,
    /// Whether the controller stands at it.
    pub ringed: bool,
    /// What its hooks wait for.
    pub hooks: Vec<Hook>,
    /// Whether it is beyond the wanted number: made for a surge.
    pub surge: bool,
    /// The group it is in.
    pub group: usize,
    /// Its claims.
    pub claims: Vec<String>,
    /// The annotations by which OpenKruise and the controllers speak about it, and their texts.
    pub annotations: Vec<(String, String)>,
}
