//! Revisions: a template as bytes, the bytes as a hash, the hash as a name.
//! Models pkg/controller/history/controller_history.go and getPatch of pkg/controller/statefulset/stateful_set_utils.go.

use super::Gates;
use crate::objects::{ControllerRevision, Json, PodTemplateSpec, RevisionData, Time, write_json};
use crate::order::Order;
use serde_json::Value;
use std::cell::RefCell;
use std::rc::Rc;

/// The label that repeats a revision's hash.
pub(crate) const HASH_LABEL: &str = "controller.kubernetes.io/hash";

/// The bytes that are stored and hashed for a template: a patch that replaces it, as compact JSON with sorted keys.
pub fn template_patch(gates: &Gates, template: &PodTemplateSpec) -> RevisionData {
    let mut value = template.to_json();
    value["$patch"] = "replace".into();
    // Older Go types write the zero time of an embedded ObjectMeta as null, and the hash covers it.
    if gates.writes_zero_time && value["metadata"].get("creationTimestamp").is_none() {
        value["metadata"]["creationTimestamp"] = Value::Null;
    }
    let mut text = String::from(r#"{"spec":{"template":"#);
    write_json(&value, &mut text);
    text.push_str("}}");
    RevisionData::new(text.into(), value)
}

/// What [`template_patch`] and [`decimal_hash`] last gave for one object: its syncs ask again and again, and its template
/// seldom changes.
#[derive(Debug, Default)]
pub(crate) struct KeptPatch(RefCell<Option<Patch>>);

#[derive(Debug)]
struct Patch {
    template: PodTemplateSpec,
    writes_zero_time: bool,
    collision_count: i32,
    data: RevisionData,
    decimal_hash: String,
}

impl KeptPatch {
    /// The patch of the template, and its hash in decimal.
    pub(crate) fn of(&self, gates: &Gates, template: &PodTemplateSpec, collision_count: i32) -> (RevisionData, String) {
        let is_same = |kept: &&Patch| {
            Rc::ptr_eq(&kept.template.spec, &template.spec)
                && kept.template.metadata == template.metadata
                && kept.template.extra == template.extra
                && (kept.writes_zero_time, kept.collision_count) == (gates.writes_zero_time, collision_count)
        };
        if let Some(kept) = self.0.borrow().as_ref().filter(is_same) {
            return (kept.data.clone(), kept.decimal_hash.clone());
        }
        let data = template_patch(gates, template);
        let decimal_hash = decimal_hash(data.text(), collision_count);
        self.0.replace(Some(Patch {
            template: template.clone(),
            writes_zero_time: gates.writes_zero_time,
            collision_count,
            data: data.clone(),
            decimal_hash: decimal_hash.clone(),
        }));
        (data, decimal_hash)
    }
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
    revisions.order_by(|a, b| {
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

#[cfg(test)]
mod tests {
    use super::{KeptPatch, decimal_hash, template_patch};
    use crate::objects::PodTemplateSpec;
    use crate::reconcile::Release;
    use serde_json::json;
    use std::rc::Rc;

    #[test]
    fn what_is_kept_of_a_template_is_what_its_patch_is_now() {
        let read = |image: &str, label: &str| -> PodTemplateSpec {
            serde_json::from_value(json!({"metadata": {"labels": {"app": label}},
                "spec": {"containers": [{"name": "a", "image": image}]}}))
            .unwrap()
        };
        let first = read("a:1", "web");
        let relabeled = PodTemplateSpec { spec: Rc::clone(&first.spec), ..read("a:1", "db") };
        let kept = KeptPatch::default();
        for (template, collisions, release) in [
            (&first, 0, Release::V1_36),
            (&first, 0, Release::V1_36),
            (&relabeled, 0, Release::V1_36),
            (&read("a:2", "db"), 0, Release::V1_36),
            (&read("a:2", "db"), 1, Release::V1_36),
            (&first, 1, Release::V1_36),
            (&first, 1, Release::V1_9),
        ] {
            let gates = release.gates();
            let data = template_patch(&gates, template);
            let hash = decimal_hash(data.text(), collisions);
            assert_eq!(kept.of(&gates, template, collisions), (data, hash));
        }
    }
}
