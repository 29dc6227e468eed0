//! What the CloneSet controller asks of a pod: its place in its life, its instance, its revision.

use crate::objects::{CloneSet, Labels, Pod, Time};
use crate::reconcile::pods::{REVISION_LABEL, has_ended, is_running_and_ready, is_terminating, revision_of};
use std::rc::Rc;

/// The label that names a pod's instance; its claims carry it too.
pub(super) const INSTANCE_LABEL: &str = "apps.kruise.io/cloneset-instance-id";
/// The label that asks for a pod's deletion by being there.
pub(super) const SPECIFIED_DELETE_LABEL: &str = "apps.kruise.io/specified-delete";
/// The label that holds the short hash of a pod's revision.
pub(super) const TEMPLATE_HASH_LABEL: &str = "pod-template-hash";
/// The label that holds a pod's place in its life.
pub(super) const STATE_LABEL: &str = "lifecycle.apps.kruise.io/state";
/// The condition, and the readiness gate, that an update in place closes.
pub(super) const IN_PLACE_READY: &str = "InPlaceUpdateReady";

/// Where a pod is in its life; the empty text counts as Normal.
pub(super) mod state {
    pub(in crate::reconcile::clone_set) const PREPARING_NORMAL: &str = "PreparingNormal";
    pub(in crate::reconcile::clone_set) const NORMAL: &str = "Normal";
    pub(in crate::reconcile::clone_set) const PREPARING_UPDATE: &str = "PreparingUpdate";
    pub(in crate::reconcile::clone_set) const UPDATING: &str = "Updating";
    pub(in crate::reconcile::clone_set) const UPDATED: &str = "Updated";
    pub(in crate::reconcile::clone_set) const PREPARING_DELETE: &str = "PreparingDelete";
}

/// The value of a label, empty if it is not there.
pub(super) fn text<'a>(labels: &'a Labels, key: &str) -> &'a str {
    labels.get(key).map_or("", |value| value)
}

pub(super) fn state_of(pod: &Pod) -> &str {
    text(&pod.metadata.labels, STATE_LABEL)
}

pub(super) fn instance_of(labels: &Labels) -> &str {
    text(labels, INSTANCE_LABEL)
}

/// The part of a revision's name after its last dash.
pub(super) fn short_hash(revision: &str) -> &str {
    revision.rsplit('-').next().unwrap_or(revision)
}

/// Whether the pod is at the revision; full names and short hashes match each other.
pub(super) fn is_at(pod: &Pod, revision: &str) -> bool {
    short_hash(revision_of(pod)) == short_hash(revision)
}

/// Marks the pod as being at a revision. Models WriteRevisionHash of pkg/controller/cloneset/utils.
pub(super) fn write_revision(labels: &mut Labels, revision: &str, short: bool) {
    labels.insert(REVISION_LABEL, if short { short_hash(revision) } else { revision });
    labels.insert(TEMPLATE_HASH_LABEL, short_hash(revision));
}

/// Whether people asked for this pod's deletion, by its label or by its name in the set.
pub(super) fn is_specified_delete(set: &CloneSet, pod: &Pod) -> bool {
    pod.metadata.labels.get(SPECIFIED_DELETE_LABEL).is_some()
        || set.spec.scale_strategy.pods_to_delete.contains(&pod.metadata.name)
}

/// Whether the pod names the gate among its readiness gates.
pub(super) fn has_gate(pod: &Pod, gate: &str) -> bool {
    gates_of(pod).any(|own| own == gate)
}

/// The pod's readiness gates, in order.
pub(super) fn gates_of(pod: &Pod) -> impl Iterator<Item = &str> {
    let gates = pod.spec.extra.get("readinessGates").and_then(serde_json::Value::as_array);
    gates.into_iter().flatten().filter_map(|gate| gate.get("conditionType")?.as_str())
}

/// Running and Ready, and no update in place holds the gate.
pub(super) fn is_ready(pod: &Pod) -> bool {
    is_running_and_ready(pod) && pod.condition(IN_PLACE_READY).is_none_or(|condition| &*condition.status == "True")
}

/// Ready for long enough, and between no two states.
pub(super) fn is_available(pod: &Pod, min_ready_seconds: i32, now: Time) -> bool {
    matches!(state_of(pod), "" | state::NORMAL)
        && is_ready(pod)
        && crate::reconcile::pods::is_available(pod, min_ready_seconds, false, now)
}

/// Pods at the revision, and the others, each in the order given.
pub(super) fn split_by_revision<'a>(pods: &[&'a Rc<Pod>], revision: &str) -> (Vec<&'a Rc<Pod>>, Vec<&'a Rc<Pod>>) {
    pods.iter().partition(|pod| is_at(pod, revision))
}

/// Neither going nor at its end; only such pods count.
pub(super) fn is_active(pod: &Pod) -> bool {
    !is_terminating(pod) && !has_ended(pod)
}
