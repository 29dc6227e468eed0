//! How a claim gets its volume.
//! Models syncUnboundClaim, provisionClaimOperationExternal and bindClaimToVolume of
//! pkg/controller/volume/persistentvolume/pv_controller.go.

use super::cluster::Cluster;
use super::event_queue::ScheduledEvent;
use super::trace::TraceEvent;
use crate::objects::{EventType, Object, ObjectRef, PersistentVolumeClaim, Time};
use std::rc::Rc;

/// From a claim's creation to its binding.
const BINDING_MS: i64 = 200;

impl Cluster {
    /// A new claim will be bound, if its class does not make it wait.
    pub(super) fn provision(&mut self, claim: &Rc<PersistentVolumeClaim>) {
        let key = Object::Claim(Rc::clone(claim)).reference();
        if self.world.store.named.lacks_class(claim) {
            let message = format!("storageclass.storage.k8s.io {:?} not found", claim.storage_class());
            self.world.event(&key, EventType::Warning, "ProvisioningFailed", message, "persistentvolume-controller");
            return;
        }
        let class = self.world.store.class_of(claim).cloned().unwrap_or_default();
        if class.waits_for_consumer {
            let message = "waiting for first consumer to be created before binding".to_owned();
            self.world.event(&key, EventType::Normal, "WaitForFirstConsumer", message, "persistentvolume-controller");
            return;
        }
        let provisioner = &class.provisioner;
        if !provisioner.is_empty() {
            let names = self.world.gates.provisioner_annotations;
            self.world.store.change_claim(&key, |claim| {
                for name in names {
                    claim.metadata.annotations.insert(*name, Rc::clone(provisioner));
                }
            });
            let message = self.world.gates.waits_for_provisioner.replace("{}", provisioner);
            // It is told when the claim is new, and when it has its annotation.
            for _ in 0..2 {
                let message = message.clone();
                self.world.event(
                    &key,
                    EventType::Normal,
                    "ExternalProvisioning",
                    message,
                    "persistentvolume-controller",
                );
            }
        }
        self.world.event_queue.put(Time(self.world.now.0 + BINDING_MS), ScheduledEvent::BindClaim(key));
    }

    /// Binds a claim to the volume that its provisioner made, or to one that was made by hand. One that waits for its pod, or for
    /// a volume, stays as it is.
    pub(super) fn bind_claim(&mut self, key: ObjectRef) {
        let Ok(Object::Claim(claim)) = self.world.store.get(&key) else { return };
        if self.world.settings.holds.keeps_unbound(&key) || claim.is_lost() && !self.world.store.has_volume_of(claim) {
            return;
        }
        match self.world.store.class_of(claim) {
            // Its volume is back: syncBoundClaim.
            _ if claim.is_lost() => self.world.store.change_claim(&key, |claim| claim.status.phase = "Bound".into()),
            Some(class) if class.waits_for_consumer => return,
            Some(class) if class.provisioner.is_empty() => {
                if &*claim.status.phase == "Bound" || !self.world.store.bind_by_hand(&key, None) {
                    return;
                }
            }
            _ => self.world.store.change_claim(&key, bind_provisioned),
        }
        self.claim_bound(&key);
        self.world.happened(TraceEvent::ClaimBound(key));
        self.wake_scheduler();
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
