//! What the scheduler looks at when it places a pod.

use super::inter_pod_affinity::Neighbors;
use super::pod_topology_spread::Spread;
use crate::objects::{Kind, Node, Object, PersistentVolumeClaim, Pod};
use crate::sim::amounts::Amounts;
use crate::sim::index::{OnNode, Refs};
use crate::sim::refs::node_ref;
use crate::sim::store::Store;
use std::cell::OnceCell;
use std::rc::Rc;

/// A node with the pods that are bound to it.
pub(super) struct Host<'s> {
    pub(super) node: &'s Node,
    store: &'s Store,
}

impl<'s> Host<'s> {
    /// The pods that have not ended: the scheduler knows no others.
    pub(super) fn unfinished(&self) -> impl Iterator<Item = &'s Rc<Pod>> {
        self.of(|there| &there.pods)
    }

    /// Of those, the ones that have an affinity to other pods, or an anti-affinity.
    pub(super) fn particular(&self) -> impl Iterator<Item = &'s Rc<Pod>> {
        self.of(|there| &there.particular)
    }

    fn of(&self, pods: impl Fn(&OnNode) -> &Refs) -> impl Iterator<Item = &'s Rc<Pod>> {
        let store = self.store;
        let pods = self.there().into_iter().flat_map(pods).filter_map(|key| store.pod(key));
        pods.filter(move |pod| !pod.has_ended())
    }

    /// How many these are.
    pub(super) fn unfinished_count(&self) -> i32 {
        self.there().map_or(0, |there| there.unfinished)
    }

    /// What these request of a resource, in billionths.
    pub(super) fn requested(&self, resource: &str) -> i128 {
        self.there().map_or(0, |there| there.requested.get(resource))
    }

    /// How many pods of the controller of this uid are there, and how many in all; finished ones too.
    pub(super) fn load(&self, controller: &Rc<str>) -> (i32, usize) {
        self.there().map_or((0, 0), |there| (there.siblings(controller), there.pods.len()))
    }

    fn there(&self) -> Option<&'s OnNode> {
        self.store.index.on_node(&self.node.metadata.name)
    }

    /// The value of one of the node's labels.
    pub(super) fn label(&self, key: &str) -> Option<&'s str> {
        self.node.metadata.labels.get(key).map(|value| &**value)
    }
}

/// The nodes, by name, and their pods. They are listed once somebody asks for more than one of them.
pub(super) struct Snapshot<'s> {
    pub(super) store: &'s Store,
    hosts: OnceCell<Vec<Host<'s>>>,
}

impl<'s> Snapshot<'s> {
    pub(super) fn of(store: &'s Store) -> Self {
        Self { store, hosts: OnceCell::new() }
    }

    pub(super) fn hosts(&self) -> &[Host<'s>] {
        let host = |object| Self::as_host(self.store, object);
        self.hosts.get_or_init(|| self.store.list(Kind::Node).filter_map(host).collect())
    }

    /// The node of this name, if there is one.
    pub(super) fn host(&self, name: &Rc<str>) -> Option<Host<'s>> {
        Self::as_host(self.store, self.store.get(&node_ref(name)).ok()?)
    }

    fn as_host(store: &'s Store, object: &'s Object) -> Option<Host<'s>> {
        if let Object::Node(node) = object { Some(Host { node, store }) } else { None }
    }
}

/// A pod that is to be placed, with what its filters ask of the whole cluster.
pub(super) struct Incoming<'s> {
    pub(super) pod: &'s Pod,
    pub(super) snapshot: &'s Snapshot<'s>,
    pub(super) claims: Vec<&'s Rc<PersistentVolumeClaim>>,
    pub(super) asks: Amounts,
    pub(super) spread: Spread,
    pub(super) neighbors: Neighbors,
}

impl<'s> Incoming<'s> {
    pub(super) fn new(snapshot: &'s Snapshot<'s>, pod: &'s Pod, claims: Vec<&'s Rc<PersistentVolumeClaim>>) -> Self {
        let (asks, spread) = (Amounts::of(&pod.spec), Spread::new(snapshot, pod));
        Self { pod, snapshot, claims, asks, spread, neighbors: Neighbors::new(snapshot, pod) }
    }
}
