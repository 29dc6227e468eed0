//! The controller's cache: the API store as it was a moment ago, kept so that a sync can read it without copying.

use super::event_queue::Change;
use crate::objects::{ControllerRevision, Kind, Object, ObjectRef, PersistentVolumeClaim, Pod, StatefulSet};
use std::collections::BTreeMap;
use std::rc::Rc;

/// What is cached of one namespace.
#[derive(Clone, Debug, Default)]
pub(super) struct Namespace {
    /// By name.
    pub(super) pods: Vec<Rc<Pod>>,
    /// By name.
    pub(super) revisions: Vec<Rc<ControllerRevision>>,
    pub(super) claims: BTreeMap<Rc<str>, Rc<PersistentVolumeClaim>>,
    pub(super) sets: BTreeMap<Rc<str>, Rc<StatefulSet>>,
    /// CloneSets, ReplicaSets, Deployments and DaemonSets, and nodes in the namespace without a name; in no order.
    pub(super) others: Vec<Object>,
}

/// The cache of the StatefulSet controller.
#[derive(Clone, Debug, Default)]
pub(super) struct Informer {
    /// Shared with snapshots; a changed namespace is copied once.
    namespaces: BTreeMap<Rc<str>, Rc<Namespace>>,
    /// How many changes were taken in.
    pub(super) taken: u64,
}

impl Informer {
    pub(super) fn namespace(&self, name: &str) -> Option<&Namespace> {
        self.namespaces.get(name).map(|namespace| &**namespace)
    }

    pub(super) fn all(&self) -> impl Iterator<Item = &Namespace> {
        self.namespaces.values().map(|namespace| &**namespace)
    }

    /// Takes a change in, and says which sets have to be looked at because of it.
    /// Models the event handlers of pkg/controller/statefulset/stateful_set.go, v1.20.
    pub(super) fn take(&mut self, change: &Change) -> Vec<ObjectRef> {
        {
            self.taken += 1;
        }
        let (Change::Put { new: object, .. } | Change::Gone(object)) = change;
        let name = &object.metadata().namespace;
        if !self.namespaces.contains_key(name) {
            self.namespaces.insert(Rc::clone(name), Rc::default());
        }
        let Some(namespace) = self.namespaces.get_mut(name).map(Rc::make_mut) else { return Vec::new() };
        match change {
            Change::Put { new, .. } => namespace.put(new),
            Change::Gone(object) => namespace.remove(object),
        }
        match change {
            Change::Put { old, new: Object::Pod(pod) } => {
                let old = old.as_ref().and_then(|old| if let Object::Pod(old) = old { Some(old) } else { None });
                namespace.sets_of_changed_pod(old, pod)
            }
            Change::Gone(Object::Pod(pod)) => {
                if let Some(deployment) = namespace.recreating_deployment_of(pod) {
                    return namespace.controller_of(pod).into_iter().chain([deployment]).collect();
                }
                namespace.controller_of(pod).into_iter().collect()
            }
            Change::Put { new: Object::StatefulSet(_), .. } | Change::Gone(Object::StatefulSet(_)) => {
                vec![object.reference()]
            }
            _ => self.workloads_of(change),
        }
    }
}

impl Namespace {
    fn put(&mut self, object: &Object) {
        match object {
            Object::Pod(pod) => put_by_name(&mut self.pods, pod, |pod| &pod.metadata.name),
            Object::Revision(revision) => {
                put_by_name(&mut self.revisions, revision, |revision| &revision.metadata.name)
            }
            Object::Claim(claim) => {
                self.claims.insert(claim.metadata.name.clone(), Rc::clone(claim));
            }
            Object::StatefulSet(set) => {
                self.sets.insert(set.metadata.name.clone(), Rc::clone(set));
            }
            other => self.put_other(other),
        }
    }

    fn remove(&mut self, object: &Object) {
        let name = &object.metadata().name;
        match object.kind() {
            Kind::Pod => self.pods.retain(|pod| pod.metadata.name != *name),
            Kind::ControllerRevision => self.revisions.retain(|revision| revision.metadata.name != *name),
            Kind::PersistentVolumeClaim => {
                self.claims.remove(name);
            }
            Kind::StatefulSet => {
                self.sets.remove(name);
            }
            kind => self.others.retain(|other| other.kind() != kind || other.metadata().name != *name),
        }
    }

    /// The set that controls the pod, if the cache holds it under the same uid.
    fn controller_of(&self, pod: &Pod) -> Option<ObjectRef> {
        let owner = pod.metadata.controller_of()?;
        if &*owner.kind != "StatefulSet" {
            return self.other_controller(owner);
        }
        let set = self.sets.get(&owner.name).filter(|set| set.metadata.uid == owner.uid)?;
        (&*owner.kind == "StatefulSet").then(|| reference(set))
    }

    /// Its controller, a controller it has just lost, and, for an orphan, every set that selects it.
    fn sets_of_changed_pod(&self, old: Option<&Rc<Pod>>, new: &Pod) -> Vec<ObjectRef> {
        let mut keys = Vec::new();
        let owner = new.metadata.controller_of();
        if let Some(old) = old
            && old.metadata.controller_of().map(|owner| &owner.uid) != owner.map(|owner| &owner.uid)
        {
            keys.extend(self.controller_of(old));
        }
        if owner.is_some() {
            keys.extend(self.controller_of(new));
        } else {
            let sets = self.sets.values().filter(|set| set.spec.selector.matches(&new.metadata.labels));
            keys.extend(sets.map(|set| reference(set)));
            keys.extend(self.others_that_select(&new.metadata));
        }
        keys
    }
}

fn reference(set: &StatefulSet) -> ObjectRef {
    ObjectRef { kind: Kind::StatefulSet, namespace: set.metadata.namespace.clone(), name: set.metadata.name.clone() }
}

fn put_by_name<T>(list: &mut Vec<Rc<T>>, object: &Rc<T>, name: impl Fn(&T) -> &Rc<str>) {
    match list.binary_search_by(|held| name(held).cmp(name(object))) {
        Ok(at) => list[at] = Rc::clone(object),
        Err(at) => list.insert(at, Rc::clone(object)),
    }
}
