//! What the scheduler looks at when it places a pod.

use super::inter_pod_affinity::Neighbors;
use super::pod_topology_spread::Spread;
use super::resources::Amounts;
use crate::objects::{Kind, Node, Object, ObjectRef, PersistentVolumeClaim, Pod, PodPhase};
use crate::sim::index::OnNode;
use crate::sim::map::Set;
use crate::sim::store::Store;
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

    fn of(&self, pods: impl Fn(&OnNode) -> &Set<ObjectRef>) -> impl Iterator<Item = &'s Rc<Pod>> {
        let is_finished = |pod: &Pod| matches!(pod.status.phase, PodPhase::Failed | PodPhase::Succeeded);
        let store = self.store;
        let pods = self.there().into_iter().flat_map(pods).filter_map(|key| store.pod(key));
        pods.filter(move |pod| !is_finished(pod))
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

/// The nodes, by name, and their pods.
pub(super) struct Snapshot<'s> {
    pub(super) store: &'s Store,
    pub(super) hosts: Vec<Host<'s>>,
}

impl<'s> Snapshot<'s> {
    pub(super) fn of(store: &'s Store) -> Self {
        let hosts = store.list(Kind::Node).filter_map(|object| match object {
            Object::Node(node) => Some(Host { node, store }),
            _ => None,
        });
        Self { store, hosts: hosts.collect() }
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
