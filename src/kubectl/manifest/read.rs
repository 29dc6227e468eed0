//! A text as the documents in it, and everything that is wrong with them.

use super::place::Places;
use super::strict;
use super::yaml::{Content, Node, parse};
use crate::objects::schema::versions;
use crate::objects::{Kind, Server};
use serde_json::Value;

/// Longer texts are refused.
const LONGEST: usize = 1 << 20;

/// What was read.
#[derive(Clone, Debug, PartialEq)]
pub struct Reading {
    /// Every document that could be read.
    pub documents: Vec<Document>,
    /// What was wrong, and what is worth knowing.
    pub diagnostics: Vec<Diagnostic>,
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
    /// Its content.
    pub value: Value,
    /// Where its fields stand.
    pub places: Places,
}

/// Whether something hinders.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Severity {
    /// Nothing is applied while it is there.
    Error,
    /// Worth knowing.
    Note,
}

/// Something to tell about the text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// Whether it hinders.
    pub severity: Severity,
    /// Line, counted from 1.
    pub line: Option<usize>,
    /// Column, counted from 1.
    pub column: Option<usize>,
    /// kubectl's or the API server's words.
    pub message: String,
    /// What would be right, in ours.
    pub hint: Option<String>,
}

impl Diagnostic {
    pub(super) fn error(line: usize, column: usize, message: impl Into<String>) -> Self {
        let (line, column) = (Some(line), Some(column));
        Self { severity: Severity::Error, line, column, message: message.into(), hint: None }
    }

    pub(super) fn hinting(self, hint: impl Into<String>) -> Self {
        Self { hint: Some(hint.into()), ..self }
    }
}

/// Reads YAML or JSON with one or several documents, Lists unpacked. What can be read is read even beside what cannot.
pub fn read(text: &str, server: &Server) -> Reading {
    let mut reading = Reading { documents: Vec::new(), diagnostics: Vec::new() };
    if text.len() > LONGEST {
        let message = format!("the text is {} bytes long; at most {LONGEST} are read", text.len());
        reading.diagnostics.push(Diagnostic::error(1, 1, message));
        return reading;
    }
    let (documents, unreadable) = parse(text);
    for document in &documents {
        take(document, server, &mut reading);
    }
    if let Some(unreadable) = unreadable {
        let message = format!(
            "error: error parsing STDIN: error converting YAML to JSON: yaml: line {}: {}",
            unreadable.line, unreadable.message
        );
        reading.diagnostics.push(Diagnostic::error(unreadable.line.max(1), unreadable.column, message));
    }
    if reading.documents.is_empty() && reading.diagnostics.is_empty() {
        let hint = "a StatefulSet starts with `apiVersion: apps/v1` and `kind: StatefulSet`";
        reading.diagnostics.push(Diagnostic::error(1, 1, "error: no objects passed to apply").hinting(hint));
    }
    reading
}

fn take(node: &Node, server: &Server, reading: &mut Reading) {
    let fields = match &node.content {
        Content::Scalar(Value::Null) => return,
        Content::Map(fields) => fields,
        _ => {
            let message = "error validating data: invalid object to validate";
            let hint = "a document is a map with apiVersion, kind and metadata";
            reading.diagnostics.push(Diagnostic::error(node.line, node.column, message).hinting(hint));
            return;
        }
    };
    let word = |name: &str| node.field(name).and_then(Node::text).unwrap_or_default().to_owned();
    let (kind, api_version) = (word("kind"), word("apiVersion"));
    let missing: Vec<&str> = [("apiVersion not set", &api_version), ("kind not set", &kind)]
        .iter()
        .filter(|(_, word)| word.is_empty())
        .map(|(words, _)| *words)
        .collect();
    if !missing.is_empty() {
        let message = match missing.len() {
            1 => strict::validation_error(missing[0]),
            _ => strict::validation_error(&format!("[{}]", missing.join(", "))),
        };
        let hint = "a StatefulSet starts with `apiVersion: apps/v1` and `kind: StatefulSet`";
        let (line, column) = fields.first().map_or((node.line, node.column), |(key, _)| (key.line, key.column));
        reading.diagnostics.push(Diagnostic::error(line, column, message).hinting(hint));
        return;
    }
    if kind.ends_with("List")
        && let Some(Content::List(items)) = node.field("items").map(|items| &items.content)
    {
        items.iter().for_each(|item| take(item, server, reading));
        return;
    }
    take_object(node, kind, api_version, server, reading);
}

fn take_object(node: &Node, kind: String, api_version: String, server: &Server, reading: &mut Reading) {
    let mut places = Places::default();
    note_places(node, "", &mut places);
    let name = node.field("metadata").and_then(|metadata| metadata.field("name")).and_then(Node::text);
    let name = name.unwrap_or_default().to_owned();
    let value = node.to_value(true);
    let Some(known) = Kind::named(&kind).filter(|kind| !versions(kind.as_str()).is_empty()) else {
        let message = format!("{kind} {name} is kept, not simulated");
        let (line, column) = places.find("kind");
        let (line, column) = (Some(line), Some(column));
        reading.diagnostics.push(Diagnostic { severity: Severity::Note, line, column, message, hint: None });
        let value = node.to_value(false);
        return keep(Document { kind, api_version, name, line: node.line, value, places }, reading);
    };
    let versions = versions(known.as_str());
    let Some((_, type_name)) = versions.iter().find(|(version, _)| *version == api_version) else {
        let (line, column) = places.find("apiVersion");
        let message =
            format!("unable to recognize \"STDIN\": no matches for kind \"{kind}\" in version \"{api_version}\"");
        let hint = match known {
            Kind::CloneSet => "CloneSets are read as apps.kruise.io/v1beta1 or apps.kruise.io/v1alpha1".to_owned(),
            _ => format!("{kind}s are served as apps/v1; the beta versions are gone since Kubernetes 1.16"),
        };
        reading.diagnostics.push(Diagnostic::error(line, column, message).hinting(hint));
        return;
    };
    let workload = strict::Workload { kind: known.as_str(), type_name, value: &value, places: &places };
    if let Some(value) = strict::read(&workload, server, reading) {
        keep(Document { kind, api_version, name, line: node.line, value, places }, reading);
    }
}

fn keep(document: Document, reading: &mut Reading) {
    if document.name.is_empty() {
        let (line, column) = document.places.find("metadata.name");
        reading.diagnostics.push(Diagnostic::error(line, column, "error: resource name may not be empty"));
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
