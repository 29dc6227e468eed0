//! The pods of a workload of any kind: on the axis of ordinals or as cards.

use super::{Density, Place, Pod, Rail, Revision};
use crate::text::Text;
use std::rc::Rc;

/// How pods stand in the picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Layout {
    /// Each in its place by ordinal.
    Ordinals,
    /// Cards, one for each node.
    Nodes,
    /// Cards in the order of their making.
    Made,
}

/// The pods of a workload of any kind, and who of them is next.
#[derive(Clone, Debug, PartialEq)]
pub struct WorkloadView {
    /// Its pods, as they stand in the picture.
    pub pods: Pods,
    /// Who is updated next, the first first; nobody where the ordinals alone say so.
    pub next_updated: Vec<Ranked>,
    /// Who is deleted first when it is scaled down, the first first; nobody where the ordinals alone say so.
    pub next_deleted: Vec<Ranked>,
}

/// Pods, as they stand in the picture.
#[derive(Clone, Debug, PartialEq)]
pub enum Pods {
    /// Each in its place by ordinal.
    Axis(Rc<Rail>),
    /// As cards.
    Cards(Rc<Cards>),
}

impl WorkloadView {
    /// The axis, if its pods stand by ordinal.
    pub fn axis(&self) -> Option<&Rc<Rail>> {
        match &self.pods {
            Pods::Axis(rail) => Some(rail),
            Pods::Cards(_) => None,
        }
    }

    /// The cards, if its pods have no ordinals.
    pub fn cards(&self) -> Option<&Rc<Cards>> {
        match &self.pods {
            Pods::Axis(_) => None,
            Pods::Cards(cards) => Some(cards),
        }
    }

    /// The places by ordinal; none for a workload without ordinals.
    pub fn places(&self) -> &[Rc<Place>] {
        self.axis().map_or(&[], |rail| &rail.places)
    }

    /// The pod of this name.
    pub fn pod(&self, name: &str) -> Option<&Rc<Pod>> {
        let of_place = |place: &'_ &Rc<Place>| *place.name == *name;
        match &self.pods {
            Pods::Axis(rail) => rail.places.iter().find(of_place)?.pod.as_ref(),
            Pods::Cards(cards) => cards.cards.iter().map(|card| &card.pod).find(|pod| *pod.name == *name),
        }
    }

    /// What all names of its pods begin with, such as `web-`, if they stand by ordinal; empty otherwise.
    pub(crate) fn prefix(&self) -> &str {
        self.axis().map_or("", |rail| &rail.prefix)
    }
}

/// Pods as cards.
#[derive(Clone, Debug, PartialEq)]
pub struct Cards {
    /// Whether a pod is told by its node: it has one place on each.
    pub by_node: bool,
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
}

/// One pod as a card.
#[derive(Clone, Debug, PartialEq)]
pub struct Card {
    /// The pod.
    pub pod: Rc<Pod>,
    /// Whether the controller stands at it.
    pub ringed: bool,
    /// Whether it is beyond the wanted number: made for a surge.
    pub surge: bool,
    /// The group it is in.
    pub group: usize,
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
