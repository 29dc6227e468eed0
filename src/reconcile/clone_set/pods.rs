//! What the CloneSet controller asks of a pod: its place in its life, its instance, its revision.

use crate::objects::{CloneSet, Labels, Pod, Time};
use crate::reconcile::in_place::{IN_PLACE_READY, RevisionLabels, SPECIFIED_DELETE_LABEL, life, state_of};
use crate::reconcile::pods::is_running_and_ready;

/// The label that names a pod's instance; its claims carry it too.
pub(crate) const INSTANCE_LABEL: &str = "apps.kruise.io/cloneset-instance-id";

/// The value of a label, empty if it is not there.
pub(super) fn text<'a>(labels: &'a Labels, key: &str) -> &'a str {
    labels.get(key).map_or("", |value| value)
}

pub(super) fn instance_of(labels: &Labels) -> &str {
    text(labels, INSTANCE_LABEL)
}

/// Whether the pod is at the revision; full names and short hashes match each other.
pub(super) fn is_at(pod: &Pod, revision: &str) -> bool {
    RevisionLabels::NameOrHash { short: false }.is_at(pod, revision)
}

/// Whether people asked for this pod's deletion, by its label or by its name in the set.
pub(super) fn is_specified_delete(set: &CloneSet, pod: &Pod) -> bool {
    pod.metadata.labels.get(SPECIFIED_DELETE_LABEL).is_some()
        || set.spec.scale_strategy.pods_to_delete.contains(&pod.metadata.name)
}

/// Running and Ready, and no update in place holds the gate.
pub(super) fn is_ready(pod: &Pod) -> bool {
    is_running_and_ready(pod) && pod.condition(IN_PLACE_READY).is_none_or(|condition| &*condition.status == "True")
}

/// Ready for long enough, and between no two states.
pub(super) fn is_available(pod: &Pod, min_ready_seconds: i32, now: Time) -> bool {
    matches!(state_of(pod), "" | life::NORMAL)
        && is_ready(pod)
        && (min_ready_seconds == 0 || crate::reconcile::pods::is_available(pod, min_ready_seconds, false, now))
}

/// Neither terminating nor at its end; only such pods count.
pub(super) fn is_active(pod: &Pod) -> bool {
    !pod.is_terminating() && !pod.has_ended()
}
