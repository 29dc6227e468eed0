//! `kubectl get deployments`.

use super::{Column, containers, images};
use crate::kubectl::text::selector;
use crate::objects::Deployment;

pub(super) const COLUMNS: &[Column<Deployment>] = &[
    Column::new("NAME", |set, _| set.metadata.name.to_string()),
    Column::when(|kubectl| kubectl.sets_show_ready, "READY", |set, _| format!("{}/{}", set.status.ready_replicas, set.replicas())),
    Column::when(|kubectl| !kubectl.sets_show_ready, "DESIRED", |set, _| set.replicas().to_string()),
    Column::when(|kubectl| !kubectl.sets_show_ready, "CURRENT", |set, _| set.status.replicas.to_string()),
    Column::new("UP-TO-DATE", |set, _| set.status.updated_replicas.to_string()),
    Column::new("AVAILABLE", |set, _| set.status.available_replicas.to_string()),
    Column::new("AGE", |set, at| at.age(&set.metadata)),
    Column::wide("CONTAINERS", |set, _| containers(&set.spec.template)),
    Column::wide("IMAGES", |set, _| images(&set.spec.template)),
    Column::wide("SELECTOR", |set, _| selector(&set.spec.selector)),
];
