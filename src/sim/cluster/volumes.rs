//! Volumes, their classes and what is asked of them, as people apply and read them.

use super::Cluster;
use crate::objects::{
    Object, ObjectRef, PersistentVolume, PersistentVolumeClaim, Pod, StorageClass, Time, VolumePhase,
};
use crate::sim::event_queue::ScheduledEvent;
use crate::sim::provisioner::{bind_claim, provision};
use crate::sim::resize;
use crate::sim::volume::Attachment;
use crate::sim::world::START;
use std::rc::Rc;

/// The volume controller looks at every claim this often.
const RESYNC_MS: i64 = 15_000;

impl Cluster {
    /// Keeps a volume, in the place of one of its name, whose claim it keeps. A claim that waits for it is bound when the volume
    /// controller looks at it next.
    pub(crate) fn apply_volume(&mut self, volume: PersistentVolume) {
        let world = &mut self.world;
        world.store.keep_volume(volume, world.now);
        let passed = (world.now.0 - START.0).rem_euclid(RESYNC_MS);
        let resync = Time(world.now.0 + RESYNC_MS - passed);
        for claim in world.store.unbound_claims() {
            let key = Object::Claim(Rc::clone(claim)).reference();
            world.event_queue.put(resync, ScheduledEvent::BindClaim(key));
        }
        self.wake_scheduler();
    }

    /// Keeps a storage class, in the place of one of its name. Claims of it that wait are looked at.
    pub(crate) fn apply_storage_class(&mut self, class: &StorageClass) {
        self.world.store.keep_storage_class(class);
        let is_of_class = |claim: &&Rc<PersistentVolumeClaim>| *claim.storage_class() == *class.metadata.name;
        let waiting: Vec<_> = self.world.store.unbound_claims().filter(is_of_class).cloned().collect();
        waiting.iter().for_each(|claim| provision(&mut self.world, claim));
        self.wake_scheduler();
    }

    /// Keeps how many volumes of each driver a node can attach: what a CSINode says.
    pub(crate) fn apply_attach_limits(&mut self, node: &str, limits: impl IntoIterator<Item = (Rc<str>, usize)>) {
        self.world.store.keep_attach_limits(node, limits);
        self.wake_scheduler();
    }

    /// Binds a claim to its volume if there is one, for which pods may wait.
    pub(super) fn bind_claim(&mut self, claim: ObjectRef) {
        if bind_claim(&mut self.world, claim) {
            self.wake_scheduler();
        }
    }

    /// A claim's spec has changed: what it asks for and does not have yet is under way.
    pub(crate) fn grow_claim(&mut self, key: &ObjectRef, before: &PersistentVolumeClaim) {
        resize::grow_claim(&mut self.world, key, before);
    }

    /// Whether volumes of the claim's class may grow; none if nothing is known of the class.
    pub(crate) fn may_expand(&self, claim: &PersistentVolumeClaim) -> Option<bool> {
        self.world.store.class_of(claim)?.expands
    }

    /// Whether somebody is about to look for a claim's volume.
    pub(crate) fn is_about_to_bind(&self, claim: &ObjectRef) -> bool {
        self.world.event_queue.iter().any(|(_, due)| matches!(due, ScheduledEvent::BindClaim(due) if due == claim))
    }

    /// The volumes: those made by hand, and those that provisioners made for claims.
    pub(crate) fn volumes(&self) -> Vec<PersistentVolume> {
        self.world.store.all_volumes()
    }

    /// Whether the claim's class is known.
    pub(crate) fn knows_class(&self, claim: &PersistentVolumeClaim) -> bool {
        self.world.store.class_of(claim).is_some()
    }

    /// Whether the claim's class waits for the scheduler to choose a node.
    pub(crate) fn waits_for_consumer(&self, claim: &PersistentVolumeClaim) -> bool {
        self.world.store.waits_for_consumer(claim)
    }

    /// Whether nobody makes volumes of the claim's class, and none that is there suits it.
    pub(crate) fn lacks_volume(&self, claim: &PersistentVolumeClaim) -> bool {
        self.world.store.lacks_volume(claim)
    }

    /// Whether the volume of this name was made by hand or listed, so that it is known from where it can be reached.
    pub(crate) fn lists_volume(&self, name: &str) -> bool {
        self.world.store.lists_volume(name)
    }

    /// Whether a claim has the volume, or had it.
    pub(crate) fn volume_phase(&self, volume: &PersistentVolume) -> VolumePhase {
        self.world.store.volume_phase(volume)
    }

    /// Whether the data of a claim goes with it: its volume's reclaim policy decides, and before there is a volume that of its class.
    /// None where neither is known.
    pub(crate) fn loses_data(&self, claim: &PersistentVolumeClaim) -> Option<bool> {
        self.world.store.loses_data(claim)
    }

    /// The claims that a pod mounts, of those that are there.
    pub(crate) fn claims_of(&self, pod: &Pod) -> impl Iterator<Item = &Rc<PersistentVolumeClaim>> {
        self.world.store.claims_of(pod)
    }

    /// The volumes that one node at a time can use, where they are attached.
    pub fn attachments(&self) -> &[Attachment] {
        self.attachments.all()
    }

    /// The volumes of a pod that has its node, and that other nodes hold.
    pub fn attached_elsewhere<'a>(&'a self, pod: &'a Pod) -> impl Iterator<Item = &'a Attachment> {
        self.attachments.attached_elsewhere(pod)
    }
}
