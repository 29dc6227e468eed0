//! What can be read of the store without a look at every object.

use super::Store;
use crate::objects::{Kind, Node, Object, ObjectRef, PersistentVolumeClaim, Pod, Typed};
use crate::sim::index::first_of;
use crate::sim::refs::node_ref;
use std::rc::Rc;

impl Store {
    /// Every object of a kind, by namespace and name.
    pub(in crate::sim) fn list(&self, kind: Kind) -> impl Iterator<Item = &Object> {
        // Keys are ordered by kind first.
        self.objects.range(first_of(kind)..).take_while(move |(key, _)| key.kind == kind).map(|(_, object)| object)
    }

    /// The node of this name, if it is there.
    pub(in crate::sim) fn node(&self, name: &Rc<str>) -> Option<&Rc<Node>> {
        Node::of(self.objects.get(&node_ref(name))?)
    }

    /// Every node, by name.
    pub(in crate::sim) fn nodes(&self) -> impl Iterator<Item = &Rc<Node>> {
        self.list(Kind::Node).filter_map(Node::of)
    }

    /// Every pod.
    pub(in crate::sim) fn pods(&self) -> impl Iterator<Item = &Rc<Pod>> {
        self.list(Kind::Pod).filter_map(Pod::of)
    }

    /// The pods of a namespace, by name.
    pub(in crate::sim) fn pods_in(&self, namespace: &Rc<str>) -> impl Iterator<Item = &Rc<Pod>> {
        self.list_in(Kind::Pod, namespace).filter_map(Pod::of)
    }

    /// The objects of a kind in a namespace, by name.
    pub(in crate::sim) fn list_in(&self, kind: Kind, namespace: &Rc<str>) -> impl Iterator<Item = &Object> + use<'_> {
        let namespace = Rc::clone(namespace);
        let first = ObjectRef { kind, namespace: Rc::clone(&namespace), name: "".into() };
        let there = move |key: &ObjectRef| key.kind == kind && key.namespace == namespace;
        self.objects.range(first..).take_while(move |(key, _)| there(key)).map(|(_, object)| object)
    }

    /// The pods bound to a node, by namespace and name.
    pub(in crate::sim) fn pods_on(&self, node: &Rc<str>) -> impl Iterator<Item = &Rc<Pod>> {
        self.index.on_node(node).into_iter().flat_map(|there| &there.pods).filter_map(|key| self.pod(key))
    }

    /// The pods that mount a claim, by name.
    pub(in crate::sim) fn users_of(&self, claim: &ObjectRef) -> impl Iterator<Item = &Rc<Pod>> {
        self.index.users(claim).filter_map(|key| self.pod(key))
    }

    /// Every workload, by kind, namespace and name.
    pub(in crate::sim) fn workloads(&self) -> impl Iterator<Item = &Object> {
        Kind::ALL.iter().filter(|kind| kind.is_workload()).flat_map(|kind| self.list(*kind))
    }

    /// Every claim, by namespace and name.
    pub(in crate::sim) fn claims(&self) -> impl Iterator<Item = &Rc<PersistentVolumeClaim>> {
        self.list(Kind::PersistentVolumeClaim).filter_map(PersistentVolumeClaim::of)
    }

    /// The claim, if it is there.
    pub(in crate::sim) fn claim(&self, key: &ObjectRef) -> Option<&Rc<PersistentVolumeClaim>> {
        PersistentVolumeClaim::of(self.objects.get(key)?)
    }

    /// The claims that a pod mounts, of those that are there.
    pub(in crate::sim) fn claims_of(&self, pod: &Pod) -> impl Iterator<Item = &Rc<PersistentVolumeClaim>> {
        pod.claim_names().filter_map(|name| {
            let namespace = pod.metadata.namespace.clone();
            self.claim(&ObjectRef { kind: Kind::PersistentVolumeClaim, namespace, name: Rc::clone(name) })
        })
    }

    /// What the object of this uid controls, of one kind, by namespace and name.
    pub(in crate::sim) fn controlled_by(&self, uid: &Rc<str>, kind: Kind) -> impl Iterator<Item = &Object> {
        let keys = self.index.dependents(uid).filter(move |key| key.kind == kind);
        let objects = keys.filter_map(|key| self.get(key).ok());
        objects.filter(move |object| object.metadata().controller_of().is_some_and(|owner| owner.uid == *uid))
    }
}
