//! How a claim gets its volume.
//! Models syncUnboundClaim, provisionClaimOperationExternal and bindClaimToVolume of
//! pkg/controller/volume/persistentvolume/pv_controller.go.

use super::cluster::Cluster;
use super::event_queue::ScheduledEvent;
use super::settings::StorageClass;
use super::volume::storage_class;
use crate::objects::{EventType, Object, PersistentVolumeClaim, Time};
use std::rc::Rc;

/// From a claim's creation to its binding.
const BINDING_MS: i64 = 200;

impl Cluster {
    /// What the claim's class says, if it is known.
    pub(super) fn class_of(&self, claim: &PersistentVolumeClaim) -> Option<&'static StorageClass> {
        self.settings.storage_classes.iter().find(|class| class.name == storage_class(claim))
    }

    /// A new claim will be bound.
    pub(super) fn provision(&mut self, claim: &Rc<PersistentVolumeClaim>) {
        let key = Object::Claim(Rc::clone(claim)).reference();
        let class = self.class_of(claim).filter(|class| !class.provisioner.is_empty());
        if let Some(StorageClass { provisioner, .. }) = class {
            let names = self.gates.provisioner_annotations;
            self.store.change_claim(&key, |claim| {
                for name in names {
                    claim.metadata.annotations.insert(*name, Rc::<str>::from(*provisioner));
                }
            });
            let message = format!(
                "waiting for a volume to be created, either by external provisioner \"{provisioner}\" or manually created by system administrator"
            );
            // It is told when the claim is new, and when it has its annotation.
            for _ in 0..2 {
                let message = message.clone();
                self.event(&key, EventType::Normal, "ExternalProvisioning", message, "persistentvolume-controller");
            }
        }
        self.event_queue.put(Time(self.now.0 + BINDING_MS), ScheduledEvent::BindClaim(key));
    }
}

/// Names the claim's volume.
pub(super) fn bind(claim: &mut PersistentVolumeClaim) {
    claim.status.phase = "Bound".into();
    claim.spec.volume_name = Some(format!("pvc-{}", claim.metadata.uid).into());
    for annotation in ["pv.kubernetes.io/bind-completed", "pv.kubernetes.io/bound-by-controller"] {
        claim.metadata.annotations.insert(annotation, Rc::<str>::from("yes"));
    }
}
