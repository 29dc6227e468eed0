//! `kubectl get persistentvolumeclaims`.

use super::Column;
use crate::kubectl::text::{access_modes, capacity, storage_class};
use crate::objects::PersistentVolumeClaim;

/// What a claim has only once it is bound.
fn if_bound(claim: &PersistentVolumeClaim, text: impl Into<String>) -> String {
    let is_bound = claim.spec.volume_name.as_deref().is_some_and(|volume| !volume.is_empty());
    if is_bound { text.into() } else { String::new() }
}

pub(super) const COLUMNS: &[Column<PersistentVolumeClaim>] = &[
    Column::new("NAME", |claim, _| claim.metadata.name.to_string()),
    Column::new("STATUS", |claim, _| match claim.metadata.deletion_timestamp {
        Some(_) => "Terminating".to_owned(),
        None => claim.status.phase.to_string(),
    }),
    Column::new("VOLUME", |claim, _| claim.spec.volume_name.as_deref().unwrap_or_default().to_owned()),
    Column::new("CAPACITY", |claim, _| if_bound(claim, capacity(claim))),
    Column::new("ACCESS MODES", |claim, _| if_bound(claim, access_modes(claim))),
    Column::new("STORAGECLASS", |claim, _| storage_class(claim)),
    Column::when(|kubectl| kubectl.claims_show_attributes_class, "VOLUMEATTRIBUTESCLASS", |_, _| "<unset>".to_owned()),
    Column::new("AGE", |claim, at| at.age(&claim.metadata)),
    Column::wide_when(|kubectl| kubectl.claims_show_mode, "VOLUMEMODE", |claim, _| {
        claim.spec.extra.get("volumeMode").and_then(|mode| mode.as_str()).unwrap_or("Filesystem").to_owned()
    }),
];
