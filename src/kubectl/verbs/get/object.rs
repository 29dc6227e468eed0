//! `kubectl get -o yaml`, `-o json` and `-o name`: objects as they are stored, every field by its name.
//! Models k8s.io/cli-runtime pkg/printers.

use super::Form;
use crate::kubectl::manifest;
use crate::kubectl::text::qualified;
use crate::objects::{Object, write_json};
use serde_json::{Value, json};

/// The objects in this form: one that is asked for by its name alone, others as a list.
pub(super) fn objects(objects: &[&Object], form: Form, alone: bool) -> String {
    if form == Form::Name {
        let name = |object: &&Object| format!("{}/{}\n", qualified(object.kind()), object.metadata().name);
        return objects.iter().map(name).collect();
    }
    let value = match objects {
        [one] if alone => one.to_json(),
        all => {
            let items: Vec<Value> = all.iter().map(|object| object.to_json()).collect();
            json!({"apiVersion": "v1", "items": items, "kind": "List", "metadata": {"resourceVersion": ""}})
        }
    };
    if form == Form::Yaml {
        return manifest::write_by_name(&value);
    }
    let mut text = String::new();
    write_indented(&value, 0, &mut text);
    text + "\n"
}

/// JSON as Go's encoder writes it with an indent of four.
fn write_indented(value: &Value, depth: usize, text: &mut String) {
    let (brackets, inner): ([char; 2], Vec<(Option<&String>, &Value)>) = match value {
        Value::Object(fields) => (['{', '}'], fields.iter().map(|(key, inner)| (Some(key), inner)).collect()),
        Value::Array(items) => (['[', ']'], items.iter().map(|inner| (None, inner)).collect()),
        scalar => return write_json(scalar, text),
    };
    text.push(brackets[0]);
    for (at, (key, inner)) in inner.iter().enumerate() {
        text.push_str(if at > 0 { ",\n" } else { "\n" });
        text.push_str(&"    ".repeat(depth + 1));
        if let Some(key) = key {
            write_json(&Value::String((*key).clone()), text);
            text.push_str(": ");
        }
        write_indented(inner, depth + 1, text);
    }
    if !inner.is_empty() {
        text.push('\n');
        text.push_str(&"    ".repeat(depth));
    }
    text.push(brackets[1]);
}
