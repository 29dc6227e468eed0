//! `kubectl get pods`.

use super::Column;
use crate::kubectl::pod_status::{ready_column, restarts, status_word};
use crate::kubectl::text::{NONE, or_none};
use crate::objects::Pod;

pub(super) const COLUMNS: &[Column<Pod>] = &[
    Column::new("NAME", |pod, _| pod.metadata.name.to_string()),
    Column::new("READY", |pod, _| ready_column(pod)),
    Column::new("STATUS", |pod, at| status_word(pod, at.cluster.release().kubectl())),
    Column::new("RESTARTS", |pod, _| restarts(pod).to_string()),
    Column::new("AGE", |pod, at| at.age(&pod.metadata)),
    Column::wide("IP", |pod, _| or_none(&pod.status.pod_ip)),
    Column::wide("NODE", |pod, _| or_none(&pod.spec.node_name)),
    Column::wide_when(|kubectl| kubectl.pods_show_nominated_node, "NOMINATED NODE", |_, _| NONE.to_owned()),
    Column::wide_when(|kubectl| kubectl.pods_show_nominated_node, "READINESS GATES", |_, _| NONE.to_owned()),
];
