//! Objects as JSON values and back, and JSON text as Go writes it.

use super::shared;
use serde::de::{Deserialize, DeserializeOwned, Deserializer};
use serde::ser::Serialize;
use serde_json::{Map, Number, Value};
use std::fmt;
use std::rc::Rc;

/// Every type of the API as a JSON value.
pub trait Json: Serialize + DeserializeOwned {
    /// Takes the value apart. A missing field and a null one are both the type's default, as for Go.
    ///
    /// # Errors
    /// Something in it is of another type.
    fn from_json(value: Value) -> Result<Self, Mismatch> {
        Self::deserialize(value).map_err(|error| Mismatch(error.to_string()))
    }

    /// The value, with the fields that Go writes.
    fn to_json(&self) -> Value {
        serde_json::to_value(self).unwrap_or_default()
    }
}

impl<T: Serialize + DeserializeOwned> Json for T {}

/// A JSON object of these fields; of a name that comes twice the last one counts.
pub(crate) fn object(fields: impl IntoIterator<Item = (String, Value)>) -> Value {
    let mut map = Map::new();
    for (name, value) in fields {
        map.insert(name, value);
    }
    Value::Object(map)
}

/// A field of an object, which is made where there is none.
pub(crate) fn field<'v>(value: &'v mut Value, name: &str) -> &'v mut Value {
    if !value.is_object() {
        *value = Value::Object(Map::new());
    }
    &mut value[name]
}

/// The value at a path, which is made where there is none.
pub(crate) fn slot<'v>(value: &'v mut Value, path: &str) -> &'v mut Value {
    path.split('.').fold(value, |value, step| {
        let Some((name, index)) = step.split_once('[') else { return field(value, step) };
        let index: usize = index.trim_end_matches(']').parse().unwrap_or(0);
        let list = field(value, name);
        if !list.is_array() {
            *list = Value::Array(Vec::new());
        }
        while list.as_array().is_some_and(|list| list.len() <= index) {
            list.as_array_mut().into_iter().for_each(|list| list.push(Value::Null));
        }
        &mut list[index]
    })
}

/// What is wrong with a value that is not of its field's type, in serde's words.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Mismatch(String);

impl fmt::Display for Mismatch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Mismatch {}

/// Reads a field that Go leaves at its zero value where it is null.
pub(crate) fn nullable<'de, D: Deserializer<'de>, T: Deserialize<'de> + Default>(
    deserializer: D,
) -> Result<T, D::Error> {
    Option::deserialize(deserializer).map(Option::unwrap_or_default)
}

/// Reads a text as a shared one; a null one is empty.
pub(super) fn text<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Rc<str>, D::Error> {
    let text: Option<std::borrow::Cow<'de, str>> = Option::deserialize(deserializer)?;
    Ok(shared(text.as_deref().unwrap_or_default()))
}

/// Whether `omitempty` leaves the value out.
pub(crate) fn is_zero<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}

/// What Go's encoder escapes beside control characters.
const GO_ESCAPES: &str = "<>&\u{2028}\u{2029}";

/// Compact JSON.
pub(crate) fn json_text(value: &Value) -> String {
    let mut text = String::new();
    write_json(value, &mut text);
    text
}

/// Compact JSON as Go's encoder writes it: `<`, `>`, `&`, the two line separators and control characters escaped.
pub(crate) fn write_json(value: &Value, text: &mut String) {
    match value {
        Value::Null => text.push_str("null"),
        Value::Bool(value) => text.push_str(if *value { "true" } else { "false" }),
        Value::Number(number) => write_number(number, text),
        Value::String(string) => write_quoted(string, GO_ESCAPES, text),
        Value::Array(items) => {
            text.push('[');
            for (index, item) in items.iter().enumerate() {
                if index > 0 {
                    text.push(',');
                }
                write_json(item, text);
            }
            text.push(']');
        }
        Value::Object(fields) => {
            text.push('{');
            for (index, (key, value)) in fields.iter().enumerate() {
                if index > 0 {
                    text.push(',');
                }
                write_quoted(key, GO_ESCAPES, text);
                text.push(':');
                write_json(value, text);
            }
            text.push('}');
        }
    }
}

/// A string as Go prints it with %q.
pub(crate) fn quoted(text: &str) -> String {
    let mut shown = "\"".to_owned();
    for letter in text.chars() {
        match letter {
            '"' | '\\' => shown.extend(['\\', letter]),
            '\'' => shown.push(letter),
            '\0'..='\u{1f}' | '\u{7f}' => match "\u{7}\u{8}\t\n\u{b}\u{c}\r".find(letter) {
                Some(at) => shown.extend(['\\', char::from(b"abtnvfr"[at])]),
                None => shown.push_str(&format!("\\x{:02x}", u32::from(letter))),
            },
            // What Rust would not print either.
            _ if letter.escape_debug().len() > 1 && u32::from(letter) > 0xffff => {
                shown.push_str(&format!("\\U{:08x}", u32::from(letter)));
            }
            _ if letter.escape_debug().len() > 1 => shown.push_str(&format!("\\u{:04x}", u32::from(letter))),
            _ => shown.push(letter),
        }
    }
    shown.push('"');
    shown
}

/// Compact JSON with the characters escaped that Go's encoder escapes; all of them stand in strings.
pub(crate) fn escaped_as_go(json: &str) -> String {
    let mut text = String::with_capacity(json.len());
    for character in json.chars() {
        if GO_ESCAPES.contains(character) {
            text.push_str(&format!("\\u{:04x}", u32::from(character)));
        } else {
            text.push(character);
        }
    }
    text
}

/// A number as Go writes it: a fraction without an exponent unless it is very large or very small.
fn write_number(number: &Number, text: &mut String) {
    let exact = match number.as_f64().filter(|_| number.is_f64()) {
        None => number.to_string(),
        Some(float) if float != 0.0 && !(1e-6..1e21).contains(&float.abs()) => {
            let short = format!("{float:e}");
            if short.contains("e-") { short } else { short.replace('e', "e+") }
        }
        Some(float) if float.abs() >= 1e15 => {
            // Go fills the places behind the digits that tell the number from its neighbors.
            let digits = format!("{float:e}");
            let (mantissa, exponent) = digits.split_once('e').unwrap_or((&digits, "0"));
            let places = exponent.parse::<usize>().unwrap_or(0);
            let (sign, mantissa) = mantissa.strip_prefix('-').map_or(("", mantissa), |rest| ("-", rest));
            format!("{sign}{:0<width$}", mantissa.replace('.', ""), width = places + 1)
        }
        Some(float) => float.to_string(),
    };
    text.push_str(&exact);
}

/// A text in JSON's quotes, with control characters and those of `escaped` as `\\u` and four digits.
pub(crate) fn write_quoted(string: &str, escaped: &str, text: &mut String) {
    text.push('"');
    for character in string.chars() {
        match character {
            '"' => text.push_str("\\\""),
            '\\' => text.push_str("\\\\"),
            '\n' => text.push_str("\\n"),
            '\r' => text.push_str("\\r"),
            '\t' => text.push_str("\\t"),
            _ if character < ' ' || escaped.contains(character) => {
                text.push_str("\\u");
                for shift in [12, 8, 4, 0] {
                    text.push(char::from(b"0123456789abcdef"[(u32::from(character) >> shift) as usize & 15]));
                }
            }
            _ => text.push(character),
        }
    }
    text.push('"');
}
