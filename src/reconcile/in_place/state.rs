//! What a pod's annotations say of its update in place, byte for byte as Go writes it.
//! Models apis/apps/pub/inplace_update.go and UpdateSpec of pkg/util/inplaceupdate/inplace_update.go of
//! openkruise/kruise.

use super::spec::RefMetadata;
use crate::objects::{Pod, Time, escaped_as_go, is_zero, json_text, nullable};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::Value;
use std::collections::BTreeMap;
use std::rc::Rc;

/// The annotation that holds an update's state.
pub(super) const STATE_ANNOTATION: &str = "apps.kruise.io/inplace-update-state";
/// The annotation that holds an update until its grace is over.
pub(super) const GRACE_ANNOTATION: &str = "apps.kruise.io/inplace-update-grace";

/// How far an update in place has come.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(super) struct InPlaceState {
    #[serde(deserialize_with = "nullable")]
    pub(super) revision: Rc<str>,
    #[serde(deserialize_with = "nullable")]
    pub(super) update_timestamp: Time,
    /// What is kept of each changed container's status before the change.
    pub(super) last_container_statuses: Option<BTreeMap<Rc<str>, LastStatus>>,
    #[serde(deserialize_with = "nullable", skip_serializing_if = "is_zero")]
    pub(super) update_env_from_metadata: bool,
    #[serde(deserialize_with = "nullable", skip_serializing_if = "is_zero")]
    pub(super) update_images: bool,
    /// Images for a later batch, by container.
    #[serde(deserialize_with = "nullable", skip_serializing_if = "is_zero")]
    pub(super) next_container_images: BTreeMap<Rc<str>, Rc<str>>,
    /// Labels and annotations for a later batch, by container.
    #[serde(deserialize_with = "nullable", skip_serializing_if = "is_zero")]
    pub(super) next_container_ref_metadata: BTreeMap<Rc<str>, RefMetadata>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) pre_check_before_next: Option<PreCheck>,
    #[serde(deserialize_with = "nullable", skip_serializing_if = "is_zero")]
    pub(super) container_batches_record: Vec<Batch>,
}

/// A container before its change.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub(super) struct LastStatus {
    #[serde(rename = "imageID", deserialize_with = "nullable")]
    pub(super) image_id: Rc<str>,
}

/// What the next batch waits for.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(super) struct PreCheck {
    #[serde(deserialize_with = "nullable")]
    pub(super) containers_required_ready: Vec<Rc<str>>,
}

/// Containers that were changed together.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub(super) struct Batch {
    #[serde(deserialize_with = "nullable")]
    pub(super) timestamp: Time,
    #[serde(deserialize_with = "nullable")]
    pub(super) containers: Vec<Rc<str>>,
}

impl InPlaceState {
    /// Whether containers wait for a later batch.
    pub(super) fn has_next(&self) -> bool {
        !self.next_container_images.is_empty() || !self.next_container_ref_metadata.is_empty()
    }
}

/// When the pod was last updated in place; none if it never was.
pub(crate) fn updated_at(pod: &Pod) -> Option<Time> {
    let state: InPlaceState = read(pod.metadata.annotations.get(STATE_ANNOTATION)?)?;
    Some(state.update_timestamp)
}

/// Reads an annotation. None where Go's decoder refuses it.
pub(super) fn read<T: DeserializeOwned>(text: &str) -> Option<T> {
    serde_json::from_str(text).ok()
}

/// An annotation as Go writes it.
pub(super) fn written(annotation: &impl Serialize) -> String {
    escaped_as_go(&serde_json::to_string(annotation).unwrap_or_default())
}

/// Go writes bytes inside JSON as base64.
pub(super) mod as_bytes {
    use super::{Deserialize, Deserializer, Serializer, Value, from_base64, json_text, to_base64};
    use serde::de::Error as _;

    pub(in crate::reconcile::in_place) fn serialize<S: Serializer>(
        value: &Option<Value>,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        let bytes = value.as_ref().map(|value| to_base64(json_text(value).as_bytes()));
        serializer.serialize_str(&bytes.unwrap_or_default())
    }

    pub(in crate::reconcile::in_place) fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Option<Value>, D::Error> {
        let Some(text) = Option::<String>::deserialize(deserializer)? else { return Ok(None) };
        let bytes = from_base64(&text).ok_or_else(|| D::Error::custom("illegal base64 data"))?;
        serde_json::from_slice(&bytes).map(Some).map_err(D::Error::custom)
    }
}

const ALPHABET: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/// Go writes bytes inside JSON as padded base64.
fn to_base64(bytes: &[u8]) -> String {
    let mut text = String::new();
    for chunk in bytes.chunks(3) {
        let bits = (0..3).fold(0, |bits, at| bits << 8 | usize::from(chunk.get(at).copied().unwrap_or(0)));
        for at in 0..4 {
            let is_padding = at > chunk.len();
            text.push(if is_padding { '=' } else { char::from(ALPHABET[bits >> (18 - 6 * at) & 63]) });
        }
    }
    text
}

fn from_base64(text: &str) -> Option<Vec<u8>> {
    let mut bytes = Vec::new();
    for chunk in text.trim_end_matches('=').as_bytes().chunks(4) {
        let mut bits = 0;
        for digit in chunk {
            bits = bits << 6 | ALPHABET.iter().position(|own| own == digit)?;
        }
        bits <<= 6 * (4 - chunk.len());
        bytes.extend((0..chunk.len() - 1).map(|at| u8::try_from(bits >> (16 - 8 * at) & 255).unwrap_or(0)));
    }
    Some(bytes)
}

#[cfg(test)]
mod tests {
    use super::{from_base64, to_base64};

    #[test]
    fn bytes_survive_base64() {
        for (plain, coded) in [("", ""), ("M", "TQ=="), ("Ma", "TWE="), ("Man", "TWFu"), ("Many", "TWFueQ==")] {
            assert_eq!(to_base64(plain.as_bytes()), coded);
            assert_eq!(from_base64(coded), Some(plain.as_bytes().to_vec()));
        }
        assert_eq!(from_base64("T?"), None);
    }
}
