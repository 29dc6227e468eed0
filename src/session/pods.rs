//! Pods that somebody makes or changes with their own hands.

use super::workloads::of_write;
use crate::kubectl::Refusal;
use crate::kubectl::manifest::{self, PatchType};
use crate::objects::{ApiError, Json, Mismatch, Object, ObjectMeta, ObjectRef, Pod};
use crate::sim::Cluster;
use serde_json::Value;
use std::rc::Rc;

/// Makes a pod that no controller made, or changes the one that is there. False of one that a controller makes.
pub(super) fn apply(cluster: &mut Cluster, mut value: Value, document: &manifest::Document) -> Result<bool, Refusal> {
    let wrong = |error: Mismatch| ApiError::bad_request(format!("{} \"{}\": {error}", document.kind, document.name));
    if let Some(fields) = value.as_object_mut() {
        fields.remove("status");
    }
    let pod = Pod::from_json(value.clone()).map_err(wrong)?;
    if pod.metadata.controller_of().is_some() {
        return Ok(false);
    }
    let key = Object::Pod(Rc::new(pod.clone())).reference();
    let Ok(Object::Pod(stored)) = cluster.get(&key) else {
        let ObjectMeta { name, namespace, labels, annotations, finalizers, owner_references, .. } = pod.metadata;
        let metadata =
            ObjectMeta { name, namespace, labels, annotations, finalizers, owner_references, ..ObjectMeta::default() };
        cluster.create(Object::Pod(Rc::new(Pod { metadata, ..pod })))?;
        return Ok(true);
    };
    let stored = Rc::clone(stored);
    let mut changed = stored.to_json();
    manifest::patch(&mut changed, value, PatchType::Strategic, &cluster.server())?;
    let changed = Pod::from_json(changed).map_err(wrong)?;
    let ObjectMeta { labels, annotations, .. } = changed.metadata;
    let metadata = ObjectMeta { labels, annotations, ..stored.metadata.clone() };
    replace(cluster, &stored, Pod { metadata, ..changed })?;
    Ok(true)
}

/// Patches the pod of this name.
pub(super) fn patch(cluster: &mut Cluster, key: &ObjectRef, patch: Value, how: PatchType) -> Result<(), Refusal> {
    let Object::Pod(stored) = cluster.get(key)?.clone() else { return Ok(()) };
    let mut value = stored.to_json();
    manifest::patch(&mut value, patch, how, &cluster.server())?;
    let mut pod = Pod::from_json(value).map_err(|error| ApiError::bad_request(error.to_string()))?;
    pod.metadata = of_write("Pod", &pod.metadata, &stored.metadata)?;
    replace(cluster, &stored, pod)
}

fn replace(cluster: &mut Cluster, stored: &Pod, pod: Pod) -> Result<(), Refusal> {
    let [before, now] = [stored, &pod].map(|pod| pod.spec.extra.get("activeDeadlineSeconds").cloned());
    cluster.update(Object::Pod(Rc::new(pod)))?;
    if before != now {
        return Err(Refusal::own(text!("activeDeadlineSeconds of a pod is not simulated: what it ends is not known")));
    }
    Ok(())
}
