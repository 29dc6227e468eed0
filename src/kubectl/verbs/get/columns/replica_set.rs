//! `kubectl get replicasets`.

use super::{Column, containers, images};
use crate::kubectl::text::selector;
use crate::objects::ReplicaSet;

pub(super) const COLUMNS: &[Column<ReplicaSet>] = &[
    Column::new("NAME", |set, _| set.metadata.name.to_string()),
    Column::new("DESIRED", |set, _| set.replicas().to_string()),
    Column::new("CURRENT", |set, _| set.status.replicas.to_string()),
    Column::new("READY", |set, _| set.status.ready_replicas.to_string()),
    Column::new("AGE", |set, at| at.age(&set.metadata)),
    Column::wide("CONTAINERS", |set, _| containers(&set.spec.template)),
    Column::wide("IMAGES", |set, _| images(&set.spec.template)),
    Column::wide("SELECTOR", |set, _| selector(&set.spec.selector)),
];
