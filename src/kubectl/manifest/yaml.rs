//! YAML (and JSON, which is YAML) as a tree that knows where everything stands.

use super::scalar::resolve;
use crate::objects::json_text;
use crate::text::Text;
use saphyr_parser::{Event, Marker, Parser, ScalarStyle};
use serde_json::Value;
use std::collections::BTreeMap;

/// Nesting beyond this is refused.
const DEPTH: usize = 100;
/// Nodes beyond this, aliases expanded, are refused.
const NODES: usize = 200_000;

/// A node of the tree.
#[derive(Clone, Debug)]
pub(super) struct Node {
    pub(super) content: Content,
    pub(super) line: usize,
    pub(super) column: usize,
    size: usize,
}

#[derive(Clone, Debug)]
pub(super) enum Content {
    Scalar(Value),
    List(Vec<Node>),
    /// In the order of the text; a key may stand twice.
    Map(Vec<(Key, Node)>),
}

#[derive(Clone, Debug)]
pub(super) struct Key {
    pub(super) text: String,
    pub(super) line: usize,
    pub(super) column: usize,
}

/// Why a text cannot be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unreadable {
    /// Line, counted from 1.
    pub line: usize,
    /// Column, counted from 1.
    pub column: usize,
    /// What is wrong there.
    pub message: Text,
}

/// The documents of a text, and what stopped the reading, if anything did.
pub(super) fn parse(text: &str) -> (Vec<Node>, Option<Unreadable>) {
    if let Some(unreadable) = directive(text) {
        return (Vec::new(), Some(unreadable));
    }
    // For go-yaml a tab behind a key is as good as a space.
    let (documents, unreadable) = parse_as_written(text);
    match unreadable {
        Some(_) if text.contains(":\t") => {
            let (again, wrong) = parse_as_written(&text.replace(":\t", ": "));
            if wrong.is_none() { (again, None) } else { (documents, unreadable) }
        }
        unreadable => (documents, unreadable),
    }
}

/// kubectl cuts a text at its `---` before it reads it, so that a directive stands alone, and is refused.
fn directive(text: &str) -> Option<Unreadable> {
    let (index, line) = text.lines().enumerate().find(|(_, line)| !line.trim().is_empty() && !line.starts_with('#'))?;
    let rest = line.strip_prefix('%')?;
    let message = match rest.strip_prefix("YAML ") {
        Some(version) if version.trim() != "1.1" => "found incompatible YAML document",
        _ => "did not find expected <document start>",
    };
    Some(Unreadable { line: index + 1, column: 1, message: Text::verbatim(message) })
}

fn parse_as_written(text: &str) -> (Vec<Node>, Option<Unreadable>) {
    let mut documents = Vec::new();
    let mut builder = Builder { parser: Parser::new_from_str(text), anchors: BTreeMap::new(), nodes: 0 };
    loop {
        match builder.next() {
            Ok(Some((Event::DocumentStart(_), _))) => match builder.node(0) {
                Ok(node) => documents.push(node),
                Err(unreadable) => return (documents, Some(unreadable)),
            },
            Ok(Some(_)) => {}
            Ok(None) => return (documents, None),
            Err(unreadable) => return (documents, Some(unreadable)),
        }
    }
}

struct Builder<'a> {
    parser: Parser<'a, saphyr_parser::StrInput<'a>>,
    anchors: BTreeMap<usize, Node>,
    nodes: usize,
}

fn at(marker: Marker, message: Text) -> Unreadable {
    Unreadable { line: marker.line(), column: marker.col() + 1, message }
}

impl<'a> Builder<'a> {
    fn next(&mut self) -> Result<Option<(Event<'a>, Marker)>, Unreadable> {
        match self.parser.next() {
            None => Ok(None),
            Some(Ok((event, span))) => Ok(Some((event, span.start))),
            Some(Err(error)) => Err(at(*error.marker(), Text::verbatim(error.info()))),
        }
    }

    fn expect(&mut self) -> Result<(Event<'a>, Marker), Unreadable> {
        self.next()?.ok_or_else(|| at(Marker::default(), text!("the text ends in the middle of a document")))
    }

    fn node(&mut self, depth: usize) -> Result<Node, Unreadable> {
        let (event, marker) = self.expect()?;
        self.node_from(event, marker, depth)
    }

    fn node_from(&mut self, event: Event<'a>, marker: Marker, depth: usize) -> Result<Node, Unreadable> {
        if depth > DEPTH {
            return Err(at(marker, text!("nested more than {} levels deep", DEPTH)));
        }
        let (content, anchor) = match event {
            Event::Alias(anchor) => {
                let known = self.anchors.get(&anchor).cloned();
                let node = known.ok_or_else(|| at(marker, text!("unknown anchor, or one that contains itself")))?;
                self.nodes += node.size;
                self.check_size(marker)?;
                return Ok(node);
            }
            Event::Scalar(text, style, anchor, tag) => {
                let is_text = style != ScalarStyle::Plain || tag.is_some_and(|tag| tag.suffix == "str");
                let value = if is_text { Value::String(text.into_owned()) } else { resolve(&text) };
                (Content::Scalar(value), anchor)
            }
            Event::SequenceStart(anchor, _) => (self.list(depth)?, anchor),
            Event::MappingStart(anchor, _) => (self.map(depth)?, anchor),
            _ => (Content::Scalar(Value::Null), 0),
        };
        self.nodes += 1;
        self.check_size(marker)?;
        let size = 1 + match &content {
            Content::Scalar(_) => 0,
            Content::List(items) => items.iter().map(|item| item.size).sum(),
            Content::Map(fields) => fields.iter().map(|(_, node)| node.size).sum(),
        };
        let node = Node { content, line: marker.line(), column: marker.col() + 1, size };
        if anchor > 0 {
            self.anchors.insert(anchor, node.clone());
        }
        Ok(node)
    }

    fn check_size(&self, marker: Marker) -> Result<(), Unreadable> {
        if self.nodes > NODES {
            return Err(at(marker, text!("more than {} values once aliases are expanded", NODES)));
        }
        Ok(())
    }

    fn list(&mut self, depth: usize) -> Result<Content, Unreadable> {
        let mut items = Vec::new();
        loop {
            let (event, marker) = self.expect()?;
            if matches!(event, Event::SequenceEnd) {
                return Ok(Content::List(items));
            }
            items.push(self.node_from(event, marker, depth + 1)?);
        }
    }

    fn map(&mut self, depth: usize) -> Result<Content, Unreadable> {
        let mut fields: Vec<(Key, Node)> = Vec::new();
        let mut merged: Vec<(Key, Node)> = Vec::new();
        loop {
            let (event, marker) = self.expect()?;
            if matches!(event, Event::MappingEnd) {
                break;
            }
            let is_plain = matches!(&event, Event::Scalar(_, ScalarStyle::Plain, _, _));
            let key = self.node_from(event, marker, depth + 1)?;
            let value = self.node(depth + 1)?;
            let text = match key.content {
                Content::Scalar(Value::String(text)) => text,
                Content::Scalar(other) => json_text(&other),
                _ => return Err(at(marker, text!("a key must be a text"))),
            };
            if is_plain && text == "<<" {
                merge(value, &mut merged);
            } else {
                fields.push((Key { text, line: marker.line(), column: marker.col() + 1 }, value));
            }
        }
        merged.retain(|(key, _)| !fields.iter().any(|(own, _)| own.text == key.text));
        fields.extend(merged);
        Ok(Content::Map(fields))
    }
}

/// The fields a merge key brings in; of several maps the first counts.
fn merge(value: Node, into: &mut Vec<(Key, Node)>) {
    match value.content {
        Content::Map(fields) => {
            for (key, node) in fields {
                if !into.iter().any(|(own, _)| own.text == key.text) {
                    into.push((key, node));
                }
            }
        }
        Content::List(items) => items.into_iter().for_each(|item| merge(item, into)),
        Content::Scalar(_) => {}
    }
}

impl Node {
    pub(super) fn field(&self, name: &str) -> Option<&Node> {
        let Content::Map(fields) = &self.content else { return None };
        fields.iter().rev().find(|(key, _)| key.text == name).map(|(_, node)| node)
    }

    pub(super) fn text(&self) -> Option<&str> {
        if let Content::Scalar(Value::String(text)) = &self.content { Some(text) } else { None }
    }

    /// The plain value; of a key that stands twice the last one counts, and null fields are left out unless `nulls`.
    pub(super) fn to_value(&self, nulls: bool) -> Value {
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
