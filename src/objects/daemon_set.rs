//! DaemonSet of apps/v1.

use super::controlled::common_fields;
use super::deployment::RollingUpdate;
use super::json::{is_zero, nullable};
use super::{Controlled, Extra, LabelSelector, ObjectMeta, PodTemplateSpec, SharedExtra, UpdateStrategyType};
use serde::{Deserialize, Serialize};
use std::rc::Rc;

/// The annotation in which the API server shows how many templates a DaemonSet has had.
pub(crate) const TEMPLATE_GENERATION: &str = "deprecated.daemonset.template.generation";

/// A DaemonSet of apps/v1.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct DaemonSet {
    /// Its name is the prefix of its pods' names.
    #[serde(deserialize_with = "nullable")]
    pub metadata: ObjectMeta,
    /// What should be.
    #[serde(deserialize_with = "nullable")]
    pub spec: Rc<DaemonSetSpec>,
    /// What the controller last saw.
    #[serde(deserialize_with = "nullable")]
    pub status: DaemonSetStatus,
    /// Everything else.
    #[serde(flatten)]
    pub extra: SharedExtra,
}

/// `spec` of a DaemonSet.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct DaemonSetSpec {
    /// Which pods are its own.
    #[serde(deserialize_with = "nullable")]
    pub selector: LabelSelector,
    /// What its pods are made from.
    #[serde(deserialize_with = "nullable")]
    pub template: PodTemplateSpec,
    /// How a changed template reaches the pods.
    #[serde(deserialize_with = "nullable")]
    pub update_strategy: DaemonSetUpdateStrategy,
    /// Seconds a pod must be ready before it counts as available.
    #[serde(deserialize_with = "nullable", skip_serializing_if = "is_zero")]
    pub min_ready_seconds: i32,
    /// How many old revisions are kept; the API server fills in 10.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub revision_history_limit: Option<i32>,
    /// Everything else.
    #[serde(flatten)]
    pub extra: Extra,
}

/// `spec.updateStrategy` of a DaemonSet.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct DaemonSetUpdateStrategy {
    /// RollingUpdate or OnDelete.
    #[serde(rename = "type", deserialize_with = "nullable")]
    pub strategy_type: UpdateStrategyType,
    /// Absent for OnDelete.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rolling_update: Option<RollingUpdate>,
}

/// `status` of a DaemonSet.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct DaemonSetStatus {
    /// Nodes that should have a pod and have one.
    #[serde(deserialize_with = "nullable")]
    pub current_number_scheduled: i32,
    /// Nodes that have one and should not.
    #[serde(deserialize_with = "nullable")]
    pub number_misscheduled: i32,
    /// Nodes that should have one.
    #[serde(deserialize_with = "nullable")]
    pub desired_number_scheduled: i32,
    /// Nodes whose pod is Ready.
    #[serde(deserialize_with = "nullable")]
    pub number_ready: i32,
    /// The generation the controller acted on.
    #[serde(deserialize_with = "nullable", skip_serializing_if = "is_zero")]
    pub observed_generation: i64,
    /// Nodes whose pod is of the current template.
    #[serde(deserialize_with = "nullable", skip_serializing_if = "is_zero")]
    pub updated_number_scheduled: i32,
    /// Nodes whose pod has been ready for `minReadySeconds`.
    #[serde(deserialize_with = "nullable", skip_serializing_if = "is_zero")]
    pub number_available: i32,
    /// Nodes that should have an available pod and have none.
    #[serde(deserialize_with = "nullable", skip_serializing_if = "is_zero")]
    pub number_unavailable: i32,
    /// How often a revision's name was taken.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub collision_count: Option<i32>,
    /// Everything else.
    #[serde(flatten)]
    pub extra: Extra,
}

impl Controlled for DaemonSet {
    common_fields!();

    fn replicas(&self) -> Option<i32> {
        None
    }

    fn set_replicas(&mut self, _: i32) {}

    fn min_ready_seconds(&self) -> i32 {
        self.spec.min_ready_seconds
    }

    fn counted(&self) -> i32 {
        self.status.current_number_scheduled
    }

    fn strategy(&self) -> Option<UpdateStrategyType> {
        Some(self.spec.update_strategy.strategy_type)
    }

    fn outdated(&self) -> i32 {
        self.status.desired_number_scheduled.saturating_sub(self.status.updated_number_scheduled)
    }

    fn to_update(&self) -> i32 {
        match self.spec.update_strategy.strategy_type {
            UpdateStrategyType::RollingUpdate => self.outdated(),
            UpdateStrategyType::OnDelete | UpdateStrategyType::Recreate => 0,
        }
    }
}
