//! CloneSet of OpenKruise: interchangeable pods, updated in place where the change allows it.

use super::controlled::common_fields;
use super::json::{is_zero, nullable, text};
pub use super::lifecycle::{Lifecycle, LifecycleHook};
use super::{
    Controlled, Extra, IntOrPercent, LabelSelector, ObjectMeta, PersistentVolumeClaim, PodTemplateSpec, SharedExtra,
    Time, UpdateStrategyType,
};
use serde::{Deserialize, Serialize};
use std::rc::Rc;

/// A CloneSet of apps.kruise.io/v1beta1.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct CloneSet {
    /// Its name is the prefix of its pods' names.
    #[serde(deserialize_with = "nullable")]
    pub metadata: ObjectMeta,
    /// What should be.
    #[serde(deserialize_with = "nullable")]
    pub spec: Rc<CloneSetSpec>,
    /// What the controller last saw.
    #[serde(deserialize_with = "nullable")]
    pub status: CloneSetStatus,
    /// Everything else.
    #[serde(flatten)]
    pub extra: SharedExtra,
}

/// `spec` of a CloneSet.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct CloneSetSpec {
    /// How many pods should exist; the webhook fills in 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub replicas: Option<i32>,
    /// Which pods and revisions are its own.
    #[serde(deserialize_with = "nullable")]
    pub selector: LabelSelector,
    /// What its pods are made from.
    #[serde(deserialize_with = "nullable")]
    pub template: PodTemplateSpec,
    /// Claims made for each pod.
    #[serde(deserialize_with = "nullable", skip_serializing_if = "Vec::is_empty")]
    pub volume_claim_templates: Vec<PersistentVolumeClaim>,
    /// How pods come and go.
    #[serde(deserialize_with = "nullable")]
    pub scale_strategy: ScaleStrategy,
    /// How a changed template reaches the pods.
    #[serde(deserialize_with = "nullable")]
    pub update_strategy: UpdateStrategy,
    /// How many old revisions are kept; 10 if absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub revision_history_limit: Option<i32>,
    /// Seconds a pod must be ready before it counts as available.
    #[serde(deserialize_with = "nullable", skip_serializing_if = "is_zero")]
    pub min_ready_seconds: i32,
    /// Hooks at which a pod's steps wait.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub lifecycle: Option<Lifecycle>,
    /// Seconds a rollout may take before it counts as stuck.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub progress_deadline_seconds: Option<i32>,
    /// Everything else.
    #[serde(flatten)]
    pub extra: Extra,
}

/// `spec.scaleStrategy`.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct ScaleStrategy {
    /// Names of pods to be deleted.
    #[serde(deserialize_with = "nullable", skip_serializing_if = "Vec::is_empty")]
    pub pods_to_delete: Vec<Rc<str>>,
    /// How many unavailable pods creating may lead to; without limit if absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_unavailable: Option<IntOrPercent>,
    /// Whether a new pod takes over the claims of a pod that is gone.
    #[serde(rename = "enablePVCReuse", deserialize_with = "nullable", skip_serializing_if = "is_zero")]
    pub enable_pvc_reuse: bool,
    /// Whether pods whose deletion waits at a hook no longer count.
    #[serde(deserialize_with = "nullable", skip_serializing_if = "is_zero")]
    pub exclude_preparing_delete: bool,
    /// Everything else.
    #[serde(flatten)]
    pub extra: Extra,
}

/// `spec.updateStrategy`.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct UpdateStrategy {
    /// RollingUpdate or OnDelete.
    #[serde(rename = "type", deserialize_with = "nullable")]
    pub strategy_type: UpdateStrategyType,
    /// Absent for OnDelete.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rolling_update: Option<RollingUpdate>,
}

/// `spec.updateStrategy.rollingUpdate`.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct RollingUpdate {
    /// Whether pods are replaced or changed.
    #[serde(deserialize_with = "nullable")]
    pub pod_update_policy: PodUpdatePolicy,
    /// How many pods keep an old revision; 0 if absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub partition: Option<IntOrPercent>,
    /// How many pods may be unavailable; 20% if absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_unavailable: Option<IntOrPercent>,
    /// How many pods there may be above `replicas`; 0 if absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_surge: Option<IntOrPercent>,
    /// Whether updates are held.
    #[serde(deserialize_with = "nullable", skip_serializing_if = "is_zero")]
    pub paused: bool,
    /// Which pods go first.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub priority_strategy: Option<PriorityStrategy>,
    /// Which pods are spread over the rollout.
    #[serde(deserialize_with = "nullable", skip_serializing_if = "Vec::is_empty")]
    pub scatter_strategy: Vec<ScatterTerm>,
    /// How a pod is changed in place.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub in_place_update_strategy: Option<InPlaceUpdateStrategy>,
    /// Everything else.
    #[serde(flatten)]
    pub extra: Extra,
}

/// `podUpdatePolicy`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum PodUpdatePolicy {
    /// A pod is deleted and another made.
    #[default]
    ReCreate,
    /// A pod is changed where the change allows it, and replaced otherwise.
    InPlaceIfPossible,
    /// A pod is changed or left.
    InPlaceOnly,
}

/// `priorityStrategy`: one of the two is set.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct PriorityStrategy {
    /// By the sum of the weights of matching selectors.
    #[serde(deserialize_with = "nullable", skip_serializing_if = "Vec::is_empty")]
    pub weight_priority: Vec<WeightTerm>,
    /// By the number at the end of a label's value.
    #[serde(deserialize_with = "nullable", skip_serializing_if = "Vec::is_empty")]
    pub order_priority: Vec<OrderTerm>,
}

/// One of `weightPriority`.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct WeightTerm {
    /// 0 to 100.
    #[serde(deserialize_with = "nullable")]
    pub weight: i32,
    /// Which pods it is given to.
    #[serde(deserialize_with = "nullable")]
    pub match_selector: LabelSelector,
}

/// One of `orderPriority`.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct OrderTerm {
    /// The label's key.
    #[serde(deserialize_with = "text")]
    pub ordered_key: Rc<str>,
}

/// One of `scatterStrategy`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct ScatterTerm {
    /// The label's key.
    #[serde(deserialize_with = "text")]
    pub key: Rc<str>,
    /// Its value.
    #[serde(deserialize_with = "text")]
    pub value: Rc<str>,
}

/// `inPlaceUpdateStrategy`.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct InPlaceUpdateStrategy {
    /// Seconds between not ready and the change.
    #[serde(deserialize_with = "nullable", skip_serializing_if = "is_zero")]
    pub grace_period_seconds: i32,
    /// Everything else.
    #[serde(flatten)]
    pub extra: Extra,
}

/// `status` of a CloneSet.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct CloneSetStatus {
    /// The generation of the spec that this status is about.
    #[serde(deserialize_with = "nullable", skip_serializing_if = "is_zero")]
    pub observed_generation: i64,
    /// Active pods.
    #[serde(deserialize_with = "nullable")]
    pub replicas: i32,
    /// Pods that are Running and Ready.
    #[serde(deserialize_with = "nullable")]
    pub ready_replicas: i32,
    /// Pods that have been ready long enough.
    #[serde(deserialize_with = "nullable")]
    pub available_replicas: i32,
    /// Pods at the update revision.
    #[serde(deserialize_with = "nullable")]
    pub updated_replicas: i32,
    /// Ready pods at the update revision.
    #[serde(deserialize_with = "nullable")]
    pub updated_ready_replicas: i32,
    /// Available pods at the update revision.
    #[serde(deserialize_with = "nullable", skip_serializing_if = "is_zero")]
    pub updated_available_replicas: i32,
    /// Pods that the partition lets be updated.
    #[serde(deserialize_with = "nullable", skip_serializing_if = "is_zero")]
    pub expected_updated_replicas: i32,
    /// The revision of the current template.
    #[serde(deserialize_with = "text", skip_serializing_if = "str::is_empty")]
    pub update_revision: Rc<str>,
    /// The revision that every pod had when the last rollout was complete.
    #[serde(deserialize_with = "text", skip_serializing_if = "str::is_empty")]
    pub current_revision: Rc<str>,
    /// How often a revision's name was taken.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub collision_count: Option<i32>,
    /// `Progressing`, `FailedScale`, `FailedUpdate`.
    #[serde(deserialize_with = "nullable", skip_serializing_if = "Vec::is_empty")]
    pub conditions: Vec<CloneSetCondition>,
    /// The selector as text, for the horizontal autoscaler.
    #[serde(deserialize_with = "text", skip_serializing_if = "str::is_empty")]
    pub label_selector: Rc<str>,
    /// Everything else.
    #[serde(flatten)]
    pub extra: Extra,
}

/// One of `status.conditions` of a CloneSet.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct CloneSetCondition {
    /// `Progressing` and others.
    #[serde(rename = "type", deserialize_with = "text")]
    pub condition_type: Rc<str>,
    /// `True` or `False`.
    #[serde(deserialize_with = "text")]
    pub status: Rc<str>,
    /// When it was last written. Go writes it though it is empty.
    pub last_update_time: Option<Time>,
    /// When the status last changed. Go writes it though it is empty.
    pub last_transition_time: Option<Time>,
    /// CamelCase cause.
    #[serde(deserialize_with = "text", skip_serializing_if = "str::is_empty")]
    pub reason: Rc<str>,
    /// The sentence.
    #[serde(deserialize_with = "text", skip_serializing_if = "str::is_empty")]
    pub message: Rc<str>,
}

impl CloneSet {
    /// `spec.replicas` as the webhook would have filled it in.
    pub fn replicas(&self) -> i32 {
        self.spec.replicas.unwrap_or(1)
    }

    /// The rolling update's settings; none for OnDelete.
    pub(crate) fn rolling_update(&self) -> Option<&RollingUpdate> {
        self.spec.update_strategy.rolling_update.as_ref()
    }
}

impl Controlled for CloneSet {
    common_fields!();

    fn lifecycle(&self) -> Option<&Lifecycle> {
        self.spec.lifecycle.as_ref()
    }

    fn replicas(&self) -> Option<i32> {
        Some(CloneSet::replicas(self))
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

    fn is_paused(&self) -> bool {
        self.rolling_update().is_some_and(|rolling| rolling.paused)
    }

    fn outdated(&self) -> i32 {
        self.status.replicas.saturating_sub(self.status.updated_replicas)
    }

    fn to_update(&self) -> i32 {
        match self.is_paused() {
            true => 0,
            false => self.status.expected_updated_replicas.saturating_sub(self.status.updated_replicas),
        }
    }

    // Pods of a surge are above what is asked for, and none that the partition keeps.
    fn kept_by_partition(&self) -> i32 {
        CloneSet::replicas(self).saturating_sub(self.status.expected_updated_replicas)
    }
}
