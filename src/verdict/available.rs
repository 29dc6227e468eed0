//! When pods that are Ready count as available, too: a workload is as it was asked to be only then.

use super::lasted::Refuted;
use super::pods::pods;
use crate::objects::{ContainerState, Object, Pod, Time};
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

/// That a Deployment whose pods have only to stay Ready for `minReadySeconds` has not been available for far longer than that, nor since
/// any of their containers was started: they have not stayed so before.
pub(super) fn not_available(cluster: &Cluster, object: &Object, after: i64) -> Option<Refuted> {
    let Object::Deployment(deployment) = object else { return None };
    available_at(cluster, object)?;
    let since = deployment.unavailable_since()?;
    let own = pods(cluster, object);
    let started = own.iter().flat_map(|pod| {
        let running = pod.status.container_statuses.iter().map(|status| match &status.state {
            ContainerState::Running { started_at } => *started_at,
            _ => None,
        });
        running.chain([pod.metadata.creation_timestamp])
    });
    let last = started.flatten().chain([since]).max()?;
    let is_ready = own.iter().all(|pod| pod.is_ready());
    let lasted_ms = cluster.now().0.saturating_sub(last.0);
    is_ready.then(|| Refuted::unavailable(object.reference(), lasted_ms, after)).flatten()
}
