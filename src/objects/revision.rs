//! ControllerRevision: a template as it was, under a name made from its hash.

use super::json::{Json, Mismatch, escaped_as_go, nullable};
use super::{Extra, ObjectMeta, PodTemplateSpec};
use serde::de::Error as _;
use serde::ser::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::Value;
use serde_json::value::RawValue;
use std::cell::OnceCell;
use std::fmt;
use std::rc::Rc;

/// A stored template of a StatefulSet.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct ControllerRevision {
    /// Name is `<set>-<hash>`.
    #[serde(deserialize_with = "nullable")]
    pub metadata: ObjectMeta,
    /// The patch that restores the template.
    pub data: RevisionData,
    /// Position in the history; the highest is the newest.
    #[serde(deserialize_with = "nullable")]
    pub revision: i64,
    /// Everything else.
    #[serde(flatten)]
    pub extra: Extra,
}

/// A patch that replaces a template: its bytes, which are hashed, and the template in it.
#[derive(Clone)]
pub struct RevisionData {
    text: Rc<str>,
    template: Rc<Value>,
    /// The template once it was asked for: the pods that are made of it share its parts.
    read: Rc<OnceCell<Result<PodTemplateSpec, Mismatch>>>,
}

impl RevisionData {
    /// The data whose compact JSON is `text` and whose template is `template`.
    pub(crate) fn new(text: Rc<str>, mut template: Value) -> Self {
        if let Some(fields) = template.as_object_mut() {
            fields.remove("$patch");
        }
        Self { text, template: Rc::new(template), read: Rc::default() }
    }

    /// The bytes: JSON whose keys keep their order.
    pub fn text(&self) -> &Rc<str> {
        &self.text
    }

    /// The template.
    ///
    /// # Errors
    /// The data, somebody else's, holds no template.
    pub(crate) fn template(&self) -> Result<PodTemplateSpec, Mismatch> {
        let read = || match &*self.template {
            Value::Null => Ok(PodTemplateSpec::default()),
            template => PodTemplateSpec::from_json(template.clone()),
        };
        self.read.get_or_init(read).clone()
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
        Self { text: "null".into(), template: Rc::default(), read: Rc::default() }
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

/// The bytes as they are, whose keys keep their order.
impl Serialize for RevisionData {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let raw: &RawValue = serde_json::from_str(&self.text).map_err(S::Error::custom)?;
        raw.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for RevisionData {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let raw = Box::<RawValue>::deserialize(deserializer)?;
        let mut data: Value = serde_json::from_str(raw.get()).map_err(D::Error::custom)?;
        // Text from a real server is escaped already; from a `Value` it is not.
        // `data` is a RawExtension: other operators' revisions hold anything, not maps alone.
        let template = data.pointer_mut("/spec/template").map(Value::take).unwrap_or_default();
        Ok(Self::new(escaped_as_go(raw.get()).into(), template))
    }
}

#[cfg(test)]
mod tests {
    use crate::objects::Object;
    use serde_json::json;

    #[test]
    fn the_data_of_a_revision_may_be_anything() {
        for data in
            [json!("a"), json!(1), json!(true), json!([1]), json!({"spec": "a"}), json!({"spec": [1]}), json!({})]
        {
            let value = json!({
                "apiVersion": "apps/v1", "kind": "ControllerRevision", "metadata": {"name": "web-1"}, "revision": 1,
                "data": data,
            });
            assert!(matches!(Object::from_value(value), Ok(Object::Revision(_))), "{data}");
        }
    }

    #[test]
    fn the_bytes_of_a_revision_survive_a_value() {
        let template = json!({"spec": {"containers": [{"name": "a", "command": ["sh", "-c", "a < b && c"]}]}});
        let value = json!({
            "apiVersion": "apps/v1", "kind": "ControllerRevision", "metadata": {"name": "web-1"}, "revision": 1,
            "data": {"spec": {"template": template}},
        });
        let Ok(Object::Revision(revision)) = Object::from_value(value.clone()) else { panic!("{value}") };
        assert!(revision.data.text().contains(r"a \u003c b \u0026\u0026 c"), "{}", revision.data.text());
        let again = Object::from_value(Object::Revision(revision.clone()).to_value());
        assert_eq!(again, Ok(Object::Revision(revision)));
    }
}
