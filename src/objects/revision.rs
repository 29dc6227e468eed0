//! ControllerRevision: a template as it was, under a name made from its hash.

use super::json::{Json, Mismatch, object, put, take};
use super::{Extra, ObjectMeta, PodTemplateSpec};
use serde::de::{Deserialize, Deserializer, Error as _};
use serde_json::Value;
use serde_json::value::RawValue;
use std::collections::BTreeMap;
use std::fmt;
use std::rc::Rc;

/// A stored template of a StatefulSet.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ControllerRevision {
    /// Name is `<set>-<hash>`.
    pub metadata: ObjectMeta,
    /// The patch that restores the template.
    pub data: RevisionData,
    /// Position in the history; the highest is the newest.
    pub revision: i64,
    /// Everything else.
    pub extra: Extra,
}

/// A patch that replaces a template: its bytes, which are hashed, and the template in it.
#[derive(Clone)]
pub struct RevisionData {
    text: Rc<str>,
    template: Rc<Value>,
}

impl RevisionData {
    /// The data whose compact JSON is `text` and whose template is `template`.
    pub(crate) fn new(text: Rc<str>, mut template: Value) -> Self {
        if let Some(fields) = template.as_object_mut() {
            fields.remove("$patch");
        }
        Self { text, template: Rc::new(template) }
    }

    /// The bytes: JSON whose keys keep their order.
    pub fn text(&self) -> &Rc<str> {
        &self.text
    }

    /// The template.
    ///
    /// # Errors
    /// The data, somebody else's, holds no template.
    pub fn template(&self) -> Result<PodTemplateSpec, Mismatch> {
        PodTemplateSpec::from_json((*self.template).clone())
    }

    /// The template laid over `base`, as Go's decoder fills a value that is not empty: what the data does not name stays,
    /// in lists by position.
    pub(crate) fn template_over(&self, base: &PodTemplateSpec) -> Result<PodTemplateSpec, Mismatch> {
        let mut value = base.to_json();
        lay_over(&mut value, &self.template);
        PodTemplateSpec::from_json(value)
    }
}

fn lay_over(base: &mut Value, value: &Value) {
    match (base, value) {
        (Value::Object(base), Value::Object(fields)) => {
            for (key, value) in fields {
                lay_over(base.entry(key).or_insert(Value::Null), value);
            }
        }
        (Value::Array(base), Value::Array(items)) => {
            base.resize(items.len(), Value::Null);
            base.iter_mut().zip(items).for_each(|(base, value)| lay_over(base, value));
        }
        (base, value) => *base = value.clone(),
    }
}

/// No data at all.
impl Default for RevisionData {
    fn default() -> Self {
        Self { text: "null".into(), template: Rc::default() }
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
    /// Its JSON form; the data's keys are in no order that matters here.
    pub fn to_json(&self) -> Value {
        let mut fields = self.extra.clone();
        let mut template = (*self.data.template).clone();
        if let Some(own) = template.as_object_mut() {
            put(own, "$patch", "replace".into());
        }
        put(&mut fields, "metadata", self.metadata.to_json());
        put(&mut fields, "data", serde_json::json!({"spec": {"template": template}}));
        put(&mut fields, "revision", self.revision.into());
        Value::Object(fields)
    }

    fn read(value: Value, text: Rc<str>) -> Result<Self, Mismatch> {
        let mut fields = object(value)?;
        let mut data = fields.remove("data").unwrap_or_default();
        Ok(Self {
            metadata: take(&mut fields, "metadata")?,
            revision: take(&mut fields, "revision")?,
            data: RevisionData::new(text, data["spec"]["template"].take()),
            extra: fields,
        })
    }
}

impl serde::Serialize for ControllerRevision {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut fields = self.extra.clone();
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
