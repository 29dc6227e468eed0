//! A value as Go decodes it into a type of the API and writes it again: unknown fields, wrong types, empty fields left out,
//! quantities in their canonical form. Models encoding/json with sigs.k8s.io/json's strict errors.

use super::json::quoted;
use super::quantity::{canonical, is_lossy, quantity_error};
use super::schema::{Field, Type, fields, go_name};
use super::{Server, Time, json_iterator, json_text};
use crate::objects::json_object;
use crate::text::Text;
use serde_json::{Map, Value, json};

/// The path of a value: with list indexes, and as Go's decoder names it.
#[derive(Clone, Default)]
struct Path {
    exact: String,
    plain: String,
}

impl Path {
    fn field(&self, name: &str) -> Self {
        let join = |path: &str| if path.is_empty() { name.to_owned() } else { format!("{path}.{name}") };
        Self { exact: join(&self.exact), plain: join(&self.plain) }
    }

    fn item(&self, index: usize) -> Self {
        Self { exact: format!("{}[{index}]", self.exact), plain: self.plain.clone() }
    }

    fn key(&self, name: &str) -> Self {
        Self { exact: format!("{}.{name}", self.exact), plain: self.plain.clone() }
    }
}

/// What is wrong with a field: where it is, the server's words, and what would be right.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Wrong {
    /// Such as `spec.template.spec.containers[0].ports`.
    pub(crate) path: String,
    /// Go's or kubectl's words.
    pub(crate) message: String,
    /// The type that it should be of in the server's schema, if it is of another.
    pub(crate) expected: Option<&'static str>,
    /// What would be right, in our words.
    pub(crate) remedy: Option<Text>,
    /// The words of the converter that a strategic patch's outcome goes through, if it is of another type; none for types with a
    /// decoder of their own.
    pub(crate) unconverted: Option<String>,
}

/// What was read.
#[derive(Debug)]
pub(crate) struct Decoded {
    /// The value as the server holds it, with the empty lists and maps that it was given. Of what cannot be decoded nothing is
    /// left.
    pub(crate) value: Value,
    /// The first field that is of another type.
    pub(crate) mismatch: Option<Wrong>,
    /// Fields that the type does not have.
    pub(crate) unknown: Vec<Wrong>,
}

/// Reads a value as the type of this name.
pub(crate) fn decode(value: &Value, type_name: &'static str, server: &Server) -> Decoded {
    let mut decoder = Decoder { server, mismatch: None, aborted: false, unknown: Vec::new() };
    let read = decoder.structure(value, type_name, &Path::default(), type_name);
    let mut mismatch = decoder.mismatch;
    if let Some(wrong) = mismatch.as_mut().filter(|_| server.json_iterator && !type_name.starts_with("CloneSet"))
        && let Some(words) = json_iterator::error(value, type_name, server.types)
    {
        wrong.message = words;
    }
    Decoded { value: read, mismatch, unknown: decoder.unknown }
}

fn is_empty(value: &Value) -> bool {
    value.as_array().is_some_and(Vec::is_empty) || value.as_object().is_some_and(Map::is_empty)
}

/// A value of this type as it is written: without the fields that are left out when they are empty.
pub(crate) fn written(value: &Value, type_name: &'static str) -> Value {
    written_as(value, &Type::Struct(type_name))
}

fn written_as(value: &Value, of: &Type) -> Value {
    match (of, value) {
        (Type::Struct(type_name), Value::Object(given)) => {
            let known = fields(type_name);
            let pair = |(name, value): (&String, &Value)| {
                let Some(field) = known.iter().find(|field| field.name == *name) else {
                    return Some((name.clone(), value.clone()));
                };
                let value = written_as(value, &field.of);
                (field.is_written(&value) || !is_empty(&value)).then_some((name.clone(), value))
            };
            json_object(given.iter().filter_map(pair))
        }
        (Type::List(inner), Value::Array(items)) => items.iter().map(|item| written_as(item, inner)).collect(),
        (Type::Map(inner), Value::Object(fields)) if **inner == Type::Quantity => {
            json_object(fields.iter().map(|(name, value)| (name.clone(), written_as(value, inner))))
        }
        (Type::Quantity, Value::String(text)) => canonical(text).map_or_else(|| value.clone(), Value::String),
        (_, value) => value.clone(),
    }
}

/// A stored value of this type as Go writes it: structs that are no pointers are there even if they are empty.
pub(crate) fn served(value: &Value, type_name: &'static str, server: &Server) -> Value {
    served_as(value, &Type::Struct(type_name), server)
}

fn served_as(value: &Value, of: &Type, server: &Server) -> Value {
    match (of, value) {
        (Type::Struct(type_name), Value::Object(given)) => {
            let mut all = given.clone();
            if *type_name == "ObjectMeta" && server.writes_no_time {
                all.entry("creationTimestamp").or_insert(Value::Null);
            }
            for field in fields(type_name).iter().filter(|field| field.exists(server.types)) {
                match (&field.of, given.get(field.name)) {
                    (Type::Struct(_), None | Some(Value::Null)) if !field.pointer => {
                        all.insert(field.name.to_owned(), served_as(&json!({}), &field.of, server));
                    }
                    (of, Some(value)) => drop(all.insert(field.name.to_owned(), served_as(value, of, server))),
                    _ => {}
                }
            }
            Value::Object(all)
        }
        (Type::List(inner), Value::Array(items)) => items.iter().map(|item| served_as(item, inner, server)).collect(),
        (_, value) => value.clone(),
    }
}

struct Decoder<'a> {
    server: &'a Server,
    mismatch: Option<Wrong>,
    aborted: bool,
    unknown: Vec<Wrong>,
}

impl Decoder<'_> {
    fn structure(&mut self, value: &Value, type_name: &'static str, path: &Path, owner: &str) -> Value {
        let empty = Map::new();
        let given = match value {
            Value::Object(given) => given,
            Value::Null => &empty,
            _ => {
                self.mismatched(value, &Type::Struct(type_name), path, owner);
                &empty
            }
        };
        let known = fields(type_name);
        let mut written = Map::new();
        for (key, value) in given {
            if known.iter().any(|field| field.name == *key && field.exists(self.server.types)) {
                continue;
            }
            let near =
                nearest(key, known.iter().filter(|field| field.exists(self.server.types)).map(|field| field.name));
            let path = path.field(key).exact;
            let message = format!("unknown field {}", quoted(&path));
            let remedy = near.map(|near| text!("did you mean `{}`?", near));
            self.unknown.push(Wrong { path, message, expected: None, remedy, unconverted: None });
            let _ = value;
        }
        // In the order of the text: kubectl sends the fields by name.
        let mut ordered: Vec<&Field> = known.iter().filter(|field| field.exists(self.server.types)).collect();
        ordered.sort_by_key(|field| field.name);
        for field in ordered {
            let value = given.get(field.name).unwrap_or(&Value::Null);
            let decoded = match (value, &field.of) {
                (Value::Null, Type::Struct(inner)) if !field.pointer => {
                    self.structure(value, inner, &path.field(field.name), type_name)
                }
                (Value::Null, Type::Text(_)) if field.always && !field.pointer => "".into(),
                (Value::Null, Type::Int32 | Type::Int64 | Type::IntOrString) if field.always && !field.pointer => {
                    0.into()
                }
                (Value::Null, Type::Bool) if field.always => false.into(),
                (Value::Null, Type::Quantity) if !field.pointer && field.name == "divisor" => "0".into(),
                (Value::Null, _) => Value::Null,
                (value, of) => self.value(value, of, &path.field(field.name), type_name),
            };
            if field.is_written(&decoded) || is_empty(&decoded) {
                written.insert(field.name.to_owned(), decoded);
            }
        }
        self.unknown.sort_by(|a, b| a.path.cmp(&b.path));
        Value::Object(written)
    }

    fn value(&mut self, value: &Value, of: &Type, path: &Path, owner: &str) -> Value {
        if value.is_null() {
            return zero(of);
        }
        match (of, value) {
            (Type::Any, _)
            | (Type::Text(_), Value::String(_))
            | (Type::Bool, Value::Bool(_))
            | (Type::IntOrString, Value::String(_)) => value.clone(),
            (Type::Int32 | Type::IntOrString, Value::Number(number))
                if number.as_i64().is_some_and(|number| i32::try_from(number).is_ok()) =>
            {
                value.clone()
            }
            (Type::Int64, Value::Number(number)) if number.is_i64() => value.clone(),
            (Type::Time, Value::String(text)) => self.time(text, path),
            (Type::Quantity, _) => self.quantity(value, path),
            (Type::Struct(inner), Value::Object(_)) => self.structure(value, inner, path, owner),
            (Type::List(inner), Value::Array(items)) => items
                .iter()
                .enumerate()
                .map(|(index, item)| self.value(item, inner, &path.item(index), owner))
                .collect(),
            (Type::Map(inner), Value::Object(fields)) => Value::Object(
                fields
                    .iter()
                    .map(|(key, value)| (key.clone(), self.value(value, inner, &path.key(key), owner)))
                    .collect(),
            ),
            _ => {
                self.mismatched(value, of, path, owner);
                Value::Null
            }
        }
    }

    fn time(&mut self, text: &str, path: &Path) -> Value {
        if let Some(words) = Time::layout_error(text) {
            self.abort(path, words, &Type::Time);
        }
        text.into()
    }

    fn quantity(&mut self, value: &Value, path: &Path) -> Value {
        let text = value.as_str().map_or_else(|| json_text(value), str::to_owned);
        if let Some(words) = quantity_error(text.trim()) {
            self.abort(path, words.to_owned(), &Type::Quantity);
        }
        // What its stored form does not say is still checked.
        if is_lossy(text.trim()) {
            return text.trim().into();
        }
        canonical(text.trim()).map_or(Value::Null, Value::String)
    }

    /// What a type's own decoder refuses ends the whole decoding.
    fn abort(&mut self, path: &Path, message: String, expected: &Type) {
        if !std::mem::replace(&mut self.aborted, true) {
            self.mismatch = Some(Self::of_another_type(path, message, expected));
        }
    }

    fn of_another_type(path: &Path, message: String, expected: &Type) -> Wrong {
        let remedy = Some(text!("`{}` takes {}", path.exact, expected.plain_name()));
        Wrong { path: path.exact.clone(), message, expected: Some(expected.schema_name()), remedy, unconverted: None }
    }

    fn mismatched(&mut self, value: &Value, of: &Type, path: &Path, owner: &str) {
        let go_type = if *of == Type::IntOrString { "int32".to_owned() } else { of.go_name() };
        let message = format!(
            "json: cannot unmarshal {} into Go struct field {owner}.{} of type {go_type}",
            given_type(value, of),
            path.plain
        );
        if *of == Type::IntOrString {
            return self.abort(path, message, of);
        }
        if self.mismatch.is_none() {
            let wrong = Self::of_another_type(path, message, of);
            self.mismatch = Some(Wrong { unconverted: Some(unconverted(value, of)), ..wrong });
        }
    }
}

/// Models FromUnstructured, runtime/converter.go of apimachinery.
fn unconverted(value: &Value, of: &Type) -> String {
    let given = match value {
        Value::Array(_) => "slice",
        Value::Object(_) => "map",
        Value::Bool(_) => "bool",
        Value::Number(number) if number.is_f64() => "float64",
        Value::Number(_) => "int64",
        Value::String(_) | Value::Null => "string",
    };
    match of {
        Type::Struct(_) => format!("cannot restore struct from: {given}"),
        Type::Map(_) => format!("cannot restore map from {given}"),
        Type::List(_) => format!("cannot restore slice from {given}"),
        Type::Text(_) => "unrecognized type: string".to_owned(),
        other => format!("unrecognized type: {}", other.go_name()),
    }
}

/// The zero value that null decodes to in a list or a map.
fn zero(of: &Type) -> Value {
    match of {
        Type::Text(_) => "".into(),
        Type::Int32 | Type::Int64 | Type::IntOrString => 0.into(),
        Type::Bool => false.into(),
        Type::Quantity => "0".into(),
        Type::Struct(_) => json!({}),
        Type::List(_) | Type::Map(_) | Type::Time | Type::Any => Value::Null,
    }
}

fn given_type(value: &Value, of: &Type) -> String {
    match value {
        Value::Array(_) => "array".to_owned(),
        Value::Object(_) => "object".to_owned(),
        Value::Bool(_) => "bool".to_owned(),
        Value::String(_) => "string".to_owned(),
        Value::Null => "null".to_owned(),
        Value::Number(_) if matches!(of, Type::Int32 | Type::Int64 | Type::IntOrString) => {
            format!("number {}", json_text(value))
        }
        Value::Number(_) => "number".to_owned(),
    }
}

/// What kubectl found wrong by the server's schema, before servers decoded strictly: unknown fields, types, then what is
/// required. Models k8s.io/kubectl/pkg/util/openapi/validation (1.20).
pub(crate) fn check_schema(value: &Value, kind: &'static str, server: &Server) -> Vec<Wrong> {
    let mut check = SchemaCheck { types: server.types, kind, wrong: Vec::new() };
    check.structure(value, kind, "");
    check.wrong
}

/// Fields that are required by now, and were not while kubectl checked the schema.
const OPTIONAL_THEN: [(&str, &str); 1] = [("HostAlias", "ip")];

struct SchemaCheck {
    types: u32,
    kind: &'static str,
    wrong: Vec<Wrong>,
}

impl SchemaCheck {
    fn say(&mut self, path: &str, at: &str, text: String, remedy: Option<Text>) {
        let full = if path.is_empty() { self.kind.to_owned() } else { format!("{}.{path}", self.kind) };
        let message = format!("ValidationError({full}): {text}");
        self.wrong.push(Wrong { path: at.to_owned(), message, expected: None, remedy, unconverted: None });
    }

    fn structure(&mut self, value: &Value, type_name: &'static str, path: &str) {
        let Value::Object(given) = value else { return };
        let known = fields(type_name);
        let at = |name: &str| if path.is_empty() { name.to_owned() } else { format!("{path}.{name}") };
        for (key, value) in given.iter().filter(|(_, value)| !value.is_null()) {
            match known.iter().find(|field| field.name == *key && field.exists(self.types)) {
                Some(field) => {
                    self.value(value, &field.of, &at(key), &format!("{}.{key}", api_name(type_name, self.types)))
                }
                None => {
                    let text = format!("unknown field {} in {}", quoted(key), api_name(type_name, self.types));
                    let near =
                        nearest(key, known.iter().filter(|field| field.exists(self.types)).map(|field| field.name));
                    self.say(path, &at(key), text, near.map(|near| text!("did you mean `{}`?", near)));
                }
            }
        }
        let is_required = |field: &&Field| field.required && !OPTIONAL_THEN.contains(&(type_name, field.name));
        let missing = known.iter().filter(is_required).filter(|field| given.get(field.name).is_none_or(Value::is_null));
        for field in missing {
            let text = format!("missing required field \"{}\" in {}", field.name, api_name(type_name, self.types));
            self.say(path, path, text, Some(text!("it takes {}", field.of.plain_name())));
        }
    }

    fn value(&mut self, value: &Value, of: &Type, path: &str, named: &str) {
        let name = match of {
            Type::Struct(inner) => api_name(inner, self.types),
            Type::Quantity => "io.k8s.apimachinery.pkg.api.resource.Quantity".to_owned(),
            Type::IntOrString => "io.k8s.apimachinery.pkg.util.intstr.IntOrString".to_owned(),
            Type::Time => "io.k8s.apimachinery.pkg.apis.meta.v1.Time".to_owned(),
            _ => named.to_owned(),
        };
        let fits = match (of, value) {
            (Type::Any, _) => true,
            (Type::Struct(inner), Value::Object(_)) => {
                self.structure(value, inner, path);
                true
            }
            (Type::List(inner), Value::Array(items)) => {
                for (index, item) in items.iter().enumerate() {
                    let at = format!("{path}[{index}]");
                    if item.is_null() {
                        let text = format!("unknown object type \"nil\" in {}.{at}", self.kind);
                        self.say(path, &at, text, None);
                    } else {
                        self.value(item, inner, &at, named);
                    }
                }
                true
            }
            (Type::Map(inner), Value::Object(fields)) => {
                for (key, value) in fields {
                    let at = format!("{path}.{key}");
                    if value.is_null() {
                        let message = format!("unknown object type \"nil\" in {}.{at}", self.kind);
                        self.wrong.push(Wrong { path: at, message, expected: None, remedy: None, unconverted: None });
                    } else {
                        self.value(value, inner, &at, named);
                    }
                }
                true
            }
            (Type::Struct(_) | Type::List(_) | Type::Map(_), _) | (_, Value::Array(_) | Value::Object(_)) => false,
            (Type::Int32 | Type::Int64, value) => value.is_number(),
            (Type::Bool, value) => value.is_boolean(),
            _ => true,
        };
        if !fits {
            let (got, expected) = (schema_type_of(value), of.schema_name());
            let text = format!("invalid type for {name}: got \"{got}\", expected \"{expected}\"");
            self.say(path, path, text, Some(text!("`{}` takes {}", path, of.plain_name())));
        }
    }
}

fn schema_type_of(value: &Value) -> &'static str {
    match value {
        Value::Array(_) => "array",
        Value::Object(_) => "map",
        Value::Bool(_) => "boolean",
        Value::Number(number) if number.is_i64() || number.is_u64() => "integer",
        Value::Number(_) => "number",
        _ => "string",
    }
}

/// The type's name in the server's schema.
fn api_name(type_name: &'static str, types: u32) -> String {
    let package = match type_name {
        "ObjectMeta" | "OwnerReference" | "LabelSelector" | "LabelSelectorRequirement" | "ManagedFieldsEntry" => {
            "io.k8s.apimachinery.pkg.apis.meta.v1"
        }
        _ if ["StatefulSet", "Deployment", "ReplicaSet", "DaemonSet"].iter().any(|kind| type_name.contains(kind)) => {
            "io.k8s.api.apps.v1"
        }
        _ => "io.k8s.api.core.v1",
    };
    format!("{package}.{}", go_name(type_name, types))
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
