//! Revisions: a template as bytes, the bytes as a hash, the hash as a name.
//! Models pkg/controller/history/controller_history.go and getPatch of pkg/controller/statefulset/stateful_set_utils.go.

use crate::objects::{ControllerRevision, PodTemplateSpec};
use serde_json::{Value, json};
use std::fmt::Write as _;

/// The label that repeats a revision's hash.
pub(crate) const HASH_LABEL: &str = "controller.kubernetes.io/hash";

/// The bytes that are stored and hashed for a template: a patch that replaces it, as compact JSON with sorted keys.
pub fn template_patch(template: &PodTemplateSpec) -> String {
    let mut value = serde_json::to_value(template).unwrap_or_default();
    value["$patch"] = json!("replace");
    // Go writes the zero time of an embedded ObjectMeta as null, and the hash covers it.
    if value["metadata"].get("creationTimestamp").is_none() {
        value["metadata"]["creationTimestamp"] = Value::Null;
    }
    go_json(&json!({"spec": {"template": value}}))
}

/// Compact JSON as Go's encoder writes it: `<`, `>`, `&` and the two line separators escaped.
pub(crate) fn go_json(value: &Value) -> String {
    let plain = value.to_string();
    let mut text = String::with_capacity(plain.len());
    for character in plain.chars() {
        if matches!(character, '<' | '>' | '&' | '\u{2028}' | '\u{2029}') {
            let _ = write!(text, "\\u{:04x}", u32::from(character));
        } else {
            text.push(character);
        }
    }
    text
}

/// The template stored in a revision's data.
///
/// # Errors
/// What serde says where the data holds no template.
pub fn template_of(data: &str) -> Result<PodTemplateSpec, serde_json::Error> {
    let mut value: Value = serde_json::from_str(data)?;
    let mut template = value["spec"]["template"].take();
    if let Some(fields) = template.as_object_mut() {
        fields.remove("$patch");
    }
    serde_json::from_value(template)
}

/// The hash of a revision's data as it stands in names: 32-bit FNV-1 over the bytes and the decimal collision count,
/// printed in decimal and mapped to letters that spell no words.
pub fn hash_revision_data(data: &str, collision_count: i32) -> String {
    const ALPHABET: &[u8; 27] = b"bcdfghjklmnpqrstvwxz2456789";
    let mut hash: u32 = 0x811c_9dc5;
    for byte in data.bytes().chain(collision_count.to_string().bytes()) {
        hash = hash.wrapping_mul(0x0100_0193) ^ u32::from(byte);
    }
    hash.to_string().bytes().map(|digit| char::from(ALPHABET[usize::from(digit) % 27])).collect()
}

/// `<set>-<hash>`, with the set's name cut so that the whole stays a legal name.
pub(crate) fn revision_name(set: &str, hash: &str) -> String {
    format!("{}-{hash}", set.chars().take(223).collect::<String>())
}

/// The order of the history: revision number, then age, then name.
pub(crate) fn sort(revisions: &mut [&std::rc::Rc<ControllerRevision>]) {
    revisions.sort_by(|a, b| {
        let key = |r: &ControllerRevision| (r.revision, r.metadata.creation_timestamp);
        key(a).cmp(&key(b)).then_with(|| a.metadata.name.cmp(&b.metadata.name))
    });
}

/// Whether two revisions hold the same template. Hash labels settle it early, but only where both happen to read as
/// decimal numbers, as upstream parses them.
pub(crate) fn equal(label: Option<&str>, data: &str, other: &ControllerRevision) -> bool {
    let number = |label: Option<&str>| label.and_then(|label| label.parse::<i32>().ok());
    let other_label = other.metadata.labels.get(HASH_LABEL).map(|label| &**label);
    if let (Some(own), Some(others)) = (number(label), number(other_label))
        && own != others
    {
        return false;
    }
    data == &*other.data.0
}
