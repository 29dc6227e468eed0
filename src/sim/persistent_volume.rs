//! PersistentVolumes made by hand, and the classes whose claims wait for them or for a pod.
//! Models FindMatchingVolume and syncUnboundClaim of pkg/controller/volume/persistentvolume, and FindPodVolumes of the
//! scheduler's volumebinding. Simplified: a claim is bound, and a volume attached, at once.

use super::cluster::Cluster;
use super::event_queue::ScheduledEvent;
use super::settings::KnownClass;
use super::store::Store;
use super::world::START;
use crate::objects::{
    ClaimRef, Kind, Node, Object, ObjectRef, PersistentVolume, PersistentVolumeClaim, Pod, StorageClass, Time,
    VolumePhase,
};
use std::rc::Rc;

/// The volume controller looks at every claim this often.
const RESYNC_MS: i64 = 15_000;

impl Store {
    /// What is known of the claim's class.
    pub(super) fn class_of(&self, claim: &PersistentVolumeClaim) -> Option<&KnownClass> {
        self.classes.iter().find(|class| *class.name == *claim.storage_class())
    }

    /// The driver that attaches the claim's volume, where it is known. Models getCSIDriverInfo of the plugin NodeVolumeLimits.
    pub(super) fn driver_of(&self, claim: &PersistentVolumeClaim) -> Option<Rc<str>> {
        let is_its = |volume: &&Rc<PersistentVolume>| claim.spec.volume_name.as_ref() == Some(&volume.metadata.name);
        let named =
            self.volumes.iter().find(is_its).and_then(|volume| volume.spec.extra.get("csi")?.get("driver")?.as_str());
        let made = || self.class_of(claim).map(|class| Rc::clone(&class.provisioner)).filter(|name| !name.is_empty());
        named.map(Rc::from).or_else(made)
    }

    /// Keeps what is known of a class, in the place of what was.
    pub(super) fn keep_class(&mut self, class: KnownClass) {
        self.classes.retain(|other| other.name != class.name);
        self.classes.push(class);
    }

    /// The volume made by hand that a claim would be bound to, on a node if one is given: the smallest that suits it.
    fn volume_for(
        &self,
        claim: &PersistentVolumeClaim,
        node: Option<&Node>,
        taken: &[Rc<str>],
    ) -> Option<&Rc<PersistentVolume>> {
        let suits = |volume: &&Rc<PersistentVolume>| {
            volume.suits(claim)
                && !taken.contains(&volume.metadata.name)
                && node.is_none_or(|node| volume.is_reached_from(node))
        };
        self.volumes.iter().filter(suits).min_by_key(|volume| volume.size())
    }

    /// Whether a node can give each of these claims a volume: they wait for their pod to be placed.
    pub(super) fn has_volumes_for(&self, claims: &[&Rc<PersistentVolumeClaim>], node: &Node) -> bool {
        let mut taken = Vec::new();
        claims.iter().all(|claim| {
            let is_provisioned = self.class_of(claim).is_some_and(|class| !class.provisioner.is_empty());
            let found = self.volume_for(claim, Some(node), &taken).map(|volume| Rc::clone(&volume.metadata.name));
            taken.extend(found.clone());
            is_provisioned || found.is_some()
        })
    }

    /// Whether the volume that the claim names is there, of those that nobody provisions here.
    pub(super) fn has_volume_of(&self, claim: &PersistentVolumeClaim) -> bool {
        self.volumes.iter().any(|volume| claim.spec.volume_name.as_ref() == Some(&volume.metadata.name))
    }

    /// Whether the claim's volume was made by hand and cannot be reached from the node.
    pub(super) fn is_volume_out_of_reach(&self, claim: &PersistentVolumeClaim, node: &Node) -> bool {
        let is_its = |volume: &&Rc<PersistentVolume>| claim.spec.volume_name.as_ref() == Some(&volume.metadata.name);
        self.volumes.iter().find(is_its).is_some_and(|volume| !volume.is_reached_from(node))
    }

    /// Binds a claim to a volume made by hand. False if none suits it.
    pub(super) fn bind_by_hand(&mut self, key: &ObjectRef, node: Option<&Node>) -> bool {
        let Ok(Object::Claim(claim)) = self.get(key) else { return false };
        let Some(name) = self.volume_for(claim, node, &[]).map(|volume| Rc::clone(&volume.metadata.name)) else {
            return false;
        };
        let claim_ref = ClaimRef {
            namespace: Rc::clone(&claim.metadata.namespace),
            name: Rc::clone(&claim.metadata.name),
            uid: Rc::clone(&claim.metadata.uid),
        };
        if let Some(volume) = self.volumes.iter_mut().find(|volume| volume.metadata.name == name) {
            Rc::make_mut(volume).spec.claim_ref = Some(claim_ref);
        }
        self.change_claim(key, |claim| super::provisioner::bind(claim, name));
        true
    }
}

impl Cluster {
    /// Keeps a volume, in the place of one of its name, whose claim it keeps. A claim that waits for it is bound when the volume
    /// controller looks at it next.
    pub fn apply_volume(&mut self, mut volume: PersistentVolume) {
        volume.metadata.namespace = "".into();
        let known = self.world.store.volumes.iter().position(|other| other.metadata.name == volume.metadata.name);
        let known = known.map(|at| self.world.store.volumes.remove(at));
        volume.metadata.creation_timestamp =
            known.as_ref().map_or(Some(self.now()), |known| known.metadata.creation_timestamp);
        volume.spec.claim_ref = volume.spec.claim_ref.or_else(|| known?.spec.claim_ref.clone());
        self.world.store.volumes.push(Rc::new(volume));
        let passed = (self.now().0 - START.0).rem_euclid(RESYNC_MS);
        let resync = Time(self.now().0 + RESYNC_MS - passed);
        for claim in self.unbound_claims() {
            self.world.event_queue.put(resync, ScheduledEvent::BindClaim(claim));
        }
        self.wake_scheduler();
    }

    /// Keeps a storage class, in the place of one of its name. Claims of it that wait are looked at.
    pub fn apply_storage_class(&mut self, class: &StorageClass) {
        let name = &class.metadata.name;
        let is_host_path = self.world.store.classes.iter().any(|known| known.name == *name && known.is_host_path);
        self.world.store.keep_class(KnownClass {
            name: Rc::clone(name),
            provisioner: if class.is_by_hand() { "".into() } else { Rc::clone(&class.provisioner) },
            is_default: class.is_default(),
            is_host_path,
            waits_for_consumer: class.waits_for_consumer(),
            expands: (!class.is_assumed()).then(|| class.allow_volume_expansion.unwrap_or(false)),
            reclaims: class.reclaim_policy.clone().unwrap_or_else(|| "Delete".into()),
        });
        for claim in self.unbound_claims() {
            if let Ok(Object::Claim(claim)) = self.world.store.get(&claim).cloned()
                && *claim.storage_class() == **name
            {
                self.provision(&claim);
            }
        }
        self.wake_scheduler();
    }

    /// Keeps how many volumes of each driver a node can attach: what a CSINode says.
    pub fn apply_attach_limits(&mut self, node: &str, limits: impl IntoIterator<Item = (Rc<str>, usize)>) {
        self.world.store.attach_limits.retain(|(own, _), _| **own != *node);
        self.world.store.attach_limits.extend(limits.into_iter().map(|(driver, most)| ((node.into(), driver), most)));
        self.wake_scheduler();
    }

    fn unbound_claims(&self) -> Vec<ObjectRef> {
        let is_unbound = |object: &&Object| matches!(object, Object::Claim(claim) if &*claim.status.phase != "Bound");
        self.objects(Kind::PersistentVolumeClaim).filter(is_unbound).map(Object::reference).collect()
    }

    /// The volumes: those made by hand, and those that provisioners made for claims.
    pub fn volumes(&self) -> Vec<PersistentVolume> {
        let by_hand = &self.world.store.volumes;
        let is_known = |name: &Rc<str>| by_hand.iter().any(|volume| volume.metadata.name == *name);
        let provisioned = self.objects(Kind::PersistentVolumeClaim).filter_map(|object| {
            let Object::Claim(claim) = object else { return None };
            let name = claim.spec.volume_name.as_ref().filter(|name| !is_known(name))?;
            Some(PersistentVolume::provisioned(name, claim))
        });
        by_hand.iter().map(|volume| PersistentVolume::clone(volume)).chain(provisioned).collect()
    }

    /// Whether the claim's class is known.
    pub fn knows_class(&self, claim: &PersistentVolumeClaim) -> bool {
        self.world.store.class_of(claim).is_some()
    }

    /// Whether the claim's class waits for the scheduler to choose a node.
    pub fn waits_for_consumer(&self, claim: &PersistentVolumeClaim) -> bool {
        self.world.store.class_of(claim).is_some_and(|class| class.waits_for_consumer)
    }

    /// Whether nobody makes volumes of the claim's class, and none that is there suits it.
    pub fn lacks_volume(&self, claim: &PersistentVolumeClaim) -> bool {
        // Of a class that only claims tell of it is not known whether somebody does.
        let is_by_hand = |class: &KnownClass| class.provisioner.is_empty() && class.expands.is_some();
        self.world.store.class_of(claim).is_some_and(is_by_hand)
            && self.world.store.volume_for(claim, None, &[]).is_none()
    }

    /// Whether the volume of this name was made by hand or listed, so that it is known from where it can be reached.
    pub fn lists_volume(&self, name: &str) -> bool {
        self.world.store.volumes.iter().any(|volume| *volume.metadata.name == *name)
    }

    /// Whether a claim has the volume, or had it.
    pub fn volume_phase(&self, volume: &PersistentVolume) -> VolumePhase {
        let Some(claim) = volume.spec.claim_ref.as_ref().filter(|claim| !claim.uid.is_empty()) else {
            return VolumePhase::Available;
        };
        let key = ObjectRef {
            kind: Kind::PersistentVolumeClaim,
            namespace: Rc::clone(&claim.namespace),
            name: Rc::clone(&claim.name),
        };
        match self.world.store.get(&key) {
            Ok(stored) if stored.metadata().uid == claim.uid => VolumePhase::Bound,
            _ => VolumePhase::Released,
        }
    }

    /// Whether the data of a claim goes with it: its volume's reclaim policy decides, and before there is a volume that of its class.
    /// None where neither is known.
    pub fn loses_data(&self, claim: &PersistentVolumeClaim) -> Option<bool> {
        let is_its = |volume: &&Rc<PersistentVolume>| claim.spec.volume_name.as_ref() == Some(&volume.metadata.name);
        let of_volume = self.world.store.volumes.iter().find(is_its);
        let of_volume = of_volume.map(|volume| &volume.spec.persistent_volume_reclaim_policy);
        let of_class = || self.world.store.class_of(claim).filter(|class| !class.provisioner.is_empty());
        let of_class = || of_class().map(|class| &class.reclaims);
        let is_said = |policy: &&Rc<str>| !policy.is_empty();
        of_volume.filter(is_said).or_else(|| of_class().filter(is_said)).map(|policy| &**policy != "Retain")
    }

    /// The claim is gone. A volume made by hand goes with it only if it says so.
    pub(super) fn reclaim_volume(&mut self, claim: &PersistentVolumeClaim) {
        let uid = &claim.metadata.uid;
        self.world.store.volumes.retain(|volume| {
            let is_its = volume.spec.claim_ref.as_ref().is_some_and(|other| other.uid == *uid);
            !(is_its && &*volume.spec.persistent_volume_reclaim_policy == "Delete")
        });
    }

    /// The pod is placed: its claims that waited for that get their volumes.
    pub(super) fn bind_waiting_claims(&mut self, pod: &Pod, node: &Rc<str>) {
        let Some(node) = self.node(node).cloned() else { return };
        let waiting = |claim: &&Rc<PersistentVolumeClaim>| {
            &*claim.status.phase != "Bound" && !claim.is_lost() && self.waits_for_consumer(claim)
        };
        let claims: Vec<ObjectRef> =
            self.claims_of(pod).filter(waiting).map(|claim| Object::Claim(Rc::clone(claim)).reference()).collect();
        for key in claims {
            if !self.world.store.bind_by_hand(&key, Some(&node)) {
                self.world.store.change_claim(&key, super::provisioner::bind_provisioned);
            }
            self.claim_bound(&key);
        }
    }
}
