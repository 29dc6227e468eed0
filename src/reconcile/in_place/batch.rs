//! Writing a change into a pod: which containers change now, which in a later batch, and what must be waited for.
//! Models defaultPatchUpdateSpecToPod of pkg/util/inplaceupdate/inplace_update_defaults.go of openkruise/kruise.
//!
//! A worked example: images of `main` (launch priority 10) and `side` (5) change. `main` changes now, with its image id
//! noted so that its restart shows; `side` waits in the state until `main` is ready.

use super::spec::{RefMetadata, UpdateSpec};
use super::state::{Batch, InPlaceState, LastStatus, PreCheck, STATE_ANNOTATION, written};
use crate::objects::strategic::patch_finalizers;
use crate::objects::{Container, Extra, Labels, ObjectMeta, Pod, Time};
use serde_json::Value;
use std::collections::BTreeSet;
use std::rc::Rc;

/// Changes what this batch may change, and notes in the state what is left and what must be waited for.
pub(super) fn apply_spec(pod: &mut Pod, spec: &UpdateSpec, state: &mut InPlaceState, now: Time) {
    if let Some(Value::Object(patch)) = spec.metadata_patch.as_ref().and_then(|patch| patch.get("metadata")) {
        merge_metadata(&mut pod.metadata, patch);
    }
    let batch = containers_of_batch(pod, spec);
    state.next_container_images.clear();
    state.next_container_ref_metadata.clear();
    for container in Rc::make_mut(&mut pod.spec).containers.iter_mut() {
        let Some(image) = spec.container_images.get(&container.name) else { continue };
        if !batch.contains(&container.name) {
            state.next_container_images.insert(container.name.clone(), image.clone());
            continue;
        }
        container.image = image.clone();
        if let Some(status) = pod.status.container_statuses.iter().find(|status| status.name == container.name) {
            let last = LastStatus { image_id: Rc::clone(&status.image_id) };
            state.last_container_statuses.get_or_insert_default().insert(container.name.clone(), last);
        }
    }
    for (name, metadata) in &spec.container_ref_metadata {
        if batch.contains(name) {
            for (key, value) in metadata.labels.iter() {
                pod.metadata.labels.insert(Rc::clone(key), Rc::clone(value));
            }
            for (key, value) in metadata.annotations.iter() {
                pod.metadata.annotations.insert(Rc::clone(key), Rc::clone(value));
            }
        } else {
            state.next_container_ref_metadata.insert(name.clone(), metadata.clone());
        }
    }
    let containers: Vec<Rc<str>> = batch.into_iter().collect();
    let pre_check = || PreCheck { containers_required_ready: containers.clone() };
    state.pre_check_before_next = state.has_next().then(pre_check);
    state.container_batches_record.push(Batch { timestamp: now, containers });
    pod.metadata.annotations.insert(STATE_ANNOTATION, written(state));
}

/// Containers that change now: those without a launch priority, those of the highest one, and those that read a label or
/// annotation that these change.
fn containers_of_batch(pod: &Pod, spec: &UpdateSpec) -> BTreeSet<Rc<str>> {
    let changes = |container: &&Container| {
        spec.container_images.contains_key(&container.name) || spec.container_ref_metadata.contains_key(&container.name)
    };
    let changing: Vec<(Option<i64>, &Rc<str>)> = pod
        .spec
        .containers
        .iter()
        .filter(changes)
        .map(|container| (launch_priority(container), &container.name))
        .collect();
    let highest = changing.iter().filter_map(|(priority, _)| *priority).max();
    let first = changing.iter().filter(|(priority, _)| priority.is_none() || *priority == highest);
    let mut batch: BTreeSet<Rc<str>> = first.map(|(_, name)| Rc::clone(name)).collect();
    let shares = |one: &RefMetadata, other: &RefMetadata| {
        one.labels.iter().any(|(key, _)| other.labels.get(key).is_some())
            || one.annotations.iter().any(|(key, _)| other.annotations.get(key).is_some())
    };
    let metadata = &spec.container_ref_metadata;
    while let Some((name, _)) = metadata.iter().find(|(name, own)| {
        let in_batch = |other: &Rc<str>| batch.contains(other);
        !in_batch(name) && metadata.iter().any(|(other, its)| in_batch(other) && shares(own, its))
    }) {
        batch.insert(Rc::clone(name));
    }
    batch
}

/// The N of the barrier key `p_N` that the launch-priority webhook gave the container.
fn launch_priority(container: &Container) -> Option<i64> {
    let variables = container.extra.get("env")?.as_array()?;
    let barrier = variables.iter().find(|variable| variable["name"] == "KRUISE_CONTAINER_BARRIER")?;
    let key = barrier.pointer("/valueFrom/configMapKeyRef/key")?.as_str()?;
    Some(key.strip_prefix("p_").and_then(|number| number.parse().ok()).unwrap_or(0))
}

/// Applies a strategic merge patch of labels, annotations and finalizers.
fn merge_metadata(metadata: &mut ObjectMeta, patch: &Extra) {
    for (field, labels) in [("labels", &mut metadata.labels), ("annotations", &mut metadata.annotations)] {
        match patch.get(field) {
            Some(Value::Object(changes)) => {
                for (key, value) in changes {
                    match value.as_str() {
                        Some(value) => labels.insert(key.as_str(), value),
                        None => labels.remove(key),
                    }
                }
            }
            Some(_) => *labels = Labels::default(),
            None => {}
        }
    }
    patch_finalizers(&mut metadata.finalizers, patch);
}
