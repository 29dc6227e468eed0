//! YAML as a tree that knows where everything stands, read as go-yaml v2 reads it, which kubectl reads manifests with: YAML 1.1,
//! with its limits and in its words.
//!
//! The scanner and the parser are our own: libyaml-safer 0.3.0, a port of libyaml as go-yaml is one, reads all that was recorded of
//! kubectl in the same way, but panics on damaged texts where a line ends with the input.

mod parser;
mod scalar;
mod scanner;

pub(crate) use scalar::resolve;

use serde_json::Value;

/// Where a part of a text starts, counted from 0.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Start {
    pub(crate) line: usize,
    pub(crate) column: usize,
}

/// A node of the tree.
#[derive(Clone, Debug)]
pub(crate) struct Node {
    pub(crate) content: Content,
    /// Counted from 1.
    pub(crate) line: usize,
    /// Counted from 1.
    pub(crate) column: usize,
    /// How many nodes it is, aliases expanded.
    size: usize,
}

#[derive(Clone, Debug)]
pub(crate) enum Content {
    Scalar(Value),
    List(Vec<Node>),
    /// In the order of the text; a key may stand twice.
    Map(Vec<(Key, Node)>),
}

#[derive(Clone, Debug)]
pub(crate) struct Key {
    pub(crate) text: String,
    pub(crate) line: usize,
    pub(crate) column: usize,
}

/// Why a text cannot be read, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Unreadable {
    /// Counted from 1.
    pub(crate) line: usize,
    /// Counted from 1.
    pub(crate) column: usize,
    pub(crate) problem: Problem,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Problem {
    /// In go-yaml's words. The line that they name is counted in the document, and by go-yaml's own rule.
    Read(String),
    /// Nested deeper than so many levels.
    TooDeep(usize),
    /// More nodes than so many once aliases are expanded.
    TooMany(usize),
    KeyIsNoText,
}

/// The first document of a text that starts there and has at most so many nodes, aliases expanded; none if there is none.
pub(crate) fn read(text: &str, start: Start, most_nodes: usize) -> Result<Option<Node>, Unreadable> {
    parser::Parser::read(text, start, most_nodes)
}

impl Node {
    pub(crate) fn field(&self, name: &str) -> Option<&Node> {
        let Content::Map(fields) = &self.content else { return None };
        fields.iter().rev().find(|(key, _)| key.text == name).map(|(_, node)| node)
    }

    pub(crate) fn text(&self) -> Option<&str> {
        if let Content::Scalar(Value::String(text)) = &self.content { Some(text) } else { None }
    }

    /// The plain value; of a key that stands twice the last one counts, and null fields are left out unless `nulls`.
    pub(crate) fn to_value(&self, nulls: bool) -> Value {
        match &self.content {
            Content::Scalar(value) => value.clone(),
            Content::List(items) => Value::Array(items.iter().map(|item| item.to_value(nulls)).collect()),
            Content::Map(fields) => Value::Object(
                fields
                    .iter()
                    .map(|(key, node)| (key.text.clone(), node.to_value(nulls)))
                    .filter(|(_, value)| nulls || !value.is_null())
                    .collect(),
            ),
        }
    }
}
