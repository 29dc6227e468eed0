//! ControllerRevision: a template as it was, under a name made from its hash.

use super::{ObjectMeta, Rest};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::value::RawValue;
use std::rc::Rc;

/// A stored template of a StatefulSet.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ControllerRevision {
    /// Name is `<set>-<hash>`.
    pub metadata: ObjectMeta,
    /// The patch that restores the template.
    pub data: RevisionData,
    /// Position in the history; the highest is the newest.
    #[serde(default)]
    pub revision: i64,
    /// Everything else.
    #[serde(flatten)]
    pub rest: Rest,
}

/// The bytes that are hashed: compact JSON whose keys keep their order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RevisionData(pub Rc<str>);

/// No data at all.
impl Default for RevisionData {
    fn default() -> Self {
        Self("null".into())
    }
}

impl Serialize for RevisionData {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let raw = RawValue::from_string(self.0.to_string()).map_err(serde::ser::Error::custom)?;
        raw.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for RevisionData {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Ok(Self(Box::<RawValue>::deserialize(deserializer)?.get().into()))
    }
}
