//! What kubectl prints of a cluster, as it may be handed to strangers: no name that somebody gave is in it, and its diagnosis is the
//! same.
//!
//! What the simulation reads stays, as in a link; beside it the events, Services, budgets and autoscalers that only a text has. Of
//! all other objects there are their kind, their name, and what says whether they make pods.

use super::names::{Names, is_number};
use super::{ANNOTATIONS, IN_PLACE, Kept, Redaction, kept};
use crate::kubectl::Refusal;
use crate::kubectl::manifest;
use crate::objects::{Kind, LAST_APPLIED, Time, is_api_field};
use crate::session::dump::objects_alone;
use serde_json::{Map, Value, json};

/// A text that was redacted.
#[derive(Default)]
pub struct Redacted {
    names: Names,
    hidden: Redaction,
    text: String,
}

/// Redacts a text of objects: equal names have equal stand-ins.
///
/// # Errors
/// It is not, or not only, objects: in descriptions, tables and logs names may stand anywhere.
pub fn cluster(text: &str) -> Result<Redacted, Refusal> {
    let mut objects = objects_alone(text)?;
    let mut redacted = Redacted::default();
    for object in &objects {
        redacted.names.note_bases(object);
        redacted.hidden.look_at(object);
    }
    for object in &mut objects.clone() {
        redacted.object(object);
    }
    redacted.names.all_seen();
    objects.iter_mut().for_each(|object| redacted.object(object));
    redacted.text = manifest::write(&json!({"apiVersion": "v1", "kind": "List", "items": objects}));
    Ok(redacted)
}

/// The kind of map that an object is.
fn form(kind: &str) -> &'static str {
    match kind {
        "Event" => "Event",
        "Service" => "Service",
        "PodDisruptionBudget" => "Budget",
        "ResourceQuota" | "LimitRange" => "Quota",
        "VolumeAttachment" => "Attachment",
        "HorizontalPodAutoscaler" | "ScaledObject" => "Scaler",
        "PersistentVolume" | "StorageClass" | "CSINode" | "PriorityClass" => "Object",
        simulated if Kind::ALL.iter().any(|kind| kind.as_str() == simulated) => "Object",
        _ => "Other",
    }
}

/// Takes out what is not kept of a kind that is not simulated: its fields are as somebody named them.
fn only_kept(value: &mut Value, of: &str) {
    let Some(fields) = value.as_object_mut() else { return };
    fields.retain(|name, _| kept(of, name).is_some());
    for (name, value) in fields {
        if let Some(Kept::Fields(of)) = kept(of, name).filter(|_| ["spec", "status"].contains(&name.as_str())) {
            only_kept(value, of);
        }
    }
}

/// When the parts of an object were written, without the fields' names, and by whom only where it was kubectl.
fn writes(entries: &Value) -> Value {
    let write = |entry: &Value| {
        let moment = entry["time"].as_str().filter(|time| Time::parse(time).is_some())?;
        let written = |part: &&str| entry["fieldsV1"].get(*part).is_some();
        let parts =
            ["f:metadata", "f:spec", "f:status"].into_iter().filter(written).map(|part| (part.to_owned(), json!({})));
        let by_kubectl = entry["manager"].as_str().filter(|manager| manager.starts_with("kubectl"));
        let mut write = Map::from_iter([
            ("fieldsType".to_owned(), "FieldsV1".into()),
            ("fieldsV1".to_owned(), Value::Object(parts.collect())),
            ("time".to_owned(), moment.into()),
        ]);
        write.extend(by_kubectl.map(|_| ("manager".to_owned(), "kubectl".into())));
        Some(Value::Object(write))
    };
    entries.as_array().into_iter().flatten().filter_map(write).collect()
}

/// Fields in the reach of names that have words of Kubernetes'.
const WORDS: [&str; 11] = [
    "operator",
    "effect",
    "kind",
    "apiVersion",
    "apiGroup",
    "whenUnsatisfiable",
    "nodeAffinityPolicy",
    "nodeTaintsPolicy",
    "fieldPath",
    "resource",
    "podUpdatePolicy",
];

/// Types of conditions: those with a domain are somebody's.
const TYPES: [&str; 2] = ["type", "conditionType"];

/// Labels whose values are numbers: a pod's ordinal, and the template of a DaemonSet that it was made from.
const NUMBERS: [&str; 2] = ["apps.kubernetes.io/pod-index", "pod-template-generation"];

/// Fields of kinds that the simulation reads for itself: taints of nodes, affinities of volumes.
const FIELDS: [&str; 2] = ["timeAdded", "required"];

/// What stands between a storage class and what a quota limits of its claims.
const OF_CLASS: &str = ".storageclass.storage.k8s.io/";

/// Maps whose keys somebody named.
const LABELS: [&str; 5] = ["labels", "matchLabels", "nodeSelector", "labelsHandler", "annotations"];

impl Redacted {
    /// The text, as `kubectl get -o yaml` would print it.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// What stands for this name.
    pub fn name(&mut self, name: &str) -> String {
        let hidden = &mut self.hidden;
        self.names.name(name, &mut |address| hidden.stand_in(address))
    }

    fn message(&mut self, message: &str) -> String {
        let hidden = &mut self.hidden;
        self.names.message(message, &mut |address| hidden.stand_in(address))
    }

    fn object(&mut self, object: &mut Value) {
        let form = form(object["kind"].as_str().unwrap_or_default());
        if form == "Other" {
            only_kept(object, form);
        }
        let managed = |object: &mut Value| object.get_mut("metadata")?.as_object_mut()?.remove("managedFields");
        let written = managed(object).map(|entries| writes(&entries));
        self.fields(object, form);
        if let (Some(written), Some(metadata)) = (written, object.get_mut("metadata").and_then(Value::as_object_mut)) {
            metadata.insert("managedFields".to_owned(), written);
        }
    }

    fn fields(&mut self, value: &mut Value, of: &str) {
        match value {
            Value::Object(fields) => {
                for (name, value) in fields {
                    self.field(name, value, kept(of, name));
                }
            }
            Value::Array(items) => items.iter_mut().for_each(|item| self.fields(item, of)),
            other => self.hidden.hide(other),
        }
    }

    fn field(&mut self, name: &str, value: &mut Value, kept: Option<Kept>) {
        match (kept, value) {
            (Some(Kept::AsIs), _) => {}
            (Some(Kept::Named), value) => self.named(name, value),
            (Some(Kept::Fields(of)), value) => self.fields(value, of),
            (Some(Kept::Message), Value::String(text)) => *text = self.message(text),
            (Some(Kept::Annotations), Value::Object(annotations)) => self.annotations(annotations),
            (Some(Kept::Images), Value::Array(images)) => images.iter_mut().for_each(|image| self.node_image(image)),
            (Some(Kept::Resources), Value::Object(quantities)) => self.resources(quantities),
            (_, value) => self.hidden.hide(value),
        }
    }

    /// Everything below a field in which somebody's names stand.
    fn named(&mut self, field: &str, value: &mut Value) {
        match value {
            Value::String(_) if WORDS.contains(&field) => {}
            Value::String(text) if TYPES.contains(&field) && !text.contains('/') => {}
            // A share, as of a partition.
            Value::String(text) if text.strip_suffix('%').is_some_and(is_number) => {}
            Value::String(text) => *text = self.name(text),
            Value::Array(items) => items.iter_mut().for_each(|item| self.named(field, item)),
            Value::Object(fields) => {
                let is_labels = LABELS.contains(&field) || field == "selector" && fields.values().any(Value::is_string);
                let renamed = std::mem::take(fields).into_iter().map(|(key, mut value)| {
                    let is_field = !is_labels && (is_api_field(&key) || FIELDS.contains(&key.as_str()));
                    let is_counted = is_labels && NUMBERS.contains(&key.as_str());
                    if !(is_counted && value.as_str().is_some_and(is_number)) {
                        self.named(if is_labels { "" } else { &key }, &mut value);
                    }
                    (if is_field { key } else { self.name(&key) }, value)
                });
                *fields = renamed.collect::<Map<String, Value>>();
            }
            _ => {}
        }
    }

    /// Of a node's images those that containers of the text have.
    fn node_image(&mut self, image: &mut Value) {
        if let Some(names) = image.get_mut("names").and_then(Value::as_array_mut) {
            names.retain(|name| name.as_str().is_some_and(|name| self.hidden.images.contains(name)));
            names.iter_mut().for_each(|name| self.named("image", name));
        }
    }

    /// What is limited of a storage class begins with its name.
    fn resources(&mut self, quantities: &mut Map<String, Value>) {
        self.hidden.quantities(quantities);
        let renamed = std::mem::take(quantities).into_iter().map(|(resource, quantity)| {
            let of_class = resource.split_once(OF_CLASS).map(|(class, what)| (class.to_owned(), what.to_owned()));
            let named = of_class.map(|(class, what)| format!("{}{OF_CLASS}{what}", self.name(&class)));
            (named.unwrap_or(resource), quantity)
        });
        *quantities = renamed.collect();
    }

    fn annotations(&mut self, annotations: &mut Map<String, Value>) {
        let all = std::mem::take(annotations).into_iter().filter(|(name, _)| name != LAST_APPLIED);
        let renamed = all.map(|(key, mut value)| {
            let is_in_place = IN_PLACE.contains(&key.strip_prefix("apps.kruise.io/").unwrap_or(&key));
            match value.as_str() {
                Some(text) if is_in_place => value = self.in_place(text).into(),
                Some(text) if ANNOTATIONS.contains(&key.as_str()) => {
                    let is_plain = text.parse::<f64>().is_ok() || Time::parse(text).is_some() || text == "yes";
                    value = if is_plain { text.to_owned() } else { self.name(text) }.into();
                }
                _ => self.hidden.hide(&mut value),
            }
            // Some of those that controllers know have no domain.
            let is_known = is_in_place || ANNOTATIONS.contains(&key.as_str());
            (if is_known { key } else { self.name(&key) }, value)
        });
        *annotations = renamed.collect();
    }

    fn in_place(&mut self, text: &str) -> String {
        let Ok(mut value) = serde_json::from_str::<Value>(text) else { return self.hidden.stand_in(text) };
        if let Some(fields) = value.as_object_mut() {
            // Labels and annotations as bytes.
            fields.remove("metaDataPatch");
        }
        self.fields(&mut value, "InPlace");
        value.to_string()
    }
}
