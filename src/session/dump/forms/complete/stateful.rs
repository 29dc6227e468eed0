//! Claims of a StatefulSet's pods, and revisions of workloads that have them.

use super::super::key;
use super::super::owners::ordinal;
use super::super::tree::{Fullness, field, slot};
use super::All;
use serde_json::{Value, json};

pub(super) const REVISION_HASH: &str = "controller-revision-hash";
/// How the name of a revision ends that no line tells.
const NOT_TOLD: &str = "not-in-the-text";

/// Whether a pod's revision is only assumed.
pub(crate) fn is_revision_assumed(revision: &str) -> bool {
    revision.ends_with(NOT_TOLD)
}

/// The claims of a set's pod: each volume's name, and the claim's.
pub(super) fn own_claims(pod: &Value) -> Vec<(String, String)> {
    let name = key(pod)[2];
    let volumes = pod.pointer("/spec/volumes").and_then(Value::as_array).into_iter().flatten();
    let own = volumes.filter_map(|volume| {
        let (volume, claim) =
            (volume.get("name")?.as_str()?, volume.pointer("/persistentVolumeClaim/claimName")?.as_str()?);
        (claim == format!("{volume}-{name}")).then(|| (volume.to_owned(), claim.to_owned()))
    });
    own.collect()
}

/// What is of StatefulSets alone: claims by the names of those in the text, and revisions.
pub(super) fn stateful(all: &mut All, at: usize, pods: &[usize]) {
    let value = all.objects[at].1.value.clone();
    let [_, space, name] = key(&value);
    if all.objects[at].0 != Fullness::Whole && value.pointer("/spec/volumeClaimTemplates").is_none() {
        let mut templates = Vec::new();
        let described = pods.iter().flat_map(|pod| own_claims(&all.objects[*pod].1.value));
        let named = all.values().filter(|claim| key(claim)[0] == "PersistentVolumeClaim" && key(claim)[1] == space);
        let named = named.filter_map(|claim| {
            let claim = key(claim)[2];
            let (rest, _) = ordinal(claim)?;
            Some((rest.strip_suffix(name)?.strip_suffix('-')?.to_owned(), claim.to_owned()))
        });
        for (volume, claim) in described.chain(named) {
            if volume.is_empty()
                || templates
                    .iter()
                    .any(|template: &Value| template.pointer("/metadata/name").is_some_and(|name| *name == *volume))
            {
                continue;
            }
            let known = all.find(["PersistentVolumeClaim", space, &claim]).map(|at| &all.objects[at].1.value);
            let mut spec =
                json!({ "accessModes": ["ReadWriteOnce"], "resources": { "requests": { "storage": "1Gi" } } });
            for field in ["accessModes", "storageClassName", "resources"] {
                if let Some(own) = known.and_then(|claim| claim.pointer("/spec")?.get(field)) {
                    spec[field] = own.clone();
                }
            }
            templates.push(json!({ "metadata": { "name": volume }, "spec": spec }));
        }
        if !templates.is_empty() {
            *slot(&mut all.objects[at].1.value, "spec.volumeClaimTemplates") = templates.into();
        }
    }
    revised(all, at, pods);
    let value = all.objects[at].1.value.clone();
    let templates = value.pointer("/spec/volumeClaimTemplates").and_then(Value::as_array).cloned().unwrap_or_default();
    for pod in pods.iter().filter(|pod| all.objects[**pod].0 == Fullness::Row).copied().collect::<Vec<_>>() {
        let pod = &mut all.objects[pod].1.value;
        let own = key(pod)[2].to_owned();
        *field(slot(pod, "metadata.labels"), "statefulset.kubernetes.io/pod-name") = own.as_str().into();
        for template in &templates {
            let volume = template.pointer("/metadata/name").and_then(Value::as_str).unwrap_or_default();
            let claim = json!({ "name": volume, "persistentVolumeClaim": { "claimName": format!("{volume}-{own}") } });
            let volumes = slot(pod, "spec.volumes");
            match volumes.as_array_mut() {
                Some(volumes) => volumes.push(claim),
                None => *volumes = json!([claim]),
            }
        }
    }
}

/// Revisions: those that pods name, the last of them the newest; of pods that name none the present one.
pub(super) fn revised(all: &mut All, at: usize, pods: &[usize]) {
    let word = |value: &Value, path: &str| value.pointer(path).and_then(Value::as_str).map(str::to_owned);
    let label = format!("/metadata/labels/{REVISION_HASH}");
    let value = all.objects[at].1.value.clone();
    let [kind, _, name] = key(&value);
    let mut named: Vec<(String, String)> = pods
        .iter()
        .filter_map(|at| {
            let pod = &all.objects[*at].1.value;
            Some((word(pod, "/metadata/creationTimestamp").unwrap_or_default(), word(pod, &label)?))
        })
        .collect();
    named.sort();
    let status = |field: &str| word(&value, &format!("/status/{field}")).filter(|name| !name.is_empty());
    let newest = named.last().map(|(_, revision)| revision.clone());
    let made_up =
        if ["StatefulSet", "CloneSet"].contains(&kind) { format!("{name}-{NOT_TOLD}") } else { NOT_TOLD.to_owned() };
    let update = status("updateRevision").or(newest).unwrap_or(made_up);
    let current = status("currentRevision").or_else(|| named.first().map(|(_, revision)| revision.clone()));
    let current = current.unwrap_or_else(|| update.clone());
    if kind == "StatefulSet" && all.objects[at].0 != Fullness::Whole {
        let own = &mut all.objects[at].1.value;
        *slot(own, "status.updateRevision") = update.clone().into();
        *slot(own, "status.currentRevision") = current.clone().into();
        let updated = named.iter().filter(|(_, revision)| *revision == update).count().max(if named.is_empty() {
            pods.len()
        } else {
            0
        });
        let told = super::partly_updated(&value).and_then(|told| usize::try_from(told).ok());
        let updated = told.unwrap_or(updated);
        *slot(own, "status.updatedReplicas") = updated.into();
        if current == update {
            *slot(own, "status.currentReplicas") = updated.into();
        }
    }
    if kind == "CloneSet" && all.objects[at].0 != Fullness::Whole {
        *slot(&mut all.objects[at].1.value, "status.updateRevision") = update.clone().into();
        *slot(&mut all.objects[at].1.value, "status.currentRevision") = current.clone().into();
    }
    // Of a set whose status counts pods of each revision the highest ordinals are the new ones.
    let updated = value.pointer("/status/updatedReplicas").and_then(Value::as_u64).filter(|_| current != update);
    let mut rows: Vec<usize> =
        pods.iter().copied().filter(|pod| word(&all.objects[*pod].1.value, &label).is_none()).collect();
    rows.sort_by_key(|pod| std::cmp::Reverse(ordinal(key(&all.objects[*pod].1.value)[2]).map(|(_, ordinal)| ordinal)));
    let any = !rows.is_empty();
    for (index, pod) in rows.into_iter().enumerate() {
        let is_new = updated.is_none_or(|updated| u64::try_from(index).is_ok_and(|index| index < updated));
        let revision = if is_new { &update } else { &current };
        *field(slot(&mut all.objects[pod].1.value, "metadata.labels"), REVISION_HASH) = revision.as_str().into();
    }
    if any && super::partly_updated(&value).is_none() {
        all.note(text!("Pods of {} are of its present template: a table names no revision.", name));
    }
}
