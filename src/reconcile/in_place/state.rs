//! What a pod's annotations say of its update in place, byte for byte as Go writes it.
//! Models apis/apps/pub/inplace_update.go and UpdateSpec of pkg/util/inplaceupdate/inplace_update.go of
//! openkruise/kruise.

use super::spec::{RefMetadata, UpdateSpec};
use crate::objects::{Labels, Time, json_text};
use serde_json::Value;
use std::collections::BTreeMap;
use std::rc::Rc;

/// The annotation that holds an update's state.
pub(super) const STATE_ANNOTATION: &str = "apps.kruise.io/inplace-update-state";
/// The annotation that holds an update until its grace is over.
pub(super) const GRACE_ANNOTATION: &str = "apps.kruise.io/inplace-update-grace";

type Texts = BTreeMap<Rc<str>, Rc<str>>;

/// How far an update in place has come.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct InPlaceState {
    pub(super) revision: Rc<str>,
    pub(super) update_timestamp: Time,
    /// The image ids before the change, by container.
    pub(super) last_image_ids: Option<Texts>,
    pub(super) update_env_from_metadata: bool,
    pub(super) update_images: bool,
    /// Images for a later batch, by container.
    pub(super) next_images: Texts,
    /// Labels and annotations for a later batch, by container.
    pub(super) next_metadata: BTreeMap<Rc<str>, RefMetadata>,
    /// Containers that must be ready before the next batch.
    pub(super) required_ready: Option<Vec<Rc<str>>>,
    pub(super) batches: Vec<(Time, Vec<Rc<str>>)>,
}

impl InPlaceState {
    /// Whether containers wait for a later batch.
    pub(super) fn has_next(&self) -> bool {
        !self.next_images.is_empty() || !self.next_metadata.is_empty()
    }

    /// Reads an annotation; what is missing or of another form is left empty.
    pub(super) fn parse(text: &str) -> Option<Self> {
        let value: Value = serde_json::from_str(text).ok()?;
        let last = value["lastContainerStatuses"].as_object();
        let image_id = |status: &Value| status["imageID"].as_str().unwrap_or_default().into();
        Some(Self {
            revision: text_of(&value["revision"]),
            update_timestamp: time_of(&value["updateTimestamp"]),
            last_image_ids: last
                .map(|last| last.iter().map(|(name, it)| (name.as_str().into(), image_id(it))).collect()),
            update_env_from_metadata: value["updateEnvFromMetadata"] == true,
            update_images: value["updateImages"] == true,
            next_images: texts_of(&value["nextContainerImages"]),
            next_metadata: metadata_of(&value["nextContainerRefMetadata"]),
            required_ready: value["preCheckBeforeNext"]
                .as_object()
                .map(|check| list_of(check.get("containersRequiredReady"))),
            batches: value["containerBatchesRecord"]
                .as_array()
                .into_iter()
                .flatten()
                .map(|batch| (time_of(&batch["timestamp"]), list_of(batch.get("containers"))))
                .collect(),
        })
    }

    pub(super) fn to_json(&self) -> String {
        let mut fields = Fields::default();
        fields.put("revision", quoted(&self.revision));
        fields.put("updateTimestamp", quoted(&self.update_timestamp.to_string()));
        let status = |id: &Rc<str>| format!("{{\"imageID\":{}}}", quoted(id));
        let last = self.last_image_ids.as_ref();
        fields.put("lastContainerStatuses", last.map_or("null".to_owned(), |last| map(last.iter(), status)));
        fields.put_if(self.update_env_from_metadata, "updateEnvFromMetadata", "true");
        fields.put_if(self.update_images, "updateImages", "true");
        let images = map(self.next_images.iter(), |image| quoted(image));
        fields.put_if(!self.next_images.is_empty(), "nextContainerImages", &images);
        let metadata = map(self.next_metadata.iter(), ref_metadata);
        fields.put_if(!self.next_metadata.is_empty(), "nextContainerRefMetadata", &metadata);
        if let Some(required) = &self.required_ready {
            fields.put("preCheckBeforeNext", format!("{{\"containersRequiredReady\":{}}}", list(required)));
        }
        let batch = |(time, containers): &(Time, Vec<Rc<str>>)| {
            format!("{{\"timestamp\":{},\"containers\":{}}}", quoted(&time.to_string()), list(containers))
        };
        let batches: Vec<String> = self.batches.iter().map(batch).collect();
        fields.put_if(!batches.is_empty(), "containerBatchesRecord", &format!("[{}]", batches.join(",")));
        fields.close()
    }
}

impl UpdateSpec {
    /// Reads the annotation of a pod in its grace.
    pub(super) fn parse(text: &str) -> Option<Self> {
        let value: Value = serde_json::from_str(text).ok()?;
        let patch = value["metaDataPatch"].as_str().and_then(from_base64);
        Some(Self {
            revision: text_of(&value["revision"]),
            container_images: texts_of(&value["containerImages"]),
            container_ref_metadata: metadata_of(&value["containerRefMetadata"]),
            metadata_patch: patch.and_then(|patch| serde_json::from_slice(&patch).ok()),
            update_env_from_metadata: value["updateEnvFromMetadata"] == true,
            grace_seconds: value["graceSeconds"].as_i64().and_then(|it| i32::try_from(it).ok()).unwrap_or(0),
        })
    }

    pub(super) fn to_json(&self) -> String {
        let mut fields = Fields::default();
        fields.put("revision", quoted(&self.revision));
        let images = map(self.container_images.iter(), |image| quoted(image));
        fields.put_if(!self.container_images.is_empty(), "containerImages", &images);
        let metadata = map(self.container_ref_metadata.iter(), ref_metadata);
        fields.put_if(!self.container_ref_metadata.is_empty(), "containerRefMetadata", &metadata);
        if let Some(patch) = &self.metadata_patch {
            fields.put("metaDataPatch", quoted(&to_base64(json_text(patch).as_bytes())));
        }
        fields.put_if(self.update_env_from_metadata, "updateEnvFromMetadata", "true");
        fields.put_if(self.grace_seconds != 0, "graceSeconds", &self.grace_seconds.to_string());
        fields.close()
    }
}

/// A JSON object whose fields stand in the order they were put.
#[derive(Default)]
struct Fields(Vec<String>);

impl Fields {
    #[allow(clippy::needless_pass_by_value, reason = "the texts are made for it")]
    fn put(&mut self, name: &str, json: String) {
        self.0.push(format!("\"{name}\":{json}"));
    }

    fn put_if(&mut self, wanted: bool, name: &str, json: &str) {
        if wanted {
            self.put(name, json.to_owned());
        }
    }

    fn close(self) -> String {
        format!("{{{}}}", self.0.join(","))
    }
}

fn quoted(text: &str) -> String {
    json_text(&Value::from(text))
}

fn list(items: &[Rc<str>]) -> String {
    let items: Vec<String> = items.iter().map(|item| quoted(item)).collect();
    format!("[{}]", items.join(","))
}

fn map<'a, V: 'a>(items: impl Iterator<Item = (&'a Rc<str>, &'a V)>, json: impl Fn(&V) -> String) -> String {
    let items: Vec<String> = items.map(|(key, value)| format!("{}:{}", quoted(key), json(value))).collect();
    format!("{{{}}}", items.join(","))
}

/// Go writes the zero creation time of an embedded ObjectMeta as null.
fn ref_metadata(metadata: &RefMetadata) -> String {
    let mut fields = Fields::default();
    fields.put("creationTimestamp", "null".to_owned());
    for (name, labels) in [("labels", &metadata.labels), ("annotations", &metadata.annotations)] {
        fields.put_if(!labels.is_empty(), name, &map(labels.iter(), |value| quoted(value)));
    }
    fields.close()
}

fn text_of(value: &Value) -> Rc<str> {
    value.as_str().unwrap_or_default().into()
}

fn time_of(value: &Value) -> Time {
    value.as_str().and_then(Time::parse).unwrap_or_default()
}

fn list_of(value: Option<&Value>) -> Vec<Rc<str>> {
    value.and_then(Value::as_array).into_iter().flatten().map(text_of).collect()
}

fn texts_of(value: &Value) -> Texts {
    value.as_object().into_iter().flatten().map(|(key, value)| (key.as_str().into(), text_of(value))).collect()
}

fn metadata_of(value: &Value) -> BTreeMap<Rc<str>, RefMetadata> {
    let labels = |value: &Value| -> Labels {
        value.as_object().into_iter().flatten().map(|(key, value)| (key.as_str(), text_of(value))).collect()
    };
    let one =
        |value: &Value| RefMetadata { labels: labels(&value["labels"]), annotations: labels(&value["annotations"]) };
    value.as_object().into_iter().flatten().map(|(name, value)| (name.as_str().into(), one(value))).collect()
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
