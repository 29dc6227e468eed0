//! One container of a pod at a time, and what its status says by itself.

use crate::objects::{Container, ContainerState, ContainerStatus, Object, ObjectRef, Pod, Time};
use crate::reconcile::updated_at;
use crate::sim::{owner_of, revision_of_template};
use serde_json::Value;
use std::rc::Rc;

/// What ran for longer than this, in milliseconds, was not ended by a probe that waits for its start.
const LONG_RUN_MS: i64 = 3_600_000;
/// A kubelet has taken notice of an update in place, and of what that makes of the pod's readiness, after so many milliseconds.
const UPDATE_MS: i64 = 60_000;

/// The pods that were made from one revision of an owner's template.
pub(super) type Revision = (ObjectRef, Rc<str>);

pub(super) fn revision_of(pod: &Pod) -> Option<Revision> {
    Some((owner_of(pod)?, revision_of_template(pod).into()))
}

/// One container of a pod, and where its status stands.
pub(super) struct Seen<'a> {
    pub(super) pod: &'a Rc<Pod>,
    pub(super) container: &'a Container,
    pub(super) status: &'a ContainerStatus,
    pub(super) path: String,
    pub(super) is_init: bool,
}

pub(super) fn seen<'a>(pod: &'a Rc<Pod>) -> impl Iterator<Item = Seen<'a>> {
    let status = &pod.status;
    let lists = [
        (true, "initContainerStatuses", &status.init_container_statuses, &pod.spec.init_containers[..]),
        (false, "containerStatuses", &status.container_statuses, &pod.spec.containers[..]),
    ];
    lists.into_iter().flat_map(move |(is_init, list, statuses, containers)| {
        statuses.iter().enumerate().filter_map(move |(at, status)| {
            let container = containers.iter().find(|container| container.name == status.name)?;
            Some(Seen { pod, container, status, path: format!("status.{list}[{at}]"), is_init })
        })
    })
}

pub(super) fn started(status: &ContainerStatus) -> Option<Time> {
    if let ContainerState::Running { started_at } = &status.state { *started_at } else { None }
}

/// Whether the container's last run was not long.
pub(super) fn ran_short(status: &ContainerStatus) -> bool {
    let last = status.extra.get("lastState").and_then(|last| last.get("terminated"));
    let moment = |name: &str| last.and_then(|last| Time::parse(last.get(name)?.as_str()?));
    moment("startedAt").zip(moment("finishedAt")).is_some_and(|(start, end)| end.0 - start.0 <= LONG_RUN_MS)
}

pub(super) fn is_running(status: &ContainerStatus) -> bool {
    matches!(status.state, ContainerState::Running { .. })
}

pub(super) fn since_ready_changed(pod: &Pod) -> Option<Time> {
    pod.condition("Ready").and_then(|ready| ready.last_transition_time)
}

pub(super) fn key(pod: &Rc<Pod>) -> ObjectRef {
    Object::Pod(Rc::clone(pod)).reference()
}

pub(super) fn status_says(status: &ContainerStatus, field: &str, value: bool) -> bool {
    status.extra.get(field).and_then(Value::as_bool) == Some(value)
}

/// Whether the pod was Ready before, or nothing tells that it was not.
pub(super) fn may_have_been_ready(pod: &Pod) -> bool {
    was_ready(pod)
        || was_initialized(pod)
        || (pod.is_unready_since_untold() && pod.status.container_statuses.iter().any(has_run))
}

/// Whether the pod is initialized anew, as after its node was started again: its containers ran once, so the init containers had ended.
pub(super) fn was_initialized(pod: &Pod) -> bool {
    let has_ended = |status: &ContainerStatus| {
        status.restart_count > 0 || status.extra.get("lastState").is_some_and(|last| last.get("terminated").is_some())
    };
    let is_again = pod.condition("Initialized").is_some_and(|done| &*done.status == "False");
    is_again && pod.status.container_statuses.iter().any(has_ended)
}

/// Whether the container was started at all.
fn has_run(status: &ContainerStatus) -> bool {
    status.restart_count > 0 || !matches!(status.state, ContainerState::Waiting { .. })
}

/// Whether the pod was Ready before, with the containers that it has now: one that never was has been not Ready since it was
/// initialized, since its container was first started or, at the latest, since it was updated in place.
fn was_ready(pod: &Pod) -> bool {
    let initialized = pod.condition("Initialized").and_then(|done| done.last_transition_time);
    let started = pod.status.container_statuses.iter().filter(|status| status.restart_count == 0).filter_map(started);
    let updated = updated_at(pod).map(|at| Time(at.0.saturating_add(UPDATE_MS)));
    let first = started.chain(initialized).chain(updated).max();
    since_ready_changed(pod).zip(first).is_some_and(|(since, first)| since > first)
}

/// Whether the container has ended and its pod does not start it again.
pub(super) fn stays_ended(one: &Seen<'_>) -> bool {
    let ContainerState::Terminated { exit_code, .. } = &one.status.state else { return false };
    !one.pod.spec.restarts(*exit_code)
}
