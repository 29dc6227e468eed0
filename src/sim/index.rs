//! Where to find objects by what they say of others, as client-go's indexers do: pods by node, by claim and without a node,
//! dependents by owner, and what is being deleted.

use super::amounts::Amounts;
use super::map::{Map, Set};
use super::selected::Counts;
use crate::objects::{Kind, Object, ObjectRef, Pod, Time};
use std::rc::Rc;

/// Objects. They are pointed to, which keeps the nodes of the set small: snapshots copy them.
pub(super) type Refs = Set<Rc<ObjectRef>>;

/// The pods bound to one node.
#[derive(Clone, Debug, Default)]
pub(super) struct OnNode {
    /// By namespace and name.
    pub(super) pods: Refs,
    /// Those that say beside which pods they would or would not be.
    pub(super) particular: Refs,
    /// How many of each controller, by its uid. On one node there are few.
    of_controllers: Vec<(Rc<str>, i32)>,
    /// How many have not ended, and what these request.
    pub(super) unfinished: i32,
    pub(super) requested: Amounts,
}

impl OnNode {
    /// How many pods of a controller there are; of nobody's pods if none is given.
    pub(super) fn siblings(&self, controller: &Rc<str>) -> i32 {
        self.of_controllers.iter().find(|(uid, _)| uid == controller).map_or(0, |(_, pods)| *pods)
    }

    fn count(&mut self, pod: &Pod, more: i32) {
        if !pod.has_ended() {
            self.unfinished += more;
            self.requested.add(&Amounts::of(&pod.spec), more.into());
        }
        let controller = controller(pod);
        match self.of_controllers.iter_mut().find(|(uid, _)| *uid == controller) {
            Some((_, pods)) => *pods += more,
            None => self.of_controllers.push((controller, more)),
        }
        self.of_controllers.retain(|(_, pods)| *pods != 0);
    }
}

/// What the store looks up other than by kind and name. Cloning it is cheap.
#[derive(Clone, Debug, Default)]
pub(super) struct Index {
    /// Pods that have no node and are not being deleted, the longest in the scheduler's queue first.
    pub(super) waiting: Set<(Time, ObjectRef)>,
    /// How many pods have no node, with those that are being deleted.
    pub(super) unbound: usize,
    /// How many pods that have a node say beside which pods they would or would not be.
    particular: usize,
    on_node: Map<Rc<str>, Rc<OnNode>>,
    /// The pods that mount a claim.
    users: Map<ObjectRef, Refs>,
    /// What names an owner, by the owner's uid.
    dependents: Map<Rc<str>, Refs>,
    /// What has a deletion timestamp.
    terminating: Set<ObjectRef>,
    /// The pods under budgets that evictions were asked of.
    pub(super) selected: Counts,
}

impl Index {
    /// Takes note that an object was replaced; one of the two is missing if it is new or gone.
    pub(super) fn change(&mut self, old: Option<&Object>, new: Option<&Object>) {
        self.selected.change(old, new);
        if let (Some(old), Some(new)) = (old, new)
            && is_indexed_alike(old, new)
        {
            return;
        }
        old.into_iter().for_each(|old| self.remove(old));
        new.into_iter().for_each(|new| self.insert(new));
    }

    fn insert(&mut self, object: &Object) {
        let key = Rc::new(object.reference());
        let metadata = object.metadata();
        for owner in &metadata.owner_references {
            self.dependents.entry(Rc::clone(&owner.uid)).or_default().insert(Rc::clone(&key));
        }
        if metadata.deletion_timestamp.is_some() {
            self.terminating.insert((*key).clone());
        }
        let Object::Pod(pod) = object else { return };
        for claim in pod.claim_names() {
            self.users.entry(claim_ref(pod, claim)).or_default().insert(Rc::clone(&key));
        }
        if pod.spec.node_name.is_empty() {
            if !pod.is_terminating() {
                self.waiting.insert((queued(pod), Rc::unwrap_or_clone(key)));
            }
            self.unbound += 1;
            return;
        }
        let there = Rc::make_mut(self.on_node.entry(Rc::clone(&pod.spec.node_name)).or_default());
        if is_particular(pod) {
            there.particular.insert(Rc::clone(&key));
            self.particular += 1;
        }
        there.pods.insert(key);
        there.count(pod, 1);
    }

    fn remove(&mut self, object: &Object) {
        let key = object.reference();
        for owner in &object.metadata().owner_references {
            take(&mut self.dependents, &owner.uid, &key);
        }
        self.terminating.remove(&key);
        let Object::Pod(pod) = object else { return };
        for claim in pod.claim_names() {
            take(&mut self.users, &claim_ref(pod, claim), &key);
        }
        if pod.spec.node_name.is_empty() {
            self.waiting.remove(&(queued(pod), key));
            self.unbound -= 1;
            return;
        }
        if let Some(there) = self.on_node.get_mut(&pod.spec.node_name).map(Rc::make_mut)
            && there.pods.remove(&key).is_some()
        {
            self.particular -= usize::from(there.particular.remove(&key).is_some());
            there.count(pod, -1);
        }
    }

    /// The pods bound to a node; none if no pod ever was.
    pub(super) fn on_node(&self, name: &Rc<str>) -> Option<&OnNode> {
        self.on_node.get(name).map(|there| &**there)
    }

    /// Whether a pod that has a node says beside which pods it would or would not be.
    pub(super) fn has_particular(&self) -> bool {
        self.particular > 0
    }

    /// The pods that mount a claim, by name.
    pub(super) fn users(&self, claim: &ObjectRef) -> impl Iterator<Item = &ObjectRef> {
        self.users.get(claim).into_iter().flatten().map(|key| &**key)
    }

    /// What names this uid as an owner, by kind and name.
    pub(super) fn dependents(&self, uid: &Rc<str>) -> impl Iterator<Item = &ObjectRef> {
        self.dependents.get(uid).into_iter().flatten().map(|key| &**key)
    }

    /// What has a deletion timestamp, of one kind, by namespace and name.
    pub(super) fn terminating(&self, kind: Kind) -> impl Iterator<Item = &ObjectRef> {
        self.terminating.range(first_of(kind)..).take_while(move |key| key.kind == kind)
    }
}

fn take<K: Ord + Clone>(sets: &mut Map<K, Refs>, of: &K, key: &ObjectRef) {
    let Some(set) = sets.get_mut(of) else { return };
    set.remove(key);
    if set.is_empty() {
        sets.remove(of);
    }
}

/// Whether everything that is looked up is the same in both.
fn is_indexed_alike(old: &Object, new: &Object) -> bool {
    let (before, after) = (old.metadata(), new.metadata());
    before.deletion_timestamp.is_some() == after.deletion_timestamp.is_some()
        && before.owner_references == after.owner_references
        && match (old, new) {
            (Object::Pod(old), Object::Pod(new)) => {
                (Rc::ptr_eq(&old.spec, &new.spec) || old.spec == new.spec)
                    && queued(old) == queued(new)
                    && old.has_ended() == new.has_ended()
            }
            _ => true,
        }
}

/// Whether the pod has an affinity to other pods, or an anti-affinity.
pub(super) fn is_particular(pod: &Pod) -> bool {
    pod.spec.pod_affinity().is_some() || pod.spec.pod_anti_affinity().is_some()
}

/// Since when the pod is in the scheduler's queue: since its creation, or since it was last tried where its condition says when
/// that was. Models Less of queuesort/priority_sort.go.
fn queued(pod: &Pod) -> Time {
    let created = pod.metadata.creation_timestamp.unwrap_or_default();
    let tried = pod.condition("PodScheduled").and_then(|scheduled| scheduled.extra.get("lastProbeTime")?.as_str());
    tried.and_then(Time::parse).map_or(created, |tried| tried.max(created))
}

/// The uid of the pod's controller; empty if it has none.
pub(super) fn controller(pod: &Pod) -> Rc<str> {
    pod.metadata.controller_of().map(|owner| Rc::clone(&owner.uid)).unwrap_or_default()
}

fn claim_ref(pod: &Pod, name: &Rc<str>) -> ObjectRef {
    let namespace = Rc::clone(&pod.metadata.namespace);
    ObjectRef { kind: Kind::PersistentVolumeClaim, namespace, name: Rc::clone(name) }
}

/// No reference of this kind comes before it.
pub(super) fn first_of(kind: Kind) -> ObjectRef {
    ObjectRef { kind, namespace: "".into(), name: "".into() }
}
