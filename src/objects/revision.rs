//! ControllerRevision: a template as it was, under a name made from its hash.

use super::json::{Json, Mismatch, object, put, take};
use super::{ObjectMeta, PodTemplateSpec, Rest};
use serde::de::{Deserialize, Deserializer, Error as _};
use serde_json::Value;
use serde_json::value::RawValue;
use std::collections::BTreeMap;
use std::fmt;
use std::rc::Rc;

/// A stored template of a StatefulSet.
#[derive(Clone, Debug, PartialEq)]
pub struct ControllerRevision {
    /// Name is `<set>-<hash>`.
    pub metadata: ObjectMeta,
    /// The patch that restores the template.
    pub data: RevisionData,
    /// Position in the history; the highest is the newest.
    pub revision: i64,
    /// Everything else.
    pub rest: Rest,
}

/// A patch that replaces a template: its bytes, which are hashed, and what they say.
#[derive(Clone)]
pub struct RevisionData {
    text: Rc<str>,
    template: Result<Rc<PodTemplateSpec>, Mismatch>,
}

impl RevisionData {
    /// The data of `template`, whose patch is `text`: compact JSON.
    pub fn new(text: Rc<str>, template: Rc<PodTemplateSpec>) -> Self {
        Self { text, template: Ok(template) }
    }

    /// The data whose compact JSON is `text` and whose value is `value`.
    fn read(text: Rc<str>, mut value: Value) -> Self {
        let mut template = value["spec"]["template"].take();
        if let Some(fields) = template.as_object_mut() {
            fields.remove("$patch");
        }
        Self { text, template: Rc::from_json(template) }
    }

    /// The bytes: JSON whose keys keep their order.
    pub fn text(&self) -> &Rc<str> {
        &self.text
    }

    /// The template.
    ///
    /// # Errors
    /// The data, somebody else's, holds no template.
    pub fn template(&self) -> Result<&Rc<PodTemplateSpec>, &Mismatch> {
        self.template.as_ref()
    }
}

impl PartialEq for RevisionData {
    fn eq(&self, other: &Self) -> bool {
        self.text == other.text
    }
}

impl fmt::Debug for RevisionData {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("RevisionData").field(&self.text).finish()
    }
}

impl ControllerRevision {
    fn read(value: Value, text: Rc<str>) -> Result<Self, Mismatch> {
        let mut fields = object(value)?;
        let data = fields.remove("data").unwrap_or_default();
        Ok(Self {
            metadata: take(&mut fields, "metadata")?,
            revision: take(&mut fields, "revision")?,
            data: RevisionData::read(text, data),
            rest: fields,
        })
    }
}

impl serde::Serialize for ControllerRevision {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut fields = self.rest.clone();
        put(&mut fields, "metadata", self.metadata.to_json());
        put(&mut fields, "revision", self.revision.into());
        let data = serde_json::from_str(&self.data.text).map_err(serde::ser::Error::custom)?;
        put(&mut fields, "data", data);
        serde::Serialize::serialize(&fields, serializer)
    }
}

impl<'de> Deserialize<'de> for ControllerRevision {
    /// Keeps the order of the data's keys: their bytes are hashed.
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let parts = BTreeMap::<String, Box<RawValue>>::deserialize(deserializer)?;
        let text = parts.get("data").ok_or_else(|| D::Error::missing_field("data"))?.get().into();
        let value = parts.into_iter().map(|(key, raw)| Ok((key, serde_json::from_str::<Value>(raw.get())?)));
        let value = Value::Object(value.collect::<Result<_, serde_json::Error>>().map_err(D::Error::custom)?);
        Self::read(value, text).map_err(D::Error::custom)
    }
}
