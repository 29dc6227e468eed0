//! When pods that are Ready count as available, too: a workload is as it was asked to be only then.

use super::pods::pods;
use crate::objects::{Object, Pod, Time};
use crate::sim::Cluster;
use std::rc::Rc;

/// The moment from which each pod of the workload that is Ready in this cluster counts as available, if nothing takes its readiness; none
/// if all do. In releases in which a StatefulSet does not read `minReadySeconds` they do at once.
pub fn available_at(cluster: &Cluster, object: &Object) -> Option<Time> {
    let is_read = !matches!(object, Object::StatefulSet(_)) || cluster.controller_gates().min_ready_seconds;
    let wait_ms = i64::from(object.min_ready_seconds()).checked_mul(1_000).filter(|wait| is_read && *wait > 0)?;
    let is_counted = |pod: &&Rc<Pod>| pod.is_ready() && !pod.is_terminating();
    let since = |pod: &Rc<Pod>| pod.condition("Ready")?.last_transition_time;
    let last = pods(cluster, object).into_iter().filter(is_counted).filter_map(since).max()?;
    let at = Time(last.0.saturating_add(wait_ms));
    (at > cluster.now()).then_some(at)
}
