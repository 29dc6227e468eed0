//! Deployment of apps/v1.

use super::controlled::common_fields;
use super::json::{is_zero, nullable};
use super::replica_set::Condition;
use super::{
    Controlled, Extra, IntOrPercent, LabelSelector, ObjectMeta, PodTemplateSpec, Round, SharedExtra, Time,
    UpdateStrategyType,
};
use serde::{Deserialize, Serialize};
use std::rc::Rc;

/// A Deployment of apps/v1.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Deployment {
    /// Its name is the prefix of its ReplicaSets' names.
    #[serde(deserialize_with = "nullable")]
    pub metadata: ObjectMeta,
    /// What should be.
    #[serde(deserialize_with = "nullable")]
    pub spec: Rc<DeploymentSpec>,
    /// What the controller last saw.
    #[serde(deserialize_with = "nullable")]
    pub status: DeploymentStatus,
    /// Everything else.
    #[serde(flatten)]
    pub extra: SharedExtra,
}

/// `spec` of a Deployment.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct DeploymentSpec {
    /// How many pods should exist; the API server fills in 1.
    pub replicas: Option<i32>,
    /// Which pods and ReplicaSets are its own.
    #[serde(deserialize_with = "nullable")]
    pub selector: LabelSelector,
    /// What its pods are made from.
    #[serde(deserialize_with = "nullable")]
    pub template: PodTemplateSpec,
    /// How a changed template reaches the pods.
    #[serde(deserialize_with = "nullable")]
    pub strategy: DeploymentStrategy,
    /// Seconds a pod must be ready before it counts as available.
    #[serde(deserialize_with = "nullable", skip_serializing_if = "is_zero")]
    pub min_ready_seconds: i32,
    /// How many old ReplicaSets are kept; the API server fills in 10.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub revision_history_limit: Option<i32>,
    /// Whether rollouts are held.
    #[serde(deserialize_with = "nullable", skip_serializing_if = "is_zero")]
    pub paused: bool,
    /// Seconds a rollout may take without progress; the API server fills in 600.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub progress_deadline_seconds: Option<i32>,
    /// Everything else.
    #[serde(flatten)]
    pub extra: Extra,
}

/// `spec.strategy` of a Deployment.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct DeploymentStrategy {
    /// RollingUpdate or Recreate.
    #[serde(rename = "type", deserialize_with = "nullable")]
    pub strategy_type: DeploymentStrategyType,
    /// Absent for Recreate.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rolling_update: Option<RollingUpdate>,
}

/// `spec.strategy.type` of a Deployment.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum DeploymentStrategyType {
    /// New pods come as old ones go.
    #[default]
    RollingUpdate,
    /// Every old pod goes before a new one comes.
    Recreate,
}

/// `rollingUpdate` of a Deployment or a DaemonSet.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct RollingUpdate {
    /// How many pods may be unavailable.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_unavailable: Option<IntOrPercent>,
    /// How many pods there may be above what is wanted.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_surge: Option<IntOrPercent>,
}

/// `status` of a Deployment.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct DeploymentStatus {
    /// The generation the controller acted on.
    #[serde(deserialize_with = "nullable", skip_serializing_if = "is_zero")]
    pub observed_generation: i64,
    /// Active pods of every ReplicaSet.
    #[serde(deserialize_with = "nullable", skip_serializing_if = "is_zero")]
    pub replicas: i32,
    /// Active pods of the newest one.
    #[serde(deserialize_with = "nullable", skip_serializing_if = "is_zero")]
    pub updated_replicas: i32,
    /// Pods that are Ready.
    #[serde(deserialize_with = "nullable", skip_serializing_if = "is_zero")]
    pub ready_replicas: i32,
    /// Pods that have been ready for `minReadySeconds`.
    #[serde(deserialize_with = "nullable", skip_serializing_if = "is_zero")]
    pub available_replicas: i32,
    /// Pods that are not.
    #[serde(deserialize_with = "nullable", skip_serializing_if = "is_zero")]
    pub unavailable_replicas: i32,
    /// Pods that are terminating; none where that is not counted.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub terminating_replicas: Option<i32>,
    /// `Available`, `Progressing`, `ReplicaFailure`.
    #[serde(deserialize_with = "nullable", skip_serializing_if = "Vec::is_empty")]
    pub conditions: Vec<Condition>,
    /// How often a ReplicaSet's name was taken.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub collision_count: Option<i32>,
    /// Everything else.
    #[serde(flatten)]
    pub extra: Extra,
}

impl Deployment {
    /// `spec.replicas` as the API server would have filled it in.
    pub fn replicas(&self) -> i32 {
        self.spec.replicas.unwrap_or(1)
    }

    /// Whether its status says that fewer pods are available than there are to be at least.
    pub(crate) fn is_unavailable(&self) -> bool {
        self.told_unavailable().is_some()
    }

    /// Since when, if it tells.
    pub(crate) fn unavailable_since(&self) -> Option<Time> {
        self.told_unavailable()?.last_transition_time
    }

    fn told_unavailable(&self) -> Option<&Condition> {
        self.status.conditions.iter().find(|one| &*one.condition_type == "Available" && &*one.status == "False")
    }

    /// How many pods there may be above `replicas` during a rollout, and how many may be unavailable. A percentage of the
    /// first is rounded up, of the second down; if both come out as 0, one may be unavailable.
    /// Models ResolveFenceposts, MaxSurge and MaxUnavailable of pkg/controller/deployment/util/deployment_util.go.
    pub fn limits(&self) -> (i32, i32) {
        if self.spec.strategy.strategy_type == DeploymentStrategyType::Recreate {
            return (0, 0);
        }
        let rolling = self.spec.strategy.rolling_update.clone().unwrap_or_default();
        let number =
            |value: Option<IntOrPercent>, round| value.and_then(|it| it.of(self.replicas(), round)).unwrap_or(0);
        let surge = number(rolling.max_surge, Round::Up);
        let unavailable = number(rolling.max_unavailable, Round::Down);
        let unavailable = if surge == 0 && unavailable == 0 { 1 } else { unavailable };
        (surge, unavailable.min(self.replicas()))
    }
}

impl Controlled for Deployment {
    common_fields!();

    fn replicas(&self) -> Option<i32> {
        Some(Deployment::replicas(self))
    }

    fn set_replicas(&mut self, replicas: i32) {
        Rc::make_mut(&mut self.spec).replicas = Some(replicas);
    }

    fn min_ready_seconds(&self) -> i32 {
        self.spec.min_ready_seconds
    }

    /// Its ReplicaSets' controller waits for it.
    fn waits_until_available(&self) -> bool {
        false
    }

    fn counted(&self) -> i32 {
        self.status.replicas
    }

    fn is_paused(&self) -> bool {
        self.spec.paused
    }

    fn strategy(&self) -> Option<UpdateStrategyType> {
        Some(UpdateStrategyType::RollingUpdate)
    }

    fn outdated(&self) -> i32 {
        self.status.replicas.saturating_sub(self.status.updated_replicas)
    }

    fn to_update(&self) -> i32 {
        if self.spec.paused { 0 } else { self.outdated() }
    }
}
