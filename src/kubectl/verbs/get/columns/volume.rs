//! `kubectl get persistentvolumes`.

use super::{At, Column, Table, table};
use crate::kubectl::text::initials;
use crate::objects::{PersistentVolume, VolumePhase};
use crate::sim::Cluster;
use std::rc::Rc;

const COLUMNS: &[Column<(PersistentVolume, VolumePhase)>] = &[
    Column::new("NAME", |(volume, _), _| volume.metadata.name.to_string()),
    Column::new("CAPACITY", |(volume, _), _| match volume.spec.capacity.get("storage") {
        Some(size) => size.as_str().map_or_else(|| size.to_string(), str::to_owned),
        None => String::new(),
    }),
    Column::new("ACCESS MODES", |(volume, _), _| initials(&volume.spec.access_modes)),
    Column::new("RECLAIM POLICY", |(volume, _), _| match &*volume.spec.persistent_volume_reclaim_policy {
        "" => "Retain".to_owned(),
        policy => policy.to_owned(),
    }),
    Column::new("STATUS", |(_, phase), _| phase.as_str().to_owned()),
    Column::new("CLAIM", |(volume, _), _| {
        let claim = volume.spec.claim_ref.as_ref();
        claim.map_or_else(String::new, |claim| format!("{}/{}", claim.namespace, claim.name))
    }),
    Column::new("STORAGECLASS", |(volume, _), _| volume.spec.storage_class_name.to_string()),
    Column::new("REASON", |_, _| String::new()),
    Column::new("AGE", |(volume, _), at| at.age(&volume.metadata)),
];

/// All volumes there are, and whether a claim has each.
pub(in crate::kubectl) fn volumes_of(cluster: &Cluster) -> Vec<(PersistentVolume, VolumePhase)> {
    let with_phase = |volume: PersistentVolume| {
        let phase = cluster.volume_phase(&volume);
        (volume, phase)
    };
    cluster.volumes().into_iter().map(with_phase).collect()
}

/// The table of these volumes, which have no namespaces.
pub(in super::super) fn volumes(at: At, volumes: &[(PersistentVolume, VolumePhase)]) -> (Vec<Rc<str>>, Table) {
    (vec!["".into(); volumes.len()], table(COLUMNS, at, false, volumes.iter().map(|volume| (volume, at.now))))
}
