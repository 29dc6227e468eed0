//! Revisions of sets, where the text has none or another version of the controller wrote them: without them every pod would seem to
//! be made from another template.

use super::assume::{About, Assumed};
use super::node::pods;
use crate::objects::{
    ControllerRevision, DaemonSet, Json, Kind, Labels, Object, ObjectMeta, OwnerReference, Pod, PodTemplateSpec, slot,
};
use crate::reconcile::{Controller, Gates, REVISION_LABEL, revision_of, template_patch};
use crate::releases::Release;
use crate::sim::START;
use serde_json::Value;
use std::collections::BTreeMap;
use std::rc::Rc;

/// How the controller of such an object writes templates; none where it keeps no revisions.
fn gates(kind: Kind, release: Release) -> Option<Gates> {
    let revisions = Controller::of(kind)?.revisions?;
    Some(revisions(release))
}

/// Whether the object's controller has seen its spec as it is.
fn is_observed(object: &Object) -> bool {
    object.observed_generation().unwrap_or(0) == object.metadata().generation
}

/// A revision whose template is that of its set but for fields without a value is the set's own: another version of the controller
/// wrote it, with other types, and takes it as the same.
pub(super) fn as_written(objects: &mut [Object], release: Release) {
    let mut own: BTreeMap<Rc<str>, (Gates, PodTemplateSpec)> = BTreeMap::new();
    for object in objects.iter() {
        if let (Some(gates), Some(template)) = (gates(object.kind(), release), object.template()) {
            own.insert(Rc::clone(&object.metadata().uid), (gates, template.clone()));
        }
    }
    for object in objects {
        let Object::Revision(revision) = object else { continue };
        let Some(owner) = revision.metadata.controller_of() else { continue };
        let Some((gates, template)) = own.get(&owner.uid) else { continue };
        let data = template_patch(gates, template);
        if revision.data == data {
            continue;
        }
        let is_same = |stored: PodTemplateSpec| without_empty(stored.to_json()) == without_empty(template.to_json());
        if revision.data.template().is_ok_and(is_same) {
            Rc::make_mut(revision).data = data;
        }
    }
}

/// A value without the fields that have none: null, or an empty map.
fn without_empty(value: Value) -> Value {
    let is_empty = |value: &Value| value.is_null() || value.as_object().is_some_and(serde_json::Map::is_empty);
    match value {
        Value::Object(fields) => {
            let fields = fields.into_iter().map(|(name, value)| (name, without_empty(value)));
            Value::Object(fields.filter(|(_, value)| !is_empty(value)).collect())
        }
        Value::Array(items) => Value::Array(items.into_iter().map(without_empty).collect()),
        value => value,
    }
}

/// For each set whose controller has seen its template, and of which the text has no revision, the one that its status names, if
/// none has that name: one without an owner is adopted.
pub(super) fn missing(objects: &[Object], release: Release, assumed: &mut Assumed<'_>) -> Vec<Object> {
    let owners = objects.iter().filter_map(|object| match object {
        Object::Revision(revision) => revision.metadata.controller_of().map(|owner| &owner.uid),
        _ => None,
    });
    let have: Vec<&Rc<str>> = owners.collect();
    let mut made: Vec<Object> = Vec::new();
    for object in objects.iter().filter(|object| is_observed(object)) {
        let metadata = object.metadata();
        let (Some(gates), Some(template)) = (gates(object.kind(), release), object.template()) else { continue };
        let is_own = |own: &ObjectMeta, name: &Rc<str>| own.namespace == metadata.namespace && own.name == *name;
        let is_there = |name: &Rc<str>| {
            // A set and its copy under another name may name the same.
            let all = objects.iter().chain(&made);
            all.into_iter().any(|object| matches!(object, Object::Revision(other) if is_own(&other.metadata, name)))
        };
        let has_none = !have.contains(&&metadata.uid);
        let Some(name) = named(object, objects).filter(|name| has_none && !is_there(name)) else { continue };
        let text = text!(
            "The template of {} is that of revision {}: the text has no revisions, and its status names this one.",
            metadata.name,
            name
        );
        let about = About::Revision(object.reference());
        let is_denied = assumed.options.denied.contains(&about);
        assumed.note(about, text, is_denied);
        if is_denied {
            continue;
        }
        let older: Vec<Object> = older(object, objects, &name, &gates, assumed).collect();
        let number = if older.is_empty() { 1 } else { 2 };
        made.push(Object::Revision(Rc::new(revision(object, &gates, template, (name, number)))));
        made.extend(older);
    }
    made
}

/// The older revisions of a set whose pods are updated in place, of which the text has pods alone: where these differ from the present
/// template in their images and in nothing else, so does the template that they were made from.
fn older(
    object: &Object,
    objects: &[Object],
    newest: &Rc<str>,
    gates: &Gates,
    assumed: &mut Assumed<'_>,
) -> impl Iterator<Item = Object> {
    let metadata = object.metadata();
    let is_own = |pod: &&Rc<Pod>| pod.metadata.controller_of().is_some_and(|owner| owner.uid == metadata.uid);
    let own = pods(objects).filter(is_own).filter(|_| object.kind().is_custom_resource());
    let mut found: BTreeMap<Rc<str>, PodTemplateSpec> = BTreeMap::new();
    for pod in own {
        let hash = revision_of(pod);
        let name: Rc<str> = match hash.contains('-') || hash.is_empty() {
            true => hash.into(),
            false => format!("{}-{hash}", metadata.name).into(),
        };
        if name.is_empty() || name == *newest || found.contains_key(&name) {
            continue;
        }
        if let Some(template) = object.template().and_then(|template| with_images_of(template, pod)) {
            let text = text!(
                "Revision {} of {} differs from its template in images alone, as its pods do: the text has no revisions.",
                name,
                metadata.name
            );
            assumed.note(About::Unsaid(Rc::clone(&name)), text, false);
            found.insert(name, template);
        }
    }
    let made = found.into_iter().map(|(name, template)| revision(object, gates, &template, (name, 1)));
    made.map(|revision| Object::Revision(Rc::new(revision))).collect::<Vec<_>>().into_iter()
}

/// The template with the images of a pod that differs from it in nothing else; none if there is another difference.
fn with_images_of(template: &PodTemplateSpec, pod: &Pod) -> Option<PodTemplateSpec> {
    // Admission mounts a token.
    const OTHERS: [&str; 2] = ["image", "volumeMounts"];
    let without_others = |container: &Value| match container {
        Value::Object(fields) => {
            let kept = fields.iter().filter(|(name, _)| !OTHERS.contains(&name.as_str()));
            without_empty(Value::Object(kept.map(|(name, value)| (name.clone(), value.clone())).collect()))
        }
        value => value.clone(),
    };
    let mut made = template.to_json();
    for container in made.pointer_mut("/spec/containers")?.as_array_mut()? {
        let own =
            pod.spec.containers.iter().find(|own| container.get("name").is_some_and(|name| *name == *own.name))?;
        if without_others(&own.to_json()) != without_others(container) {
            return None;
        }
        *slot(container, "image") = (*own.image).into();
    }
    PodTemplateSpec::from_json(made).ok()
}

/// The revision of the present template, by the object's status; of a DaemonSet by as many of its pods as are updated.
fn named(object: &Object, objects: &[Object]) -> Option<Rc<str>> {
    if let Object::DaemonSet(set) = object {
        return of_daemons(set, objects);
    }
    object.controlled()?.update_revision().filter(|name| !name.is_empty()).map(Rc::clone)
}

fn of_daemons(set: &DaemonSet, objects: &[Object]) -> Option<Rc<str>> {
    let updated = usize::try_from(set.status.updated_number_scheduled).ok().filter(|updated| *updated > 0)?;
    let mut all: BTreeMap<&str, usize> = BTreeMap::new();
    let is_own = |pod: &&Rc<Pod>| {
        pod.metadata.controller_of().is_some_and(|owner| owner.uid == set.metadata.uid) && !pod.is_terminating()
    };
    for pod in pods(objects).filter(is_own) {
        *all.entry(revision_of(pod)).or_default() += 1;
    }
    let mut fitting = all.into_iter().filter(|(hash, count)| !hash.is_empty() && *count == updated);
    let (hash, _) = fitting.next()?;
    // Where as many are old, nothing tells which are.
    fitting.next().is_none().then(|| format!("{}-{hash}", set.metadata.name).into())
}

fn revision(
    object: &Object,
    gates: &Gates,
    template: &PodTemplateSpec,
    (name, number): (Rc<str>, i64),
) -> ControllerRevision {
    let set = object.metadata();
    let owner = OwnerReference {
        api_version: object.kind().api_version().into(),
        kind: object.kind().as_str().into(),
        name: Rc::clone(&set.name),
        uid: Rc::clone(&set.uid),
        controller: Some(true),
        block_owner_deletion: Some(true),
    };
    let mut labels: Labels = template.metadata.labels.clone();
    if object.kind() == Kind::DaemonSet {
        labels.insert(REVISION_LABEL, name.strip_prefix(&format!("{}-", set.name)).unwrap_or(&name));
    }
    let metadata = ObjectMeta {
        namespace: Rc::clone(&set.namespace),
        labels,
        creation_timestamp: set.creation_timestamp.or(Some(START)),
        owner_references: vec![owner].into(),
        name,
        ..ObjectMeta::default()
    };
    let data = template_patch(gates, template);
    ControllerRevision { metadata, data, revision: number, extra: Default::default() }
}
