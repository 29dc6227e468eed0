//! What rows and descriptions leave out, taken from the rest of the text or assumed: templates, labels, images, nodes, revisions.

use super::owners::{self, controller, hash, ordinal};
use super::tree::{Fullness, field, simulated, slot, version};
use super::{About, Joined, Listed, key};
use crate::kubectl::manifest::{Piece, Places};
use crate::objects::{Kind, ObjectRef, Time};
use crate::text::Text;
use serde_json::{Map, Value, json};
use std::collections::BTreeSet;

/// Every object of a text, and what is assumed of them.
pub(super) struct All {
    pub(super) objects: Vec<(Fullness, Listed)>,
    made: Time,
    assumptions: Vec<(About, Text)>,
    guessed: BTreeSet<ObjectRef>,
    thin: BTreeSet<ObjectRef>,
}

impl All {
    pub(super) fn values(&self) -> impl Iterator<Item = &Value> {
        self.objects.iter().map(|(_, listed)| &listed.value)
    }

    /// Where the object of this kind, namespace and name is.
    pub(super) fn find(&self, of: [&str; 3]) -> Option<usize> {
        self.objects.iter().position(|(_, listed)| key(&listed.value) == of)
    }

    /// Adds a workload that the text does not have, beside the first of what it owns.
    pub(super) fn add(&mut self, kind: &str, space: &str, name: &str, mut value: Value, owned: &[usize]) {
        let line = owned.first().map_or(1, |at| self.objects[*at].1.line);
        *field(&mut value, "apiVersion") = version(kind).into();
        *field(&mut value, "kind") = kind.into();
        let metadata = field(&mut value, "metadata");
        for (name, word) in [("name", name), ("namespace", space)] {
            if !word.is_empty() {
                *field(metadata, name) = word.into();
            }
        }
        *field(metadata, "generation") = 1.into();
        if metadata.get("creationTimestamp").is_none_or(Value::is_null) {
            let created = owned
                .iter()
                .filter_map(|at| self.objects[*at].1.value.pointer("/metadata/creationTimestamp")?.as_str());
            let first = created.min().map_or_else(|| self.made.to_string(), str::to_owned);
            *field(metadata, "creationTimestamp") = first.into();
        }
        *slot(&mut value, "status.observedGeneration") = 1.into();
        // No line of the text says it: it has no place there.
        let piece = Piece::told(0..0, 0, Value::Null, Places::default());
        self.objects.push((Fullness::Guessed, Listed { line, value, piece }));
        if let Some(kind) = simulated(kind) {
            self.guessed.insert(ObjectRef { kind, namespace: space.into(), name: name.into() });
        }
        if kind != "ReplicaSet" {
            let text =
                text!("{} {} is there and wants the pods that the text shows: the text has them alone.", kind, name);
            self.note(text);
        }
    }

    fn note(&mut self, text: Text) {
        let about = About::Unsaid(text.to_string().into());
        self.assumptions.push((about, text));
    }

    /// Where the pods, or ReplicaSets, of a workload are.
    fn owned(&self, of: [&str; 3]) -> Vec<usize> {
        let is_its = |value: &Value| key(value)[1] == of[1] && controller(value) == Some((of[0], of[2]));
        let all = self.objects.iter().enumerate();
        all.filter(|(_, (_, listed))| is_its(&listed.value)).map(|(at, _)| at).collect()
    }
}

/// Completes what forms told of.
pub(super) fn complete(objects: Vec<(Fullness, Listed)>, made: Time) -> Joined {
    let mut all = All { objects, made, assumptions: Vec::new(), guessed: BTreeSet::new(), thin: BTreeSet::new() };
    owners::name(&mut all);
    owners::assume(&mut all);
    for kind in ["StatefulSet", "DaemonSet", "Deployment", "ReplicaSet"] {
        let workloads: Vec<usize> =
            (0..all.objects.len()).filter(|at| key(&all.objects[*at].1.value)[0] == kind).collect();
        for at in workloads {
            workload(&mut all, at);
        }
    }
    identities(&mut all);
    placed(&mut all);
    let rows =
        all.objects.iter().filter(|(fullness, listed)| *fullness == Fullness::Row && key(&listed.value)[0] == "Pod");
    let rows: Vec<ObjectRef> = rows
        .map(|(_, listed)| {
            let [_, namespace, name] = key(&listed.value);
            ObjectRef { kind: Kind::Pod, namespace: namespace.into(), name: name.into() }
        })
        .collect();
    all.thin.extend(rows);
    let All { objects, assumptions, guessed, thin, .. } = all;
    let listed = objects.into_iter().map(|(_, listed)| listed).collect();
    Joined { listed, assumptions, guessed, thin, ..Joined::default() }
}

/// Labels that a pod has of its own, beside those of its template.
const OWN_LABELS: [&str; 5] = [
    "controller-revision-hash",
    "pod-template-hash",
    "pod-template-generation",
    "statefulset.kubernetes.io/pod-name",
    "apps.kubernetes.io/pod-index",
];
const REVISION_HASH: &str = "controller-revision-hash";
const TEMPLATE_HASH: &str = "pod-template-hash";

fn labels_at<'v>(value: &'v Value, path: &str) -> Option<&'v Map<String, Value>> {
    value.pointer(path).and_then(Value::as_object).filter(|labels| !labels.is_empty())
}

/// The labels that these pods have in common, without what is of each one's own.
fn common_labels(all: &All, pods: &[usize]) -> Map<String, Value> {
    let mut labels = pods.iter().filter_map(|at| labels_at(&all.objects[*at].1.value, "/metadata/labels"));
    let Some(mut common) = labels.next().cloned() else { return Map::new() };
    labels.for_each(|labels| common.retain(|key, value| labels.get(key) == Some(value)));
    common.retain(|key, _| !OWN_LABELS.contains(&key.as_str()));
    common
}

/// Fills in what a workload lacks, and what its pods then lack.
fn workload(all: &mut All, at: usize) {
    let (fullness, value) = (all.objects[at].0, all.objects[at].1.value.clone());
    let [kind, space, name] = key(&value);
    let owned = all.owned([kind, space, name]);
    let pods: Vec<usize> = match kind {
        "Deployment" => {
            let sets = newest_first(all, &owned);
            sets.iter().flat_map(|set| all.owned(key(&all.objects[*set].1.value))).collect()
        }
        _ => owned.clone(),
    };
    let has_row = |at: &usize| all.objects[*at].0 == Fullness::Row;
    if fullness == Fullness::Row || pods.iter().any(has_row) {
        let kind = simulated(kind);
        all.thin.extend(kind.map(|kind| ObjectRef { kind, namespace: space.into(), name: name.into() }));
    }
    if fullness != Fullness::Whole {
        let made = template(all, at, &pods);
        let own = &mut all.objects[at].1.value;
        *slot(own, "spec.template") = made;
        if labels_at(own, "/spec/selector/matchLabels").is_none() {
            let labels = own.pointer("/spec/template/metadata/labels").cloned().unwrap_or_default();
            *slot(own, "spec.selector.matchLabels") = labels;
        }
        counts(all, at, &pods);
    }
    match kind {
        "StatefulSet" => stateful(all, at, &pods),
        "DaemonSet" => revised(all, at, &pods),
        "Deployment" => return,
        _ => {}
    }
    fill_pods(all, at, &pods);
}

/// ReplicaSets, the one that was made last first.
fn newest_first(all: &All, sets: &[usize]) -> Vec<usize> {
    let mut sets = sets.to_vec();
    let created = |at: &usize| {
        all.objects[*at].1.value.pointer("/metadata/creationTimestamp").and_then(Value::as_str).unwrap_or_default()
    };
    sets.sort_by(|one, other| created(other).cmp(created(one)));
    sets
}

/// The template of a workload that has none, or only parts of one.
fn template(all: &mut All, at: usize, pods: &[usize]) -> Value {
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
        let made_up = || Map::from_iter([("app".to_owned(), Value::from(name))]);
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
fn is_placeholder(container: &Value) -> bool {
    container.get("image").is_none_or(|image| image == "")
}

/// Gives images to containers that have none. True if there was such a one.
fn images(template: &mut Value, workload: &str) -> bool {
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
fn image(workload: &str, container: &str) -> String {
    format!("not-in-the-text/{workload}/{container}")
}

/// The claims of a set's pod: each volume's name, and the claim's.
fn own_claims(pod: &Value) -> Vec<(String, String)> {
    let name = key(pod)[2];
    let volumes = pod.pointer("/spec/volumes").and_then(Value::as_array).into_iter().flatten();
    let own = volumes.filter_map(|volume| {
        let (volume, claim) =
            (volume.get("name")?.as_str()?, volume.pointer("/persistentVolumeClaim/claimName")?.as_str()?);
        (claim == format!("{volume}-{name}")).then(|| (volume.to_owned(), claim.to_owned()))
    });
    own.collect()
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

/// Whether a condition has this status.
fn holds(value: &Value, kind: &str, status: &str) -> bool {
    let conditions = value.pointer("/status/conditions").and_then(Value::as_array).into_iter().flatten();
    conditions.into_iter().any(|condition| {
        let is = |name: &str, word: &str| condition.get(name).is_some_and(|own| own == word);
        is("type", kind) && is("status", status)
    })
}

/// How many pods there are, where no line counts them.
fn counts(all: &mut All, at: usize, pods: &[usize]) {
    let is_ready = |at: &&usize| holds(&all.objects[**at].1.value, "Ready", "True");
    let ready = pods.iter().filter(is_ready).count();
    let value = &mut all.objects[at].1.value;
    let kind = key(value)[0].to_owned();
    let all_of =
        [("status.replicas", pods.len()), ("status.readyReplicas", ready), ("status.availableReplicas", ready)];
    let daemons = [
        ("status.currentNumberScheduled", pods.len()),
        ("status.numberReady", ready),
        ("status.numberAvailable", ready),
    ];
    for (path, number) in if kind == "DaemonSet" { daemons } else { all_of } {
        let found = super::super::field(value, path);
        if found.is_null() {
            *slot(value, path) = number.into();
        }
    }
    if kind != "DaemonSet" && value.pointer("/spec/replicas").is_none() {
        *slot(value, "spec.replicas") = pods.len().into();
    }
}

/// What is of StatefulSets alone: claims by the names of those in the text, and revisions.
fn stateful(all: &mut All, at: usize, pods: &[usize]) {
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
fn revised(all: &mut All, at: usize, pods: &[usize]) {
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
    let made_up = if kind == "StatefulSet" { format!("{name}-not-in-the-text") } else { "not-in-the-text".to_owned() };
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
        *slot(own, "status.updatedReplicas") = updated.into();
        if current == update {
            *slot(own, "status.currentReplicas") = updated.into();
        }
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
    if any {
        all.note(text!("Pods of {} are of its present template: a table names no revision.", name));
    }
}

/// Fills in what rows of pods lack from the template that they were made from.
fn fill_pods(all: &mut All, at: usize, pods: &[usize]) {
    let template = all.objects[at].1.value.pointer("/spec/template").cloned().unwrap_or_default();
    let workload = key(&all.objects[at].1.value)[2].to_owned();
    for pod in pods {
        let (fullness, listed) = &mut all.objects[*pod];
        if *fullness != Fullness::Row {
            continue;
        }
        let pod = &mut listed.value;
        for (key, value) in labels_at(&template, "/metadata/labels").into_iter().flatten() {
            let labels = slot(pod, "metadata.labels");
            if labels.get(key).is_none() {
                *field(labels, key) = value.clone();
            }
        }
        for (list, statuses) in [("containers", "containerStatuses"), ("initContainers", "initContainerStatuses")] {
            let known =
                template.pointer(&format!("/spec/{list}")).and_then(Value::as_array).cloned().unwrap_or_default();
            let count = pod.pointer(&format!("/spec/{list}")).and_then(Value::as_array).map_or(0, Vec::len);
            if count == 0 && list == "initContainers" && !known.is_empty() {
                // It got past them.
                *slot(pod, "spec.initContainers") = known.into();
                continue;
            }
            for index in 0..count {
                let own = slot(pod, &format!("spec.{list}[{index}]"));
                if !is_placeholder(own) {
                    continue;
                }
                let name = own.get("name").and_then(Value::as_str).unwrap_or_default().to_owned();
                let made = known
                    .get(index)
                    .cloned()
                    .unwrap_or_else(|| json!({ "name": name, "image": image(&workload, &name) }));
                let (name, image) = (made["name"].clone(), made["image"].clone());
                *own = made;
                if pod.pointer(&format!("/status/{statuses}/{index}")).is_some() {
                    let status = slot(pod, &format!("status.{statuses}[{index}]"));
                    *field(status, "name") = name;
                    *field(status, "image") = image;
                }
            }
        }
        for name in ["nodeSelector", "readinessGates", "affinity", "tolerations"] {
            if let Some(own) = template.pointer("/spec").and_then(|spec| spec.get(name))
                && pod.pointer("/spec").is_none_or(|spec| spec.get(name).is_none())
            {
                *slot(pod, &format!("spec.{name}")) = own.clone();
            }
        }
        let volumes = template.pointer("/spec/volumes").and_then(Value::as_array).cloned().unwrap_or_default();
        if !volumes.is_empty() {
            let own = slot(pod, "spec.volumes");
            match own.as_array_mut() {
                Some(own) => own.extend(volumes),
                None => *own = volumes.into(),
            }
        }
    }
}

/// Owners and what they own name each other by uid.
fn identities(all: &mut All) {
    for at in 0..all.objects.len() {
        let value = all.objects[at].1.value.clone();
        let [kind, space, name] = key(&value);
        let owned = all.owned([kind, space, name]);
        if owned.is_empty() {
            continue;
        }
        let uid_in = |at: &usize| {
            let owners = all.objects[*at].1.value.pointer("/metadata/ownerReferences").and_then(Value::as_array)?;
            let own =
                owners.iter().find(|owner| owner.get("controller").is_some_and(|controller| controller == true))?;
            own.get("uid")?.as_str().filter(|uid| !uid.is_empty()).map(str::to_owned)
        };
        let own =
            value.pointer("/metadata/uid").and_then(Value::as_str).filter(|uid| !uid.is_empty()).map(str::to_owned);
        let uid = own.or_else(|| owned.iter().find_map(uid_in)).unwrap_or_else(|| format!("{kind}/{space}/{name}"));
        *slot(&mut all.objects[at].1.value, "metadata.uid") = uid.as_str().into();
        for dependent in owned {
            let owners =
                all.objects[dependent].1.value.pointer_mut("/metadata/ownerReferences").and_then(Value::as_array_mut);
            for owner in owners.into_iter().flatten() {
                let is_its = owner.get("controller").is_some_and(|controller| controller == true);
                if is_its && owner.get("uid").is_none_or(|uid| uid == "") {
                    *field(owner, "uid") = uid.as_str().into();
                }
            }
        }
    }
    // Containers of pods that nobody owns.
    for (fullness, listed) in all.objects.iter_mut().filter(|(fullness, _)| *fullness == Fullness::Row) {
        let _ = fullness;
        let [kind, _, name] = key(&listed.value).map(str::to_owned);
        if kind == "Pod" {
            let spec = json!({ "spec": listed.value.pointer("/spec").cloned().unwrap_or_default() });
            let mut template = spec;
            if images(&mut template, &name) {
                *slot(&mut listed.value, "spec") = field(&mut template, "spec").take();
            }
        }
    }
}

/// Pods that run somewhere, and no line says where: they are spread over the nodes.
fn placed(all: &mut All) {
    let ready: Vec<&Value> =
        all.values().filter(|value| key(value)[0] == "Node" && holds(value, "Ready", "True")).collect();
    let is_master = |value: &&&Value| {
        let labels = labels_at(value, "/metadata/labels").into_iter().flatten();
        labels.into_iter().any(|(key, _)| {
            key.starts_with("node-role.kubernetes.io/control-plane")
                || key.starts_with("node-role.kubernetes.io/master")
        })
    };
    // Few pods run on nodes of the control plane.
    let workers = ready.iter().filter(|node| !is_master(node)).count();
    let fit = ready.iter().filter(|node| workers == 0 || !is_master(node));
    let mut nodes: Vec<String> = fit.map(|value| key(value)[2].to_owned()).collect();
    let named = all.values().filter_map(|value| value.pointer("/spec/nodeName").and_then(Value::as_str));
    let named: Vec<String> = named.map(str::to_owned).collect();
    if nodes.is_empty() {
        nodes = named;
        nodes.sort_unstable();
        nodes.dedup();
    }
    if nodes.is_empty() {
        nodes = ["node-a", "node-b", "node-c"].map(str::to_owned).into();
    }
    let mut next = 0;
    for (_, listed) in all.objects.iter_mut().filter(|(fullness, _)| *fullness != Fullness::Whole) {
        let value = &mut listed.value;
        let is_unplaced = holds(value, "PodScheduled", "False");
        if key(value)[0] == "Pod" && !is_unplaced && value.pointer("/spec/nodeName").is_none() {
            *slot(value, "spec.nodeName") = nodes[next % nodes.len()].as_str().into();
            next += 1;
        }
    }
    if next > 0 {
        all.note(text!("Pods whose node no line names are spread over the nodes: `-o wide` shows it."));
    }
}
