//! Fields of a spec as controls: with their value, what they do and their kubectl line.

use super::MoreField;
use crate::kubectl::command_line;
use crate::objects::{ObjectRef, json_text};
use crate::session::{Command, patch_of};
use crate::text::{Text, ToArg};
use serde_json::Value;

/// A path below `spec`, the values it can have (any, if there are none) and what it does, with a hole for an example if the
/// path has one.
pub(super) type Field = (&'static str, &'static [&'static str], &'static str);

/// The choices of `updateStrategy.type`.
pub(super) const TYPES: [&str; 2] = ["RollingUpdate", "OnDelete"];
/// The choices of a boolean.
pub(super) const SWITCH: [&str; 2] = ["true", "false"];

/// An example of a value that is written as JSON.
fn example(path: &str) -> Option<&'static str> {
    Some(match path {
        "updateStrategy.rollingUpdate.priorityStrategy.weightPriority"
        | "updateStrategy.rollingUpdate.unorderedUpdate.priorityStrategy.weightPriority" => {
            r#"[{"weight":50,"matchSelector":{"matchLabels":{"tier":"test"}}}]"#
        }
        "updateStrategy.rollingUpdate.priorityStrategy.orderPriority"
        | "updateStrategy.rollingUpdate.unorderedUpdate.priorityStrategy.orderPriority" => {
            r#"[{"orderedKey":"order"}]"#
        }
        "updateStrategy.rollingUpdate.scatterStrategy" => r#"[{"key":"tier","value":"test"}]"#,
        "reserveOrdinals" => r#"[1,"4-6"]"#,
        "scaleStrategy.podsToDelete" => r#"["clones-4jdjt"]"#,
        _ => return None,
    })
}

/// A field of this spec.
pub(super) fn field(set: &ObjectRef, spec: &Value, (path, options, means): Field) -> MoreField {
    let value = match path.split('.').fold(spec, |value, name| &value[name]) {
        Value::Null => String::new(),
        Value::String(text) => text.clone(),
        other => json_text(other),
    };
    // Of a field that is not set it is the line that takes it away.
    let kubectl = command_line(&Command::patch(set.clone(), patch_of(path, &value).into()));
    let means = Text::filled(means, example(path).iter().map(ToArg::to_arg).collect());
    MoreField { path, value, options, means, kubectl }
}
