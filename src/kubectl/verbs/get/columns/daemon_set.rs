//! `kubectl get daemonsets`.

use super::{Column, containers, images};
use crate::kubectl::text::{pairs, selector};
use crate::objects::DaemonSet;

pub(super) const COLUMNS: &[Column<DaemonSet>] = &[
    Column::new("NAME", |set, _| set.metadata.name.to_string()),
    Column::new("DESIRED", |set, _| set.status.desired_number_scheduled.to_string()),
    Column::new("CURRENT", |set, _| set.status.current_number_scheduled.to_string()),
    Column::new("READY", |set, _| set.status.number_ready.to_string()),
    Column::new("UP-TO-DATE", |set, _| set.status.updated_number_scheduled.to_string()),
    Column::new("AVAILABLE", |set, _| set.status.number_available.to_string()),
    Column::new("NODE SELECTOR", |set, _| pairs(&set.spec.template.spec.node_selector, ",")),
    Column::new("AGE", |set, at| at.age(&set.metadata)),
    Column::wide("CONTAINERS", |set, _| containers(&set.spec.template)),
    Column::wide("IMAGES", |set, _| images(&set.spec.template)),
    Column::wide("SELECTOR", |set, _| selector(&set.spec.selector)),
];
