//! PersistentVolume: storage that a claim can be bound to, made by hand or by a provisioner.

use super::json::{nullable, text};
use super::quantity::in_nano;
use super::{Extra, Node, ObjectMeta, PersistentVolumeClaim, VolumeNodeAffinity};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::rc::Rc;

/// A volume. It is of no namespace.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct PersistentVolume {
    /// The name is its own.
    #[serde(deserialize_with = "nullable")]
    pub metadata: ObjectMeta,
    /// What it is.
    #[serde(deserialize_with = "nullable")]
    pub spec: PersistentVolumeSpec,
}

/// `spec` of a volume.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct PersistentVolumeSpec {
    /// Amounts by resource; `storage` counts.
    #[serde(deserialize_with = "nullable", skip_serializing_if = "Extra::is_empty")]
    pub capacity: Extra,
    /// `ReadWriteOnce`, `ReadWriteMany`, `ReadOnlyMany`, `ReadWriteOncePod`.
    #[serde(deserialize_with = "nullable", skip_serializing_if = "Vec::is_empty")]
    pub access_modes: Vec<Rc<str>>,
    /// Claims of this class can have it; of none if it is empty.
    #[serde(deserialize_with = "text", skip_serializing_if = "str::is_empty")]
    pub storage_class_name: Rc<str>,
    /// `Retain` (the default of volumes made by hand), `Delete` or `Recycle`.
    #[serde(deserialize_with = "text", skip_serializing_if = "str::is_empty")]
    pub persistent_volume_reclaim_policy: Rc<str>,
    /// The claim that has it, or is to have it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub claim_ref: Option<ClaimRef>,
    /// From which nodes it can be reached; without it, from all.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub node_affinity: Option<VolumeNodeAffinity>,
    /// Everything else.
    #[serde(flatten)]
    pub extra: Extra,
}

/// `spec.claimRef` of a volume.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct ClaimRef {
    /// The claim's namespace.
    #[serde(deserialize_with = "text", skip_serializing_if = "str::is_empty")]
    pub namespace: Rc<str>,
    /// The claim's name.
    #[serde(deserialize_with = "text", skip_serializing_if = "str::is_empty")]
    pub name: Rc<str>,
    /// The claim's uid; empty where a person kept the volume for a claim of this name.
    #[serde(deserialize_with = "text", skip_serializing_if = "str::is_empty")]
    pub uid: Rc<str>,
}

/// `status.phase` of a volume.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum VolumePhase {
    /// No claim has it.
    Available,
    /// A claim has it.
    Bound,
    /// The claim that had it is gone. No other can have it until its `claimRef` is taken off.
    Released,
}

impl VolumePhase {
    /// The word of the API.
    pub(crate) fn as_str(self) -> &'static str {
        match self {
            Self::Available => "Available",
            Self::Bound => "Bound",
            Self::Released => "Released",
        }
    }
}

impl PersistentVolume {
    /// Whether the claim can be bound to it: it has the class, the modes and the size that are asked for, and is nobody else's.
    /// Models FindMatchingVolume, pkg/controller/volume/persistentvolume/index.go; selectors and volume modes aside.
    pub(crate) fn suits(&self, claim: &PersistentVolumeClaim) -> bool {
        let metadata = &claim.metadata;
        let is_kept_for_it = match &self.spec.claim_ref {
            None => true,
            Some(kept) => {
                (&kept.namespace, &kept.name) == (&metadata.namespace, &metadata.name)
                    && (kept.uid.is_empty() || kept.uid == metadata.uid)
            }
        };
        let is_named = claim.spec.volume_name.as_ref().is_none_or(|name| *name == self.metadata.name);
        let has_modes = claim.spec.access_modes.iter().all(|mode| self.spec.access_modes.contains(mode));
        let has_size = self.size() >= claim.requested_size();
        is_kept_for_it && is_named && has_modes && has_size && *self.spec.storage_class_name == *claim.storage_class()
    }

    /// The volume that a provisioner made for a claim.
    pub(crate) fn provisioned(name: &Rc<str>, claim: &PersistentVolumeClaim) -> Self {
        let of_claim = &claim.metadata;
        let metadata = ObjectMeta {
            name: Rc::clone(name),
            creation_timestamp: of_claim.creation_timestamp,
            ..ObjectMeta::default()
        };
        let requests = claim.spec.extra.get("resources").and_then(|resources| resources.get("requests")?.as_object());
        let spec = PersistentVolumeSpec {
            capacity: requests.cloned().unwrap_or_default(),
            access_modes: claim.spec.access_modes.clone(),
            storage_class_name: claim.storage_class().into(),
            persistent_volume_reclaim_policy: "Delete".into(),
            claim_ref: Some(ClaimRef {
                namespace: Rc::clone(&of_claim.namespace),
                name: Rc::clone(&of_claim.name),
                uid: Rc::clone(&of_claim.uid),
            }),
            node_affinity: None,
            extra: Extra::new(),
        };
        Self { metadata, spec }
    }

    /// Its `storage`, in nanobytes.
    pub(crate) fn size(&self) -> i128 {
        amount(self.spec.capacity.get("storage"))
    }

    /// Whether it can be reached from a node. Models CheckNodeAffinity, component-helpers/storage/volume.
    pub(crate) fn is_reached_from(&self, node: &Node) -> bool {
        let required = self.spec.node_affinity.as_ref().and_then(|affinity| affinity.required.as_ref());
        required.is_none_or(|required| required.suits(node))
    }
}

impl PersistentVolumeClaim {
    /// Whether the volume that it was bound to is gone.
    pub(crate) fn is_lost(&self) -> bool {
        &*self.status.phase == "Lost"
    }

    /// The name of its class; empty without one. Models GetPersistentVolumeClaimClass of
    /// k8s.io/component-helpers storage/volume/helpers.go, which reads the annotation first.
    pub(crate) fn storage_class(&self) -> &str {
        if let Some(class) = self.metadata.annotations.get("volume.beta.kubernetes.io/storage-class") {
            return class;
        }
        self.spec.extra.get("storageClassName").and_then(Value::as_str).unwrap_or_default()
    }

    /// What it asks for of a resource.
    pub(crate) fn requested(&self, resource: &str) -> Option<&Value> {
        self.spec.extra.get("resources").and_then(|resources| resources.get("requests")?.get(resource))
    }

    /// The `storage` that it asks for, in nanobytes.
    pub(crate) fn requested_size(&self) -> i128 {
        amount(self.requested("storage"))
    }

    /// How far its volume is on the way to another VolumeAttributesClass, and to which; none if it is on no way.
    pub(crate) fn modification(&self) -> Option<(&str, &str)> {
        let told = self.status.extra.get("modifyVolumeStatus")?;
        let word = |name: &str| told.get(name).and_then(Value::as_str);
        Some((word("status")?, word("targetVolumeAttributesClassName").unwrap_or("-")))
    }

    /// The `storage` that it has, as its status says; none if it does not say.
    pub(crate) fn capacity(&self) -> Option<&Value> {
        self.status.extra.get("capacity")?.get("storage")
    }

    /// The same in nanobytes.
    pub(crate) fn capacity_size(&self) -> Option<i128> {
        self.capacity().map(|capacity| amount(Some(capacity)))
    }

    /// Whether it is bound and has less than it asks for.
    pub(crate) fn lacks_capacity(&self) -> bool {
        let is_less = self.capacity_size().is_some_and(|has| has < self.requested_size());
        &*self.status.phase == "Bound" && is_less
    }

    /// The volume attributes class that it asks for, and the one that it has.
    pub(crate) fn attributes_classes(&self) -> [Option<&str>; 2] {
        let asked = self.spec.extra.get("volumeAttributesClassName");
        [asked, self.status.extra.get("currentVolumeAttributesClassName")].map(|class| class.and_then(Value::as_str))
    }

    /// Whether it asks for more than it has, or for another attributes class.
    pub(crate) fn is_changing(&self) -> bool {
        let [asked, has] = self.attributes_classes();
        self.lacks_capacity() || &*self.status.phase == "Bound" && asked.is_some() && asked != has
    }

    /// Whether a condition of its status is true.
    pub(crate) fn condition(&self, name: &str) -> bool {
        let all = self.status.extra.get("conditions").and_then(Value::as_array);
        all.into_iter().flatten().any(|one| one["type"] == name && one["status"] == "True")
    }
}

fn amount(quantity: Option<&Value>) -> i128 {
    match quantity {
        Some(Value::String(text)) => in_nano(text).unwrap_or(0),
        Some(number) => in_nano(&number.to_string()).unwrap_or(0),
        None => 0,
    }
}
