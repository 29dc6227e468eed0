//! A text as the documents in it, and everything that is wrong with them.

use super::MAX_TEXT_BYTES;
use super::place::Places;
use super::strict;
use super::yaml::parse;
use crate::go_yaml::{Content, Node};
use crate::kubectl::{Error, Problem};
use crate::objects::schema::versions;
use crate::objects::{Kind, Server};
use crate::text::Text;
use serde_json::Value;
use std::rc::Rc;

/// What was read.
#[derive(Clone, Debug, PartialEq)]
pub struct Reading {
    /// Every document that could be read.
    pub documents: Vec<Document>,
    /// What is wrong; nothing is applied while there is anything.
    pub problems: Vec<Problem>,
}

/// One object.
#[derive(Clone, Debug, PartialEq)]
pub struct Document {
    /// Its kind.
    pub kind: String,
    /// Its group and version.
    pub api_version: String,
    /// Its name.
    pub name: String,
    /// Where it starts.
    pub line: usize,
    /// Its content, as the server reads it.
    pub value: Value,
    /// Its content as it was sent, which the next apply compares with.
    pub sent: Value,
    /// What the object that is there becomes, if there is one.
    pub patched: Option<Value>,
    /// Where its fields stand.
    pub places: Places,
}

fn start_of_set() -> Text {
    text!("a StatefulSet starts with `apiVersion: apps/v1` and `kind: StatefulSet`")
}

fn rendered() -> Text {
    text!("it is a template of Helm: give what `helm template` prints")
}

/// What kustomize reads, and kubectl only with -k.
const KUSTOMIZATION: &str = "kustomize.config.k8s.io/";

fn built() -> Text {
    text!("it is what kustomize reads: give what `kubectl kustomize DIR` prints for its folder")
}

fn client_error(line: usize, column: usize, message: impl Into<String>) -> Problem {
    Problem::new(Error::client(message)).at(line, column)
}

/// Reads YAML or JSON with one or several documents, Lists unpacked. What can be read is read even beside what cannot.
pub fn read(text: &str, server: &Server) -> Reading {
    read_over(text, server, &|_, _, _| None)
}

/// An object that is there already.
pub struct Held {
    /// As it is stored.
    pub stored: Value,
    /// What was applied last, if anything was.
    pub last_applied: Option<Rc<Value>>,
}

/// The object of this kind, namespace and name, if it is there.
pub(super) type Find<'a> = &'a dyn Fn(Kind, &str, &str) -> Option<Held>;

/// Reads a text to be applied where some of its objects are there already.
pub(crate) fn read_over(text: &str, server: &Server, find: Find<'_>) -> Reading {
    let mut reading = Reading { documents: Vec::new(), problems: Vec::new() };
    if text.len() > MAX_TEXT_BYTES {
        let words = text!("the text is {} bytes long; at most {} are read", text.len(), MAX_TEXT_BYTES);
        reading.problems.push(Problem::new(Error::Own(words)).at(1, 1));
        return reading;
    }
    let (documents, unreadable) = parse(text);
    for document in &documents {
        take(document, server, find, &mut reading);
    }
    if let Some(unreadable) = unreadable {
        let message = format!("error parsing STDIN: error converting YAML to JSON: {}", unreadable.message);
        let problem = client_error(unreadable.line, unreadable.column, message);
        let is_template = text.contains("{{");
        reading.problems.push(if is_template { problem.with_remedy(rendered()) } else { problem });
    }
    if reading.documents.is_empty() && reading.problems.is_empty() {
        reading.problems.push(client_error(1, 1, "no objects passed to apply").with_remedy(start_of_set()));
    }
    reading
}

fn take(node: &Node, server: &Server, find: Find<'_>, reading: &mut Reading) {
    let fields = match &node.content {
        Content::Scalar(Value::Null) => return,
        Content::Map(fields) => fields,
        _ => {
            let message = "error validating data: invalid object to validate";
            let remedy = text!("a document is a map with apiVersion, kind and metadata");
            reading.problems.push(client_error(node.line, node.column, message).with_remedy(remedy));
            return;
        }
    };
    let word = |name: &str| node.field(name).and_then(Node::text).unwrap_or_default().to_owned();
    let (kind, api_version) = (word("kind"), word("apiVersion"));
    let mut missing = Vec::new();
    for name in ["apiVersion", "kind"] {
        match node.field(name).map(|field| &field.content) {
            Some(Content::Scalar(Value::String(word))) if !word.is_empty() => {}
            // kubectl of that time took an empty version for one that there is not.
            Some(Content::Scalar(Value::String(_))) if name == "apiVersion" && !server.decodes_strictly => {}
            None | Some(Content::Scalar(Value::Null | Value::String(_))) => missing.push(format!("{name} not set")),
            Some(_) => missing.push(format!("{name} isn't string type")),
        }
    }
    if !missing.is_empty() {
        let message = match missing.len() {
            1 => strict::validation_error(&missing[0]),
            _ => strict::validation_error(&format!("[{}]", missing.join(", "))),
        };
        let (line, column) = fields.first().map_or((node.line, node.column), |(key, _)| (key.line, key.column));
        let is_kustomization = ["resources", "patches", "bases"].iter().any(|field| node.field(field).is_some());
        let remedy = if is_kustomization { built() } else { start_of_set() };
        reading.problems.push(client_error(line, column, message).with_remedy(remedy));
        return;
    }
    if kind.ends_with("List")
        && let Some(Content::List(items)) = node.field("items").map(|items| &items.content)
    {
        items.iter().for_each(|item| take(item, server, find, reading));
        return;
    }
    take_object(node, kind, api_version, server, find, reading);
}

fn take_object(node: &Node, kind: String, api_version: String, server: &Server, find: Find<'_>, reading: &mut Reading) {
    let mut places = Places::default();
    note_places(node, "", &mut places);
    let name = node.field("metadata").and_then(|metadata| metadata.field("name")).and_then(Node::text);
    let name = name.unwrap_or_default().to_owned();
    if api_version.starts_with(KUSTOMIZATION) {
        let (line, column) = places.find("kind");
        let message = unknown(node, &kind, &api_version, server);
        reading.problems.push(client_error(line, column, message).with_remedy(built()));
        return;
    }
    let value = node.to_value(true);
    // One of another group or version is told which ones there are.
    let any = || Kind::ALL.iter().copied().find(|known| known.as_str() == kind);
    let known = Kind::named(&api_version, &kind).or_else(any);
    let Some(known) = known.filter(|kind| !versions(*kind).is_empty()) else {
        if api_version == "apps/v1" && kind != "ControllerRevision" {
            let (line, column) = places.find("kind");
            reading.problems.push(client_error(line, column, unknown(node, &kind, &api_version, server)));
            return;
        }
        let value = node.to_value(false);
        let sent = value.clone();
        let line = node.line;
        return keep(Document { kind, api_version, name, line, value, sent, patched: None, places }, reading);
    };
    let versions = versions(known);
    let Some((_, type_name)) = versions.iter().find(|(version, _)| *version == api_version) else {
        let (line, column) = places.find("apiVersion");
        let message = unknown(node, &kind, &api_version, server);
        let remedy = match known {
            known if known.is_custom_resource() => {
                let read: Vec<&str> = versions.iter().map(|(version, _)| *version).collect();
                text!("{}s are read as {}", kind, read.join(", "))
            }
            _ => text!("{}s are served as apps/v1; the beta versions are gone since Kubernetes 1.16", kind),
        };
        reading.problems.push(client_error(line, column, message).with_remedy(remedy));
        return;
    };
    let namespace = node.field("metadata").and_then(|metadata| metadata.field("namespace")).and_then(Node::text);
    let namespace = namespace.filter(|namespace| !namespace.is_empty()).unwrap_or("default");
    // A custom resource is merged plainly.
    let held = if known.is_custom_resource() { None } else { find(known, namespace, &name) };
    let workload = strict::Workload { kind: known, type_name, value: &value, places: &places, name: &name, held };
    if let Some(strict::Read { value, sent, patched }) = strict::read(&workload, server, reading) {
        keep(Document { kind, api_version, name, line: node.line, value, sent, patched, places }, reading);
    }
}

fn unknown(node: &Node, kind: &str, api_version: &str, server: &Server) -> String {
    let word = |field: &str| node.field("metadata").and_then(|metadata| metadata.field(field)).and_then(Node::text);
    let place = ["namespace", "name"].map(|field| word(field).unwrap_or_default());
    no_matches(server.names_resource_mapping, kind, api_version, place)
}

/// What kubectl says of a kind that the server does not know. Models InfoForData, k8s.io/cli-runtime pkg/resource/mapper.go.
pub(super) fn no_matches(names_mapping: bool, kind: &str, api_version: &str, [namespace, name]: [&str; 2]) -> String {
    let no_matches = format!("no matches for kind \"{kind}\" in version \"{api_version}\"");
    if !names_mapping {
        return format!("unable to recognize \"STDIN\": {no_matches}");
    }
    format!(
        "resource mapping not found for name: \"{name}\" namespace: \"{namespace}\" from \"STDIN\": {no_matches}\n\
         ensure CRDs are installed first"
    )
}

fn keep(document: Document, reading: &mut Reading) {
    if document.name.is_empty() {
        let (line, column) = document.places.find("metadata.name");
        reading.problems.push(client_error(line, column, "resource name may not be empty"));
    } else {
        reading.documents.push(document);
    }
}

pub(super) fn note_places(node: &Node, path: &str, places: &mut Places) {
    if path.is_empty() {
        places.put("", node.line, node.column);
    }
    match &node.content {
        Content::Scalar(_) => {}
        Content::List(items) => {
            for (index, item) in items.iter().enumerate() {
                let path = format!("{path}[{index}]");
                places.put(&path, item.line, item.column);
                note_places(item, &path, places);
            }
        }
        Content::Map(fields) => {
            for (key, value) in fields {
                let path = if path.is_empty() { key.text.clone() } else { format!("{path}.{}", key.text) };
                places.put(&path, key.line, key.column);
                note_places(value, &path, places);
            }
        }
    }
}
