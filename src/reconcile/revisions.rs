//! Revisions: a template as bytes, the bytes as a hash, the hash as a name.
//! Models pkg/controller/history/controller_history.go and getPatch of pkg/controller/statefulset/stateful_set_utils.go.

use super::Gates;
use crate::objects::{ControllerRevision, Json, PodTemplateSpec, RevisionData, Time, field, slot, write_json};
use serde_json::Value;

/// The label that repeats a revision's hash.
pub(crate) const HASH_LABEL: &str = "controller.kubernetes.io/hash";

/// The bytes that are stored and hashed for a template: a patch that replaces it, as compact JSON with sorted keys.
pub fn template_patch(gates: &Gates, template: &PodTemplateSpec) -> RevisionData {
    let mut value = template.to_json();
    *field(&mut value, "$patch") = "replace".into();
    // Older Go types write the zero time of an embedded ObjectMeta as null, and the hash covers it.
    if gates.writes_zero_time && value["metadata"].get("creationTimestamp").is_none() {
        *slot(&mut value, "metadata.creationTimestamp") = Value::Null;
    }
    let mut text = String::from(r#"{"spec":{"template":"#);
    write_json(&value, &mut text);
    text.push_str("}}");
    RevisionData::new(text.into(), value)
}

/// The hash of a revision's data as it stands in names: 32-bit FNV-1 over the bytes and the decimal collision count,
/// printed in decimal and mapped to letters that spell no words.
pub fn hash_revision_data(data: &str, collision_count: i32) -> String {
    hash_in_letters(&decimal_hash(data, collision_count))
}

/// The same hash in decimal.
pub(crate) fn decimal_hash(data: &str, collision_count: i32) -> String {
    let mut hash: u32 = 0x811c_9dc5;
    for byte in data.bytes().chain(collision_count.to_string().bytes()) {
        hash = hash.wrapping_mul(0x0100_0193) ^ u32::from(byte);
    }
    hash.to_string()
}

/// A decimal hash in letters that spell no words.
pub(crate) fn hash_in_letters(decimal: &str) -> String {
    const ALPHABET: &[u8; 27] = b"bcdfghjklmnpqrstvwxz2456789";
    decimal.bytes().map(|digit| char::from(ALPHABET[usize::from(digit) % 27])).collect()
}

/// `<set>-<hash>`, with the set's name cut so that the whole stays a legal name.
pub(crate) fn revision_name(set: &str, hash: &str) -> String {
    format!("{}-{hash}", set.chars().take(223).collect::<String>())
}

/// The order of the history: revision number, then age in the whole seconds that the API keeps, then name.
pub(crate) fn sort(revisions: &mut [&std::rc::Rc<ControllerRevision>]) {
    revisions.sort_by(|a, b| {
        let key = |r: &ControllerRevision| (r.revision, r.metadata.creation_timestamp.map(Time::seconds));
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
    data == &**other.data.text()
}
