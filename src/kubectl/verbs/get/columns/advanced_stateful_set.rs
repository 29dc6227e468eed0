//! `kubectl get statefulsets.apps.kruise.io`: the columns that OpenKruise gives its resource.

use super::{Column, containers, images};
use crate::objects::AdvancedStatefulSet;

pub(super) const COLUMNS: &[Column<AdvancedStatefulSet>] = &[
    Column::new("NAME", |set, _| set.metadata.name.to_string()),
    Column::new("DESIRED", |set, _| set.replicas().to_string()),
    Column::new("CURRENT", |set, _| set.status.replicas.to_string()),
    Column::new("UPDATED", |set, _| set.status.updated_replicas.to_string()),
    Column::new("READY", |set, _| set.status.ready_replicas.to_string()),
    Column::new("AGE", |set, at| at.age(&set.metadata)),
    Column::wide("CONTAINERS", |set, _| containers(&set.spec.template)),
    Column::wide("IMAGES", |set, _| images(&set.spec.template)),
];
