//! Fields of a spec as controls: with their value, what they do and their kubectl line.

use super::{FieldInput, MoreField};
use crate::kubectl::command_line;
use crate::objects::{ObjectRef, json_text};
use crate::session::{Command, patch_of};
use crate::text::{Text, ToArg};
use serde_json::Value;

/// A field of a spec.
#[derive(Clone, Copy)]
pub(super) struct Field {
    path: &'static str,
    input: FieldInput,
    means: &'static str,
}

impl Field {
    /// A path below `spec`, what it takes and what it does; that text has a hole for the example of a list.
    pub(super) const fn new(path: &'static str, input: FieldInput, means: &'static str) -> Self {
        Self { path, input, means }
    }
}

/// The choices of `updateStrategy.type`.
pub(super) const TYPES: [&str; 2] = ["RollingUpdate", "OnDelete"];

/// An example of `weightPriority`.
pub(super) const WEIGHTS: &str = r#"[{"weight":50,"matchSelector":{"matchLabels":{"tier":"test"}}}]"#;
/// An example of `orderPriority`.
pub(super) const ORDERED_KEY: &str = r#"[{"orderedKey":"order"}]"#;

/// A field of this spec.
pub(super) fn field(set: &ObjectRef, spec: &Value, Field { path, input, means }: Field) -> MoreField {
    let value = match path.split('.').fold(spec, |value, name| &value[name]) {
        Value::Null => String::new(),
        Value::String(text) => text.clone(),
        other => json_text(other),
    };
    // Of a field that is not set it is the line that takes it away.
    let kubectl = command_line(&Command::patch(set.clone(), patch_of(path, &value).into()));
    let means = match input {
        FieldInput::Json(example) => Text::filled(means, vec![example.to_arg()]),
        _ => Text::fixed(means),
    };
    MoreField { path, value, input, means, kubectl }
}
