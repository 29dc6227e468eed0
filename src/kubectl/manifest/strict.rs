//! Strict decoding of a StatefulSet: unknown and duplicate fields and wrong types, in the API server's words.

use super::read::{Diagnostic, Reading};
use super::schema;
use super::yaml::{Content, Key, Node};
use crate::objects::Server;
use serde_json::Value;

/// Reports everything that is refused. Says whether there was nothing.
pub(super) fn check(node: &Node, server: &Server, reading: &mut Reading) -> bool {
    let mut check = Check { server, kind: "StatefulSet".to_owned(), problems: Vec::new() };
    check.fields(node, "StatefulSet", "");
    let fine = check.problems.is_empty();
    reading.diagnostics.extend(check.problems);
    fine
}

/// The same for a workload that is no StatefulSet.
pub(super) fn check_workload(
    node: &Node,
    kind: &str,
    api_version: &str,
    server: &Server,
    reading: &mut Reading,
) -> bool {
    let mut check = Check { server, kind: kind.to_owned(), problems: Vec::new() };
    let type_name = if api_version.ends_with("v1alpha1") { "CloneSetOfV1alpha1" } else { kind };
    check.fields(node, type_name, "");
    let fine = check.problems.is_empty();
    reading.diagnostics.extend(check.problems);
    fine
}

fn join(path: &str, field: &str) -> String {
    if path.is_empty() { field.to_owned() } else { format!("{path}.{field}") }
}

struct Check<'a> {
    server: &'a Server,
    kind: String,
    problems: Vec<Diagnostic>,
}

impl Check<'_> {
    fn fields(&mut self, node: &Node, type_name: &str, path: &str) {
        let (Content::Map(given), Some(known)) = (&node.content, schema::fields(type_name, self.server.minor)) else {
            return;
        };
        for (index, (key, value)) in given.iter().enumerate() {
            let full = join(path, &key.text);
            self.duplicate(&given[..index], key, &full);
            match known.clone().find(|(name, _)| *name == key.text) {
                Some((_, of)) => self.value(value, of, &full, type_name),
                None => {
                    let message = if self.server.decodes_strictly {
                        format!("strict decoding error: unknown field \"{full}\"")
                    } else {
                        let what = format!("unknown field \"{}\" in {}", key.text, api_name(type_name));
                        invalid_data(path, &what)
                    };
                    let near = nearest(&key.text, known.clone().map(|(name, _)| name));
                    let hint = near.map(|near| format!("did you mean `{near}`?"));
                    self.problems.push(Diagnostic { hint, ..Diagnostic::error(key.line, key.column, message) });
                }
            }
        }
    }

    /// Before strict decoding the last of two fields counted, and nobody said so.
    fn duplicate(&mut self, earlier: &[(Key, Node)], key: &Key, full: &str) {
        if self.server.decodes_strictly && earlier.iter().any(|(other, _)| other.text == key.text) {
            let message = format!("strict decoding error: duplicate field \"{full}\"");
            self.problems.push(Diagnostic::error(key.line, key.column, message).hinting("keep one of the two"));
        }
    }

    fn wrong(&mut self, node: &Node, of: &str, path: &str, owner: &str) {
        if self.kind != "StatefulSet" {
            return self.wrong_in_workload(node, of, path, owner);
        }
        let message = if self.server.decodes_strictly {
            format!(
                "StatefulSet in version \"v1\" cannot be handled as a StatefulSet: json: cannot unmarshal {} into Go \
                 struct field {owner}.{} of type {}",
                given_type(node),
                without_indices(path),
                go_type(of)
            )
        } else {
            let field = path.rsplit('.').next().unwrap_or_default();
            let (given, wanted) = (schema_type_of(node), schema_type(of));
            let what = format!("invalid type for {}.{field}: got \"{given}\", expected \"{wanted}\"", api_name(owner));
            invalid_data(path, &what)
        };
        let hint = format!("`{path}` takes {}", plain_type(of));
        self.problems.push(Diagnostic::error(node.line, node.column, message).hinting(hint));
    }

    /// A custom resource is checked against its schema, whose words differ from those of Go's decoder.
    #[inline(never)]
    fn wrong_in_workload(&mut self, node: &Node, of: &str, path: &str, owner: &str) {
        let kind = &self.kind;
        let message = if kind == "CloneSet" {
            let (given, wanted) = (schema_type_of(node), schema_type(of).replace("map", "object"));
            format!(
                "The CloneSet is invalid: {path}: Invalid value: \"{given}\": {path} in body must be of type {wanted}: \"{given}\""
            )
        } else {
            format!(
                "{kind} in version \"v1\" cannot be handled as a {kind}: json: cannot unmarshal {} into Go struct field \
                 {owner}.{} of type {}",
                given_type(node),
                without_indices(path),
                go_type(of)
            )
        };
        let hint = format!("`{path}` takes {}", plain_type(of));
        self.problems.push(Diagnostic::error(node.line, node.column, message).hinting(hint));
    }

    fn value(&mut self, node: &Node, of: &str, path: &str, owner: &str) {
        if matches!(node.content, Content::Scalar(Value::Null)) {
            return;
        }
        if let Some(inner) = of.strip_prefix('[').and_then(|of| of.strip_suffix(']')) {
            let Content::List(items) = &node.content else { return self.wrong(node, of, path, owner) };
            for (index, item) in items.iter().enumerate() {
                self.value(item, inner, &format!("{path}[{index}]"), owner);
            }
        } else if let Some(inner) = of.strip_prefix('{').and_then(|of| of.strip_suffix('}')) {
            let Content::Map(fields) = &node.content else { return self.wrong(node, of, path, owner) };
            for (index, (key, value)) in fields.iter().enumerate() {
                let full = join(path, &key.text);
                self.duplicate(&fields[..index], key, &full);
                self.value(value, inner, &full, owner);
            }
        } else if of.starts_with(|first: char| first.is_ascii_uppercase()) {
            match &node.content {
                Content::Map(_) => self.fields(node, of, path),
                _ => self.wrong(node, of, path, owner),
            }
        } else if !scalar_fits(node, of) {
            self.wrong(node, of, path, owner);
        }
    }
}

/// What kubectl said of data that did not fit the server's schema, before servers decoded strictly.
fn invalid_data(path: &str, what: &str) -> String {
    format!(
        "error: error validating \"STDIN\": error validating data: ValidationError({}): {what}; if you choose to ignore \
         these errors, turn validation off with --validate=false",
        join("StatefulSet", path).trim_end_matches('.')
    )
}

/// The type's name in the server's schema.
fn api_name(type_name: &str) -> String {
    let package = match type_name {
        "ObjectMeta" | "OwnerReference" | "LabelSelector" | "LabelSelectorRequirement" => {
            "io.k8s.apimachinery.pkg.apis.meta.v1"
        }
        _ if type_name.contains("StatefulSet") => "io.k8s.api.apps.v1",
        _ => "io.k8s.api.core.v1",
    };
    format!("{package}.{type_name}")
}

fn schema_type(of: &str) -> &'static str {
    match of.chars().next() {
        Some('[') => "array",
        Some('i' | 'l') => "integer",
        Some('b') => "boolean",
        Some('s' | 'q' | 'x' | 't') => "string",
        _ => "map",
    }
}

fn schema_type_of(node: &Node) -> &'static str {
    match &node.content {
        Content::List(_) => "array",
        Content::Map(_) => "map",
        Content::Scalar(Value::Bool(_)) => "boolean",
        Content::Scalar(Value::Number(number)) if number.is_i64() => "integer",
        Content::Scalar(Value::Number(_)) => "number",
        Content::Scalar(_) => "string",
    }
}

/// Go's decoder names the path without the places in lists.
fn without_indices(path: &str) -> String {
    let mut plain = String::with_capacity(path.len());
    let mut inside = false;
    for character in path.chars() {
        match character {
            '[' => inside = true,
            ']' => inside = false,
            _ if !inside => plain.push(character),
            _ => {}
        }
    }
    plain
}

fn scalar_fits(node: &Node, of: &str) -> bool {
    let Content::Scalar(value) = &node.content else { return of == "a" };
    match of {
        "s" | "t" => value.is_string(),
        "i" => value.as_i64().is_some_and(|number| i32::try_from(number).is_ok()),
        "l" => value.is_i64(),
        "b" => value.is_boolean(),
        "q" | "x" => value.is_string() || value.is_number(),
        _ => true,
    }
}

fn given_type(node: &Node) -> String {
    match &node.content {
        Content::List(_) => "array".to_owned(),
        Content::Map(_) => "object".to_owned(),
        Content::Scalar(Value::Bool(_)) => "bool".to_owned(),
        Content::Scalar(Value::Number(number))
            if !number.is_i64() || number.as_i64().is_some_and(|it| i32::try_from(it).is_err()) =>
        {
            format!("number {number}")
        }
        Content::Scalar(Value::Number(_)) => "number".to_owned(),
        Content::Scalar(_) => "string".to_owned(),
    }
}

fn go_type(of: &str) -> String {
    if let Some(inner) = of.strip_prefix('[').and_then(|of| of.strip_suffix(']')) {
        return format!("[]{}", go_type(inner));
    }
    if let Some(inner) = of.strip_prefix('{').and_then(|of| of.strip_suffix('}')) {
        return format!("map[string]{}", go_type(inner));
    }
    match of {
        "s" => "string".to_owned(),
        "i" => "int32".to_owned(),
        "l" => "int64".to_owned(),
        "b" => "bool".to_owned(),
        "q" => "resource.Quantity".to_owned(),
        "x" => "intstr.IntOrString".to_owned(),
        "t" => "v1.Time".to_owned(),
        _ => format!("v1.{of}"),
    }
}

fn plain_type(of: &str) -> &'static str {
    match of.chars().next() {
        Some('[') => "a list",
        Some('{') => "a map",
        Some('i') => "a whole number of 32 bits",
        Some('l') => "a whole number",
        Some('b') => "true or false",
        Some('s') => "a text; put it in quotes",
        Some('q') => "a quantity such as 500m or 1Gi",
        Some('x') => "a number or a text",
        Some('t') => "a time",
        _ => "a map of fields",
    }
}

/// The known name nearest to what was typed, at most two edits away.
fn nearest(typed: &str, known: impl Iterator<Item = &'static str>) -> Option<&'static str> {
    known
        .map(|name| (if name.eq_ignore_ascii_case(typed) { 0 } else { edits(typed, name) }, name))
        .filter(|(edits, name)| *edits <= 2 && *edits < name.len())
        .min_by_key(|(edits, _)| *edits)
        .map(|(_, name)| name)
}

/// How many characters must be put in, taken out or changed.
fn edits(a: &str, b: &str) -> usize {
    if a.len().abs_diff(b.len()) > 2 {
        return usize::MAX;
    }
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, from) in a.chars().enumerate() {
        let mut before = row[0];
        row[0] = i + 1;
        for (j, to) in b.iter().enumerate() {
            let changed = before + usize::from(from != *to);
            before = row[j + 1];
            row[j + 1] = changed.min(before + 1).min(row[j] + 1);
        }
    }
    row[b.len()]
}
