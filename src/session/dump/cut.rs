//! What was cut out of a text: fields that an API server, a controller or a kubelet always writes. Nothing is promised of what lacks
//! one, since the run would begin at a moment that the cluster was never in.

use super::read::{is_event, word};
use crate::kubectl::manifest::{Ending, Listed};
use crate::objects::{Kind, Object, ObjectRef};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

/// The first field that is missing of an object that a cluster has printed; none of a manifest, and of an object that is whole.
pub(super) fn lacks(value: &Value) -> Option<&'static str> {
    let at = |path: &str| value.pointer(path).filter(|value| !value.is_null());
    let number = |path: &str| at(path).and_then(Value::as_i64).unwrap_or(0);
    // What was made a moment ago, and nobody has looked at, counts nothing yet.
    let has_status =
        at("/status").and_then(Value::as_object).is_some_and(|status| status.values().any(|told| *told != 0));
    if at("/metadata/creationTimestamp").is_none() {
        return has_status.then_some("metadata.creationTimestamp");
    }
    if value["kind"] == *Kind::Pod.as_str() {
        return pod_lacks(value);
    }
    if at("/status").is_none() {
        return Some("status");
    }
    match (number("/metadata/generation"), number("/status/observedGeneration")) {
        (1.., 0) if has_status => Some("status.observedGeneration"),
        (0, 1..) => Some("metadata.generation"),
        _ => None,
    }
}

/// Takes the last object away if it is not whole. Whether the end of the text is missing.
pub(super) fn take_half(listed: &mut Vec<Listed>, ending: Ending) -> bool {
    let is_missing = ending == Ending::Missing;
    listed.pop_if(|last| is_missing && is_half(&last.value));
    is_missing
}

/// Whether an object is not whole: the status is printed last, and these fields in each.
fn is_half(value: &Value) -> bool {
    let has = |path: &str| value.pointer(path).is_some_and(|value| !value.is_null());
    if is_event(value) {
        return !has("/reason") || !["/involvedObject", "/regarding"].into_iter().any(has);
    }
    let kind = Kind::named(word(value, "apiVersion"), word(value, "kind"));
    match kind {
        None => !has("/metadata/name"),
        Some(Kind::ControllerRevision) => !has("/revision"),
        Some(Kind::Pod) => !has("/status/phase"),
        Some(Kind::StatefulSet | Kind::ReplicaSet) => !has("/status/replicas"),
        Some(Kind::DaemonSet) => !has("/status/numberReady"),
        Some(_) => !has("/status"),
    }
}

fn pod_lacks(pod: &Value) -> Option<&'static str> {
    let statuses = pod.pointer("/status/containerStatuses").and_then(Value::as_array);
    let conditions = pod.pointer("/status/conditions").and_then(Value::as_array);
    let is_bound = |condition: &Value| condition["type"] == "PodScheduled" && condition["status"] == "True";
    let is_running = pod["status"]["phase"] == "Running";
    let has_node = is_running
        || statuses.is_some()
        || pod.pointer("/status/startTime").is_some_and(Value::is_string)
        || conditions.into_iter().flatten().any(is_bound);
    if has_node && pod["spec"]["nodeName"].as_str().is_none_or(str::is_empty) {
        return Some("spec.nodeName");
    }
    if is_running && statuses.is_none_or(Vec::is_empty) {
        return Some("status.containerStatuses");
    }
    let has_no_start = |status: &Value| {
        let running = &status["state"]["running"];
        running.is_object() && running["startedAt"].is_null()
    };
    statuses.is_some_and(|all| all.iter().any(has_no_start)).then_some("state.running.startedAt")
}

/// A pod that is not Ready and of which nothing has a time: how long that is so nobody can say.
fn is_undated(object: &Object) -> bool {
    let Object::Pod(pod) = object else { return false };
    let is_well = pod.is_ready() || pod.has_ended();
    !is_well && pod.metadata.creation_timestamp.is_none() && super::newest_move(&object.to_value()).is_none()
}

/// The workloads that lack something, or that have pods, themselves or by ReplicaSets, which do; and the pods themselves.
pub(super) fn workloads(objects: &[Object], cut: &BTreeMap<ObjectRef, &'static str>) -> BTreeSet<ObjectRef> {
    let by_uid: BTreeMap<&Rc<str>, &Object> = objects.iter().map(|object| (&object.metadata().uid, object)).collect();
    let owner = |object: &&Object| by_uid.get(&object.metadata().controller_of()?.uid).copied();
    let with_owners = |object| std::iter::successors(Some(object), owner).take(3).collect::<Vec<&Object>>();
    let is_cut = |all: &Vec<&Object>| {
        let object = all[0];
        let is_waited_for = || all.iter().any(|owner| owner.min_ready_seconds() > 0);
        cut.contains_key(&object.reference()) || is_undated(object) || is_ready_since_unknown(object) && is_waited_for()
    };
    objects.iter().map(with_owners).filter(is_cut).flatten().map(Object::reference).collect()
}

/// A Ready pod of which nothing says since when: whether it has been so for its workload's `minReadySeconds` nobody can say.
fn is_ready_since_unknown(object: &Object) -> bool {
    let Object::Pod(pod) = object else { return false };
    pod.is_ready() && pod.condition("Ready").is_some_and(|ready| ready.last_transition_time.is_none())
}
