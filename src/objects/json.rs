//! Objects as JSON values and back, a line a field. serde's derived code for the same types, `flatten` included, weighs
//! 35 KB of brotli in the page, and these types have one format only.

use super::{Extra, Labels, Time, shared};
use serde_json::{Map, Value};
use std::fmt;
use std::rc::Rc;

/// A type of the API with its JSON form.
pub trait Json: Sized {
    /// Takes the value apart. A missing field and a null one are both the type's default.
    ///
    /// # Errors
    /// Something in it is of another type.
    fn from_json(value: Value) -> Result<Self, Mismatch>;

    /// The value, with the fields that Go writes.
    fn to_json(&self) -> Value;

    /// Whether `omitempty` leaves it out.
    fn is_empty(&self) -> bool {
        false
    }
}

/// The path of a value that is not of its field's type.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Mismatch(String);

impl fmt::Display for Mismatch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("cannot unmarshal field ")?;
        f.write_str(self.0.trim_end_matches('.'))
    }
}

impl std::error::Error for Mismatch {}

/// A value to be read or written without its type being known, so that one loop reads the fields of every struct.
pub(super) trait Field {
    fn read(&mut self, value: Value) -> Result<(), Mismatch>;
    fn write(&self) -> Value;
    fn is_absent(&self) -> bool;
}

impl<T: Json> Field for T {
    fn read(&mut self, value: Value) -> Result<(), Mismatch> {
        *self = T::from_json(value)?;
        Ok(())
    }

    fn write(&self) -> Value {
        self.to_json()
    }

    fn is_absent(&self) -> bool {
        self.is_empty()
    }
}

/// Reads fields, which hold their defaults, and returns the others.
pub(super) fn read_fields(value: Value, known: &mut [(&str, &mut dyn Field)]) -> Result<Extra, Mismatch> {
    let mut fields = object(value)?;
    for (key, field) in known {
        read_field(&mut fields, key, *field)?;
    }
    Ok(fields)
}

fn read_field(fields: &mut Extra, key: &str, field: &mut dyn Field) -> Result<(), Mismatch> {
    match fields.remove(key) {
        None | Some(Value::Null) => Ok(()),
        Some(value) => field.read(value).map_err(|inner| Mismatch([key, ".", &inner.0].concat())),
    }
}

/// Adds fields to others: those that are empty only where they are always written.
pub(super) fn write_fields(mut fields: Extra, known: &[(&str, bool, &dyn Field)]) -> Value {
    for (key, always, field) in known {
        if *always || !field.is_absent() {
            put(&mut fields, key, field.write());
        }
    }
    Value::Object(fields)
}

pub(super) fn take<T: Json + Default>(fields: &mut Extra, key: &str) -> Result<T, Mismatch> {
    let mut value = T::default();
    read_field(fields, key, &mut value)?;
    Ok(value)
}

pub(super) fn put(fields: &mut Extra, key: &str, value: Value) {
    fields.insert(key.into(), value);
}

pub(super) fn object(value: Value) -> Result<Extra, Mismatch> {
    match value {
        Value::Object(fields) => Ok(fields),
        Value::Null => Ok(Map::new()),
        _ => Err(Mismatch::default()),
    }
}

/// The JSON form of a struct: each field with its key. A field is left out while it is empty, as with Go's `omitempty`,
/// unless it is marked `always`. A last `..extra` keeps every other key as it came.
macro_rules! fields {
    (@always) => { false };
    (@always always) => { true };
    (@rest $self:ident) => { serde_json::Map::new() };
    (@rest $self:ident $rest:ident) => { $self.$rest.clone() };
    ($Type:ident { $($key:literal: $field:ident $($always:ident)?),* $(, ..$rest:ident)? }) => {
        impl $crate::objects::json::Json for $Type {
            fn from_json(value: serde_json::Value) -> Result<Self, $crate::objects::json::Mismatch> {
                let mut it = Self::default();
                let _others = $crate::objects::json::read_fields(value, &mut [$(($key, &mut it.$field)),*])?;
                $(it.$rest = _others;)?
                Ok(it)
            }

            fn to_json(&self) -> serde_json::Value {
                let others = fields!(@rest self $($rest)?);
                $crate::objects::json::write_fields(others, &[$(($key, fields!(@always $($always)?), &self.$field)),*])
            }
        }
        $crate::objects::json::with_serde!($Type);
    };
}

/// The JSON form of an enum of words.
macro_rules! words {
    ($Type:ident { $($Variant:ident: $word:literal),* }) => {
        impl $Type {
            /// The API's word.
            pub fn as_str(self) -> &'static str {
                match self { $(Self::$Variant => $word,)* }
            }
        }

        impl $crate::objects::json::Json for $Type {
            fn from_json(value: serde_json::Value) -> Result<Self, $crate::objects::json::Mismatch> {
                match value.as_str() {
                    $(Some($word) => Ok(Self::$Variant),)*
                    _ => Err($crate::objects::json::Mismatch::default()),
                }
            }

            fn to_json(&self) -> serde_json::Value {
                self.as_str().into()
            }

            fn is_empty(&self) -> bool {
                self.as_str().is_empty()
            }
        }
        $crate::objects::json::with_serde!($Type);
    };
}

/// serde's traits by way of the JSON form, for what reads recordings and files. Nothing of it is in the page.
macro_rules! with_serde {
    ($Type:ident) => {
        impl serde::Serialize for $Type {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serde::Serialize::serialize(&$crate::objects::json::Json::to_json(self), serializer)
            }
        }

        impl<'de> serde::Deserialize<'de> for $Type {
            fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                let value = <serde_json::Value as serde::Deserialize>::deserialize(deserializer)?;
                $crate::objects::json::Json::from_json(value).map_err(serde::de::Error::custom)
            }
        }
    };
}

pub(super) use {fields, with_serde, words};

impl Json for Rc<str> {
    fn from_json(value: Value) -> Result<Self, Mismatch> {
        if let Value::String(text) = value { Ok(shared(&text)) } else { Err(Mismatch::default()) }
    }

    fn to_json(&self) -> Value {
        (&**self).into()
    }

    fn is_empty(&self) -> bool {
        str::is_empty(self)
    }
}

impl Json for bool {
    fn from_json(value: Value) -> Result<Self, Mismatch> {
        value.as_bool().ok_or_else(Mismatch::default)
    }

    fn to_json(&self) -> Value {
        Value::Bool(*self)
    }

    fn is_empty(&self) -> bool {
        !self
    }
}

impl Json for i64 {
    fn from_json(value: Value) -> Result<Self, Mismatch> {
        value.as_i64().ok_or_else(Mismatch::default)
    }

    fn to_json(&self) -> Value {
        (*self).into()
    }

    fn is_empty(&self) -> bool {
        *self == 0
    }
}

impl Json for i32 {
    fn from_json(value: Value) -> Result<Self, Mismatch> {
        i64::from_json(value)?.try_into().map_err(|_| Mismatch::default())
    }

    fn to_json(&self) -> Value {
        (*self).into()
    }

    fn is_empty(&self) -> bool {
        *self == 0
    }
}

with_serde!(Time);

impl Json for Time {
    fn from_json(value: Value) -> Result<Self, Mismatch> {
        value.as_str().and_then(Self::parse).ok_or_else(Mismatch::default)
    }

    fn to_json(&self) -> Value {
        self.to_string().into()
    }
}

impl Json for Value {
    fn from_json(value: Value) -> Result<Self, Mismatch> {
        Ok(value)
    }

    fn to_json(&self) -> Value {
        self.clone()
    }
}

impl Json for Extra {
    fn from_json(value: Value) -> Result<Self, Mismatch> {
        object(value)
    }

    fn to_json(&self) -> Value {
        Value::Object(self.clone())
    }

    fn is_empty(&self) -> bool {
        Self::is_empty(self)
    }
}

impl Json for Labels {
    fn from_json(value: Value) -> Result<Self, Mismatch> {
        let mut labels = Self::default();
        for (key, value) in object(value)? {
            labels.insert(shared(&key), Rc::<str>::from_json(value)?);
        }
        Ok(labels)
    }

    fn to_json(&self) -> Value {
        Value::Object(self.iter().map(|(key, value)| (key.to_string(), value.to_json())).collect())
    }

    fn is_empty(&self) -> bool {
        Self::is_empty(self)
    }
}

impl<T: Json> Json for Option<T> {
    fn from_json(value: Value) -> Result<Self, Mismatch> {
        T::from_json(value).map(Some)
    }

    fn to_json(&self) -> Value {
        self.as_ref().map_or(Value::Null, Json::to_json)
    }

    fn is_empty(&self) -> bool {
        self.is_none()
    }
}

impl<T: Json> Json for Vec<T> {
    fn from_json(value: Value) -> Result<Self, Mismatch> {
        let Value::Array(items) = value else { return Err(Mismatch::default()) };
        let mut list = Self::with_capacity(items.len());
        for item in items {
            list.push(T::from_json(item)?);
        }
        Ok(list)
    }

    fn to_json(&self) -> Value {
        Value::Array(self.iter().map(Json::to_json).collect())
    }

    fn is_empty(&self) -> bool {
        Self::is_empty(self)
    }
}

impl<T: Json + Clone> Json for Rc<T> {
    fn from_json(value: Value) -> Result<Self, Mismatch> {
        T::from_json(value).map(Self::new)
    }

    fn to_json(&self) -> Value {
        (**self).to_json()
    }
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
        Value::Number(number) => text.push_str(number.as_str()),
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
