//! What is collected: pods of nodes that are gone or out of service, dependents of owners that are gone, deleted claims
//! that no pod uses. Models pkg/controller/podgc, pkg/controller/garbagecollector and pkg/controller/volume/pvcprotection.

use super::event_queue::{ScheduledEvent, round_up};
use super::node::is_out_of_service;
use super::refs::pod_ref;
use super::store::{FOREGROUND, ORPHAN, Store};
use super::trace::TraceEvent;
use super::world::World;
use crate::objects::{Kind, Object, ObjectRef, OwnerReference, Pod, PodPhase, Time};
use crate::reconcile::WatchEvent;
use std::collections::BTreeSet;
use std::rc::Rc;

/// The pod garbage collector's loop, and how long it waits before it believes that a node is gone.
const POD_GC_MS: i64 = 20_000;
const QUARANTINE_MS: i64 = 40_000;
/// From an owner's end to the deletion of its dependents, and from a claim's last pod to the claim's end.
const COLLECTING_MS: i64 = 100;

/// What the collectors keep.
#[derive(Clone, Default)]
pub(super) struct Collectors {
    /// The next loop over the pods of nodes that are out of service, if one is planned.
    loop_at: Option<Time>,
    /// The uids of owners that are taken to be there though the cluster began without them.
    left_out: Rc<BTreeSet<Rc<str>>>,
}

impl Collectors {
    /// Owners of these uids are there.
    pub(super) fn leave_out(&mut self, uids: impl Iterator<Item = Rc<str>>) {
        self.left_out = Rc::new(uids.collect());
    }

    /// Wakes the collectors that a change concerns.
    pub(super) fn wake(&mut self, world: &mut World, change: &WatchEvent) {
        let soon = Time(world.now.0 + COLLECTING_MS);
        match change {
            WatchEvent::Put { new: Object::Pod(pod), .. } if is_out_of_service_pod(world, pod) => {
                self.collect_at_next_loop(world)
            }
            WatchEvent::Put { new: Object::Node(node), .. } if is_out_of_service(world, &node.metadata.name) => {
                self.collect_at_next_loop(world);
            }
            WatchEvent::Put { new: Object::Claim(claim), .. } if claim.metadata.deletion_timestamp.is_some() => {
                world.event_queue.put(soon, ScheduledEvent::ReleaseClaims);
            }
            WatchEvent::Put { new: set, .. }
                if set.selector().is_some() && set.metadata().deletion_timestamp.is_some() =>
            {
                world.event_queue.put(soon, ScheduledEvent::CollectGarbage);
            }
            // Models processGraphChanges, garbagecollector/graph_builder.go.
            WatchEvent::Put { old, new } if has_other_owners(old.as_ref(), new) && self.is_garbage(world, new) => {
                world.event_queue.put(soon, ScheduledEvent::CollectGarbage)
            }
            WatchEvent::Gone(gone) => {
                let mut terminating = world.store.index.terminating(Kind::PersistentVolumeClaim);
                if gone.kind() == Kind::Pod && terminating.next().is_some() {
                    world.event_queue.put(soon, ScheduledEvent::ReleaseClaims);
                }
                if owns_something(world, gone) || self.blocks_an_owner(world, gone) {
                    world.event_queue.put(soon, ScheduledEvent::CollectGarbage);
                }
            }
            _ => {}
        }
    }

    fn collect_at_next_loop(&mut self, world: &mut World) {
        let at = next_collection(world.now);
        if self.loop_at != Some(at) {
            self.loop_at = Some(at);
            world.event_queue.put(at, ScheduledEvent::PodGcLoop);
        }
    }

    fn blocks_an_owner(&self, world: &World, gone: &Object) -> bool {
        gone.metadata().owner_references.iter().any(|owner| self.fate_of(world, gone, owner) == Fate::Waits)
    }

    fn fate_of(&self, world: &World, object: &Object, owner: &OwnerReference) -> Fate {
        // Owners that are not simulated are taken to be there.
        let Some(kind) = Kind::named(&owner.api_version, &owner.kind) else { return Fate::Stays };
        if self.left_out.contains(&owner.uid) {
            return Fate::Stays;
        }
        // The kubelet's own pods belong to their Node, which has no namespace.
        let namespace = if kind == Kind::Node { "".into() } else { Rc::clone(&object.metadata().namespace) };
        match world.store.get(&ObjectRef { kind, namespace, name: Rc::clone(&owner.name) }) {
            Ok(stored) if stored.metadata().uid != owner.uid => Fate::Gone,
            Ok(stored) if waits_for_dependents(stored) => Fate::Waits,
            Ok(_) => Fate::Stays,
            Err(_) => Fate::Gone,
        }
    }

    /// An object is garbage when it has owners and none of them stays.
    fn is_garbage(&self, world: &World, object: &Object) -> bool {
        let owners = &object.metadata().owner_references;
        let stays = |owner: &OwnerReference| self.fate_of(world, object, owner) == Fate::Stays;
        !owners.is_empty() && object.metadata().deletion_timestamp.is_none() && !owners.iter().any(stays)
    }

    /// Deletes what is garbage, and lets an owner go that waited for its dependents.
    pub(super) fn collect_garbage(&self, world: &mut World) {
        orphan_dependents(world);
        let garbage: Vec<ObjectRef> =
            world.store.all().filter(|object| self.is_garbage(world, object)).map(Object::reference).collect();
        for key in garbage {
            // What waits for its dependents has them wait for theirs.
            let owns =
                world.store.get(&key).is_ok_and(|object| object.selector().is_some() && owns_something(world, object));
            if owns && self.blocks(world, &key) {
                world.store.mark_deleted(&key, world.now, Some(FOREGROUND));
            } else {
                let _ = world.store.delete(&key, None, world.now);
            }
        }
        let done: Vec<ObjectRef> = world
            .store
            .all()
            .filter(|set| set.selector().is_some())
            .filter(|set| has_no_dependents(world, set))
            .map(Object::reference)
            .collect();
        done.iter().for_each(|key| world.store.remove_finalizer(key, FOREGROUND));
    }

    fn blocks(&self, world: &World, key: &ObjectRef) -> bool {
        world.store.get(key).is_ok_and(|object| self.blocks_an_owner(world, object))
    }
}

/// Pods of a node that no longer exists are deleted without asking anyone.
pub(super) fn collect_pods_of(world: &mut World, name: &Rc<str>) {
    if world.store.node(name).is_none() {
        for pod in world.pods_on(name) {
            world.mark_disrupted(&pod_ref(&pod), "DeletionByPodGC", "PodGC: node no longer exists");
            collect(world, &pod);
        }
    }
}

/// The collector's loop, for pods of nodes that are out of service.
pub(super) fn collect_out_of_service(world: &mut World) {
    let pods: Vec<Rc<Pod>> = world.store.pods().filter(|pod| is_out_of_service_pod(world, pod)).cloned().collect();
    pods.iter().for_each(|pod| collect(world, pod));
}

/// Models markFailedAndDeletePod, gc_controller.go.
fn collect(world: &mut World, pod: &Pod) {
    let key = pod_ref(pod);
    if world.gates.disruption_target && !pod.has_ended() {
        world.store.change_pod(&key, |pod| pod.status.phase = PodPhase::Failed);
    }
    let _ = world.store.delete(&key, Some(0), world.now);
    world.happened(TraceEvent::Collected { pod: key });
}

/// All three must hold: the pod is terminating, its node is NotReady, the node is out of service.
fn is_out_of_service_pod(world: &World, pod: &Pod) -> bool {
    let node = &pod.spec.node_name;
    pod.is_terminating()
        && is_out_of_service(world, node)
        && world.store.node(node).is_some_and(|node| !node.is_ready())
}

/// When the pods of a Node object that is deleted now are collected.
pub(super) fn collected_if_removed(now: Time) -> Time {
    Time(round_up(now.0, POD_GC_MS) + QUARANTINE_MS)
}

/// When the pod garbage collector looks next.
pub(super) fn next_collection(now: Time) -> Time {
    Time(round_up(now.0 + 1, POD_GC_MS))
}

fn owns_something(world: &World, gone: &Object) -> bool {
    // A pod owns nothing but claims that go with it.
    let kind = if gone.kind() == Kind::Pod { Kind::PersistentVolumeClaim } else { Kind::Pod };
    let uid = &gone.metadata().uid;
    world.store.index.dependents(uid).any(|key| key.kind == kind || gone.selector().is_some())
}

/// Leaves the dependents of owners that are deleted that way to nobody.
/// Models attemptToOrphanWorker, garbagecollector.go.
fn orphan_dependents(world: &mut World) {
    let is_orphaning = |owner: &&Object| is_deleted_with(owner, ORPHAN);
    let owners: Vec<Object> = world.store.all().filter(is_orphaning).cloned().collect();
    for owner in owners {
        let uid = &owner.metadata().uid;
        let keys = world.store.index.dependents(uid);
        let dependents: Vec<Object> = keys.filter_map(|key| world.store.get(key).ok()).cloned().collect();
        for mut object in dependents {
            object.metadata_mut().owner_references.retain(|owner| owner.uid != *uid);
            let _ = world.store.update(object);
        }
        world.event_queue.put(Time(world.now.0 + COLLECTING_MS), ScheduledEvent::Orphaned(owner.reference()));
    }
}

/// The owner's dependents belong to nobody: it goes, unless somebody else holds it.
pub(super) fn remove_orphaned(store: &mut Store, key: &ObjectRef) {
    store.remove_finalizer(key, ORPHAN);
}

fn has_no_dependents(world: &World, set: &Object) -> bool {
    let uid = &set.metadata().uid;
    let blocks = |owner: &OwnerReference| owner.uid == *uid && owner.block_owner_deletion == Some(true);
    let blocked = |key: &ObjectRef| {
        world.store.get(key).is_ok_and(|object| object.metadata().owner_references.iter().any(blocks))
    };
    waits_for_dependents(set) && !world.store.index.dependents(uid).any(blocked)
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
