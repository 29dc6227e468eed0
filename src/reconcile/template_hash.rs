//! The hash of a pod template in the names and labels of ReplicaSets and DaemonSet revisions: FNV-1a over the text that Go's
//! spew prints of the template with every field of every type, so it differs from release to release.
//! Models ComputeHash of pkg/controller/controller_utils.go and DeepHashObject of pkg/util/hash/hash.go.

use super::revisions::hash_in_letters;
use crate::objects::{GoField, Json, PodTemplateSpec, go_fields};
use serde_json::Value;

/// The label that sets the pods of one ReplicaSet apart from those of another.
pub(crate) const TEMPLATE_HASH_LABEL: &str = "pod-template-hash";

/// The hash of a template, with the types of the minor release `types` and the count of collisions, if one was counted.
pub(crate) fn template_hash(types: u32, template: &PodTemplateSpec, collisions: Option<i32>) -> String {
    let mut dump = Dump { text: String::new(), types };
    dump.typed("PodTemplateSpec", Some(&template.to_json()));
    // The count is written as the first four of eight bytes.
    let count = collisions.map(|count| [count.to_le_bytes(), [0; 4]].concat()).unwrap_or_default();
    let fold = |hash: u32, byte: u8| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193);
    let hash = dump.text.bytes().chain(count).fold(0x811c_9dc5, fold);
    hash_in_letters(&hash.to_string())
}

/// A value as spew prints it with types and without methods.
struct Dump {
    text: String,
    types: u32,
}

impl Dump {
    /// A value after its type.
    fn typed(&mut self, go_type: &str, value: Option<&Value>) {
        let full = full_name(go_type);
        self.text.push_str(&format!("({full})"));
        self.bare(go_type, value.filter(|value| !value.is_null()));
    }

    /// A value without its type, as it stands in a list.
    fn bare(&mut self, go_type: &str, value: Option<&Value>) {
        if let Some(pointed) = go_type.strip_prefix('*') {
            return match value {
                None => self.text.push_str("<nil>"),
                value => self.bare(pointed, value),
            };
        }
        if let Some(item) = go_type.strip_prefix("[]") {
            let items = value.and_then(Value::as_array).map_or(&[][..], Vec::as_slice);
            return self.list("[", items.iter(), |dump, value| dump.bare(item, Some(value)));
        }
        let number = |value: Option<&Value>| value.filter(|it| it.is_number()).map_or("0".to_owned(), Value::to_string);
        match go_type {
            "map[string]string" => self.map("string", value),
            "ResourceList" => self.map("resource.Quantity", value),
            "bool" => self.text.push_str(if value == Some(&Value::Bool(true)) { "true" } else { "false" }),
            "int32" | "int64" => self.text.push_str(&number(value)),
            // A template has none; Go's zero time.
            "Time" => self.text.push_str("{Time:(time.Time){wall:(uint64)0 ext:(int64)0 loc:(*time.Location)<nil>}}"),
            "intstr.IntOrString" => {
                let text = value.and_then(Value::as_str);
                let (is_text, number, text) = (u8::from(text.is_some()), number(value), text.unwrap_or_default());
                let fields = format!("{{Type:(intstr.Type){is_text} IntVal:(int32){number} StrVal:(string){text}}}");
                self.text.push_str(&fields);
            }
            "resource.Quantity" => {
                let text = value.map(|value| value.as_str().map_or_else(|| value.to_string(), str::to_owned));
                self.text.push_str(&quantity(&text.unwrap_or_default()));
            }
            name => match go_fields(name) {
                Some(fields) => self.fields(fields, value),
                None => self.text.push_str(value.and_then(Value::as_str).unwrap_or_default()),
            },
        }
    }

    fn fields(&mut self, fields: &[GoField], value: Option<&Value>) {
        let types = self.types;
        let held = fields.iter().filter(|field| field.exists(types));
        let mut before = "{";
        for field in held {
            self.text.push_str(&format!("{before}{}:", field.name));
            let inner = if field.is_embedded { value } else { value.and_then(|value| value.get(&field.json)) };
            self.typed(field.go_type, inner);
            before = " ";
        }
        self.text.push('}');
    }

    fn map(&mut self, item: &str, value: Option<&Value>) {
        let mut pairs: Vec<(&String, &Value)> = value.and_then(Value::as_object).into_iter().flatten().collect();
        pairs.sort_by_key(|(key, _)| *key);
        self.list("map[", pairs.into_iter(), |dump, (key, value)| {
            dump.text.push_str(&format!("{key}:"));
            dump.bare(item, Some(value));
        });
    }

    /// What is empty has come over the wire as nothing.
    fn list<T>(&mut self, open: &str, items: impl ExactSizeIterator<Item = T>, mut print: impl FnMut(&mut Self, T)) {
        if items.len() == 0 {
            return self.text.push_str("<nil>");
        }
        self.text.push_str(open);
        for (at, item) in items.enumerate() {
            if at > 0 {
                self.text.push(' ');
            }
            print(self, item);
        }
        self.text.push(']');
    }
}

/// The type as Go names it.
fn full_name(go_type: &str) -> String {
    for prefix in ["*", "[]"] {
        if let Some(inner) = go_type.strip_prefix(prefix) {
            return format!("{prefix}{}", full_name(inner));
        }
    }
    let is_basic = matches!(go_type, "string" | "bool" | "int32" | "int64" | "map[string]string");
    if is_basic || go_type.contains('.') { go_type.to_owned() } else { format!("v1.{go_type}") }
}

/// A quantity as Go holds it: a number, a power of ten, and the text where it was canonical. Quantities beyond the range of
/// an i64 or finer than nano, which Go holds otherwise, come out with another hash. Models ParseQuantity of
/// apimachinery's pkg/api/resource/quantity.go.
fn quantity(text: &str) -> String {
    let (value, scale, held, format) = match text {
        "" => (0, 0, "", ""),
        "0" => (0, 0, "0", "DecimalSI"),
        text => parsed(text),
    };
    format!(
        "{{i:(resource.int64Amount){{value:(int64){value} scale:(resource.Scale){scale}}} \
         d:(resource.infDecAmount){{Dec:(*inf.Dec)<nil>}} s:(string){held} Format:(resource.Format){format}}}"
    )
}

fn parsed(text: &str) -> (i64, i32, &str, &'static str) {
    let unsigned = text.trim_start_matches(['-', '+']);
    let end = unsigned.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(unsigned.len());
    let (number, suffix) = unsigned.split_at(end);
    let (whole, part) = number.split_once('.').unwrap_or((number, ""));
    let digits = format!("{}{part}", whole.trim_start_matches('0'));
    let value: i64 = digits.parse().unwrap_or(0);
    let sign = if text.starts_with('-') { -1 } else { 1 };
    let binary = ["Ki", "Mi", "Gi", "Ti", "Pi", "Ei"].iter().position(|unit| *unit == suffix);
    if let Some(at) = binary {
        let amount = value.saturating_mul(1 << (10 * (at + 1)));
        return (sign * amount, 0, if value % 8 == 0 { "" } else { text }, "BinarySI");
    }
    let decimal = ["n", "u", "m", "", "k", "M", "G", "T", "P", "E"].iter().position(|unit| *unit == suffix);
    let (exponent, format) = match decimal {
        Some(at) => (i32::try_from(at).unwrap_or(0) * 3 - 9, "DecimalSI"),
        None => (suffix[1..].parse().unwrap_or(0), "DecimalExponent"),
    };
    let scale = exponent - i32::try_from(part.len()).unwrap_or(0);
    let is_canonical = scale % 3 == 0 && !digits.ends_with("000") && !digits.starts_with('0') && !digits.is_empty();
    (sign * value, scale, if is_canonical { text } else { "" }, format)
}
