//! What every object carries: its name, its owner, its labels, its life.

use super::json::{is_zero, nullable, text};
use super::{Extra, Labels, Shared, Time, shared};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::rc::Rc;

/// `metadata` of any object.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct ObjectMeta {
    /// Unique among the living objects of its kind and namespace.
    #[serde(deserialize_with = "text", skip_serializing_if = "str::is_empty")]
    pub name: Rc<str>,
    /// Prefix from which the API server would make a name.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub generate_name: Option<Rc<str>>,
    /// Empty for cluster-scoped kinds.
    #[serde(deserialize_with = "text", skip_serializing_if = "str::is_empty")]
    pub namespace: Rc<str>,
    /// Unique forever: a recreated pod has the same name and another uid.
    #[serde(deserialize_with = "text", skip_serializing_if = "str::is_empty")]
    pub uid: Rc<str>,
    /// The store's counter at the last write; empty before the first.
    #[serde(deserialize_with = "text", skip_serializing_if = "str::is_empty")]
    pub resource_version: Rc<str>,
    /// Counts changes of the spec.
    #[serde(deserialize_with = "nullable", skip_serializing_if = "is_zero")]
    pub generation: i64,
    /// When the API server stored it first.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub creation_timestamp: Option<Time>,
    /// Set while the object is being deleted gracefully: the moment at which its grace ends.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub deletion_timestamp: Option<Time>,
    /// Seconds of grace the deletion was given.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub deletion_grace_period_seconds: Option<i64>,
    /// Keys that select.
    #[serde(deserialize_with = "nullable", skip_serializing_if = "Labels::is_empty")]
    pub labels: Labels,
    /// Keys that do not select.
    #[serde(deserialize_with = "nullable", skip_serializing_if = "Labels::is_empty")]
    pub annotations: Labels,
    /// Objects that this one depends on; at most one of them controls it.
    #[serde(deserialize_with = "nullable", skip_serializing_if = "Vec::is_empty")]
    pub owner_references: Shared<Vec<OwnerReference>>,
    /// What must be done before a deleted object may go.
    #[serde(deserialize_with = "nullable", skip_serializing_if = "Vec::is_empty")]
    pub finalizers: Vec<Rc<str>>,
    /// Everything else.
    #[serde(flatten)]
    pub extra: Extra,
}

thread_local! {
    static EMPTY: ObjectMeta = ObjectMeta {
        name: "".into(),
        generate_name: None,
        namespace: "".into(),
        uid: "".into(),
        resource_version: "".into(),
        generation: 0,
        creation_timestamp: None,
        deletion_timestamp: None,
        deletion_grace_period_seconds: None,
        labels: Labels::default(),
        annotations: Labels::default(),
        owner_references: Shared::default(),
        finalizers: Vec::new(),
        extra: Extra::default(),
    };
}

/// What is empty is shared by all: a sync may make thousands of pods.
impl Default for ObjectMeta {
    fn default() -> Self {
        EMPTY.with(Clone::clone)
    }
}

impl ObjectMeta {
    /// The owner reference that makes this object a controller.
    pub(crate) fn controller_reference(&self, api_version: &str, kind: &str) -> OwnerReference {
        OwnerReference {
            api_version: shared(api_version),
            kind: shared(kind),
            name: Rc::clone(&self.name),
            uid: Rc::clone(&self.uid),
            controller: Some(true),
            block_owner_deletion: Some(true),
        }
    }

    /// The owner reference of the controller, if there is one.
    pub fn controller_of(&self) -> Option<&OwnerReference> {
        self.owner_references.iter().find(|owner| owner.controller == Some(true))
    }
}

/// One entry of `metadata.ownerReferences`.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct OwnerReference {
    /// Group and version of the owner.
    #[serde(deserialize_with = "text")]
    pub api_version: Rc<str>,
    /// Whether deleting the owner in the foreground waits for this object.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub block_owner_deletion: Option<bool>,
    /// Whether the owner manages this object.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub controller: Option<bool>,
    /// Kind of the owner.
    #[serde(deserialize_with = "text")]
    pub kind: Rc<str>,
    /// Name of the owner.
    #[serde(deserialize_with = "text")]
    pub name: Rc<str>,
    /// Uid of the owner.
    #[serde(deserialize_with = "text")]
    pub uid: Rc<str>,
}

/// The annotation in which kubectl apply keeps what it has sent.
pub(crate) const LAST_APPLIED: &str = "kubectl.kubernetes.io/last-applied-configuration";

/// What such an annotation keeps; none if it is no object.
pub(crate) fn noted_as_applied(annotation: Option<&str>) -> Option<Value> {
    serde_json::from_str(annotation?).ok().filter(Value::is_object)
}
