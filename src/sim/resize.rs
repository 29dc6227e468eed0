//! Claims that grow, or take another attributes class: the external resizer changes the volume, then the kubelet of a node on which
//! a pod runs that uses it grows the file system. Without such a pod the claim waits for one.
//! Models external-resizer, and NodeExpandVolume of pkg/volume/util/operationexecutor. Each step takes a fixed time; a driver is taken
//! to grow volumes that are in use.

use super::event_queue::ScheduledEvent;
use super::machines::Machines;
use super::world::World;
use crate::objects::{EventType, Json, ObjectRef, PersistentVolumeClaim, Time};
use serde_json::{Value, json};
use std::rc::Rc;

/// What the resizer takes, and what a kubelet takes.
const STEP_MS: i64 = 5_000;
/// The condition while the resizer is at work.
pub const RESIZING: &str = "Resizing";
/// The condition while the file system waits for a kubelet.
pub(crate) const FILE_SYSTEM: &str = "FileSystemResizePending";
const WAITS: &str = "Waiting for user to (re-)start a pod to finish file system resize of volume on node.";

/// A claim's spec has changed: what it asks for and does not have yet is under way.
pub(super) fn grow_claim(world: &mut World, key: &ObjectRef, before: &PersistentVolumeClaim) {
    let now = world.now;
    let held = before.requested("storage").cloned();
    world.store.change_claim(key, |claim| {
        // The capacity is what was asked for, where a text does not say.
        if let (Some(held), None) = (held, claim.capacity()) {
            claim.status.extra.insert("capacity".to_owned(), json!({ "storage": held }));
        }
        if claim.lacks_capacity() {
            set_condition(claim, Some((RESIZING, "", now)));
        }
    });
    if world.store.claim(key).is_some_and(|claim| claim.is_changing()) {
        world.event_queue.put(Time(now.0 + STEP_MS), ScheduledEvent::GrowClaim(key.clone()));
    }
}

/// The pod's node has its volumes: file systems that waited for that grow.
pub(super) fn grow_file_systems(world: &mut World, claims: &[ObjectRef]) {
    for key in claims {
        if world.store.claim(key).is_some_and(|claim| claim.condition(FILE_SYSTEM)) {
            world.event_queue.put(Time(world.now.0 + STEP_MS), ScheduledEvent::GrowClaim(key.clone()));
        }
    }
}

/// The next step of a claim that grows.
pub(super) fn grow_further(world: &mut World, machines: &Machines, key: &ObjectRef) {
    let Some(claim) = world.store.claim(key) else { return };
    let is_block = claim.spec.extra.get("volumeMode").is_some_and(|mode| mode == "Block");
    let (is_waiting, lacks) = (claim.condition(FILE_SYSTEM), claim.lacks_capacity());
    let volume = claim.spec.volume_name.clone().unwrap_or_default();
    let node = world.store.users_of(key).find(|pod| !pod.spec.node_name.is_empty() && !pod.has_ended());
    let node = node.map(|pod| Rc::clone(&pod.spec.node_name)).filter(|node| machines.answers(node));
    let now = world.now;
    world.store.change_claim(key, |claim| {
        if let Some(class) = claim.spec.extra.get("volumeAttributesClassName").cloned() {
            claim.status.extra.insert("currentVolumeAttributesClassName".to_owned(), class);
        }
    });
    match (lacks, is_waiting || is_block, &node) {
        (false, ..) => {}
        (true, true, _) if is_block || node.is_some() => {
            world.store.change_claim(key, has_grown);
            if let Some(node) = &node {
                let message = format!("MountVolume.NodeExpandVolume succeeded for volume \"{volume}\" {node}");
                world.event(key, EventType::Normal, "FileSystemResizeSuccessful", message, "kubelet");
            }
        }
        (true, true, _) => {}
        (true, false, _) => {
            world.store.change_claim(key, |claim| set_condition(claim, Some((FILE_SYSTEM, WAITS, now))));
            let message = "Require file system resize of volume on node".to_owned();
            world.event(key, EventType::Normal, "FileSystemResizeRequired", message, "external-resizer");
            if node.is_some() {
                world.event_queue.put(Time(now.0 + STEP_MS), ScheduledEvent::GrowClaim(key.clone()));
            }
        }
    }
}

fn has_grown(claim: &mut PersistentVolumeClaim) {
    if let Some(asked) = claim.requested("storage").cloned() {
        claim.status.extra.insert("capacity".to_owned(), json!({ "storage": asked }));
    }
    set_condition(claim, None);
}

/// The one condition of a claim that grows, in the place of what was; none takes it off.
fn set_condition(claim: &mut PersistentVolumeClaim, condition: Option<(&str, &str, Time)>) {
    let Some((name, message, now)) = condition else {
        claim.status.extra.remove("conditions");
        return;
    };
    let mut value = json!({ "type": name, "status": "True", "lastTransitionTime": now.to_json() });
    if let Some(fields) = value.as_object_mut().filter(|_| !message.is_empty()) {
        fields.insert("message".to_owned(), Value::from(message));
    }
    claim.status.extra.insert("conditions".to_owned(), json!([value]));
}
