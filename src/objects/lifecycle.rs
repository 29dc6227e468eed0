//! The hooks of a pod's life that OpenKruise's workloads have.

use super::Labels;
use super::json::{is_zero, nullable};
use serde::{Deserialize, Serialize};
use std::rc::Rc;

/// `spec.lifecycle`.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Lifecycle {
    /// Holds deletions.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pre_delete: Option<LifecycleHook>,
    /// Holds updates in place.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub in_place_update: Option<LifecycleHook>,
    /// Holds new pods.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pre_normal: Option<LifecycleHook>,
}

/// One hook: the labels and finalizers that hold a pod.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct LifecycleHook {
    /// Labels with these values.
    #[serde(deserialize_with = "nullable", skip_serializing_if = "Labels::is_empty")]
    pub labels_handler: Labels,
    /// Finalizers.
    #[serde(deserialize_with = "nullable", skip_serializing_if = "Vec::is_empty")]
    pub finalizers_handler: Vec<Rc<str>>,
    /// Whether a held pod is made not ready.
    #[serde(deserialize_with = "nullable", skip_serializing_if = "is_zero")]
    pub mark_pod_not_ready: bool,
}
