//! Whether a change of the template can be made to a running pod, and what is to be changed.
//! Models defaultCalculateInPlaceUpdateSpec of pkg/util/inplaceupdate/inplace_update_defaults.go of openkruise/kruise.
//!
//! A worked example: image `app:1` becomes `app:2` and the label `tier` is added; both can be written to the pod. An
//! environment variable that changes cannot, so the pod must be replaced.

use super::state::as_bytes;
use crate::objects::strategic::two_way;
use crate::objects::{ControllerRevision, Extra, Json, Labels, Time, field, is_zero, nullable};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::rc::Rc;

/// What is to be changed in a pod.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct UpdateSpec {
    /// The revision the pod is at then.
    #[serde(deserialize_with = "nullable")]
    pub revision: Rc<str>,
    /// New images by container.
    #[serde(deserialize_with = "nullable", skip_serializing_if = "is_zero")]
    pub container_images: BTreeMap<Rc<str>, Rc<str>>,
    /// Labels and annotations that a container reads, by container.
    #[serde(deserialize_with = "nullable", skip_serializing_if = "is_zero")]
    pub container_ref_metadata: BTreeMap<Rc<str>, RefMetadata>,
    /// A strategic merge patch of the pod's metadata.
    #[serde(rename = "metaDataPatch", with = "as_bytes", skip_serializing_if = "Option::is_none")]
    pub metadata_patch: Option<Value>,
    /// Whether a container reads what changes.
    #[serde(deserialize_with = "nullable", skip_serializing_if = "is_zero")]
    pub update_env_from_metadata: bool,
    /// Seconds between not ready and the change.
    #[serde(deserialize_with = "nullable", skip_serializing_if = "is_zero")]
    pub grace_seconds: i32,
}

/// Labels and annotations that one container reads.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct RefMetadata {
    /// Go writes the zero creation time of an embedded ObjectMeta as null.
    #[serde(skip_deserializing)]
    creation_timestamp: Option<Time>,
    /// Labels.
    #[serde(deserialize_with = "nullable", skip_serializing_if = "is_zero")]
    pub labels: Labels,
    /// Annotations.
    #[serde(deserialize_with = "nullable", skip_serializing_if = "is_zero")]
    pub annotations: Labels,
}

/// How the pod is to be changed; none if it must be replaced. `env_from_metadata`: labels and annotations that containers
/// read are changed batch by batch.
pub fn in_place_update_spec(
    old: &ControllerRevision,
    new: &ControllerRevision,
    grace_seconds: i32,
    env_from_metadata: bool,
) -> Option<UpdateSpec> {
    let (mut old_template, mut new_template) = (template_of(old)?, template_of(new)?);
    let mut old_metadata = take_map(&mut old_template, "metadata");
    let mut new_metadata = take_map(&mut new_template, "metadata");
    let mut spec = UpdateSpec { revision: new.metadata.name.clone(), grace_seconds, ..UpdateSpec::default() };
    let containers = containers_of(&mut new_template).cloned().unwrap_or_default();
    take_over_images(containers_of(&mut old_template)?, &containers, &mut spec.container_images);
    if old_template != new_template {
        return None;
    }
    if old_metadata != new_metadata {
        if env_from_metadata {
            for kind in ["labels", "annotations"] {
                take_references(&mut spec, kind, &containers, &mut old_metadata, &mut new_metadata);
            }
        }
        let patch = metadata_patch(&old_metadata, &new_metadata);
        let patch = if patch.is_empty() { json!({}) } else { json!({"metadata": patch}) };
        spec.metadata_patch = Some(patch);
    }
    Some(spec)
}

fn template_of(revision: &ControllerRevision) -> Option<Extra> {
    match revision.data.template().ok()?.to_json() {
        Value::Object(template) => Some(template),
        _ => None,
    }
}

fn containers_of(template: &mut Extra) -> Option<&mut Vec<Value>> {
    template.get_mut("spec")?.get_mut("containers")?.as_array_mut()
}

fn take_map(fields: &mut Extra, name: &str) -> Extra {
    match fields.remove(name) {
        Some(Value::Object(map)) => map,
        _ => Extra::new(),
    }
}

/// Writes the new images over the old ones, so that only other differences remain.
fn take_over_images(old: &mut [Value], new: &[Value], images: &mut BTreeMap<Rc<str>, Rc<str>>) {
    if old.len() != new.len() {
        return;
    }
    for (old, new) in old.iter_mut().zip(new) {
        if let (Some(name), Some(Value::String(before)), Some(Value::String(after))) =
            (old["name"].as_str(), old.get("image"), new.get("image"))
            && before != after
        {
            images.insert(name.into(), after.as_str().into());
            *field(old, "image") = new["image"].clone();
        }
    }
}

/// Takes the changed keys that a container reads through an environment variable out of the metadata: they are changed
/// with the container, not before.
fn take_references(spec: &mut UpdateSpec, kind: &str, containers: &[Value], old: &mut Extra, new: &mut Extra) {
    let (Some(Value::Object(old)), Some(Value::Object(new))) = (old.get_mut(kind), new.get_mut(kind)) else { return };
    let changed: Vec<(String, Value)> = new
        .iter()
        .filter(|(key, value)| old.get(*key) != Some(*value))
        .map(|(key, value)| (key.clone(), value.clone()))
        .collect();
    for (key, value) in changed {
        let path = format!("metadata.{kind}['{key}']");
        for container in containers.iter().filter(|container| reads(container, &path)) {
            let metadata = spec.container_ref_metadata.entry(container["name"].as_str().unwrap_or_default().into());
            let metadata = metadata.or_default();
            let map = if kind == "labels" { &mut metadata.labels } else { &mut metadata.annotations };
            map.insert(key.as_str(), value.as_str().unwrap_or_default());
            spec.update_env_from_metadata = true;
            old.remove(&key);
            new.remove(&key);
        }
    }
}

fn reads(container: &Value, path: &str) -> bool {
    let variables = container.get("env").and_then(Value::as_array).into_iter().flatten();
    variables.filter_map(|variable| variable.pointer("/valueFrom/fieldRef/fieldPath")).any(|own| own == path)
}

/// A strategic merge patch from one metadata to another, as Go writes them: without what is empty.
fn metadata_patch(old: &Extra, new: &Extra) -> Extra {
    let is_empty = |value: &Value| match value {
        Value::Object(map) => map.is_empty(),
        Value::Array(items) => items.is_empty(),
        value => value.is_null(),
    };
    let filled = |metadata: &Extra| -> Extra {
        let fields = metadata.iter().filter(|(_, value)| !is_empty(value));
        fields.map(|(name, value)| (name.clone(), value.clone())).collect()
    };
    two_way(&filled(old), &filled(new)).unwrap_or_default()
}
