//! The types of the API as their JSON is: every field with its type, what is required, and what is written though it is empty.

use super::Kind;
use super::go_types::{go_fields, go_types};
use crate::text::Text;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;

/// The type of a field.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Type {
    /// A text, and Go's name of its type.
    Text(&'static str),
    Int32,
    Int64,
    Bool,
    Quantity,
    IntOrString,
    Time,
    Any,
    List(Box<Type>),
    Map(Box<Type>),
    Struct(&'static str),
}

impl Type {
    fn of(go_type: &'static str) -> Self {
        let go_type = go_type.trim_start_matches('*');
        let inner = |item| Box::new(Self::of(item));
        if let Some(item) = go_type.strip_prefix("[]") {
            return Self::List(inner(item));
        }
        if let Some(item) = go_type.strip_prefix("map[string]") {
            return Self::Map(inner(item));
        }
        match go_type {
            "ResourceList" => Self::Map(Box::new(Self::Quantity)),
            "int32" => Self::Int32,
            "int64" => Self::Int64,
            "bool" => Self::Bool,
            "resource.Quantity" => Self::Quantity,
            "intstr.IntOrString" => Self::IntOrString,
            "Time" => Self::Time,
            "any" => Self::Any,
            name if go_fields(name).is_some() => Self::Struct(name),
            name => Self::Text(name),
        }
    }

    /// The type in Go.
    pub(super) fn go_name(&self) -> String {
        match self {
            Self::Text(name) if *name == "string" || name.contains('.') => (*name).to_owned(),
            Self::Text(name) => format!("v1.{name}"),
            Self::Int32 => "int32".to_owned(),
            Self::Int64 => "int64".to_owned(),
            Self::Bool => "bool".to_owned(),
            Self::Quantity => "resource.Quantity".to_owned(),
            Self::IntOrString => "intstr.IntOrString".to_owned(),
            Self::Time => "string".to_owned(),
            Self::Any => "interface {}".to_owned(),
            Self::List(inner) => format!("[]{}", inner.go_name()),
            Self::Map(inner) => format!("map[string]{}", inner.go_name()),
            Self::Struct(name) => format!("v1.{name}"),
        }
    }

    /// The type in the server's schema.
    pub(super) fn schema_name(&self) -> &'static str {
        match self {
            Self::List(_) => "array",
            Self::Int32 | Self::Int64 => "integer",
            Self::Bool => "boolean",
            Self::Map(_) | Self::Struct(_) | Self::Any => "map",
            Self::Text(_) | Self::Quantity | Self::IntOrString | Self::Time => "string",
        }
    }

    /// What a field of the type takes.
    pub(super) fn plain_name(&self) -> Text {
        match self {
            Self::List(_) => text!("a list"),
            Self::Map(_) => text!("a map"),
            Self::Int32 => text!("a whole number of 32 bits"),
            Self::Int64 => text!("a whole number"),
            Self::Bool => text!("true or false"),
            Self::Text(_) => text!("a text; put it in quotes"),
            Self::Quantity => text!("a quantity such as 500m or 1Gi"),
            Self::IntOrString => text!("a number or a text"),
            Self::Time => text!("a time"),
            Self::Struct(_) | Self::Any => text!("a map of fields"),
        }
    }
}

/// Types that have another name since a release: theirs by now, the last minor release before, and what they were called.
const RENAMED: [(&str, u32, &str); 3] = [
    ("LifecycleHandler", 22, "Handler"),
    ("ProbeHandler", 22, "Handler"),
    ("VolumeResourceRequirements", 28, "ResourceRequirements"),
];

/// What a type is called among the types of 1.`types`.
pub(super) fn go_name(type_name: &'static str, types: u32) -> &'static str {
    let renamed = RENAMED.iter().find(|(now, until, _)| *now == type_name && types <= *until);
    renamed.map_or(type_name, |(_, _, before)| before)
}

/// A field of a type.
#[derive(Clone, Debug)]
pub(super) struct Field {
    pub(super) name: &'static str,
    pub(super) of: Type,
    pub(super) required: bool,
    pub(super) pointer: bool,
    pub(super) always: bool,
    since: u32,
    until: u32,
}

impl Field {
    /// Whether the types of 1.`types` have the field.
    pub(super) fn exists(&self, types: u32) -> bool {
        (self.since..=self.until).contains(&types)
    }

    /// Whether Go writes the field when it has this value.
    pub(super) fn is_written(&self, value: &Value) -> bool {
        match value {
            Value::Null => false,
            _ if self.pointer || self.always => true,
            Value::Bool(value) => *value,
            Value::Number(number) => number.as_i64() != Some(0),
            Value::String(text) => !text.is_empty(),
            Value::Array(items) => !items.is_empty(),
            Value::Object(fields) => matches!(self.of, Type::Struct(_)) || !fields.is_empty(),
        }
    }
}

/// Adds the fields of a type as they stand in JSON: those of an embedded type beside its own, and one that has changed its type once, as
/// it is by now.
fn flatten(type_name: &str, (first, last): (u32, u32), into: &mut Vec<Field>) {
    for field in go_fields(type_name).into_iter().flatten() {
        let (since, until) = field.releases();
        let (since, until) = (since.max(first), until.min(last));
        if field.is_embedded {
            flatten(field.go_type, (since, until), into);
            continue;
        }
        let (of, pointer) = (Type::of(field.go_type), field.go_type.starts_with('*'));
        if let Some(known) = into.iter_mut().find(|known| known.name == field.json) {
            (known.of, known.pointer, known.until) = (of, pointer, until);
            continue;
        }
        let (name, required, always) = (field.json.as_str(), field.is_required, field.is_always);
        into.push(Field { name, of, required, pointer, always, since, until });
    }
}

static SCHEMA: LazyLock<BTreeMap<&'static str, Vec<Field>>> = LazyLock::new(|| {
    let fields = |name: &'static str| {
        let mut fields = Vec::new();
        flatten(name, (0, u32::MAX), &mut fields);
        (name, fields)
    };
    go_types().map(fields).collect()
});

static NAMES: LazyLock<BTreeSet<&'static str>> =
    LazyLock::new(|| SCHEMA.values().flatten().map(|field| field.name).collect());

/// Whether a field of any type here has the name.
pub(crate) fn is_api_field(name: &str) -> bool {
    NAMES.contains(name)
}

/// The fields of a type; none of one that is not in the table.
pub(super) fn fields(type_name: &str) -> &'static [Field] {
    SCHEMA.get(type_name).map_or(&[], Vec::as_slice)
}

/// The versions in which a workload is read, and the type that each is; none for any other kind.
pub(crate) fn versions(kind: Kind) -> &'static [(&'static str, &'static str)] {
    match kind {
        Kind::StatefulSet => &[("apps/v1", "StatefulSet")],
        Kind::Deployment => &[("apps/v1", "Deployment")],
        Kind::ReplicaSet => &[("apps/v1", "ReplicaSet")],
        Kind::DaemonSet => &[("apps/v1", "DaemonSet")],
        Kind::CloneSet => &[("apps.kruise.io/v1beta1", "CloneSet"), ("apps.kruise.io/v1alpha1", "CloneSetOfV1alpha1")],
        Kind::AdvancedStatefulSet => &[("apps.kruise.io/v1beta1", "AdvancedStatefulSet")],
        Kind::Pod | Kind::PersistentVolumeClaim | Kind::ControllerRevision | Kind::Node => &[],
    }
}

/// The type as which a workload is stored.
pub(super) fn type_of(kind: Kind) -> &'static str {
    versions(kind).first().map_or(kind.as_str(), |(_, name)| name)
}

#[cfg(test)]
mod tests {
    use super::{SCHEMA, Type, fields};

    #[test]
    fn every_type_that_is_named_exists_and_no_field_stands_twice() {
        fn named(of: &Type) -> Option<&'static str> {
            match of {
                Type::List(inner) | Type::Map(inner) => named(inner),
                Type::Struct(name) => Some(name),
                _ => None,
            }
        }
        for (name, own) in SCHEMA.iter() {
            let mut seen = std::collections::BTreeSet::new();
            for field in own {
                assert!(seen.insert(field.name), "{name}.{} stands twice", field.name);
                let known = named(&field.of).is_none_or(|inner| !fields(inner).is_empty());
                assert!(known, "{name}.{} has the unknown type {:?}", field.name, field.of);
            }
        }
    }
}
