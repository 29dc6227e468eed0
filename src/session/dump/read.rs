//! The objects of a text, told apart by what the simulation does with them.

use super::clock;
use crate::kubectl::manifest::{self, Unreadable};
use crate::kubectl::{Error, Problem, Refusal};
use crate::objects::{Kind, Object, Time};
use crate::order::Order;
use crate::text::Text;
use serde_json::Value;
use std::collections::BTreeSet;
use std::rc::Rc;

/// Longer texts are refused.
const LONGEST: usize = 20 << 20;

/// Where every kind that has the path has an object.
const OF_FIELDS: [&str; 9] = [
    "/metadata",
    "/spec",
    "/spec/selector",
    "/spec/template",
    "/spec/template/metadata",
    "/spec/template/spec",
    "/spec/updateStrategy",
    "/spec/strategy",
    "/status",
];

/// An object of a kind that is not simulated.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Kept {
    /// Its kind.
    pub kind: String,
    /// Its name.
    pub name: String,
    /// Where it starts in the text, counted from 1.
    pub line: usize,
}

/// A Service: not simulated, but a StatefulSet's pods have no names without theirs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Service {
    /// Its namespace.
    pub namespace: Rc<str>,
    /// Its name.
    pub name: Rc<str>,
    /// Whether it has no address of its own, so that its pods have names.
    pub is_headless: bool,
}

/// An event that the cluster kept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Event {
    /// The kind of what it is about, such as `StatefulSet`.
    pub kind: Rc<str>,
    /// The namespace of what it is about.
    pub namespace: Rc<str>,
    /// The name of what it is about.
    pub name: Rc<str>,
    /// Such as `FailedCreate`.
    pub reason: Rc<str>,
    /// In the words of whoever wrote it.
    pub message: Rc<str>,
    /// How often it was counted.
    pub count: u64,
    /// When it was last seen, on the run's clock.
    pub last: Time,
}

/// Whether a text is what kubectl printed of a cluster, not a manifest that somebody wrote: the API server gave its objects a
/// uid, or a controller a status.
pub fn is_printed(text: &str) -> bool {
    let (objects, _) = manifest::listed(text);
    objects.iter().any(|listed| {
        let (uid, status) = (&listed.value["metadata"]["uid"], &listed.value["status"]);
        uid.is_string() || status.as_object().is_some_and(|fields| !fields.is_empty())
    })
}

pub(super) struct Found {
    /// Objects that are simulated, and events.
    pub(super) values: Vec<Value>,
    /// Where each starts in the text, counted from 1.
    pub(super) lines: Vec<usize>,
    pub(super) kept: Vec<Kept>,
    pub(super) services: Vec<Service>,
    /// PersistentVolumes and StorageClasses.
    pub(super) storage: Vec<Value>,
    pub(super) namespaces: Vec<Rc<str>>,
    /// The newest moment that the text speaks of.
    pub(super) newest: Option<Time>,
}

fn word<'a>(value: &'a Value, name: &str) -> &'a str {
    value[name].as_str().unwrap_or_default()
}

fn is_event(value: &Value) -> bool {
    word(value, "kind") == "Event"
}

fn at(line: usize, text: Text) -> Refusal {
    Refusal { problems: vec![Problem::new(Error::Own(text)).at(line, 1)] }
}

fn unreadable(error: Unreadable) -> Refusal {
    let problem = Problem::new(Error::Own(error.message)).at(error.line, error.column);
    Refusal { problems: vec![problem] }
}

/// Reads a text, without what is of no use to a run: managed fields, and the contents of Secrets and ConfigMaps.
pub(super) fn read(text: &str) -> Result<Found, Refusal> {
    if text.len() > LONGEST {
        return Err(Refusal::own(text!("the text is {} bytes long; at most {} are read", text.len(), LONGEST)));
    }
    let (objects, error) = manifest::listed(text);
    if let Some(error) = error {
        return Err(unreadable(error));
    }
    let mut found = Found {
        values: Vec::new(),
        lines: Vec::new(),
        kept: Vec::new(),
        services: Vec::new(),
        storage: Vec::new(),
        namespaces: Vec::new(),
        newest: None,
    };
    let mut namespaces = BTreeSet::new();
    for object in objects {
        let mut value = object.value;
        let (kind, name) = (word(&value, "kind").to_owned(), word(&value["metadata"], "name").to_owned());
        if kind.is_empty() || name.is_empty() {
            let error = text!("an object has `apiVersion`, `kind` and `metadata.name`, as kubectl prints it");
            return Err(at(object.line, error));
        }
        let known = Kind::named(word(&value, "apiVersion"), &kind);
        if kind == "Service" {
            let namespace = word(&value["metadata"], "namespace").into();
            let is_headless = value["spec"]["clusterIP"] == "None";
            found.services.push(Service { namespace, name: name.as_str().into(), is_headless });
        }
        if ["PersistentVolume", "StorageClass"].contains(&kind.as_str()) {
            if let Some(metadata) = value["metadata"].as_object_mut() {
                metadata.remove("managedFields");
            }
            found.storage.push(value);
            continue;
        }
        if known.is_none() && !is_event(&value) {
            found.kept.push(Kept { kind, name, line: object.line });
            continue;
        }
        found.newest = found.newest.max(clock::newest(&value));
        if let Some(metadata) = value["metadata"].as_object_mut() {
            metadata.remove("managedFields");
        }
        if let Some(known) = known {
            let namespace = word(&value["metadata"], "namespace");
            if !namespace.is_empty() {
                namespaces.insert(Rc::from(namespace));
            }
            // The group's other versions have the same fields, as far as they are simulated.
            value["apiVersion"] = known.api_version().into();
        }
        found.values.push(value);
        found.lines.push(object.line);
    }
    if !found.values.iter().any(|value| !is_event(value)) {
        let words = text!(
            "no object in the text is simulated; `{}` prints what is",
            "kubectl get sts,deploy,rs,ds,pods,pvc,nodes,controllerrevisions,events -o yaml"
        );
        return Err(Refusal::own(words));
    }
    found.namespaces = namespaces.into_iter().collect();
    Ok(found)
}

/// The values as objects and events, the latter oldest first.
///
/// # Errors
/// A field is of another type than the API has, or a workload asks for more pods than `most_replicas`; with the line.
pub(super) fn objects(found: &Found, most_replicas: i32) -> Result<(Vec<Object>, Vec<Event>), Refusal> {
    let (mut objects, mut events) = (Vec::new(), Vec::new());
    for (value, line) in found.values.iter().zip(&found.lines) {
        if is_event(value) {
            events.push(event(value));
            continue;
        }
        let name = word(&value["metadata"], "name");
        if let Some(path) = list_for_fields(value) {
            return Err(at(*line, text!("{} {}: {} is a list, not an object", word(value, "kind"), name, path)));
        }
        let object = Object::from_value(value.clone())
            .map_err(|message| at(*line, text!("{} {}: {}", word(value, "kind"), name, message)))?;
        if let Some(replicas) = object.replicas().filter(|replicas| *replicas > most_replicas) {
            let text = text!(
                "{} {} has {} replicas; at most {} are simulated",
                word(value, "kind"),
                name,
                replicas,
                most_replicas
            );
            return Err(at(*line, text));
        }
        objects.push(object);
    }
    events.order_by_key(|event| event.last);
    Ok((objects, events))
}

/// Where a list stands in the place of an object's fields: it would be read as their values in order.
fn list_for_fields(value: &Value) -> Option<String> {
    let path = OF_FIELDS.into_iter().find(|path| value.pointer(path).is_some_and(Value::is_array))?;
    Some(path.trim_start_matches('/').replace('/', "."))
}

fn event(value: &Value) -> Event {
    let about = ["involvedObject", "regarding"].map(|name| &value[name]);
    let about = about.into_iter().find(|about| about.is_object()).unwrap_or(&Value::Null);
    let moments = [&value["lastTimestamp"], &value["series"]["lastObservedTime"], &value["eventTime"]];
    let moments = moments.into_iter().filter_map(|at| at.as_str().and_then(Time::parse));
    Event {
        kind: word(about, "kind").into(),
        namespace: word(about, "namespace").into(),
        name: word(about, "name").into(),
        reason: word(value, "reason").into(),
        message: ["message", "note"].map(|name| word(value, name)).concat().into(),
        count: value["count"].as_u64().or(value["series"]["count"].as_u64()).unwrap_or(1),
        last: moments.max().unwrap_or_default(),
    }
}
