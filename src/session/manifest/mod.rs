//! Manifests: text in, documents out. JSON only so far.

use serde_json::Value;

/// What was read.
pub struct Reading {
    /// Every document that could be read.
    pub documents: Vec<Document>,
    /// What was wrong.
    pub diagnostics: Vec<Diagnostic>,
}

/// One object.
pub struct Document {
    /// Its kind.
    pub kind: String,
    /// Its name.
    pub name: String,
    /// Where it starts.
    pub line: usize,
    /// Its content.
    pub value: Value,
    /// Where its fields stand.
    pub places: Places,
}

/// Where fields stand in the text.
pub struct Places;

impl Places {
    /// Line and column of a field.
    pub fn find(&self, _path: &str) -> (usize, usize) {
        (1, 1)
    }
}

/// Whether it hinders.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Severity {
    /// It does.
    Error,
    /// It does not.
    Note,
}

/// Something to tell.
pub struct Diagnostic {
    /// Whether it hinders.
    pub severity: Severity,
    /// Where.
    pub line: Option<usize>,
    /// Where in the line.
    pub column: Option<usize>,
    /// The words.
    pub message: String,
    /// What would be right.
    pub hint: Option<String>,
}

/// Reads a manifest.
pub fn read(text: &str) -> Reading {
    match serde_json::from_str::<Value>(text) {
        Ok(value) => {
            let word = |value: &Value| value.as_str().unwrap_or_default().to_owned();
            let (kind, name) = (word(&value["kind"]), word(&value["metadata"]["name"]));
            Reading { documents: vec![Document { kind, name, line: 1, value, places: Places }], diagnostics: vec![] }
        }
        Err(error) => {
            let (line, column) = (Some(error.line()), Some(error.column()));
            let message = error.to_string();
            Reading {
                documents: vec![],
                diagnostics: vec![Diagnostic { severity: Severity::Error, line, column, message, hint: None }],
            }
        }
    }
}

/// Writes a manifest.
pub fn write(value: &Value) -> String {
    serde_json::to_string_pretty(value).unwrap_or_default()
}
