//! What the scheduler looks at when it places a pod.

use super::inter_pod_affinity::Neighbors;
use super::pod_topology_spread::Spread;
use super::resources::Amounts;
use crate::objects::{Kind, Node, Object, PersistentVolumeClaim, Pod, PodPhase};
use crate::sim::store::Store;
use std::collections::BTreeMap;
use std::rc::Rc;

/// A node with the pods that are bound to it.
pub(super) struct Host<'s> {
    pub(super) node: &'s Node,
    pub(super) pods: Vec<&'s Rc<Pod>>,
}

impl<'s> Host<'s> {
    /// The pods that have not ended: the scheduler knows no others.
    pub(super) fn unfinished(&self) -> impl Iterator<Item = &'s Rc<Pod>> {
        let is_finished = |pod: &Pod| matches!(pod.status.phase, PodPhase::Failed | PodPhase::Succeeded);
        self.pods.iter().copied().filter(move |pod| !is_finished(pod))
    }

    /// The value of one of the node's labels.
    pub(super) fn label(&self, key: &str) -> Option<&'s str> {
        self.node.metadata.labels.get(key).map(|value| &**value)
    }
}

/// The nodes, by name, and their pods.
pub(super) struct Snapshot<'s> {
    pub(super) hosts: Vec<Host<'s>>,
}

impl<'s> Snapshot<'s> {
    pub(super) fn of(store: &'s Store) -> Self {
        let mut pods: BTreeMap<&str, Vec<&Rc<Pod>>> = BTreeMap::new();
        for pod in store.pods().filter(|pod| !pod.spec.node_name.is_empty()) {
            pods.entry(&pod.spec.node_name).or_default().push(pod);
        }
        let hosts = store.list(Kind::Node).filter_map(|object| match object {
            Object::Node(node) => Some(Host { node, pods: pods.remove(&*node.metadata.name).unwrap_or_default() }),
            _ => None,
        });
        Self { hosts: hosts.collect() }
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
