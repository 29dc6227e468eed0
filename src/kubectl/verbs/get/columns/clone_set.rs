//! `kubectl get clonesets`: the columns that OpenKruise gives its resource.

use super::{Column, containers, images};
use crate::objects::CloneSet;

pub(super) const COLUMNS: &[Column<CloneSet>] = &[
    Column::new("NAME", |set, _| set.metadata.name.to_string()),
    Column::new("DESIRED", |set, _| set.replicas().to_string()),
    Column::new("UPDATED", |set, _| set.status.updated_replicas.to_string()),
    Column::new("UPDATED_READY", |set, _| set.status.updated_ready_replicas.to_string()),
    Column::new("READY", |set, _| set.status.ready_replicas.to_string()),
    Column::new("TOTAL", |set, _| set.status.replicas.to_string()),
    Column::new("AGE", |set, at| at.age(&set.metadata)),
    Column::wide("CONTAINERS", |set, _| containers(&set.spec.template)),
    Column::wide("IMAGES", |set, _| images(&set.spec.template)),
];
