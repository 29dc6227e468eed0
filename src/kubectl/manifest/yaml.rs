//! The documents of a text, cut as kubectl cuts them: YAML, or JSON, which is YAML too.

use crate::go_yaml::{self, Node, Problem, Start};
use crate::text::Text;
use std::ops::Range;

/// Nodes beyond this, aliases expanded, are refused, unless the text is longer: without aliases it has fewer nodes than bytes.
const NODES: usize = 200_000;

/// Why a text cannot be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unreadable {
    /// Line, counted from 1.
    pub line: usize,
    /// Column, counted from 1.
    pub column: usize,
    /// What is wrong there. The line it names is counted in the document, and by go-yaml's own rule.
    pub message: Text,
}

impl From<go_yaml::Unreadable> for Unreadable {
    fn from(go_yaml::Unreadable { line, column, problem }: go_yaml::Unreadable) -> Self {
        let message = match problem {
            Problem::Read(words) => Text::verbatim(words),
            Problem::TooDeep(levels) => text!("nested more than {} levels deep", levels),
            Problem::TooMany(nodes) => text!("more than {} values once aliases are expanded", nodes),
            Problem::KeyIsNoText => text!("a key must be a text"),
        };
        Self { line, column, message }
    }
}

/// The documents of a text, and what stopped the reading, if anything did.
pub(super) fn parse(text: &str) -> (Vec<Node>, Option<Unreadable>) {
    let mut documents = Vec::new();
    for (line, document) in cut(text) {
        match parse_document(&text[document], Start { line, column: 0 }) {
            Ok(node) => documents.extend(node),
            Err(unreadable) => return (documents, Some(unreadable)),
        }
    }
    (documents, None)
}

/// The first document of a text; none if there is none.
pub(super) fn parse_document(text: &str, start: Start) -> Result<Option<Node>, Unreadable> {
    Ok(go_yaml::read(text, start, NODES.max(text.len()))?)
}

/// The same of a text that is one of many: its aliases do not make it longer.
pub(super) fn parse_piece(text: &str, start: Start) -> Result<Option<Node>, Unreadable> {
    Ok(go_yaml::read(text, start, text.len())?)
}

/// Cuts a text as kubectl does: at lines of three hyphens, or JSON behind each value. Each part comes with the number of
/// lines before it. Of a part only the first document is read, as kubectl does.
pub(super) fn cut(text: &str) -> Vec<(usize, Range<usize>)> {
    if text.trim_start().starts_with('{')
        && let Some(values) = json_values(text)
    {
        return values;
    }
    let mut parts = Vec::new();
    let (mut from, mut first_line, mut at) = (0, 0, 0);
    for (index, line) in text.split_inclusive('\n').enumerate() {
        let ends = line.strip_prefix("---").is_some_and(|rest| rest.trim().is_empty()) && at > from;
        at += line.len();
        if ends {
            parts.push((first_line, from..at - line.len()));
            (from, first_line) = (at, index + 1);
        }
    }
    parts.push((first_line, from..text.len()));
    parts
}

/// The values of a text of several JSON values; none of any other text.
pub(super) fn json_values(text: &str) -> Option<Vec<(usize, Range<usize>)>> {
    let mut values = serde_json::Deserializer::from_str(text).into_iter::<serde::de::IgnoredAny>();
    let (mut parts, mut from) = (Vec::new(), 0);
    while let Some(value) = values.next() {
        value.ok()?;
        let to = values.byte_offset();
        parts.push((text[..from].matches('\n').count(), from..to));
        from = to;
    }
    (parts.len() > 1).then_some(parts)
}

#[cfg(test)]
mod tests {
    use super::parse;
    use serde_json::{Value, json};

    #[track_caller]
    fn reads(text: &str, want: Value) {
        let (documents, unreadable) = parse(text);
        assert_eq!(unreadable, None, "{text}");
        let values: Vec<Value> = documents.iter().map(|node| node.to_value(true)).collect();
        assert_eq!(Value::Array(values), want, "{text}");
    }

    #[test]
    fn texts_are_read_as_kubectl_reads_them() {
        reads("a: 1\nb:\n- x\n-  - v\n   - z\n-\n", json!([{"a": 1, "b": ["x", ["v", "z"], null]}]));
        reads("a: b c\n  d\n\n  f # e\n", json!([{"a": "b c d\nf"}]));
        reads(
            "a: 'it''s\n\n\n  x' # y\nb: \"\\x41\\\n   \\u00e9 \\\"\"\n",
            json!([{"a": "it's\n\nx", "b": "A\u{e9} \""}]),
        );
        reads(
            "a: |\n  x\n   y\n\n  z\nb: >-\n  x\n  y\n\n  z\nc: |+\n  x\n\n",
            json!([{"a": "x\n y\n\nz\n", "b": "x y\nz", "c": "x\n\n"}]),
        );
        reads("{a: [1, {b: c}, d: e], f: , \"g\":1}", json!([{"a": [1, {"b": "c"}, {"d": "e"}], "f": null, "g": 1}]));
        reads(
            "a: &x {b: 1}\nc: {<<: *x, d: 2}\ne: *x\n",
            json!([{"a": {"b": 1}, "c": {"b": 1, "d": 2}, "e": {"b": 1}}]),
        );
        reads("? a\n: b\n? c\n", json!([{"a": "b", "c": null}]));
        reads("---\na: 1\n--- \nb: 2\n---\n", json!([{"a": 1}, {"b": 2}]));
        reads("{\"a\": 1}\n{\"b\": 2}\n", json!([{"a": 1}, {"b": 2}]));
        reads("a:\tb\nc: !!str 1\nd: !!int \"3\"\n", json!([{"a": "b", "c": "1", "d": 3}]));
        // The lines of a quoted scalar may stand as far left as they like.
        reads("a:\n  b: 'x\n  y\nz'\n", json!([{"a": {"b": "x y z"}}]));
        // Only the first document between two lines of three hyphens is read.
        reads("a: 1\n...\nb: 2\n", json!([{"a": 1}]));
        reads("", json!([]));
    }

    #[test]
    fn what_cannot_be_read_is_said_in_the_words_of_go_yaml() {
        for (text, want) in [
            ("a: 1\n b: 2\n", "yaml: line 2: mapping values are not allowed in this context"),
            ("a:\n  b: 1\n c: 2\n", "yaml: line 2: did not find expected key"),
            ("a: [1, 2\nb: 3\n", "yaml: line 1: did not find expected ',' or ']'"),
            ("a: 'x\n", "yaml: line 2: found unexpected end of stream"),
            ("a: *x\n", "yaml: unknown anchor 'x' referenced"),
            ("a: @x\n", "yaml: found character that cannot start any token"),
            ("a: 1\nb\nc: 2\n", "yaml: line 3: could not find expected ':'"),
            ("a: !!int x\n", "yaml: cannot decode !!str `x` as a !!int"),
            ("a: .inf\n", "json: unsupported value: +Inf"),
            ("a: \u{1}\n", "yaml: control characters are not allowed"),
        ] {
            assert_eq!(parse(text).1.map(|it| it.message.to_string()).as_deref(), Some(want), "{text}");
        }
        let mut deep = "[".repeat(5_000);
        deep.push_str(&"]".repeat(5_000));
        assert!(parse(&deep).1.is_some(), "nothing overflows the stack");
        let bomb: String = (1..30).map(|it| format!("a{it}: &a{it} [*a{0}, *a{0}]\n", it - 1)).collect();
        assert!(parse(&format!("a0: &a0 x\n{bomb}")).1.is_some(), "aliases do not multiply without end");
    }
}
