//! Values and their types in Go's words, as the server's messages have them.

use serde_json::Value;

pub(super) fn bad_type(item: &Value) -> String {
    format!("expected a map[string]interface {{}}, but received a {}", go_type(item))
}

pub(super) fn go_type(value: &Value) -> &'static str {
    match value {
        Value::Null => "%!s(<nil>)",
        Value::Bool(_) => "bool",
        Value::Number(number) if number.is_f64() => "float64",
        Value::Number(_) => "int64",
        Value::String(_) => "string",
        Value::Array(_) => "[]interface {}",
        Value::Object(_) => "map[string]interface {}",
    }
}

pub(super) fn go_list(items: &[Value]) -> String {
    let items: Vec<String> = items.iter().map(go_text).collect();
    format!("[{}]", items.join(" "))
}

/// A value as Go's `%v` prints it.
pub(in crate::objects) fn go_text(value: &Value) -> String {
    match value {
        Value::Object(fields) => {
            let fields: Vec<String> = fields.iter().map(|(key, value)| format!("{key}:{}", go_text(value))).collect();
            format!("map[{}]", fields.join(" "))
        }
        Value::Array(items) => go_list(items),
        Value::String(text) => text.clone(),
        Value::Null => "<nil>".to_owned(),
        other => other.to_string(),
    }
}
