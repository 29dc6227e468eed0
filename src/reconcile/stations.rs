//! The nodes with the set's pods for each, in groups of those that look alike to a sync: what holds for one node of a group
//! holds for all of them, so a sync looks at a few groups in place of thousands of nodes.

use super::Gates;
use super::pods::revision_of;
use crate::objects::{LabelSelector, Node, ObjectMeta, Pod};
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

/// How a controller sees nodes and pods.
pub(super) trait Reader: Copy {
    /// The set.
    fn set(&self) -> (&ObjectMeta, &LabelSelector);
    /// What of it, and of the release, the looks of nodes depend on.
    fn subject(&self) -> Subject;
    /// Whether a node is to have a pod.
    fn fit(&self, node: &Node) -> Fit;
    /// The node a pod is for.
    fn node_of(&self, pod: &Pod) -> Option<Rc<str>>;
    /// Whether a pod is as good as gone.
    fn forgets(&self, pod: &Pod) -> bool;
    /// What a sync sees of a node.
    fn look(&self, station: &Station) -> Look;
}

/// Whether a node is to have a pod, and whether one that it has may stay.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Fit {
    pub(super) runs: bool,
    pub(super) stays: bool,
}

/// A node, or only its name, and the set's pods that are for it.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Station {
    /// Its place among the nodes; none if the cache has no node of this name.
    pub(super) at: Option<usize>,
    /// In the order in which the cache lists them.
    pub(super) pods: Vec<Rc<Pod>>,
    pub(super) fit: Fit,
}

/// What the rolling update by deletion sees in a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Turn {
    /// It has no pod, and is to have none.
    None,
    /// Its new pod is available.
    Held,
    /// It has no available pod, or more than one that is not terminating.
    Unavailable,
    /// Its old pod is not available.
    Lost,
    /// Its old pod is available.
    Candidate,
}

/// What the status counts of the first pod of a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct First {
    pub(super) is_ready: bool,
    pub(super) is_available: bool,
    pub(super) is_updated: bool,
}

/// What a sync sees of a node wherever it does not need the node itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Look {
    /// Whether the cache has it.
    pub(super) is_known: bool,
    pub(super) fit: Fit,
    /// None if it has no pod.
    pub(super) first: Option<First>,
    pub(super) turn: Turn,
    /// Nothing is to be created or deleted, were it not for a rolling update.
    pub(super) is_in_place: bool,
}

/// What of the set all this depends on.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Subject {
    pub(super) gates: Gates,
    pub(super) uid: Rc<str>,
    pub(super) generation: i64,
    pub(super) template_generation: Option<i64>,
    /// By which pods of the current template are marked.
    pub(super) hash: Rc<str>,
}

/// Nodes by name.
pub(super) type Group = BTreeMap<Rc<str>, Station>;

/// Where a pod of the set is kept.
#[derive(Clone, Debug, PartialEq)]
struct Home {
    /// None if it is for no node, or left out.
    station: Option<Rc<str>>,
    /// None if it is for no node.
    revision: Option<Rc<str>>,
}

/// The nodes and the pods of one set.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Stations {
    of: Subject,
    nodes: Vec<Rc<Node>>,
    groups: BTreeMap<Look, Group>,
    looks: BTreeMap<Rc<str>, Look>,
    /// By the name of the pod.
    homes: BTreeMap<Rc<str>, Home>,
    /// How many pods are at each revision.
    revisions: BTreeMap<Rc<str>, usize>,
    /// Pods that claiming would adopt or release.
    unclaimed: BTreeSet<Rc<str>>,
}

impl Stations {
    /// The nodes with these pods, which are the set's.
    pub(super) fn of(reader: impl Reader, nodes: &[Rc<Node>], pods: &[Rc<Pod>]) -> Self {
        let mut stations = Self {
            of: reader.subject(),
            nodes: nodes.to_vec(),
            groups: BTreeMap::new(),
            looks: BTreeMap::new(),
            homes: BTreeMap::new(),
            revisions: BTreeMap::new(),
            unclaimed: BTreeSet::new(),
        };
        for at in 0..nodes.len() {
            stations.read_node(reader, at);
        }
        pods.iter().for_each(|pod| stations.add(reader, pod, Vec::len));
        stations
    }

    /// The nodes with those of the namespace's pods that are the set's.
    pub(super) fn read_all(reader: impl Reader, nodes: &[Rc<Node>], pods: &[Rc<Pod>]) -> Self {
        let mut stations = Self::of(reader, nodes, &[]);
        pods.iter().for_each(|pod| stations.claim(reader, pod));
        stations
    }

    /// Whether it is about the set as it is, and these nodes.
    pub(super) fn is_of(&self, reader: impl Reader, nodes: &[Rc<Node>]) -> bool {
        let are_same =
            |(kept, node): (&Rc<Node>, &Rc<Node>)| Rc::ptr_eq(kept, node) || kept.metadata.name == node.metadata.name;
        self.of == reader.subject() && self.nodes.len() == nodes.len() && self.nodes.iter().zip(nodes).all(are_same)
    }

    /// Reads again the pods of these names, and the nodes that have changed. `pods` are those of the namespace by name.
    pub(super) fn read(&mut self, reader: impl Reader, nodes: &[Rc<Node>], (changed, pods): (&[Rc<str>], &[Rc<Pod>])) {
        for (at, node) in nodes.iter().enumerate() {
            if !Rc::ptr_eq(&self.nodes[at], node) {
                self.nodes[at] = Rc::clone(node);
                self.read_node(reader, at);
            }
        }
        for name in changed {
            self.remove(reader, name);
            if let Ok(place) = pods.binary_search_by(|pod| pod.metadata.name.cmp(name)) {
                self.claim(reader, &pods[place]);
            }
        }
    }

    fn read_node(&mut self, reader: impl Reader, at: usize) {
        let node = Rc::clone(&self.nodes[at]);
        self.change(reader, &node.metadata.name, |station| {
            station.at = Some(at);
            station.fit = reader.fit(&node);
        });
    }

    /// Takes a pod in if it is the set's. One that claiming would adopt or release is kept in mind. Models ClaimObject.
    fn claim(&mut self, reader: impl Reader, pod: &Rc<Pod>) {
        let (metadata, (set, selector)) = (&pod.metadata, reader.set());
        let matches = || selector.matches(&metadata.labels);
        let is_clear = match metadata.controller_of() {
            Some(owner) if owner.uid != set.uid => return,
            Some(_) => matches(),
            None if metadata.deletion_timestamp.is_some() || !matches() => return,
            None => false,
        };
        if is_clear {
            let name = &metadata.name;
            self.add(reader, pod, |pods| pods.partition_point(|other| other.metadata.name < *name));
        } else {
            self.unclaimed.insert(Rc::clone(&metadata.name));
        }
    }

    /// `place` says where among the other pods of its node it comes.
    fn add(&mut self, reader: impl Reader, pod: &Rc<Pod>, place: impl FnOnce(&Vec<Rc<Pod>>) -> usize) {
        let node = reader.node_of(pod);
        let revision = node.is_some().then(|| revision_of(pod).into());
        if let Some(revision) = &revision {
            *self.revisions.entry(Rc::clone(revision)).or_default() += 1;
        }
        let station = node.filter(|_| !reader.forgets(pod));
        if let Some(node) = &station {
            self.change(reader, node, |station| {
                let place = place(&station.pods);
                station.pods.insert(place, Rc::clone(pod));
            });
        }
        self.homes.insert(Rc::clone(&pod.metadata.name), Home { station, revision });
    }

    fn remove(&mut self, reader: impl Reader, name: &Rc<str>) {
        self.unclaimed.remove(name);
        let Some(Home { station, revision }) = self.homes.remove(name) else { return };
        if let Some(revision) = revision
            && let Some(count) = self.revisions.get_mut(&revision)
        {
            *count -= 1;
            if *count == 0 {
                self.revisions.remove(&revision);
            }
        }
        if let Some(node) = station {
            self.change(reader, &node, |station| station.pods.retain(|pod| pod.metadata.name != *name));
        }
    }

    fn change(&mut self, reader: impl Reader, name: &Rc<str>, change: impl FnOnce(&mut Station)) {
        let mut station = self.take(name).unwrap_or_default();
        change(&mut station);
        if station.at.is_some() || !station.pods.is_empty() {
            let look = reader.look(&station);
            self.looks.insert(Rc::clone(name), look);
            self.groups.entry(look).or_default().insert(Rc::clone(name), station);
        }
    }

    fn take(&mut self, name: &Rc<str>) -> Option<Station> {
        let look = self.looks.remove(name)?;
        let group = self.groups.get_mut(&look)?;
        let station = group.remove(name);
        if group.is_empty() {
            self.groups.remove(&look);
        }
        station
    }

    /// Whether claiming the pods asks nothing of the API server: none is to be adopted or released.
    pub(super) fn are_claimed(&self) -> bool {
        self.unclaimed.is_empty()
    }

    /// How many pods the set has.
    pub(super) fn pods(&self) -> usize {
        self.homes.len()
    }

    /// By look.
    pub(super) fn groups(&self) -> impl Iterator<Item = (&Look, &Group)> {
        self.groups.iter()
    }

    /// Every node that the cache has or that a pod is for, by name.
    pub(super) fn by_name(&self) -> impl Iterator<Item = (&Rc<str>, &Look, &Station)> {
        let station = |(name, look)| Some((name, look, self.groups.get(look)?.get(name)?));
        self.looks.iter().filter_map(station)
    }

    /// How many nodes look so.
    pub(super) fn count(&self, looks: impl Fn(&Look) -> bool) -> i32 {
        self.groups()
            .filter(|(look, _)| looks(look))
            .map(|(_, group)| i32::try_from(group.len()).unwrap_or(i32::MAX))
            .sum()
    }

    /// Whether a pod is at this revision.
    pub(super) fn has_revision(&self, revision: &str) -> bool {
        self.revisions.contains_key(revision)
    }
}
