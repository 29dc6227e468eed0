//! How a claim gets its volume.
//! Models syncUnboundClaim, provisionClaimOperationExternal and bindClaimToVolume of
//! pkg/controller/volume/persistentvolume/pv_controller.go.

use super::event_queue::ScheduledEvent;
use super::trace::TraceEvent;
use super::world::World;
use crate::objects::{EventType, Object, ObjectRef, PersistentVolumeClaim, Pod, Time};
use std::rc::Rc;

/// From a claim's creation to its binding.
const BINDING_MS: i64 = 200;

/// A new claim will be bound, if its class does not make it wait.
pub(super) fn provision(world: &mut World, claim: &Rc<PersistentVolumeClaim>) {
    let key = Object::Claim(Rc::clone(claim)).reference();
    if world.store.named.lacks_class(claim) {
        let message = format!("storageclass.storage.k8s.io {:?} not found", claim.storage_class());
        world.event(&key, EventType::Warning, "ProvisioningFailed", message, "persistentvolume-controller");
        return;
    }
    let class = world.store.class_of(claim).cloned().unwrap_or_default();
    if class.waits_for_consumer {
        let message = "waiting for first consumer to be created before binding".to_owned();
        world.event(&key, EventType::Normal, "WaitForFirstConsumer", message, "persistentvolume-controller");
        return;
    }
    let provisioner = &class.provisioner;
    if !provisioner.is_empty() {
        let names = world.gates.provisioner_annotations;
        world.store.change_claim(&key, |claim| {
            for name in names {
                claim.metadata.annotations.insert(*name, Rc::clone(provisioner));
            }
        });
        let message = world.gates.waits_for_provisioner.replace("{}", provisioner);
        // It is told when the claim is new, and when it has its annotation.
        for _ in 0..2 {
            let message = message.clone();
            world.event(&key, EventType::Normal, "ExternalProvisioning", message, "persistentvolume-controller");
        }
    }
    world.event_queue.put(Time(world.now.0 + BINDING_MS), ScheduledEvent::BindClaim(key));
}

/// Binds a claim to the volume that its provisioner made, or to one that was made by hand. One that waits for its pod, or for
/// a volume, stays as it is. Whether it was bound.
pub(super) fn bind_claim(world: &mut World, key: ObjectRef) -> bool {
    let Ok(Object::Claim(claim)) = world.store.get(&key) else { return false };
    if world.settings.holds.keeps_unbound(&key) || claim.is_lost() && !world.store.has_volume_of(claim) {
        return false;
    }
    match world.store.class_of(claim) {
        // Its volume is back: syncBoundClaim.
        _ if claim.is_lost() => world.store.change_claim(&key, |claim| claim.status.phase = "Bound".into()),
        Some(class) if class.waits_for_consumer => return false,
        Some(class) if class.provisioner.is_empty() => {
            if &*claim.status.phase == "Bound" || !world.store.bind_by_hand(&key, None) {
                return false;
            }
        }
        _ => world.store.change_claim(&key, bind_provisioned),
    }
    // Pods that were placed before go on.
    world.wake_users_of(&key);
    world.happened(TraceEvent::ClaimBound(key));
    true
}

/// The pod is placed: its claims that waited for that get their volumes.
pub(super) fn bind_waiting_claims(world: &mut World, pod: &Pod, node: &Rc<str>) {
    let Some(node) = world.store.node(node).cloned() else { return };
    let waiting = |claim: &&Rc<PersistentVolumeClaim>| {
        &*claim.status.phase != "Bound" && !claim.is_lost() && world.store.waits_for_consumer(claim)
    };
    let claims: Vec<ObjectRef> =
        world.store.claims_of(pod).filter(waiting).map(|claim| Object::Claim(Rc::clone(claim)).reference()).collect();
    for key in claims {
        if !world.store.bind_by_hand(&key, Some(&node)) {
            world.store.change_claim(&key, bind_provisioned);
        }
        world.wake_users_of(&key);
    }
}

/// Names the volume that a provisioner made for the claim.
pub(super) fn bind_provisioned(claim: &mut PersistentVolumeClaim) {
    let volume = format!("pvc-{}", claim.metadata.uid);
    bind(claim, volume.into());
}

/// Names the claim's volume.
pub(super) fn bind(claim: &mut PersistentVolumeClaim, volume: Rc<str>) {
    claim.status.phase = "Bound".into();
    claim.spec.volume_name = Some(volume);
    for annotation in ["pv.kubernetes.io/bind-completed", "pv.kubernetes.io/bound-by-controller"] {
        claim.metadata.annotations.insert(annotation, Rc::<str>::from("yes"));
    }
}
