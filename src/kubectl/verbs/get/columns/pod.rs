//! `kubectl get pods`.

use super::{At, Column};
use crate::kubectl::age::since;
use crate::kubectl::pod_status::{last_restart, ready_column, restarts, status_word};
use crate::kubectl::text::{NONE, or_none};
use crate::objects::Pod;

pub(super) const COLUMNS: &[Column<Pod>] = &[
    Column::new("NAME", |pod, _| pod.metadata.name.to_string()),
    Column::new("READY", |pod, _| ready_column(pod)),
    Column::new("STATUS", |pod, at| status_word(pod, at.cluster.release().kubectl())),
    Column::new("RESTARTS", restarts_and_age),
    Column::new("AGE", |pod, at| at.age(&pod.metadata)),
    Column::wide("IP", |pod, _| or_none(&pod.status.pod_ip)),
    Column::wide("NODE", |pod, _| or_none(&pod.spec.node_name)),
    Column::wide_when(|kubectl| kubectl.pods_show_nominated_node, "NOMINATED NODE", |_, _| NONE.to_owned()),
    Column::wide_when(|kubectl| kubectl.pods_show_nominated_node, "READINESS GATES", |_, _| NONE.to_owned()),
];

fn restarts_and_age(pod: &Pod, at: At) -> String {
    let count = restarts(pod);
    let last = last_restart(pod).filter(|_| count > 0 && at.cluster.release().kubectl().restarts_tell_age);
    last.map_or_else(|| count.to_string(), |last| format!("{count} ({} ago)", since(at.now, Some(last))))
}
