//! What servers before 1.23 say of a text that they cannot decode. Their decoder goes on after an error, though it then takes
//! no step back any more, and puts the name of each field and type that it leaves in front of the message: so it is followed
//! byte by byte. Models json-iterator/go 1.1.10.

use super::quantity::quantity_error;
use super::schema::{Field, Type, fields};
use super::{Time, json_text};
use serde_json::Value;

/// Structs of more fields are read by another decoder.
const HASHED_FIELDS: usize = 10;

/// The first error in a value of this type, as it is sent; none if the decoder finds none.
pub(super) fn error(value: &Value, type_name: &'static str, types: u32) -> Option<String> {
    let text = json_text(value);
    let mut iterator = Iterator { text: text.as_bytes(), head: 0, error: None, types };
    iterator.structure(type_name);
    iterator.error
}

struct Iterator<'a> {
    text: &'a [u8],
    head: usize,
    error: Option<String>,
    types: u32,
}

impl Iterator<'_> {
    fn report(&mut self, operation: &str, message: &str) {
        if self.error.is_some() {
            return;
        }
        let around = |reach: usize| {
            let (from, to) = (self.head.saturating_sub(reach), (self.head + reach).min(self.text.len()));
            String::from_utf8_lossy(&self.text[from..to])
        };
        let (near, far) = (around(10), around(50));
        self.error = Some(format!(
            "{operation}: {message}, error found in #{} byte of ...|{near}|..., bigger context ...|{far}|...",
            self.head.min(10)
        ));
    }

    fn found(&mut self, operation: &str, wanted: &str, byte: u8) {
        self.report(operation, &format!("{wanted}{}", char::from(byte)));
    }

    /// Names what is left while there is an error.
    fn leave(&mut self, name: &str) {
        if let Some(error) = &mut self.error {
            error.insert_str(0, name);
        }
    }

    fn token(&mut self) -> u8 {
        let byte = self.text.get(self.head).copied().unwrap_or(0);
        self.head = (self.head + 1).min(self.text.len());
        byte
    }

    fn step_back(&mut self) {
        if self.error.is_none() {
            self.head -= 1;
        }
    }

    fn skip_bytes(&mut self, count: usize) {
        self.head = (self.head + count).min(self.text.len());
    }

    fn is_null(&mut self) -> bool {
        let is_null = self.token() == b'n';
        if is_null {
            self.skip_bytes(3)
        } else {
            self.step_back()
        }
        is_null
    }

    fn starts_object(&mut self) -> bool {
        match self.token() {
            b'{' => match self.token() {
                b'"' => {
                    self.step_back();
                    return true;
                }
                b'}' => {}
                other => self.found("readObjectStart", "expect \" after {, but found ", other),
            },
            b'n' => self.skip_bytes(3),
            other => self.found("readObjectStart", "expect { or n, but found ", other),
        }
        false
    }

    fn structure(&mut self, type_name: &'static str) {
        if !self.starts_object() {
            return;
        }
        let known: Vec<&Field> = fields(type_name).iter().filter(|field| field.exists(self.types)).collect();
        let last = loop {
            self.field(type_name, &known);
            match self.token() {
                b',' => {}
                other => break other,
            }
        };
        self.leave(&format!("v1.{}.", go_type(type_name)));
        if last != b'}' {
            self.found("struct Decode", "expect }, but found ", last);
        }
    }

    fn field(&mut self, type_name: &'static str, known: &[&Field]) {
        let is_hashed = known.len() <= HASHED_FIELDS;
        if is_hashed && self.text.get(self.head) != Some(&b'"') {
            let byte = self.token();
            self.found("readFieldHash", "expect \", but found ", byte);
            return self.skip();
        }
        let name = self.string();
        let colon = self.token();
        if colon != b':' {
            self.found("ReadObject", "expect : after object field, but found ", colon);
        }
        match known.iter().find(|field| field.name == name) {
            Some(_) if is_hashed && colon != b':' => self.skip(),
            None => self.skip(),
            Some(field) => {
                if !(field.pointer && self.is_null()) {
                    self.value(&field.of);
                }
                self.leave(&format!("{}: ", go_field(field.name)));
                if let Some(embedded) = embedded_in(type_name, field.name) {
                    self.leave(&format!("{embedded}: "));
                }
            }
        }
    }

    fn value(&mut self, of: &Type) {
        match of {
            Type::Text(_) => drop(self.string()),
            Type::Bool if self.is_null() => {}
            Type::Bool => match self.token() {
                b't' => self.skip_bytes(3),
                b'f' => self.skip_bytes(4),
                other => self.found("ReadBool", "expect t or f, but found ", other),
            },
            Type::Int32 | Type::Int64 if self.is_null() => {}
            Type::Int32 => self.integer(32),
            Type::Int64 => self.integer(64),
            Type::Struct(name) => self.structure(name),
            Type::List(inner) => self.list(of, inner),
            Type::Map(inner) => self.map(inner),
            Type::Quantity | Type::IntOrString | Type::Time | Type::Any => self.own_decoder(of),
        }
    }

    fn string(&mut self) -> String {
        match self.token() {
            b'"' => {
                let from = self.head;
                self.end_string();
                let to = self.head.saturating_sub(1).max(from);
                String::from_utf8_lossy(&self.text[from..to]).into_owned()
            }
            b'n' => {
                self.skip_bytes(3);
                String::new()
            }
            other => {
                self.found("ReadString", "expects \" or n, but found ", other);
                String::new()
            }
        }
    }

    fn end_string(&mut self) {
        while self.head < self.text.len() {
            match self.token() {
                b'"' => return,
                b'\\' => self.skip_bytes(1),
                _ => {}
            }
        }
    }

    /// Models ReadInt32 and ReadInt64.
    fn integer(&mut self, bits: u32) {
        let first = self.token();
        let is_negative = first == b'-';
        let first = if is_negative { self.token() } else { first };
        let Some(number) = self.unsigned(first, bits) else { return };
        let most = (1_u64 << (bits - 1)) - u64::from(!is_negative);
        if number > most {
            self.report(&format!("ReadInt{bits}"), &format!("overflow: {number}"));
        }
    }

    /// Models readUint32 and readUint64, which look for an overflow only after eight digits.
    fn unsigned(&mut self, first: u8, bits: u32) -> Option<u64> {
        let operation = format!("readUint{bits}");
        if !first.is_ascii_digit() {
            self.report(&operation, "unexpected character: \u{fffd}");
            return None;
        }
        let digits = self.text[self.head..].iter().take_while(|byte| byte.is_ascii_digit()).count();
        let (from, most) = (self.head, if bits == 32 { u64::from(u32::MAX) } else { u64::MAX });
        let mut number = u64::from(first - b'0');
        // A zero stands alone.
        let digits = if first == b'0' { 0 } else { digits };
        for (index, digit) in self.text[from..from + digits].iter().enumerate() {
            if number > most / 10 - 1 {
                let wrapped = number.wrapping_mul(10).wrapping_add(u64::from(digit - b'0')) & most;
                if wrapped < number {
                    self.head = from + if self.text.len() - from > 10 { 7 } else { 0 };
                    self.report(&operation, "overflow");
                    return None;
                }
                number = wrapped;
            } else {
                number = number * 10 + u64::from(digit - b'0');
            }
            self.head = from + index + 1;
        }
        if self.text.get(self.head) == Some(&b'.') {
            self.report("assertInteger", "can not decode float as int");
            return None;
        }
        Some(number)
    }

    fn list(&mut self, of: &Type, inner: &Type) {
        match self.token() {
            b'n' => self.skip_bytes(3),
            b'[' => {
                if self.token() != b']' {
                    self.step_back();
                    let last = loop {
                        self.value(inner);
                        match self.token() {
                            b',' => {}
                            other => break other,
                        }
                    };
                    if last != b']' {
                        self.found("decode slice", "expect ], but found ", last);
                    }
                }
            }
            other => self.found("decode slice", "expect [ or n, but found ", other),
        }
        self.leave(&format!("{}: ", of.go_name()));
    }

    fn map(&mut self, inner: &Type) {
        match self.token() {
            b'n' => self.skip_bytes(3),
            b'{' => {
                if self.token() == b'}' {
                    return;
                }
                self.step_back();
                loop {
                    self.string();
                    let colon = self.token();
                    if colon != b':' {
                        return self.found("ReadMapCB", "expect : after object field, but found ", colon);
                    }
                    self.value(inner);
                    match self.token() {
                        b',' => {}
                        b'}' => return,
                        other => return self.found("ReadMapCB", "expect }, but found ", other),
                    }
                }
            }
            other => self.found("ReadMapCB", "expect { or n, but found ", other),
        }
    }

    /// Types that decode themselves.
    fn own_decoder(&mut self, of: &Type) {
        self.token();
        self.step_back();
        let from = self.head;
        self.skip();
        let value: Value = serde_json::from_slice(&self.text[from..self.head]).unwrap_or_default();
        if let Some(message) = own_error(&value, of) {
            self.report("unmarshalerDecoder", &message);
        }
    }

    fn skip(&mut self) {
        match self.token() {
            b'"' => self.end_string(),
            b'n' | b't' => self.skip_bytes(3),
            b'f' => self.skip_bytes(4),
            // It would read what is no plain number from its start, but steps back no more.
            b'-' | b'1'..=b'9' if self.error.is_some() => {
                let rest = &self.text[self.head..];
                let length = rest.iter().take_while(|byte| byte.is_ascii_digit() || **byte == b'.').count();
                if rest.get(length).is_some_and(|byte| b",]} \t\n\r".contains(byte)) {
                    self.head += length;
                }
            }
            b'-' | b'0'..=b'9' => {
                let rest = self.text[self.head..].iter();
                self.head += rest.take_while(|byte| !b",]} \n".contains(byte)).count();
            }
            // Without its step back it finds another token than the one it expects.
            b'{' | b'[' if self.error.is_some() => drop(self.token()),
            b'{' | b'[' => {
                let mut depth = 1;
                while depth > 0 && self.head < self.text.len() {
                    match self.token() {
                        b'"' => self.end_string(),
                        b'{' | b'[' => depth += 1,
                        b'}' | b']' => depth -= 1,
                        _ => {}
                    }
                }
            }
            other => self.report("Skip", &format!("do not know how to skip: {other}")),
        }
    }
}

fn own_error(value: &Value, of: &Type) -> Option<String> {
    let kind = match value {
        Value::Bool(_) => "bool".to_owned(),
        Value::Number(_) => "number".to_owned(),
        Value::Array(_) => "array".to_owned(),
        Value::Object(_) => "object".to_owned(),
        Value::Null | Value::String(_) => String::new(),
    };
    match of {
        Type::Quantity => {
            let text = value.as_str().map_or_else(|| json_text(value), str::to_owned);
            if value.is_null() { None } else { quantity_error(text.trim()).map(str::to_owned) }
        }
        Type::Time if !kind.is_empty() => Some(format!("json: cannot unmarshal {kind} into Go value of type string")),
        Type::Time => Time::layout_error(value.as_str()?),
        Type::IntOrString => {
            let fits = value.as_i64().is_some_and(|number| i32::try_from(number).is_ok());
            let shown = if value.is_number() { format!("number {}", json_text(value)) } else { kind };
            (!fits && !shown.is_empty()).then(|| format!("json: cannot unmarshal {shown} into Go value of type int32"))
        }
        _ => None,
    }
}

/// The name of a type in Go, where it was another one then.
fn go_type(type_name: &str) -> &str {
    match type_name {
        "LifecycleHandler" => "Handler",
        "VolumeResourceRequirements" => "ResourceRequirements",
        name => name,
    }
}

/// The struct in a struct that a field is declared in.
fn embedded_in(type_name: &str, field: &str) -> Option<&'static str> {
    match (type_name, field) {
        (_, "kind" | "apiVersion") if fields(type_name).iter().any(|field| field.name == "metadata") => {
            Some("TypeMeta")
        }
        ("Volume", name) if name != "name" => Some("VolumeSource"),
        ("Probe", "exec" | "httpGet" | "tcpSocket") => Some("Handler"),
        ("EphemeralContainer", name) if name != "targetContainerName" => Some("EphemeralContainerCommon"),
        (
            "ConfigMapEnvSource"
            | "SecretEnvSource"
            | "ConfigMapKeySelector"
            | "SecretKeySelector"
            | "ConfigMapVolumeSource"
            | "ConfigMapProjection"
            | "SecretProjection",
            "name",
        ) => Some("LocalObjectReference"),
        _ => None,
    }
}

/// The words that Go's names have in capitals at their start.
const CAPITALS: [&str; 15] =
    ["api", "dns", "tty", "http", "tcp", "nfs", "iscsi", "rbd", "fc", "csi", "aws", "gce", "se", "fs", "pd"];

/// The name of a field in Go.
fn go_field(name: &str) -> String {
    let special = match name {
        "metadata" => "ObjectMeta",
        "uid" => "UID",
        "ip" => "IP",
        "iqn" => "IQN",
        "cephfs" => "CephFS",
        "storageos" => "StorageOS",
        _ => "",
    };
    if !special.is_empty() {
        return special.to_owned();
    }
    let word = name.find(|it: char| it.is_ascii_uppercase()).unwrap_or(name.len());
    if CAPITALS.contains(&&name[..word]) {
        return name[..word].to_ascii_uppercase() + &name[word..];
    }
    let mut letters = name.chars();
    letters.next().map_or_else(String::new, |first| first.to_ascii_uppercase().to_string() + letters.as_str())
}
