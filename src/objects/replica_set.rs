//! ReplicaSet of apps/v1.

use super::controlled::common_fields;
use super::json::{is_zero, nullable, text};
use super::{Controlled, Extra, LabelSelector, ObjectMeta, PodTemplateSpec, SharedExtra, Time};
use serde::{Deserialize, Serialize};
use std::rc::Rc;

/// A ReplicaSet of apps/v1.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct ReplicaSet {
    /// Its name is the prefix of its pods' names.
    #[serde(deserialize_with = "nullable")]
    pub metadata: ObjectMeta,
    /// What should be.
    #[serde(deserialize_with = "nullable")]
    pub spec: Rc<ReplicaSetSpec>,
    /// What the controller last saw.
    #[serde(deserialize_with = "nullable")]
    pub status: ReplicaSetStatus,
    /// Everything else.
    #[serde(flatten)]
    pub extra: SharedExtra,
}

/// `spec` of a ReplicaSet.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct ReplicaSetSpec {
    /// How many pods should exist; the API server fills in 1.
    pub replicas: Option<i32>,
    /// Seconds a pod must be ready before it counts as available.
    #[serde(deserialize_with = "nullable", skip_serializing_if = "is_zero")]
    pub min_ready_seconds: i32,
    /// Which pods are its own.
    #[serde(deserialize_with = "nullable")]
    pub selector: LabelSelector,
    /// What its pods are made from.
    #[serde(deserialize_with = "nullable")]
    pub template: PodTemplateSpec,
    /// Everything else.
    #[serde(flatten)]
    pub extra: Extra,
}

/// `status` of a ReplicaSet.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct ReplicaSetStatus {
    /// Active pods.
    #[serde(deserialize_with = "nullable")]
    pub replicas: i32,
    /// Pods that carry every label of the template.
    #[serde(deserialize_with = "nullable", skip_serializing_if = "is_zero")]
    pub fully_labeled_replicas: i32,
    /// Pods that are Ready.
    #[serde(deserialize_with = "nullable", skip_serializing_if = "is_zero")]
    pub ready_replicas: i32,
    /// Pods that have been ready for `minReadySeconds`.
    #[serde(deserialize_with = "nullable", skip_serializing_if = "is_zero")]
    pub available_replicas: i32,
    /// Pods that are terminating; none where the controller does not count them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub terminating_replicas: Option<i32>,
    /// The generation the controller acted on.
    #[serde(deserialize_with = "nullable", skip_serializing_if = "is_zero")]
    pub observed_generation: i64,
    /// `ReplicaFailure`.
    #[serde(deserialize_with = "nullable", skip_serializing_if = "Vec::is_empty")]
    pub conditions: Vec<Condition>,
    /// Everything else.
    #[serde(flatten)]
    pub extra: Extra,
}

/// One of `status.conditions` of a ReplicaSet or a Deployment.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Condition {
    /// `Available`, `Progressing`, `ReplicaFailure`.
    #[serde(rename = "type", deserialize_with = "text")]
    pub condition_type: Rc<str>,
    /// `True`, `False` or `Unknown`.
    #[serde(deserialize_with = "text")]
    pub status: Rc<str>,
    /// When it was last written; a Deployment's only.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub last_update_time: Option<Time>,
    /// When the status last changed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub last_transition_time: Option<Time>,
    /// CamelCase cause.
    #[serde(deserialize_with = "text", skip_serializing_if = "str::is_empty")]
    pub reason: Rc<str>,
    /// The sentence.
    #[serde(deserialize_with = "text", skip_serializing_if = "str::is_empty")]
    pub message: Rc<str>,
}

impl ReplicaSet {
    /// `spec.replicas` as the API server would have filled it in.
    pub fn replicas(&self) -> i32 {
        self.spec.replicas.unwrap_or(1)
    }
}

impl Controlled for ReplicaSet {
    common_fields!();

    fn replicas(&self) -> Option<i32> {
        Some(ReplicaSet::replicas(self))
    }

    fn set_replicas(&mut self, replicas: i32) {
        Rc::make_mut(&mut self.spec).replicas = Some(replicas);
    }

    fn min_ready_seconds(&self) -> i32 {
        self.spec.min_ready_seconds
    }

    fn counted(&self) -> i32 {
        self.status.replicas
    }
}
