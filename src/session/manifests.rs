//! Files of manifests, as people write them or as kubectl prints them, told apart by what can be applied of them.

use super::receipt::is_applied;
use crate::kubectl::Problem;
use crate::kubectl::manifest::{Listed, Listing, unserved};
use crate::objects::{Kind, LAST_APPLIED, ObjectRef};
use crate::releases::Release;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

/// What the API server writes into metadata.
const SERVERS_OWN: [&str; 9] = [
    "uid",
    "resourceVersion",
    "creationTimestamp",
    "deletionTimestamp",
    "deletionGracePeriodSeconds",
    "generation",
    "selfLink",
    "managedFields",
    "ownerReferences",
];

/// What controllers write into annotations, each about what it has found in its own cluster.
const CONTROLLERS_OWN: [&str; 2] = ["deployment.kubernetes.io/revision", "deprecated.daemonset.template.generation"];

/// A file of manifests.
pub struct Manifests {
    text: Rc<str>,
    objects: Vec<Value>,
    /// Where each of these starts, counted from 1.
    lines: Vec<usize>,
    /// Whether the whole text could be read.
    is_whole: bool,
    is_printed: bool,
}

/// What becomes of an object that is to be applied.
enum Use {
    Applied,
    /// It says what a node has.
    Node,
    /// A controller made it, and makes it again.
    Made,
    LeftOut,
}

fn word<'a>(value: &'a Value, name: &str) -> &'a str {
    value[name].as_str().unwrap_or_default()
}

/// Whether the API server gave an object a uid or a version, or a controller a status.
fn is_printed(object: &Value) -> bool {
    let metadata = &object["metadata"];
    let is_stored = ["uid", "resourceVersion"].iter().any(|name| metadata[*name].is_string());
    is_stored || object["status"].as_object().is_some_and(|fields| !fields.is_empty())
}

/// Whether it, or what rests on it, is not simulated: priorities are read, and no pod preempts another.
fn is_left_out(object: &Value) -> bool {
    matches!(use_of(object), Use::LeftOut) || word(object, "kind") == "PriorityClass"
}

fn use_of(object: &Value) -> Use {
    let (version, kind) = (word(object, "apiVersion"), word(object, "kind"));
    let owners = object["metadata"]["ownerReferences"].as_array();
    let is_controlled = owners.into_iter().flatten().any(|owner| owner["controller"] == true);
    match Kind::named(version, kind) {
        Some(Kind::Node) => Use::Node,
        Some(Kind::ControllerRevision) => Use::Made,
        Some(Kind::Pod | Kind::ReplicaSet) if is_controlled => Use::Made,
        _ if ["Endpoints", "EndpointSlice", "Event", "Lease"].contains(&kind) => Use::Made,
        _ if is_applied(version, kind) => Use::Applied,
        _ => Use::LeftOut,
    }
}

impl Manifests {
    /// Reads a text. What cannot be read is told once it is applied.
    pub fn read(text: &str) -> Self {
        let text: Rc<str> = text.into();
        let mut listing = Listing::new(Rc::clone(&text));
        while listing.advance() {}
        let (objects, unreadable) = listing.finish();
        let (lines, objects): (Vec<usize>, Vec<Value>) =
            objects.into_iter().map(|Listed { line, value, .. }| (line, value)).unzip();
        let is_printed = objects.iter().any(is_printed);
        Self { text, is_whole: unreadable.is_none(), is_printed, objects, lines }
    }

    /// The text as it was given.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Whether kubectl printed it, not somebody wrote it.
    pub fn is_printed(&self) -> bool {
        self.is_printed && self.is_whole
    }

    /// Whether it says what runs in a cluster: kubectl printed pods.
    pub fn is_cluster(&self) -> bool {
        self.is_printed() && self.objects.iter().any(|object| word(object, "kind") == Kind::Pod.as_str())
    }

    /// Whether nothing in it asks for pods that are simulated, in whatever version.
    pub fn is_without_workloads(&self) -> bool {
        let is_workload = |kind: &Kind| kind.is_workload() || *kind == Kind::Pod;
        let asks = |object: &Value| {
            Kind::ALL.iter().filter(|kind| is_workload(kind)).any(|kind| kind.as_str() == word(object, "kind"))
        };
        // What is no manifest at all says nothing of what is there.
        let is_manifest = |object: &Value| ["apiVersion", "kind"].iter().all(|name| !word(object, name).is_empty());
        let is_read = self.text.trim().is_empty() || !self.objects.is_empty() && self.objects.iter().all(is_manifest);
        self.is_whole && is_read && !self.objects.iter().any(asks)
    }

    /// Its nodes.
    pub fn nodes(&self) -> impl Iterator<Item = &Value> {
        self.objects.iter().filter(|object| matches!(use_of(object), Use::Node))
    }

    /// Kind, namespace and name of what is applied.
    pub fn applied(&self) -> impl Iterator<Item = (Option<Kind>, &str, &str)> {
        let applied = self.objects.iter().filter(|object| matches!(use_of(object), Use::Applied));
        applied.map(|object| {
            let namespace = Some(word(&object["metadata"], "namespace")).filter(|own| !own.is_empty());
            let kind = Kind::named(word(object, "apiVersion"), word(object, "kind"));
            (kind, namespace.unwrap_or("default"), word(&object["metadata"], "name"))
        })
    }

    /// The line at which this object starts, if it is there.
    pub fn line_of(&self, object: &ObjectRef) -> Option<usize> {
        let is_it = |value: &Value| {
            let metadata = &value["metadata"];
            Kind::named(word(value, "apiVersion"), word(value, "kind")) == Some(object.kind)
                && word(metadata, "name") == &*object.name
                && (metadata["namespace"].is_null() || word(metadata, "namespace") == &*object.namespace)
        };
        self.objects.iter().position(is_it).map(|at| self.lines[at])
    }

    /// Objects of versions that a release does not serve, if somebody wrote them: each with what kubectl says.
    pub fn unserved(&self, release: Release) -> Vec<Problem> {
        let objects = self.objects.iter().zip(&self.lines).filter(|_| !self.is_printed);
        let problem = |(object, line): (&Value, &usize)| {
            let place = ["namespace", "name"].map(|field| word(&object["metadata"], field));
            Some(unserved(release, word(object, "apiVersion"), word(object, "kind"), place)?.at(*line, 1))
        };
        objects.filter_map(problem).collect()
    }

    /// Whether all of it could be read.
    pub fn is_whole(&self) -> bool {
        self.is_whole
    }

    /// How many objects it has.
    pub fn count(&self) -> usize {
        self.objects.len()
    }

    /// The names of objects that are not simulated, by kind.
    pub fn left_out(&self) -> BTreeMap<&str, Vec<&str>> {
        let mut all: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
        for object in self.objects.iter().filter(|object| is_left_out(object)) {
            let kind = Some(word(object, "kind")).filter(|kind| !kind.is_empty()).unwrap_or("?");
            all.entry(kind)
                .or_default()
                .extend(Some(word(&object["metadata"], "name")).filter(|name| !name.is_empty()));
        }
        all.retain(|_, names| !names.is_empty());
        all
    }

    /// What is applied of it: the text as it is if somebody wrote it; of what kubectl printed what somebody would have written,
    /// without what the server and the controllers have filled in. `next` is what is applied over it, if something is: kubectl
    /// takes out what was applied before and is there no more, and where what is printed has been edited, that is all of it.
    pub fn manifest(&self, next: Option<&Self>) -> Rc<str> {
        if !self.is_printed() {
            return Rc::clone(&self.text);
        }
        let volumes: BTreeSet<&str> = self
            .objects
            .iter()
            .filter(|object| word(object, "kind") == "PersistentVolume")
            .map(|object| word(&object["metadata"], "name"))
            .collect();
        let is_edited = next.is_none_or(Self::is_printed);
        let applied = self.objects.iter().filter(|object| matches!(use_of(object), Use::Applied));
        let written: Vec<String> =
            applied.map(|object| written(object.clone(), is_edited, &volumes).to_string()).collect();
        written.join("\n---\n").into()
    }
}

fn written(mut object: Value, is_edited: bool, volumes: &BTreeSet<&str>) -> Value {
    let kind = word(&object, "kind").to_owned();
    if let Some(fields) = object.as_object_mut() {
        fields.remove("status");
    }
    if let Some(Value::Object(metadata)) = object.get_mut("metadata") {
        SERVERS_OWN.iter().for_each(|name| drop(metadata.remove(*name)));
        if !is_edited {
            metadata.entry("annotations").or_insert_with(|| Value::Object(serde_json::Map::new()));
        }
        if let Some(Value::Object(annotations)) = metadata.get_mut("annotations") {
            CONTROLLERS_OWN.iter().for_each(|name| drop(annotations.remove(*name)));
            if is_edited {
                annotations.remove(LAST_APPLIED);
            } else {
                annotations.entry(LAST_APPLIED).or_insert_with(|| "{}".into());
            }
        }
    }
    let Some(Value::Object(spec)) = object.get_mut("spec") else { return object };
    match kind.as_str() {
        // One of another cluster is made anew, and bound to whatever is made for it.
        "PersistentVolumeClaim"
            if spec.get("volumeName").and_then(Value::as_str).is_some_and(|name| !volumes.contains(name)) =>
        {
            spec.remove("volumeName");
        }
        "PersistentVolume" => {
            if let Some(Value::Object(claim)) = spec.get_mut("claimRef") {
                ["uid", "resourceVersion"].iter().for_each(|name| drop(claim.remove(*name)));
            }
        }
        _ => {}
    }
    object
}

#[cfg(test)]
mod tests {
    use super::Manifests;

    #[test]
    fn what_was_printed_is_applied_as_somebody_would_have_written_it() {
        let printed = Manifests::read(
            "kind: List\nitems:\n- apiVersion: apps/v1\n  kind: Deployment\n  metadata: {name: a, uid: u, resourceVersion: '7', \
             generation: 3}\n  spec: {replicas: 2}\n  status: {replicas: 2}\n- {apiVersion: v1, kind: Secret, metadata: \
             {name: s}}\n- {apiVersion: v1, kind: Node, metadata: {name: n}}\n",
        );
        assert!(printed.is_printed() && !printed.is_cluster());
        assert_eq!(
            &*printed.manifest(None),
            r#"{"apiVersion":"apps/v1","kind":"Deployment","metadata":{"name":"a"},"spec":{"replicas":2}}"#
        );
        assert_eq!(printed.nodes().count(), 1);
        assert_eq!(printed.left_out().into_iter().collect::<Vec<_>>(), [("Secret", vec!["s"])]);
        let plain = Manifests::read("apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: a}\n");
        assert_eq!(&*plain.manifest(None), plain.text());
        assert!(printed.manifest(Some(&plain)).contains("last-applied-configuration"));
    }
}
