//! The controllers of CloneSet, ReplicaSet, Deployment and DaemonSet in the cluster: a work queue for each, what their
//! caches hold, which of them a change concerns, and one sync of each.

use super::cluster::Cluster;
use super::event_queue::{Change, ScheduledEvent};
use super::informer::{Informer, Namespace};
use super::queue::WorkQueue;
use super::rng::Rng;
use super::store::Store;
use super::trace::SyncRecord;
use super::worker::{Recorder, empty_record};
use crate::objects::workload::DeploymentStrategyType;
use crate::objects::{Kind, Node, Object, ObjectMeta, ObjectRef, OwnerReference, Pod, ReplicaSet, Time};
use crate::reconcile::{Decision, Outcome, clone_set, daemon_set, deployment, replica_set};
use std::rc::Rc;

/// The characters of generated names.
const ALPHANUMS: &[u8; 27] = b"bcdfghjklmnpqrstvwxz2456789";

/// What these controllers keep between syncs.
#[derive(Clone, Debug)]
pub(super) struct Workloads {
    queues: [WorkQueue; 4],
    /// The CloneSet controller's chance, from which instance ids are made.
    instances: Rng,
    /// For each set whose pods its controller wrote last: after how many changes its cache shows it. These are upstream's
    /// expectations: until then it creates and deletes nothing.
    written: Vec<(ObjectRef, u64)>,
    /// When each key comes back by itself: of several moments the earliest counts.
    requeues: Vec<(ObjectRef, Time)>,
}

impl Workloads {
    pub(super) fn new(seed: u64) -> Self {
        Self { queues: Default::default(), instances: Rng::new(!seed), written: Vec::new(), requeues: Vec::new() }
    }

    pub(super) fn queue(&self, kind: Kind) -> &WorkQueue {
        &self.queues[place(kind)]
    }

    pub(super) fn queue_mut(&mut self, kind: Kind) -> &mut WorkQueue {
        &mut self.queues[place(kind)]
    }

    fn expect(&mut self, key: &ObjectRef, at: Option<u64>) {
        if at.is_some() {
            self.written.retain(|(held, _)| held != key);
        }
        self.written.extend(at.map(|at| (key.clone(), at)));
    }

    /// Notes that the key is to come back. False if it comes back by then anyway.
    fn requeue(&mut self, key: &ObjectRef, at: Time, now: Time) -> bool {
        self.requeues.retain(|(_, due)| *due > now);
        let is_due = self.requeues.iter().any(|(held, due)| held == key && *due <= at);
        if !is_due {
            self.requeues.push((key.clone(), at));
        }
        !is_due
    }

    fn is_up_to_date(&self, key: &ObjectRef, taken: u64) -> bool {
        self.written.iter().all(|(held, at)| held != key || *at <= taken)
    }
}

fn place(kind: Kind) -> usize {
    match kind {
        Kind::CloneSet => 0,
        Kind::ReplicaSet => 1,
        Kind::Deployment => 2,
        _ => 3,
    }
}

/// Five characters that spell no words.
fn suffix(chance: &mut Rng) -> Rc<str> {
    let mut number = chance.next();
    let mut text = String::new();
    for _ in 0..5 {
        text.push(char::from(ALPHANUMS[usize::try_from(number % 27).unwrap_or(0)]));
        number /= 27;
    }
    text.into()
}

impl Store {
    /// Gives an object a name that came with `generateName` only.
    pub(super) fn make_name(&mut self, object: &mut Object) {
        if !object.metadata().name.is_empty() {
            return;
        }
        let Some(prefix) = object.metadata().generate_name.clone() else { return };
        object.metadata_mut().name = format!("{prefix}{}", suffix(self.chance_mut())).into();
    }
}

impl Namespace {
    pub(super) fn put_other(&mut self, object: &Object) {
        let key = (object.kind(), Rc::clone(&object.metadata().name));
        match self.others.iter_mut().find(|held| held.kind() == key.0 && held.metadata().name == key.1) {
            Some(held) => *held = object.clone(),
            None => self.others.push(object.clone()),
        }
    }

    fn other(&self, kind: Kind, name: &str) -> Option<&Object> {
        self.others.iter().find(|held| held.kind() == kind && *held.metadata().name == *name)
    }

    /// The workload of this reference, if the cache holds it under the same uid.
    pub(super) fn other_controller(&self, owner: &OwnerReference) -> Option<ObjectRef> {
        let held = self.other(Kind::named(&owner.kind)?, &owner.name)?;
        (held.metadata().uid == owner.uid).then(|| held.reference())
    }

    /// The workloads that could adopt an orphan pod. CloneSets list only pods that they own.
    pub(super) fn others_that_select(&self, orphan: &ObjectMeta) -> Vec<ObjectRef> {
        let adopts = |held: &&Object| matches!(held.kind(), Kind::ReplicaSet | Kind::DaemonSet);
        let selects = |held: &&Object| held.selector().is_some_and(|selector| selector.matches(&orphan.labels));
        self.others.iter().filter(adopts).filter(selects).map(Object::reference).collect()
    }

    /// The Deployment of a pod that is gone, if it recreates: it waits for the last old pod.
    pub(super) fn recreating_deployment_of(&self, pod: &Pod) -> Option<ObjectRef> {
        let owner = pod.metadata.controller_of()?;
        let set = self.other(Kind::named(&owner.kind)?, &owner.name)?;
        let key = self.other_controller(set.metadata().controller_of()?)?;
        let Object::Deployment(held) = self.other(key.kind, &key.name)? else { return None };
        (held.spec.strategy.strategy_type == DeploymentStrategyType::Recreate).then_some(key)
    }

    fn replica_sets(&self) -> Vec<Rc<ReplicaSet>> {
        let each = self.others.iter();
        let mut sets: Vec<Rc<ReplicaSet>> = each
            .filter_map(|held| if let Object::ReplicaSet(set) = held { Some(Rc::clone(set)) } else { None })
            .collect();
        sets.sort_by(|a, b| a.metadata.name.cmp(&b.metadata.name));
        sets
    }
}

impl Informer {
    /// The nodes, by name.
    fn nodes(&self) -> Vec<Rc<Node>> {
        let all = self.namespace("").into_iter().flat_map(|namespace| &namespace.others);
        let mut nodes: Vec<Rc<Node>> =
            all.filter_map(|held| if let Object::Node(node) = held { Some(Rc::clone(node)) } else { None }).collect();
        nodes.sort_by(|a, b| a.metadata.name.cmp(&b.metadata.name));
        nodes
    }

    /// The workloads that a change concerns which is no pod's.
    pub(super) fn workloads_of(&self, change: &Change) -> Vec<ObjectRef> {
        let (Change::Put { new: object, .. } | Change::Gone(object)) = change;
        let mut keys = Vec::new();
        if object.is_workload() {
            keys.push(object.reference());
        }
        match object {
            Object::ReplicaSet(set) => keys.extend(self.deployments_of(&set.metadata)),
            Object::Node(_) => {
                let sets = self.all().flat_map(|namespace| &namespace.others);
                keys.extend(sets.filter(|held| held.kind() == Kind::DaemonSet).map(Object::reference));
            }
            _ => {}
        }
        keys
    }

    /// Its controller, or, for an orphan, every Deployment that selects it.
    fn deployments_of(&self, set: &ObjectMeta) -> Vec<ObjectRef> {
        let Some(namespace) = self.namespace(&set.namespace) else { return Vec::new() };
        if let Some(owner) = set.controller_of() {
            return namespace.other_controller(owner).into_iter().collect();
        }
        let selects = |held: &&Object| {
            held.kind() == Kind::Deployment && held.selector().is_some_and(|selector| selector.matches(&set.labels))
        };
        namespace.others.iter().filter(selects).map(Object::reference).collect()
    }
}

impl Cluster {
    /// The workloads as the API server holds them, by kind, namespace and name.
    pub fn workloads(&self) -> impl Iterator<Item = &Object> {
        self.store.all().filter(|object| object.is_workload())
    }

    /// One sync of a set of these kinds.
    #[inline(never)]
    pub(super) fn sync_workload(&mut self, key: &ObjectRef) {
        let namespace = self.informer.namespace(&key.namespace);
        let Some((namespace, set)) = namespace.and_then(|all| Some((all, all.other(key.kind, &key.name)?.clone())))
        else {
            self.workloads.written.retain(|(held, _)| held != key);
            return self.finish(empty_record(key, self.now), Vec::new(), None);
        };
        let up_to_date = self.workloads.is_up_to_date(key, self.informer.taken);
        if key.kind == Kind::CloneSet && !up_to_date {
            // Upstream leaves until its own writes have come back; each of them brings the key back too.
            return;
        }
        let nodes = self.informer.nodes();
        let instances = &mut self.workloads.instances;
        let mut api = Recorder::new(&mut self.store, self.now);
        let mut decisions: Vec<Decision> = Vec::new();
        let (gates, now) = (self.controller, self.now);
        let pods = &namespace.pods;
        let outcome = match &set {
            Object::CloneSet(set) => {
                let claims: Vec<_> = namespace.claims.values().cloned().collect();
                let (revisions, gates) = (&namespace.revisions, clone_set::Gates::default());
                let observed = clone_set::Observed { now, set, pods, claims: &claims, revisions, nodes: &nodes, gates };
                let ended = clone_set::sync(&observed, &mut api, &mut || suffix(instances), &mut decisions);
                let requeue_after = ended.requeue_after.map(|seconds| seconds * 1000);
                Outcome { requeue_after, error: ended.error }
            }
            Object::ReplicaSet(set) => {
                let siblings = namespace.replica_sets();
                let observed = replica_set::Observed { gates, now, set, pods, siblings: &siblings, up_to_date };
                replica_set::sync(&observed, &mut api, &mut decisions)
            }
            Object::Deployment(set) => {
                let replica_sets = namespace.replica_sets();
                let observed = deployment::Observed { gates, now, set, pods, replica_sets: &replica_sets };
                deployment::sync(&observed, &mut api, &mut decisions)
            }
            Object::DaemonSet(set) => {
                let revisions = &namespace.revisions;
                let observed = daemon_set::Observed { gates, now, set, pods, revisions, nodes: &nodes, up_to_date };
                daemon_set::sync(&observed, &mut api, &mut decisions)
            }
            _ => Outcome::default(),
        };
        let (writes, events, written) = (api.writes, api.events, api.pod_written_at);
        self.workloads.expect(key, written);
        let error = outcome.error.as_ref().map(|error| error.0.as_str().into());
        let record = SyncRecord { found: true, decisions, writes, error, ..empty_record(key, self.now) };
        if let Some(after) = outcome.requeue_after.filter(|_| outcome.error.is_none()) {
            let at = Time(self.now.0 + after.max(1));
            if self.workloads.requeue(key, at, self.now) {
                self.event_queue.put(at, ScheduledEvent::Requeue(key.clone()));
            }
        }
        self.finish(record, events, outcome.error);
    }
}
