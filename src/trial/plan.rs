//! What a person does where an object refuses a change for its life: claims are changed one by one, the set is deleted around its
//! pods, and made anew. The lines are then tried as any others.

use super::outcome::Outcome;
use super::rehearsal::Rehearsed;
use crate::kubectl::{Command, command_line, manifest};
use crate::objects::quantity::in_nano;
use crate::objects::{Kind, Object, ObjectRef, PersistentVolumeClaim, Pod};
use crate::reconcile::parent_and_ordinal;
use crate::sim::{Cascade, Cluster};
use crate::verdict::pods;
use serde_json::{Map, Value, json};
use std::rc::Rc;

/// Fields of a set's spec that are as they were made.
const FOR_LIFE: [&str; 3] = ["volumeClaimTemplates", "serviceName", "podManagementPolicy"];
const SIZE: &str = "/spec/resources/requests/storage";
const ATTRIBUTES_CLASS: &str = "/spec/volumeAttributesClassName";

/// The lines with the way that works in the place of the first one that was refused for such a field; none if there is none.
/// `start` is the cluster before all lines.
pub fn way_that_works(start: &Cluster, rehearsed: &Rehearsed) -> Option<Vec<String>> {
    let at = rehearsed.lines.iter().position(|tried| matches!(tried.outcome, Outcome::Refused(_)))?;
    let refused = rehearsed.lines.get(at)?;
    let Some(Command::Apply { manifest }) = &refused.refused else { return None };
    let mut plan = Vec::new();
    let mut after = Vec::new();
    for (set, spec) in sets(start, manifest) {
        let differs = differing(start, &set, &spec);
        if differs.is_empty() {
            continue;
        }
        plan.extend(claim_changes(start, &set, &spec).iter().map(command_line));
        plan.push(command_line(&Command::DeleteSet { set: set.clone(), cascade: Cascade::Orphan }));
        // A pod has the volumes and the Service that its set named when it was made. One whose volumes are not those of the set
        // fails each sync, since no update gives them to it: it is made anew by hand.
        if has_other_templates(start, &set, &spec) {
            after.extend(one_by_one(start, &set));
        } else if differs.contains(&"serviceName") {
            after.push(command_line(&Command::Restart { set }));
        }
    }
    if plan.is_empty() {
        return None;
    }
    let line = |tried: &super::Tried| tried.line.clone();
    let before = rehearsed.lines.iter().take(at).map(line);
    let rest = rehearsed.lines.iter().skip(at + 1).map(line);
    Some(before.chain(plan).chain([refused.line.clone()]).chain(after).chain(rest).collect())
}

/// Each pod of a set deleted, the first first, with time for it to be Ready before the next.
fn one_by_one(cluster: &Cluster, set: &ObjectRef) -> Vec<String> {
    let Ok(object) = cluster.get(set) else { return Vec::new() };
    let mut own = pods(cluster, object);
    own.sort_by_key(|pod| parent_and_ordinal(&pod.metadata.name).map(|(_, ordinal)| ordinal));
    let delete = |pod: &Rc<Pod>| {
        let pod = Object::Pod(Rc::clone(pod)).reference();
        ["sleep 60".to_owned(), command_line(&Command::DeletePod { pod, grace: None })]
    };
    own.into_iter().flat_map(delete).skip(1).collect()
}

/// The sets of a manifest that are there already, with the specs that are sent.
pub fn sets(cluster: &Cluster, text: &str) -> Vec<(ObjectRef, Value)> {
    let documents = manifest::read(text, &cluster.server()).documents.into_iter();
    let of = |document: manifest::Document| {
        let kind = Kind::named(&document.api_version, &document.kind).filter(|kind| kind.has_ordinals())?;
        let namespace = document.value["metadata"]["namespace"].as_str().unwrap_or("default").into();
        let key = ObjectRef { kind, namespace, name: document.name.as_str().into() };
        cluster.get(&key).ok()?;
        Some((key, document.value["spec"].clone()))
    };
    documents.filter_map(of).collect()
}

fn stored_spec(cluster: &Cluster, set: &ObjectRef) -> Value {
    cluster.get(set).map(|object| object.to_json()["spec"].clone()).unwrap_or_default()
}

/// The fields for life in which the specs differ, as far as the one that is sent says something.
fn differing(cluster: &Cluster, set: &ObjectRef, sent: &Value) -> Vec<&'static str> {
    let stored = stored_spec(cluster, set);
    let is_other = |field: &&str| match (&stored[*field], &sent[*field]) {
        (_, Value::Null) => false,
        (Value::Array(old), Value::Array(new)) => old.len() != new.len() || old.iter().zip(new).any(says_other),
        (old, new) => old != new,
    };
    FOR_LIFE.into_iter().filter(|field| is_other(field)).collect()
}

/// Whether what is sent says something that is not so: the server fills in the rest.
fn says_other((old, new): (&Value, &Value)) -> bool {
    match (old, new) {
        (Value::Object(old), Value::Object(new)) => {
            new.iter().any(|(name, new)| says_other((old.get(name).unwrap_or(&Value::Null), new)))
        }
        (Value::Array(old), Value::Array(new)) => old.len() != new.len() || old.iter().zip(new).any(says_other),
        (Value::String(old), Value::String(new)) => {
            old != new && (in_nano(old).is_none() || in_nano(old) != in_nano(new))
        }
        (old, new) => old != new,
    }
}

fn templates(spec: &Value) -> impl Iterator<Item = (&str, &Value)> {
    let all = spec["volumeClaimTemplates"].as_array().into_iter().flatten();
    all.filter_map(|template| Some((template["metadata"]["name"].as_str()?, template)))
}

fn has_other_templates(cluster: &Cluster, set: &ObjectRef, sent: &Value) -> bool {
    let stored = stored_spec(cluster, set);
    let names = |spec: &Value| templates(spec).map(|(name, _)| name.to_owned()).collect::<Vec<_>>();
    names(&stored) != names(sent)
}

/// The changes of a set's claims that make them as its templates would be, as far as the API takes them.
pub fn claim_changes(cluster: &Cluster, set: &ObjectRef, sent: &Value) -> Vec<Command> {
    let mut all = Vec::new();
    for (name, template) in templates(sent) {
        let prefix = format!("{name}-{}-", set.name);
        let is_own = |claim: &&Rc<PersistentVolumeClaim>| {
            let ordinal = claim.metadata.name.strip_prefix(&*prefix).map(str::parse::<u32>);
            claim.metadata.namespace == set.namespace && matches!(ordinal, Some(Ok(_)))
        };
        for claim in cluster.claims().filter(is_own) {
            if let Some(patch) = claim_change(cluster, claim, template) {
                let claim = Object::Claim(Rc::clone(claim)).reference();
                all.push(Command::patch(claim, patch.to_string().into()));
            }
        }
    }
    all
}

fn claim_change(cluster: &Cluster, claim: &PersistentVolumeClaim, template: &Value) -> Option<Value> {
    let mut spec = Map::new();
    let size = template.pointer(SIZE).and_then(Value::as_str);
    let is_larger = size.and_then(in_nano).is_some_and(|size| size > claim.requested_size());
    if is_larger && cluster.may_expand(claim) != Some(false) {
        spec.insert("resources".to_owned(), json!({ "requests": { "storage": size } }));
    }
    let class = template.pointer(ATTRIBUTES_CLASS).and_then(Value::as_str);
    if class.is_some() && claim.attributes_classes()[0] != class {
        spec.insert("volumeAttributesClassName".to_owned(), json!(class));
    }
    (!spec.is_empty() && &*claim.status.phase == "Bound").then(|| json!({ "spec": spec }))
}
