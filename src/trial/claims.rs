//! What a trial does to the claims of a workload's pods.

use crate::objects::{Json, Object, ObjectRef, PersistentVolumeClaim};
use crate::sim::Cluster;
use serde_json::Value;
use std::rc::Rc;

/// Claims of one template that have another value than the template.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mixed {
    /// The claims, by name.
    pub claims: Vec<Rc<str>>,
    /// The field's path below the spec.
    pub field: &'static str,
    /// The claims' value; empty if they have none.
    pub value: String,
    /// The template's, which the next claim comes with; empty if it has none.
    pub template: String,
}

/// A claim that is the same and has another value in a field.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChangedClaim {
    /// Its name.
    pub claim: Rc<str>,
    /// The field's path; `status.capacity.storage` is what it has.
    pub field: &'static str,
    /// The value before; empty if it had none.
    pub before: String,
    /// The value afterwards; empty if it has none.
    pub after: String,
}

/// Claims that are the same and have another value in a field.
pub(super) fn changed<'a>(
    claims: impl Iterator<Item = &'a Rc<PersistentVolumeClaim>>,
    start: &Cluster,
    end: &Cluster,
) -> Vec<ChangedClaim> {
    let mut all = Vec::new();
    for claim in claims {
        let (key, name) = (Object::Claim(Rc::clone(claim)).reference(), &claim.metadata.name);
        let [old, new] = [start, end].map(|cluster| cluster.get(&key));
        let (Ok(Object::Claim(old)), Ok(Object::Claim(new))) = (old, new) else { continue };
        if old.metadata.uid != new.metadata.uid {
            continue;
        }
        let [old, new] = [old, new].map(|claim| claim.to_json());
        let paths = FIELDS.map(|(field, path)| (field, format!("/spec{path}")));
        let capacity = [("status.capacity.storage", "/status/capacity/storage".to_owned())];
        for (field, path) in paths.into_iter().chain(capacity) {
            let of = |claim: &Value| claim.pointer(&path).and_then(Value::as_str).unwrap_or_default().to_owned();
            let (before, after) = (of(&old), of(&new));
            // Where a text does not say what it had, it had what it asked for.
            let was = if before.is_empty() && field.starts_with("status") {
                old.pointer("/spec/resources/requests/storage").and_then(Value::as_str).unwrap_or_default().to_owned()
            } else {
                before
            };
            if was != after && !(field.starts_with("status") && after.is_empty()) {
                all.push(ChangedClaim { claim: Rc::clone(name), field, before: was, after });
            }
        }
    }
    all
}

/// What the names of a set's claims begin with, those of ordinals included that it has no more.
pub(super) fn prefixes(set: &Object) -> Vec<String> {
    if !set.kind().has_ordinals() {
        return Vec::new();
    }
    let templates = set.to_json()["spec"]["volumeClaimTemplates"].as_array().cloned().unwrap_or_default();
    let names = templates.iter().filter_map(|template| template["metadata"]["name"].as_str());
    names.map(|name| format!("{name}-{}-", set.metadata().name)).collect()
}

/// The fields of a claim in which it and its template may differ in time.
const FIELDS: [(&str, &str); 3] = [
    ("resources.requests.storage", "/resources/requests/storage"),
    ("storageClassName", "/storageClassName"),
    ("volumeAttributesClassName", "/volumeAttributesClassName"),
];

/// Claims of the set that are otherwise than its templates say.
pub(super) fn mixed(cluster: &Cluster, set: &ObjectRef) -> Vec<Mixed> {
    let Ok(object) = cluster.get(set) else { return Vec::new() };
    let templates = object.to_json()["spec"]["volumeClaimTemplates"].as_array().cloned().unwrap_or_default();
    let mut all: Vec<Mixed> = Vec::new();
    for template in &templates {
        let prefix = format!("{}-{}-", template["metadata"]["name"].as_str().unwrap_or_default(), set.name);
        let is_own = |claim: &&Rc<PersistentVolumeClaim>| {
            let ordinal = claim.metadata.name.strip_prefix(&*prefix).map(str::parse::<u32>);
            claim.metadata.namespace == set.namespace && matches!(ordinal, Some(Ok(_)))
        };
        for claim in cluster.claims().filter(is_own) {
            let held = claim.spec.to_json();
            for (field, path) in FIELDS {
                let of = |spec: &Value| spec.pointer(path).and_then(Value::as_str).unwrap_or_default().to_owned();
                let (value, wanted) = (of(&held), of(&template["spec"]));
                // The server fills in the class where a template names none.
                if value == wanted || wanted.is_empty() && field == "storageClassName" {
                    continue;
                }
                let name = Rc::clone(&claim.metadata.name);
                match all.iter_mut().find(|one| (one.field, &one.value, &one.template) == (field, &value, &wanted)) {
                    Some(one) => one.claims.push(name),
                    None => all.push(Mixed { claims: vec![name], field, value, template: wanted }),
                }
            }
        }
    }
    all
}
