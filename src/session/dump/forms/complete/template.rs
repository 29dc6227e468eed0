//! The template of a workload whose text has none, or only parts of one.

use super::super::key;
use super::super::owners::{controller, hash};
use super::super::tree::{field, slot};
use super::stateful::own_claims;
use super::{All, labels_at, newest_first};
use serde_json::{Map, Value, json};

/// Labels that a pod has of its own, beside those of its template.
const OWN_LABELS: [&str; 5] = [
    "controller-revision-hash",
    "pod-template-hash",
    "pod-template-generation",
    "statefulset.kubernetes.io/pod-name",
    "apps.kubernetes.io/pod-index",
];

const TEMPLATE_HASH: &str = "pod-template-hash";

/// The labels that these pods have in common, without what is of each one's own.
fn common_labels(all: &All, pods: &[usize]) -> Map<String, Value> {
    let mut labels = pods.iter().filter_map(|at| labels_at(&all.objects[*at].1.value, "/metadata/labels"));
    let Some(mut common) = labels.next().cloned() else { return Map::new() };
    labels.for_each(|labels| common.retain(|key, value| labels.get(key) == Some(value)));
    common.retain(|key, _| !OWN_LABELS.contains(&key.as_str()));
    common
}

/// The template of a workload that has none, or only parts of one.
pub(super) fn template(all: &mut All, at: usize, pods: &[usize]) -> Value {
    let value = all.objects[at].1.value.clone();
    let [kind, space, name] = key(&value);
    let mut template = value.pointer("/spec/template").cloned().unwrap_or_else(|| json!({}));
    let mut hash_label = None;
    if kind == "ReplicaSet" {
        let own_hash = hash(name).map(|(_, hash)| hash.to_owned());
        let label =
            pods.iter().find_map(|at| all.objects[*at].1.value.pointer("/metadata/labels/pod-template-hash")?.as_str());
        hash_label = label.map(str::to_owned).or(own_hash);
        if let Some(("Deployment", owner)) = controller(&value)
            && let Some(deployment) = all.find(["Deployment", space, owner])
        {
            let newest = newest_first(all, &all.owned(["Deployment", space, owner]));
            let of = &all.objects[deployment].1.value;
            if newest.first() == Some(&at)
                || template.pointer("/spec/containers").is_none() && pods.is_empty() && newest.len() == 1
            {
                template = of.pointer("/spec/template").cloned().unwrap_or(template);
            } else if let Some(labels) = of.pointer("/spec/template/metadata/labels") {
                *slot(&mut template, "metadata.labels") = labels.clone();
            }
        }
    }
    if template.pointer("/spec/containers").and_then(Value::as_array).is_none_or(Vec::is_empty) {
        let fullest = pods.iter().max_by_key(|at| {
            let (fullness, listed) = &all.objects[**at];
            (*fullness, listed.value.pointer("/spec/initContainers").is_some(), std::cmp::Reverse(**at))
        });
        if let Some(pod) = fullest {
            *slot(&mut template, "spec") = spec_of(&all.objects[*pod].1.value);
        }
    }
    if labels_at(&template, "/metadata/labels").is_none() {
        let selector = labels_at(&value, "/spec/selector/matchLabels").cloned();
        let common = Some(common_labels(all, pods)).filter(|common| !common.is_empty());
        let made_up = || [("app".to_owned(), Value::from(name))].into_iter().collect();
        *slot(&mut template, "metadata.labels") = selector.or(common).unwrap_or_else(made_up).into();
    }
    if images(&mut template, name) {
        all.note(text!("Containers of {} have images that no line names.", name));
    }
    if let Some(hash) = hash_label {
        *field(slot(&mut template, "metadata.labels"), TEMPLATE_HASH) = hash.clone().into();
        let own = &mut all.objects[at].1.value;
        for (key, value) in labels_at(&template, "/metadata/labels").into_iter().flatten() {
            *field(slot(own, "metadata.labels"), key) = value.clone();
        }
        let mut selector = template.pointer("/metadata/labels").cloned().unwrap_or_default();
        *field(&mut selector, TEMPLATE_HASH) = hash.into();
        *slot(own, "spec.selector.matchLabels") = selector;
    }
    template
}

/// The names of containers that a row leaves out.
pub(super) fn is_placeholder(container: &Value) -> bool {
    container.get("image").is_none_or(|image| image == "")
}

/// Gives images to containers that have none. True if there was such a one.
pub(super) fn images(template: &mut Value, workload: &str) -> bool {
    let mut any = false;
    if template.pointer("/spec/containers").and_then(Value::as_array).is_none_or(Vec::is_empty) {
        *slot(template, "spec.containers[0]") = json!({ "name": workload, "image": "" });
    }
    for list in ["containers", "initContainers"] {
        let containers = template.pointer_mut(&format!("/spec/{list}")).and_then(Value::as_array_mut);
        for container in containers.into_iter().flatten().filter(|container| is_placeholder(container)) {
            let name = container.get("name").and_then(Value::as_str).unwrap_or_default().to_owned();
            *field(container, "image") = image(workload, &name).into();
            any = true;
        }
    }
    any
}

/// What stands for the image of a container that no line names.
pub(super) fn image(workload: &str, container: &str) -> String {
    format!("{IMAGE}{workload}/{container}")
}

/// How the image begins that stands for one that no line names.
const IMAGE: &str = "not-in-the-text/";

/// Whether an image stands for one that no line names.
pub(crate) fn is_image_assumed(image: &str) -> bool {
    image.starts_with(IMAGE)
}

/// What a pod's template says, without what the pod was given later.
fn spec_of(pod: &Value) -> Value {
    let mut spec = pod.pointer("/spec").cloned().unwrap_or_else(|| json!({}));
    let Some(fields) = spec.as_object_mut() else { return json!({}) };
    for name in
        ["nodeName", "hostname", "subdomain", "preemptionPolicy", "priority", "enableServiceLinks", "schedulingGates"]
    {
        fields.remove(name);
    }
    let own: Vec<String> = own_claims(pod).into_iter().map(|(volume, _)| volume).collect();
    let is_given = |volume: &Value| {
        volume
            .get("name")
            .and_then(Value::as_str)
            .is_some_and(|name| name.starts_with("kube-api-access-") || own.iter().any(|own| own == name))
    };
    let is_token = |mount: &Value| {
        mount.get("name").and_then(Value::as_str).is_some_and(|name| name.starts_with("kube-api-access-"))
    };
    if let Some(volumes) = fields.get_mut("volumes").and_then(Value::as_array_mut) {
        volumes.retain(|volume| !is_given(volume));
    }
    for list in ["containers", "initContainers"] {
        for container in fields.get_mut(list).and_then(Value::as_array_mut).into_iter().flatten() {
            if let Some(mounts) = container.get_mut("volumeMounts").and_then(Value::as_array_mut) {
                mounts.retain(|mount| !is_token(mount));
            }
        }
    }
    // Admission gives these to every pod.
    let is_default = |toleration: &Value| {
        toleration.get("tolerationSeconds").is_some_and(|seconds| seconds == 300)
            && toleration.get("key").and_then(Value::as_str).is_some_and(|key| key.starts_with("node.kubernetes.io/"))
    };
    if let Some(tolerations) = fields.get_mut("tolerations").and_then(Value::as_array_mut) {
        tolerations.retain(|toleration| !is_default(toleration));
    }
    spec
}
