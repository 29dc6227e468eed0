//! StatefulSet.

use super::meta::{is_zero, is_zero_i32};
use super::{LabelSelector, ObjectMeta, PersistentVolumeClaim, PodTemplateSpec, Rest};
use serde::{Deserialize, Serialize};
use std::rc::Rc;

/// A StatefulSet of apps/v1.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct StatefulSet {
    /// Its name is the prefix of its pods' names.
    pub metadata: ObjectMeta,
    /// What should be.
    pub spec: Rc<StatefulSetSpec>,
    /// What the controller last saw.
    pub status: StatefulSetStatus,
    /// Everything else.
    #[serde(flatten)]
    pub rest: Rest,
}

/// `spec` of a StatefulSet.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct StatefulSetSpec {
    /// How many ordinals should exist; the API server fills in 1.
    pub replicas: Option<i32>,
    /// Which pods and revisions are its own.
    pub selector: LabelSelector,
    /// What its pods are made from.
    pub template: PodTemplateSpec,
    /// Claims made for each ordinal.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub volume_claim_templates: Vec<PersistentVolumeClaim>,
    /// The headless Service that names its pods.
    pub service_name: Rc<str>,
    /// One at a time, or all at once.
    pub pod_management_policy: PodManagementPolicy,
    /// How a changed template reaches the pods.
    pub update_strategy: UpdateStrategy,
    /// How many old revisions are kept; the API server fills in 10.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub revision_history_limit: Option<i32>,
    /// Everything else.
    #[serde(flatten)]
    pub rest: Rest,
}

/// `spec.podManagementPolicy`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum PodManagementPolicy {
    /// Ordinals are created in order, each after its predecessor is ready, and deleted in reverse.
    #[default]
    OrderedReady,
    /// No ordinal waits for another while scaling.
    Parallel,
}

/// `spec.updateStrategy`.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct UpdateStrategy {
    /// RollingUpdate or OnDelete.
    #[serde(rename = "type")]
    pub strategy_type: UpdateStrategyType,
    /// May be absent even for RollingUpdate, and then means something else than partition 0.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rolling_update: Option<RollingUpdate>,
}

/// `spec.updateStrategy.type`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum UpdateStrategyType {
    /// The controller deletes old pods, highest ordinal first.
    #[default]
    RollingUpdate,
    /// People delete old pods.
    OnDelete,
}

/// `spec.updateStrategy.rollingUpdate`.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct RollingUpdate {
    /// Ordinals below it keep the old revision.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub partition: Option<i32>,
    /// Everything else.
    #[serde(flatten)]
    pub rest: Rest,
}

/// `status` of a StatefulSet.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct StatefulSetStatus {
    /// The generation the controller acted on.
    #[serde(skip_serializing_if = "is_zero")]
    pub observed_generation: i64,
    /// Pods that exist.
    pub replicas: i32,
    /// Pods that are Running and Ready.
    #[serde(skip_serializing_if = "is_zero_i32")]
    pub ready_replicas: i32,
    /// Pods at the current revision. The real controller can count below zero.
    #[serde(skip_serializing_if = "is_zero_i32")]
    pub current_replicas: i32,
    /// Pods at the update revision.
    #[serde(skip_serializing_if = "is_zero_i32")]
    pub updated_replicas: i32,
    /// The revision that every pod had when the last rollout was complete.
    #[serde(skip_serializing_if = "str::is_empty")]
    pub current_revision: Rc<str>,
    /// The revision of the template as it is.
    #[serde(skip_serializing_if = "str::is_empty")]
    pub update_revision: Rc<str>,
    /// How often a revision's name was taken.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub collision_count: Option<i32>,
    /// Everything else.
    #[serde(flatten)]
    pub rest: Rest,
}

impl StatefulSet {
    /// `spec.replicas` as the API server would have filled it in.
    pub fn replicas(&self) -> i32 {
        self.spec.replicas.unwrap_or(1)
    }
}
