//! The nodes with the set's pods for each, in groups of those that look alike to a sync: what holds for one node of a group
//! holds for all of them, so a sync looks at a few groups in place of thousands of nodes.

use super::place::{Fit, fit, is_updated, node_of, template_generation};
use super::roll::surges;
use super::{count, is_available_at, seniority};
use crate::objects::{DaemonSet, Node, Pod, PodPhase, Time};
use crate::reconcile::Gates;
use crate::reconcile::pods::{has_ended, revision_of};
use crate::reconcile::replica_set::is_ready;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

/// What nodes and pods are read with.
#[derive(Clone, Copy)]
pub(in crate::reconcile) struct Reader<'a> {
    pub(super) gates: &'a Gates,
    pub(super) set: &'a DaemonSet,
    /// By which pods of the current template are marked.
    pub(super) hash: &'a Rc<str>,
    pub(super) now: Time,
}

/// A node, or only its name, and the set's pods that are for it.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Station {
    /// Its place among the nodes; none if the cache has no node of this name.
    pub(super) at: Option<usize>,
    /// In the order in which the cache lists them.
    pub(super) pods: Vec<Rc<Pod>>,
    fit: Fit,
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
struct Subject {
    gates: Gates,
    uid: Rc<str>,
    generation: i64,
    template_generation: Option<i64>,
    hash: Rc<str>,
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
pub(in crate::reconcile) struct Stations {
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
    pub(super) fn of(reader: Reader<'_>, nodes: &[Rc<Node>], pods: &[Rc<Pod>]) -> Self {
        let mut stations = Self {
            of: Subject::of(reader),
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
    pub(in crate::reconcile) fn read_all(reader: Reader<'_>, nodes: &[Rc<Node>], pods: &[Rc<Pod>]) -> Self {
        let mut stations = Self::of(reader, nodes, &[]);
        pods.iter().for_each(|pod| stations.claim(reader, pod));
        stations
    }

    /// Whether it is about the set as it is, and these nodes.
    pub(in crate::reconcile) fn is_of(&self, reader: Reader<'_>, nodes: &[Rc<Node>]) -> bool {
        let are_same =
            |(kept, node): (&Rc<Node>, &Rc<Node>)| Rc::ptr_eq(kept, node) || kept.metadata.name == node.metadata.name;
        self.of == Subject::of(reader) && self.nodes.len() == nodes.len() && self.nodes.iter().zip(nodes).all(are_same)
    }

    /// Reads again the pods of these names, and the nodes that have changed. `pods` are those of the namespace by name.
    pub(in crate::reconcile) fn read(
        &mut self,
        reader: Reader<'_>,
        nodes: &[Rc<Node>],
        (changed, pods): (&[Rc<str>], &[Rc<Pod>]),
    ) {
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

    fn read_node(&mut self, reader: Reader<'_>, at: usize) {
        let node = Rc::clone(&self.nodes[at]);
        self.change(reader, &node.metadata.name, |station| {
            station.at = Some(at);
            station.fit = fit(reader.set, &node);
        });
    }

    /// Takes a pod in if it is the set's. One that claiming would adopt or release is kept in mind. Models ClaimObject.
    fn claim(&mut self, reader: Reader<'_>, pod: &Rc<Pod>) {
        let (metadata, set) = (&pod.metadata, reader.set);
        let matches = || set.spec.selector.matches(&metadata.labels);
        let is_clear = match metadata.controller_of() {
            Some(owner) if owner.uid != set.metadata.uid => return,
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
    fn add(&mut self, reader: Reader<'_>, pod: &Rc<Pod>, place: impl FnOnce(&Vec<Rc<Pod>>) -> usize) {
        let node = node_of(pod);
        let revision = node.is_some().then(|| revision_of(pod).into());
        if let Some(revision) = &revision {
            *self.revisions.entry(Rc::clone(revision)).or_default() += 1;
        }
        // Newer releases do not look at those that have ended and are terminating.
        let is_over = has_ended(pod) && pod.metadata.deletion_timestamp.is_some();
        let station = node.filter(|_| !(is_over && reader.gates.workloads.forgets_ended_daemons));
        if let Some(node) = &station {
            self.change(reader, node, |station| {
                let place = place(&station.pods);
                station.pods.insert(place, Rc::clone(pod));
            });
        }
        self.homes.insert(Rc::clone(&pod.metadata.name), Home { station, revision });
    }

    fn remove(&mut self, reader: Reader<'_>, name: &Rc<str>) {
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

    fn change(&mut self, reader: Reader<'_>, name: &Rc<str>, change: impl FnOnce(&mut Station)) {
        let mut station = self.take(name).unwrap_or_default();
        change(&mut station);
        if station.at.is_some() || !station.pods.is_empty() {
            let look = Look::of(reader, &station);
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
        self.groups().filter(|(look, _)| looks(look)).map(|(_, group)| count(group.len())).sum()
    }

    /// Whether a pod is at this revision.
    pub(super) fn has_revision(&self, revision: &str) -> bool {
        self.revisions.contains_key(revision)
    }
}

impl Subject {
    fn of(reader: Reader<'_>) -> Self {
        let metadata = &reader.set.metadata;
        Self {
            gates: *reader.gates,
            uid: Rc::clone(&metadata.uid),
            generation: metadata.generation,
            template_generation: template_generation(reader.set),
            hash: Rc::clone(reader.hash),
        }
    }
}

impl Look {
    fn of(reader: Reader<'_>, station: &Station) -> Self {
        let first = station.pods.iter().min_by(|a, b| seniority(a).cmp(&seniority(b)));
        Self {
            is_known: station.at.is_some(),
            fit: station.fit,
            first: first.map(|pod| First {
                is_ready: is_ready(pod),
                is_available: reader.is_available(pod),
                is_updated: reader.is_updated(pod),
            }),
            turn: reader.turn(station),
            is_in_place: reader.is_in_place(station),
        }
    }
}

impl Reader<'_> {
    fn is_available(&self, pod: &Pod) -> bool {
        is_available_at(self.now, self.gates, self.set, pod)
    }

    fn is_updated(&self, pod: &Pod) -> bool {
        is_updated(self.gates, self.set, self.hash, pod)
    }

    fn turn(&self, station: &Station) -> Turn {
        if station.pods.is_empty() && !station.fit.runs {
            return Turn::None;
        }
        let mut alive = station.pods.iter().filter(|pod| pod.metadata.deletion_timestamp.is_none());
        let (Some(only), None) = (alive.next(), alive.next()) else { return Turn::Unavailable };
        match (self.is_updated(only), self.is_available(only)) {
            (true, true) => Turn::Held,
            (true, false) => Turn::Unavailable,
            (false, true) => Turn::Candidate,
            (false, false) => Turn::Lost,
        }
    }

    fn is_in_place(&self, station: &Station) -> bool {
        let (pods, fit) = (&station.pods, station.fit);
        if station.at.is_none() {
            return pods.iter().all(|pod| !pod.spec.node_name.is_empty());
        }
        let mut alive = pods.iter().filter(|pod| pod.metadata.deletion_timestamp.is_none());
        let (first, second) = (alive.next(), alive.next());
        match first {
            None if pods.is_empty() => !fit.runs,
            // A surge makes a new pod beside one that is on its way out.
            None => !(fit.runs && self.gates.workloads.updates_daemons_by_node && surges(self.set)),
            Some(pod) => {
                let runs_on = !matches!(pod.status.phase, PodPhase::Failed | PodPhase::Succeeded);
                fit.stays && second.is_none() && runs_on
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Reader, Stations};
    use crate::objects::{DaemonSet, Node, Pod, Time};
    use crate::reconcile::Release;
    use crate::reconcile::readings::Readings;
    use proptest::prelude::*;
    use serde_json::{Value, json};
    use std::collections::BTreeMap;
    use std::rc::Rc;

    const NAMES: [&str; 6] = ["a", "b", "c", "d", "e", "f"];
    /// The last of them the cache does not have.
    const NODES: [&str; 3] = ["n1", "n2", "gone"];

    fn set(surge: i32) -> DaemonSet {
        serde_json::from_value(json!({
            "metadata": {"name": "agent", "namespace": "default", "uid": "u"},
            "spec": {"selector": {"matchLabels": {"app": "agent"}},
                "updateStrategy": {"type": "RollingUpdate", "rollingUpdate": {"maxSurge": surge, "maxUnavailable": 1 - surge}},
                "template": {"metadata": {"labels": {"app": "agent"}}, "spec": {"containers": []}}}}))
        .unwrap()
    }

    fn node(name: &str, is_tainted: bool) -> Rc<Node> {
        let taints = if is_tainted { json!([{"key": "k", "effect": "NoExecute"}]) } else { json!([]) };
        Rc::new(serde_json::from_value(json!({"metadata": {"name": name}, "spec": {"taints": taints}})).unwrap())
    }

    #[derive(Clone, Debug)]
    struct Drawn {
        owner: Option<&'static str>,
        app: &'static str,
        revision: &'static str,
        node: &'static str,
        is_bound: bool,
        phase: &'static str,
        is_ready: bool,
        is_terminating: bool,
    }

    fn pod(name: &str, drawn: &Drawn) -> Rc<Pod> {
        let owners = drawn.owner.map(|uid| json!({"apiVersion": "apps/v1", "kind": "DaemonSet", "name": "agent", "uid": uid, "controller": true}));
        let term = json!({"matchFields": [{"key": "metadata.name", "operator": "In", "values": [drawn.node]}]});
        let affinity =
            json!({"nodeAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": {"nodeSelectorTerms": [term]}}});
        let spec: Value = if drawn.is_bound {
            json!({"containers": [], "nodeName": drawn.node})
        } else {
            json!({"containers": [], "affinity": affinity})
        };
        let ready = json!([{"type": "Ready", "status": if drawn.is_ready { "True" } else { "False" }}]);
        Rc::new(
            serde_json::from_value(json!({
                "metadata": {"name": name, "namespace": "default",
                    "labels": {"app": drawn.app, "controller-revision-hash": drawn.revision},
                    "ownerReferences": owners.into_iter().collect::<Vec<_>>(),
                    "deletionTimestamp": drawn.is_terminating.then_some("2026-01-01T00:00:00Z")},
                "spec": spec, "status": {"phase": drawn.phase, "conditions": ready}}))
            .unwrap(),
        )
    }

    fn drawn() -> impl Strategy<Value = Drawn> {
        let labels = (
            prop::sample::select(vec![Some("u"), Some("u"), Some("u"), Some("v"), None]),
            prop::sample::select(vec!["agent", "agent", "agent", "db"]),
            prop::sample::select(vec!["x", "y"]),
        );
        let state = (
            prop::sample::select(NODES.to_vec()),
            any::<bool>(),
            prop::sample::select(vec!["Pending", "Running", "Running", "Failed", "Succeeded"]),
            any::<bool>(),
            any::<bool>(),
        );
        (labels, state).prop_map(|((owner, app, revision), (node, is_bound, phase, is_ready, is_terminating))| Drawn {
            owner,
            app,
            revision,
            node,
            is_bound,
            phase,
            is_ready,
            is_terminating,
        })
    }

    /// A pod is put into the cache, or goes; or the taint of a node comes or goes.
    #[derive(Clone, Debug)]
    enum Change {
        Pod(&'static str, Option<Drawn>),
        Node(usize, bool),
    }

    fn change() -> impl Strategy<Value = Change> {
        let pod = (prop::sample::select(NAMES.to_vec()), prop::option::weighted(0.7, drawn()));
        prop_oneof![
            5 => pod.prop_map(|(name, drawn)| Change::Pod(name, drawn)),
            1 => (0..2_usize, any::<bool>()).prop_map(|(at, is_tainted)| Change::Node(at, is_tainted)),
        ]
    }

    proptest! {
        #[test]
        fn what_is_kept_and_brought_up_to_date_is_what_reading_everything_gives(
            changes in prop::collection::vec((change(), any::<bool>()), 1..40),
            surge in 0..2,
            release in prop::sample::select(vec![Release::V1_20, Release::V1_36]),
        ) {
            let (set, gates, hash) = (set(surge), release.gates(), "x".into());
            let reader = Reader { gates: &gates, set: &set, hash: &hash, now: Time(0) };
            let mut nodes = vec![node("n1", false), node("n2", false)];
            let mut cache = BTreeMap::new();
            let mut kept = Readings::default();
            for (change, is_synced) in changes {
                match change {
                    Change::Pod(name, drawn) => {
                        kept.note(&name.into());
                        match drawn {
                            Some(drawn) => cache.insert(name, pod(name, &drawn)),
                            None => cache.remove(name),
                        };
                    }
                    Change::Node(at, is_tainted) => nodes[at] = node(NODES[at], is_tainted),
                }
                if is_synced {
                    let pods: Vec<Rc<Pod>> = cache.values().cloned().collect();
                    let stations = kept.stations(reader, &nodes, &pods);
                    prop_assert_eq!(&*stations, &Stations::read_all(reader, &nodes, &pods));
                }
            }
        }
    }
}
