//! PersistentVolumes made by hand, and the classes whose claims wait for them or for a pod.
//! Models FindMatchingVolume and syncUnboundClaim of pkg/controller/volume/persistentvolume, and FindPodVolumes of the
//! scheduler's volumebinding. Simplified: a claim is bound, and a volume attached, at once.

use super::settings::KnownClass;
use super::store::Store;
use crate::objects::{
    ClaimRef, Kind, Node, Object, ObjectRef, PersistentVolume, PersistentVolumeClaim, StorageClass, Time, VolumePhase,
};
use std::rc::Rc;

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

    /// Keeps a volume, in the place of one of its name, whose claim it keeps.
    pub(super) fn keep_volume(&mut self, mut volume: PersistentVolume, now: Time) {
        volume.metadata.namespace = "".into();
        let known = self.volumes.iter().position(|other| other.metadata.name == volume.metadata.name);
        let known = known.map(|at| self.volumes.remove(at));
        volume.metadata.creation_timestamp =
            known.as_ref().map_or(Some(now), |known| known.metadata.creation_timestamp);
        volume.spec.claim_ref = volume.spec.claim_ref.or_else(|| known?.spec.claim_ref.clone());
        self.volumes.push(Rc::new(volume));
    }

    /// Keeps a storage class, in the place of one of its name.
    pub(super) fn keep_storage_class(&mut self, class: &StorageClass) {
        let name = &class.metadata.name;
        let is_host_path = self.classes.iter().any(|known| known.name == *name && known.is_host_path);
        self.keep_class(KnownClass {
            name: Rc::clone(name),
            provisioner: if class.is_by_hand() { "".into() } else { Rc::clone(&class.provisioner) },
            is_default: class.is_default(),
            is_host_path,
            waits_for_consumer: class.waits_for_consumer(),
            expands: (!class.is_assumed()).then(|| class.allow_volume_expansion.unwrap_or(false)),
            reclaims: class.reclaim_policy.clone().unwrap_or_else(|| "Delete".into()),
        });
    }

    /// Keeps how many volumes of each driver a node can attach.
    pub(super) fn keep_attach_limits(&mut self, node: &str, limits: impl IntoIterator<Item = (Rc<str>, usize)>) {
        self.attach_limits.retain(|(own, _), _| **own != *node);
        self.attach_limits.extend(limits.into_iter().map(|(driver, most)| ((node.into(), driver), most)));
    }

    /// The claims that have no volume.
    pub(super) fn unbound_claims(&self) -> impl Iterator<Item = &Rc<PersistentVolumeClaim>> {
        self.claims().filter(|claim| &*claim.status.phase != "Bound")
    }

    /// The volumes: those made by hand, and those that provisioners made for claims.
    pub(super) fn all_volumes(&self) -> Vec<PersistentVolume> {
        let by_hand = &self.volumes;
        let is_known = |name: &Rc<str>| by_hand.iter().any(|volume| volume.metadata.name == *name);
        let provisioned = self.claims().filter_map(|claim| {
            let name = claim.spec.volume_name.as_ref().filter(|name| !is_known(name))?;
            Some(PersistentVolume::provisioned(name, claim))
        });
        by_hand.iter().map(|volume| PersistentVolume::clone(volume)).chain(provisioned).collect()
    }

    /// Whether the claim's class waits for the scheduler to choose a node.
    pub(super) fn waits_for_consumer(&self, claim: &PersistentVolumeClaim) -> bool {
        self.class_of(claim).is_some_and(|class| class.waits_for_consumer)
    }

    /// Whether nobody makes volumes of the claim's class, and none that is there suits it.
    pub(super) fn lacks_volume(&self, claim: &PersistentVolumeClaim) -> bool {
        // Of a class that only claims tell of it is not known whether somebody does.
        let is_by_hand = |class: &KnownClass| class.provisioner.is_empty() && class.expands.is_some();
        self.class_of(claim).is_some_and(is_by_hand) && self.volume_for(claim, None, &[]).is_none()
    }

    /// Whether the volume of this name was made by hand or listed, so that it is known from where it can be reached.
    pub(super) fn lists_volume(&self, name: &str) -> bool {
        self.volumes.iter().any(|volume| *volume.metadata.name == *name)
    }

    /// Whether a claim has the volume, or had it.
    pub(super) fn volume_phase(&self, volume: &PersistentVolume) -> VolumePhase {
        let Some(claim) = volume.spec.claim_ref.as_ref().filter(|claim| !claim.uid.is_empty()) else {
            return VolumePhase::Available;
        };
        let key = ObjectRef {
            kind: Kind::PersistentVolumeClaim,
            namespace: Rc::clone(&claim.namespace),
            name: Rc::clone(&claim.name),
        };
        match self.get(&key) {
            Ok(stored) if stored.metadata().uid == claim.uid => VolumePhase::Bound,
            _ => VolumePhase::Released,
        }
    }

    /// Whether the data of a claim goes with it: its volume's reclaim policy decides, and before there is a volume that of its class.
    /// None where neither is known.
    pub(super) fn loses_data(&self, claim: &PersistentVolumeClaim) -> Option<bool> {
        let is_its = |volume: &&Rc<PersistentVolume>| claim.spec.volume_name.as_ref() == Some(&volume.metadata.name);
        let of_volume = self.volumes.iter().find(is_its);
        let of_volume = of_volume.map(|volume| &volume.spec.persistent_volume_reclaim_policy);
        let of_class = || self.class_of(claim).filter(|class| !class.provisioner.is_empty());
        let of_class = || of_class().map(|class| &class.reclaims);
        let is_said = |policy: &&Rc<str>| !policy.is_empty();
        of_volume.filter(is_said).or_else(|| of_class().filter(is_said)).map(|policy| &**policy != "Retain")
    }

    /// The claim is gone. A volume made by hand goes with it only if it says so.
    pub(super) fn reclaim_volume(&mut self, claim: &PersistentVolumeClaim) {
        let uid = &claim.metadata.uid;
        self.volumes.retain(|volume| {
            let is_its = volume.spec.claim_ref.as_ref().is_some_and(|other| other.uid == *uid);
            !(is_its && &*volume.spec.persistent_volume_reclaim_policy == "Delete")
        });
    }
}
