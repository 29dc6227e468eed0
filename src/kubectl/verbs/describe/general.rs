//! `kubectl describe` of a kind that kubectl does not know.

use super::{marks, name_and_space};
use crate::kubectl::text::word;
use crate::objects::Object;
use serde_json::Value;

/// A kind that kubectl does not know: every field, by the words of its name.
pub(super) fn describe(object: &Object) -> String {
    let metadata = object.metadata();
    let mut value = object.to_json();
    let mut text = name_and_space(metadata) + &marks(metadata);
    if let Some(fields) = value.get_mut("metadata").and_then(Value::as_object_mut) {
        ["name", "namespace", "labels", "annotations"].iter().for_each(|name| drop(fields.remove(*name)));
    }
    fields(&value, 0, &mut text);
    text
}

fn fields(value: &Value, depth: usize, text: &mut String) {
    let Some(object) = value.as_object() else { return };
    let mut names: Vec<&String> = object.keys().collect();
    names.sort();
    let indent = "  ".repeat(depth);
    for name in names {
        let title = title(name);
        match &object[name] {
            Value::Object(_) => {
                text.push_str(&format!("{indent}{title}:\n"));
                fields(&object[name], depth + 1, text);
            }
            Value::Array(items) => {
                text.push_str(&format!("{indent}{title}:\n"));
                for item in items {
                    match item {
                        Value::Object(_) => fields(item, depth + 1, text),
                        plain => text.push_str(&format!("{indent}  {}\n", word(plain))),
                    }
                }
            }
            plain => text.push_str(&format!("{indent}{title}:\t{}\n", word(plain))),
        }
    }
}

/// `Max Unavailable` of `maxUnavailable`; what is no name of a field stands as it is.
fn title(name: &str) -> String {
    if !name.chars().all(|letter| letter.is_alphabetic() || letter == '-') {
        return name.to_owned();
    }
    let mut words = String::new();
    for (at, letter) in name.char_indices() {
        let before = name[..at].chars().next_back();
        if letter.is_ascii_uppercase() && before.is_some_and(|before| before.is_ascii_lowercase()) {
            words.push(' ');
        }
        words.push(if at == 0 { letter.to_ascii_uppercase() } else { letter });
    }
    let short = |word: &str| if matches!(word, "Api" | "Uid" | "Url") { word.to_uppercase() } else { word.to_owned() };
    words.split(' ').map(short).collect::<Vec<_>>().join(" ")
}
