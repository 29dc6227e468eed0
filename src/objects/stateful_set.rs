//! StatefulSet.

use super::controlled::common_fields;
use super::json::{is_zero, nullable, text};
use super::{
    Controlled, Extra, LabelSelector, ObjectMeta, PersistentVolumeClaim, PodTemplateSpec, SharedExtra,
    UpdateStrategyType,
};
use serde::{Deserialize, Serialize};
use std::rc::Rc;

/// A StatefulSet of apps/v1.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct StatefulSet {
    /// Its name is the prefix of its pods' names.
    #[serde(deserialize_with = "nullable")]
    pub metadata: ObjectMeta,
    /// What should be.
    #[serde(deserialize_with = "nullable")]
    pub spec: Rc<StatefulSetSpec>,
    /// What the controller last saw.
    #[serde(deserialize_with = "nullable")]
    pub status: StatefulSetStatus,
    /// Everything else.
    #[serde(flatten)]
    pub extra: SharedExtra,
}

/// `spec` of a StatefulSet.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct StatefulSetSpec {
    /// How many ordinals should exist; the API server fills in 1.
    pub replicas: Option<i32>,
    /// Which pods and revisions are its own.
    #[serde(deserialize_with = "nullable")]
    pub selector: LabelSelector,
    /// What its pods are made from.
    #[serde(deserialize_with = "nullable")]
    pub template: PodTemplateSpec,
    /// Claims made for each ordinal.
    #[serde(deserialize_with = "nullable", skip_serializing_if = "Vec::is_empty")]
    pub volume_claim_templates: Vec<PersistentVolumeClaim>,
    /// The headless Service that names its pods.
    #[serde(deserialize_with = "text")]
    pub service_name: Rc<str>,
    /// One at a time, or all at once.
    #[serde(deserialize_with = "nullable")]
    pub pod_management_policy: PodManagementPolicy,
    /// How a changed template reaches the pods.
    #[serde(deserialize_with = "nullable")]
    pub update_strategy: UpdateStrategy,
    /// Seconds a pod must have been Ready to count as available. Read from 1.22 on.
    #[serde(deserialize_with = "nullable", skip_serializing_if = "is_zero")]
    pub min_ready_seconds: i32,
    /// How many old revisions are kept; the API server fills in 10.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub revision_history_limit: Option<i32>,
    /// Everything else.
    #[serde(flatten)]
    pub extra: Extra,
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

impl PodManagementPolicy {
    /// The API's word.
    pub(crate) fn as_str(self) -> &'static str {
        match self {
            Self::OrderedReady => "OrderedReady",
            Self::Parallel => "Parallel",
        }
    }
}

/// `spec.updateStrategy`.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct UpdateStrategy {
    /// RollingUpdate or OnDelete.
    #[serde(rename = "type", deserialize_with = "nullable")]
    pub strategy_type: UpdateStrategyType,
    /// May be absent even for RollingUpdate, and then means something else than partition 0.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rolling_update: Option<RollingUpdate>,
}

/// `spec.updateStrategy.rollingUpdate`.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct RollingUpdate {
    /// Ordinals below it keep the old revision.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub partition: Option<i32>,
    /// How many pods may be unavailable during the update: a number or a percentage. Read behind a feature gate.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_unavailable: Option<serde_json::Value>,
    /// Everything else.
    #[serde(flatten)]
    pub extra: Extra,
}

/// `status` of a StatefulSet.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct StatefulSetStatus {
    /// The generation the controller acted on.
    #[serde(deserialize_with = "nullable", skip_serializing_if = "is_zero")]
    pub observed_generation: i64,
    /// Pods that exist.
    #[serde(deserialize_with = "nullable")]
    pub replicas: i32,
    /// Pods that are Running and Ready.
    #[serde(deserialize_with = "nullable", skip_serializing_if = "is_zero")]
    pub ready_replicas: i32,
    /// Pods that have been ready for `minReadySeconds`; none in releases that do not count them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub available_replicas: Option<i32>,
    /// Pods at the current revision. The real controller can count below zero.
    #[serde(deserialize_with = "nullable", skip_serializing_if = "is_zero")]
    pub current_replicas: i32,
    /// Pods at the update revision.
    #[serde(deserialize_with = "nullable", skip_serializing_if = "is_zero")]
    pub updated_replicas: i32,
    /// The revision that every pod had when the last rollout was complete.
    #[serde(deserialize_with = "text", skip_serializing_if = "str::is_empty")]
    pub current_revision: Rc<str>,
    /// The revision of the current template.
    #[serde(deserialize_with = "text", skip_serializing_if = "str::is_empty")]
    pub update_revision: Rc<str>,
    /// How often a revision's name was taken.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub collision_count: Option<i32>,
    /// Everything else.
    #[serde(flatten)]
    pub extra: Extra,
}

/// When claims are deleted with what they belong to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ClaimDeletion {
    /// With their pod, once it is out of range.
    pub when_scaled: bool,
    /// With the set.
    pub when_deleted: bool,
}

impl StatefulSet {
    /// `spec.replicas` as the API server would have filled it in.
    pub fn replicas(&self) -> i32 {
        self.spec.replicas.unwrap_or(1)
    }

    /// `spec.ordinals.start`. Read from 1.26 on.
    pub(crate) fn start_ordinal(&self) -> i32 {
        let start = self.spec.extra.get("ordinals").and_then(|ordinals| ordinals["start"].as_i64());
        start.and_then(|start| i32::try_from(start).ok()).unwrap_or(0)
    }

    /// Which claims `spec.persistentVolumeClaimRetentionPolicy` deletes. Read from 1.23 on.
    pub(crate) fn claim_deletion(&self) -> ClaimDeletion {
        let policy = self.spec.extra.get("persistentVolumeClaimRetentionPolicy");
        let deletes = |field: &str| policy.is_some_and(|policy| policy[field] == "Delete");
        ClaimDeletion { when_scaled: deletes("whenScaled"), when_deleted: deletes("whenDeleted") }
    }

    /// The pods that `rollingUpdate.maxUnavailable` allows to be unavailable, at least 1.
    pub(crate) fn max_unavailable(&self) -> i32 {
        self.max_unavailable_as_asked().max(1)
    }

    /// The same, where a percentage of the replicas, rounded down, may come to none.
    pub(crate) fn max_unavailable_as_asked(&self) -> i32 {
        let wanted = self.spec.update_strategy.rolling_update.as_ref().and_then(|it| it.max_unavailable.as_ref());
        let number = match wanted {
            Some(serde_json::Value::String(text)) => {
                let percent = text.strip_suffix('%').and_then(|digits| digits.parse::<i64>().ok());
                percent.unwrap_or(0) * i64::from(self.replicas()) / 100
            }
            Some(number) => number.as_i64().unwrap_or(1),
            None => 1,
        };
        i32::try_from(number).unwrap_or(i32::MAX)
    }
}

impl Controlled for StatefulSet {
    common_fields!();

    fn replicas(&self) -> Option<i32> {
        Some(StatefulSet::replicas(self))
    }

    fn set_replicas(&mut self, replicas: i32) {
        Rc::make_mut(&mut self.spec).replicas = Some(replicas);
    }

    fn claim_templates(&self) -> &[PersistentVolumeClaim] {
        &self.spec.volume_claim_templates
    }

    fn min_ready_seconds(&self) -> i32 {
        self.spec.min_ready_seconds
    }

    fn counted(&self) -> i32 {
        self.status.replicas
    }

    fn strategy(&self) -> Option<UpdateStrategyType> {
        Some(self.spec.update_strategy.strategy_type)
    }

    fn update_revision(&self) -> Option<&Rc<str>> {
        Some(&self.status.update_revision)
    }
}
