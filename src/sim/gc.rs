//! What is collected: pods of nodes that are gone or out of service, dependents of owners that are gone, deleted claims
//! that no pod uses. Models pkg/controller/podgc, pkg/controller/garbagecollector and pkg/controller/volume/pvcprotection.

use super::cluster::Cluster;
use super::event_queue::{ScheduledEvent, round_up};
use super::refs::{node_ref, pod_ref};
use super::store::{FOREGROUND, ORPHAN};
use super::trace::TraceEvent;
use crate::objects::{Kind, OUT_OF_SERVICE, Object, ObjectRef, OwnerReference, Pod, PodPhase, Time};
use crate::reconcile::WatchEvent;
use std::rc::Rc;

/// The pod garbage collector's loop, and how long it waits before it believes that a node is gone.
const POD_GC_MS: i64 = 20_000;
const QUARANTINE_MS: i64 = 40_000;
/// From an owner's end to the deletion of its dependents, and from a claim's last pod to the claim's end.
const COLLECTING_MS: i64 = 100;

impl Cluster {
    /// The Node object goes. The machine, and what runs on it, stays as it is; its pods are left to the collector.
    pub(super) fn remove_node(&mut self, name: &Rc<str>) {
        let _ = self.world.store.delete(&node_ref(name), None, self.world.now);
        self.world.event_queue.put(self.collected_if_removed(), ScheduledEvent::PodGc { node: Rc::clone(name) });
        self.review_node_volumes(name);
        self.node_event(
            name,
            "RemovingNode",
            format!("Node {name} event: Removing Node {name} from Controller"),
            "node-controller",
        );
        self.plan_taint_pass(self.world.now);
    }

    /// Pods of a node that no longer exists are deleted without asking anyone.
    pub(super) fn collect_pods_of(&mut self, name: &Rc<str>) {
        if self.node(name).is_none() {
            for pod in self.pods_on(name) {
                self.world.mark_disrupted(&pod_ref(&pod), "DeletionByPodGC", "PodGC: node no longer exists");
                self.collect(&pod);
            }
        }
    }

    /// Models markFailedAndDeletePod, gc_controller.go.
    fn collect(&mut self, pod: &Pod) {
        let key = pod_ref(pod);
        if self.world.gates.disruption_target && !pod.has_ended() {
            self.world.store.change_pod(&key, |pod| pod.status.phase = PodPhase::Failed);
        }
        let _ = self.world.store.delete(&key, Some(0), self.world.now);
        self.world.happened(TraceEvent::Collected { pod: key });
    }

    /// Whether the node carries the out-of-service taint, with any effect, and the release heeds it.
    pub(super) fn is_out_of_service(&self, name: &Rc<str>) -> bool {
        let tainted =
            |node: &Rc<crate::objects::Node>| node.spec.taints.iter().any(|taint| &*taint.key == OUT_OF_SERVICE);
        self.world.gates.out_of_service && self.node(name).is_some_and(tainted)
    }

    /// All three must hold: the pod is terminating, its node is NotReady, the node is out of service.
    fn is_out_of_service_pod(&self, pod: &Pod) -> bool {
        let node = &pod.spec.node_name;
        pod.is_terminating() && self.is_out_of_service(node) && self.node(node).is_some_and(|node| !node.is_ready())
    }

    /// The collector's loop, for pods of nodes that are out of service.
    pub(super) fn collect_out_of_service(&mut self) {
        let pods: Vec<Rc<Pod>> =
            self.world.store.pods().filter(|pod| self.is_out_of_service_pod(pod)).cloned().collect();
        pods.iter().for_each(|pod| self.collect(pod));
    }

    /// Wakes the collectors that a change concerns.
    pub(super) fn wake_collectors(&mut self, change: &WatchEvent) {
        let soon = Time(self.world.now.0 + COLLECTING_MS);
        match change {
            WatchEvent::Put { new: Object::Pod(pod), .. } if self.is_out_of_service_pod(pod) => {
                self.collect_at_next_loop()
            }
            WatchEvent::Put { new: Object::Node(node), .. } if self.is_out_of_service(&node.metadata.name) => {
                self.collect_at_next_loop();
            }
            WatchEvent::Put { new: Object::Claim(claim), .. } if claim.metadata.deletion_timestamp.is_some() => {
                self.world.event_queue.put(soon, ScheduledEvent::ReleaseClaims);
            }
            WatchEvent::Put { new: set, .. }
                if set.selector().is_some() && set.metadata().deletion_timestamp.is_some() =>
            {
                self.world.event_queue.put(soon, ScheduledEvent::CollectGarbage);
            }
            // Models processGraphChanges, garbagecollector/graph_builder.go.
            WatchEvent::Put { old, new } if has_other_owners(old.as_ref(), new) && self.is_garbage(new) => {
                self.world.event_queue.put(soon, ScheduledEvent::CollectGarbage)
            }
            WatchEvent::Gone(gone) => {
                let mut terminating = self.world.store.index.terminating(Kind::PersistentVolumeClaim);
                if gone.kind() == Kind::Pod && terminating.next().is_some() {
                    self.world.event_queue.put(soon, ScheduledEvent::ReleaseClaims);
                }
                if self.owns_something(gone) || self.blocks_an_owner(gone) {
                    self.world.event_queue.put(soon, ScheduledEvent::CollectGarbage);
                }
            }
            _ => {}
        }
    }

    /// When the pods of a Node object that is deleted now are collected.
    pub fn collected_if_removed(&self) -> Time {
        Time(round_up(self.world.now.0, POD_GC_MS) + QUARANTINE_MS)
    }

    /// When the pod garbage collector looks next.
    pub fn next_collection(&self) -> Time {
        Time(round_up(self.world.now.0 + 1, POD_GC_MS))
    }

    fn collect_at_next_loop(&mut self) {
        let at = self.next_collection();
        if self.pod_gc_at != Some(at) {
            self.pod_gc_at = Some(at);
            self.world.event_queue.put(at, ScheduledEvent::PodGcLoop);
        }
    }

    fn owns_something(&self, gone: &Object) -> bool {
        // A pod owns nothing but claims that go with it.
        let kind = if gone.kind() == Kind::Pod { Kind::PersistentVolumeClaim } else { Kind::Pod };
        let uid = &gone.metadata().uid;
        self.world.store.index.dependents(uid).any(|key| key.kind == kind || gone.selector().is_some())
    }

    fn blocks_an_owner(&self, gone: &Object) -> bool {
        gone.metadata().owner_references.iter().any(|owner| self.fate_of(gone, owner) == Fate::Waits)
    }

    fn fate_of(&self, object: &Object, owner: &OwnerReference) -> Fate {
        // Owners that are not simulated are taken to be there.
        let Some(kind) = Kind::named(&owner.api_version, &owner.kind) else { return Fate::Stays };
        if self.left_out.contains(&owner.uid) {
            return Fate::Stays;
        }
        // The kubelet's own pods belong to their Node, which has no namespace.
        let namespace = if kind == Kind::Node { "".into() } else { Rc::clone(&object.metadata().namespace) };
        match self.world.store.get(&ObjectRef { kind, namespace, name: Rc::clone(&owner.name) }) {
            Ok(stored) if stored.metadata().uid != owner.uid => Fate::Gone,
            Ok(stored) if waits_for_dependents(stored) => Fate::Waits,
            Ok(_) => Fate::Stays,
            Err(_) => Fate::Gone,
        }
    }

    /// An object is garbage when it has owners and none of them stays.
    fn is_garbage(&self, object: &Object) -> bool {
        let owners = &object.metadata().owner_references;
        let stays = |owner: &OwnerReference| self.fate_of(object, owner) == Fate::Stays;
        !owners.is_empty() && object.metadata().deletion_timestamp.is_none() && !owners.iter().any(stays)
    }

    /// Deletes what is garbage, and lets an owner go that waited for its dependents.
    pub(super) fn collect_garbage(&mut self) {
        self.orphan_dependents();
        let garbage: Vec<ObjectRef> =
            self.world.store.all().filter(|object| self.is_garbage(object)).map(Object::reference).collect();
        for key in garbage {
            // What waits for its dependents has them wait for theirs.
            let owns = self
                .world
                .store
                .get(&key)
                .is_ok_and(|object| object.selector().is_some() && self.owns_something(object));
            if owns && self.blocks(&key) {
                self.world.store.mark_deleted(&key, self.world.now, Some(FOREGROUND));
            } else {
                let _ = self.world.store.delete(&key, None, self.world.now);
            }
        }
        let done: Vec<ObjectRef> = self
            .world
            .store
            .all()
            .filter(|set| set.selector().is_some())
            .filter(|set| self.has_no_dependents(set))
            .map(Object::reference)
            .collect();
        done.iter().for_each(|key| self.world.store.remove_finalizer(key, FOREGROUND));
    }

    /// Leaves the dependents of owners that are deleted that way to nobody.
    /// Models attemptToOrphanWorker, garbagecollector.go.
    fn orphan_dependents(&mut self) {
        let is_orphaning = |owner: &&Object| is_deleted_with(owner, ORPHAN);
        let owners: Vec<Object> = self.world.store.all().filter(is_orphaning).cloned().collect();
        for owner in owners {
            let uid = &owner.metadata().uid;
            let keys = self.world.store.index.dependents(uid);
            let dependents: Vec<Object> = keys.filter_map(|key| self.world.store.get(key).ok()).cloned().collect();
            for mut object in dependents {
                object.metadata_mut().owner_references.retain(|owner| owner.uid != *uid);
                let _ = self.world.store.update(object);
            }
            self.world
                .event_queue
                .put(Time(self.world.now.0 + COLLECTING_MS), ScheduledEvent::Orphaned(owner.reference()));
        }
    }

    /// The owner's dependents belong to nobody: it goes, unless somebody else holds it.
    pub(super) fn remove_orphaned(&mut self, key: &ObjectRef) {
        self.world.store.remove_finalizer(key, ORPHAN);
    }

    fn blocks(&self, key: &ObjectRef) -> bool {
        self.world.store.get(key).is_ok_and(|object| self.blocks_an_owner(object))
    }

    fn has_no_dependents(&self, set: &Object) -> bool {
        let uid = &set.metadata().uid;
        let blocks = |owner: &OwnerReference| owner.uid == *uid && owner.block_owner_deletion == Some(true);
        let blocked = |key: &ObjectRef| {
            self.world.store.get(key).is_ok_and(|object| object.metadata().owner_references.iter().any(blocks))
        };
        waits_for_dependents(set) && !self.world.store.index.dependents(uid).any(blocked)
    }
}

fn has_other_owners(old: Option<&Object>, new: &Object) -> bool {
    old.is_none_or(|old| old.metadata().owner_references != new.metadata().owner_references)
}

/// What becomes of an owner, as one of its dependents sees it.
#[derive(PartialEq)]
enum Fate {
    Gone,
    /// Deleted in the foreground: its dependents go first.
    Waits,
    Stays,
}

fn waits_for_dependents(owner: &Object) -> bool {
    is_deleted_with(owner, FOREGROUND)
}

fn is_deleted_with(owner: &Object, finalizer: &str) -> bool {
    let metadata = owner.metadata();
    metadata.deletion_timestamp.is_some() && metadata.finalizers.iter().any(|held| **held == *finalizer)
}
