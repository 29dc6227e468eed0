//! `kubectl get statefulsets`.

use super::{Column, containers, images};
use crate::objects::StatefulSet;

pub(super) const COLUMNS: &[Column<StatefulSet>] = &[
    Column::new("NAME", |set, _| set.metadata.name.to_string()),
    Column::when(|kubectl| kubectl.sets_show_ready, "READY", |set, _| format!("{}/{}", set.status.ready_replicas, set.replicas())),
    Column::when(|kubectl| !kubectl.sets_show_ready, "DESIRED", |set, _| set.replicas().to_string()),
    Column::when(|kubectl| !kubectl.sets_show_ready, "CURRENT", |set, _| set.status.replicas.to_string()),
    Column::new("AGE", |set, at| at.age(&set.metadata)),
    Column::wide("CONTAINERS", |set, _| containers(&set.spec.template)),
    Column::wide("IMAGES", |set, _| images(&set.spec.template)),
];
