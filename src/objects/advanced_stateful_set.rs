//! Advanced StatefulSet of OpenKruise: a StatefulSet whose ordinals can be left out, and whose pods are updated several at a
//! time, in an order of choice, and in place where the change allows it.

use super::clone_set::{InPlaceUpdateStrategy, Lifecycle, PodUpdatePolicy, PriorityStrategy};
use super::controlled::common_fields;
use super::json::{is_zero, nullable, text};
use super::{
    ClaimDeletion, Controlled, Extra, IntOrPercent, LabelSelector, ObjectMeta, PersistentVolumeClaim,
    PodManagementPolicy, PodTemplateSpec, Round, SharedExtra, Time, UpdateStrategyType,
};
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use std::rc::Rc;

/// A StatefulSet of apps.kruise.io/v1beta1.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct AdvancedStatefulSet {
    /// Its name is the prefix of its pods' names.
    #[serde(deserialize_with = "nullable")]
    pub metadata: ObjectMeta,
    /// What should be.
    #[serde(deserialize_with = "nullable")]
    pub spec: Rc<AdvancedStatefulSetSpec>,
    /// What the controller last saw.
    #[serde(deserialize_with = "nullable")]
    pub status: AdvancedStatefulSetStatus,
    /// Everything else.
    #[serde(flatten)]
    pub extra: SharedExtra,
}

/// `spec` of an Advanced StatefulSet.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct AdvancedStatefulSetSpec {
    /// How many pods should exist; the webhook fills in 1.
    #[serde(skip_serializing_if = "Option::is_none")]
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
    #[serde(deserialize_with = "text", skip_serializing_if = "str::is_empty")]
    pub service_name: Rc<str>,
    /// One at a time, or all at once.
    #[serde(deserialize_with = "nullable")]
    pub pod_management_policy: PodManagementPolicy,
    /// How a changed template reaches the pods.
    #[serde(deserialize_with = "nullable")]
    pub update_strategy: UpdateStrategy,
    /// How many old revisions are kept; the webhook fills in 10.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub revision_history_limit: Option<i32>,
    /// Ordinals at which there are to be no pods: numbers, or ranges such as `3-5`.
    #[serde(deserialize_with = "nullable", skip_serializing_if = "Vec::is_empty")]
    pub reserve_ordinals: Vec<IntOrPercent>,
    /// Hooks at which a pod's steps wait.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub lifecycle: Option<Lifecycle>,
    /// How pods are created.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub scale_strategy: Option<ScaleStrategy>,
    /// Everything else.
    #[serde(flatten)]
    pub extra: Extra,
}

/// `spec.scaleStrategy`.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct ScaleStrategy {
    /// How many pods may be in the making at once, under Parallel; without limit if absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_unavailable: Option<IntOrPercent>,
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
    /// How many pods keep an old revision; 0 if absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub partition: Option<i32>,
    /// How many pods may be unavailable; 1 if absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_unavailable: Option<IntOrPercent>,
    /// Whether pods are replaced or changed.
    #[serde(deserialize_with = "nullable")]
    pub pod_update_policy: PodUpdatePolicy,
    /// Whether updates are held.
    #[serde(deserialize_with = "nullable", skip_serializing_if = "is_zero")]
    pub paused: bool,
    /// Updates pods in another order than by ordinal.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unordered_update: Option<UnorderedUpdate>,
    /// How a pod is changed in place.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub in_place_update_strategy: Option<InPlaceUpdateStrategy>,
    /// Seconds a pod must be ready before it counts as available; 0 if absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub min_ready_seconds: Option<i32>,
    /// Everything else.
    #[serde(flatten)]
    pub extra: Extra,
}

/// `unorderedUpdate`.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct UnorderedUpdate {
    /// Which pods go first.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub priority_strategy: Option<PriorityStrategy>,
}

/// `status` of an Advanced StatefulSet.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct AdvancedStatefulSetStatus {
    /// The generation of the spec that this status is about.
    #[serde(deserialize_with = "nullable", skip_serializing_if = "is_zero")]
    pub observed_generation: i64,
    /// Pods that exist.
    #[serde(deserialize_with = "nullable")]
    pub replicas: i32,
    /// Pods that are Running and Ready.
    #[serde(deserialize_with = "nullable")]
    pub ready_replicas: i32,
    /// Pods that have been ready long enough.
    #[serde(deserialize_with = "nullable")]
    pub available_replicas: i32,
    /// Pods at the current revision.
    #[serde(deserialize_with = "nullable")]
    pub current_replicas: i32,
    /// Pods at the update revision.
    #[serde(deserialize_with = "nullable")]
    pub updated_replicas: i32,
    /// Ready pods at the update revision.
    #[serde(deserialize_with = "nullable", skip_serializing_if = "is_zero")]
    pub updated_ready_replicas: i32,
    /// Available pods at the update revision.
    #[serde(deserialize_with = "nullable", skip_serializing_if = "is_zero")]
    pub updated_available_replicas: i32,
    /// The revision that every pod had when the last rollout was complete.
    #[serde(deserialize_with = "text", skip_serializing_if = "str::is_empty")]
    pub current_revision: Rc<str>,
    /// The revision of the current template.
    #[serde(deserialize_with = "text", skip_serializing_if = "str::is_empty")]
    pub update_revision: Rc<str>,
    /// How often a revision's name was taken.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub collision_count: Option<i32>,
    /// `FailedCreatePod`, `FailedUpdatePod`.
    #[serde(deserialize_with = "nullable", skip_serializing_if = "Vec::is_empty")]
    pub conditions: Vec<AdvancedStatefulSetCondition>,
    /// The selector as text, for the horizontal autoscaler.
    #[serde(deserialize_with = "text", skip_serializing_if = "str::is_empty")]
    pub label_selector: Rc<str>,
    /// By claim template, how many pods have a claim that fits it.
    #[serde(deserialize_with = "nullable", skip_serializing_if = "Vec::is_empty")]
    pub volume_claims: Vec<VolumeClaimStatus>,
    /// Everything else.
    #[serde(flatten)]
    pub extra: Extra,
}

/// One of `status.conditions`.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct AdvancedStatefulSetCondition {
    /// `FailedCreatePod` or `FailedUpdatePod`.
    #[serde(rename = "type", deserialize_with = "text")]
    pub condition_type: Rc<str>,
    /// `True` or `False`.
    #[serde(deserialize_with = "text")]
    pub status: Rc<str>,
    /// When the status last changed. Go writes it though it is empty.
    pub last_transition_time: Option<Time>,
    /// CamelCase cause.
    #[serde(deserialize_with = "text", skip_serializing_if = "str::is_empty")]
    pub reason: Rc<str>,
    /// The sentence.
    #[serde(deserialize_with = "text", skip_serializing_if = "str::is_empty")]
    pub message: Rc<str>,
}

/// One of `status.volumeClaims`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct VolumeClaimStatus {
    /// The claim template's name.
    #[serde(deserialize_with = "text")]
    pub volume_claim_name: Rc<str>,
    /// Pods whose claim asks for what the template asks for.
    #[serde(deserialize_with = "nullable")]
    pub compatible_replicas: i32,
    /// Of these, pods whose volume is as large as the claim asks for.
    #[serde(deserialize_with = "nullable")]
    pub compatible_ready_replicas: i32,
}

impl AdvancedStatefulSet {
    /// `spec.replicas` as the webhook would have filled it in.
    pub(crate) fn replicas(&self) -> i32 {
        self.spec.replicas.unwrap_or(1)
    }

    /// The rolling update's settings; none for OnDelete.
    pub(crate) fn rolling_update(&self) -> Option<&RollingUpdate> {
        self.spec.update_strategy.rolling_update.as_ref()
    }

    /// How many pods keep an old revision.
    pub(crate) fn partition(&self) -> i32 {
        self.rolling_update().and_then(|rolling| rolling.partition).unwrap_or(0)
    }

    /// How many pods may be unavailable in a rolling update: a percentage of the replicas, rounded down; at least 1.
    pub(crate) fn max_unavailable(&self) -> i32 {
        let wanted = self.rolling_update().and_then(|rolling| rolling.max_unavailable.as_ref());
        wanted.map_or(1, |wanted| self.at_least_one(wanted))
    }

    /// How many pods may be in the making at once; none where nothing limits them.
    pub(crate) fn scale_max_unavailable(&self) -> Option<i32> {
        let wanted = self.spec.scale_strategy.as_ref()?.max_unavailable.as_ref()?;
        Some(self.at_least_one(wanted))
    }

    fn at_least_one(&self, wanted: &IntOrPercent) -> i32 {
        wanted.of(self.replicas(), Round::Down).unwrap_or(1).max(1)
    }

    /// Seconds a pod must be ready before it counts as available.
    pub(crate) fn min_ready_seconds(&self) -> i32 {
        self.rolling_update().and_then(|rolling| rolling.min_ready_seconds).unwrap_or(0)
    }

    /// The ordinals that `spec.reserveOrdinals` names. One range that cannot be read makes the whole list count for nothing.
    /// Models GetReserveOrdinalIntSet of pkg/util/api/asts.go of openkruise/kruise.
    pub(crate) fn reserved_ordinals(&self) -> BTreeSet<i32> {
        let mut reserved = BTreeSet::new();
        for item in &self.spec.reserve_ordinals {
            match reserved_range(item) {
                Some((first, last)) => reserved.extend(first..=last),
                None => return BTreeSet::new(),
            }
        }
        reserved
    }

    /// Which claims `spec.persistentVolumeClaimRetentionPolicy` deletes.
    pub(crate) fn claim_deletion(&self) -> ClaimDeletion {
        let policy = self.spec.extra.get("persistentVolumeClaimRetentionPolicy");
        let deletes = |field: &str| policy.is_some_and(|policy| policy[field] == "Delete");
        ClaimDeletion { when_scaled: deletes("whenScaled"), when_deleted: deletes("whenDeleted") }
    }
}

/// The first and the last ordinal that one of `spec.reserveOrdinals` names.
pub(crate) fn reserved_range(item: &IntOrPercent) -> Option<(i32, i32)> {
    match item {
        IntOrPercent::Int(ordinal) => Some((*ordinal, *ordinal)),
        IntOrPercent::Text(text) => {
            let (first, last) = text.split_once('-')?;
            let (first, last) = (first.parse().ok()?, last.parse().ok()?);
            (first <= last).then_some((first, last))
        }
    }
}

impl Controlled for AdvancedStatefulSet {
    common_fields!();

    fn lifecycle(&self) -> Option<&Lifecycle> {
        self.spec.lifecycle.as_ref()
    }

    fn replicas(&self) -> Option<i32> {
        Some(AdvancedStatefulSet::replicas(self))
    }

    fn set_replicas(&mut self, replicas: i32) {
        Rc::make_mut(&mut self.spec).replicas = Some(replicas);
    }

    fn claim_templates(&self) -> &[PersistentVolumeClaim] {
        &self.spec.volume_claim_templates
    }

    fn min_ready_seconds(&self) -> i32 {
        self.rolling_update().and_then(|rolling| rolling.min_ready_seconds).unwrap_or(0)
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

    fn min_ready_seconds_path(&self) -> &'static str {
        "spec.updateStrategy.rollingUpdate.minReadySeconds"
    }

    fn is_paused(&self) -> bool {
        self.rolling_update().is_some_and(|rolling| rolling.paused)
    }
}

#[cfg(test)]
mod tests {
    use super::AdvancedStatefulSet;
    use crate::objects::Json;
    use serde_json::{Value, json};

    fn reserved(list: Value) -> Vec<i32> {
        let set = AdvancedStatefulSet::from_json(json!({"spec": {"reserveOrdinals": list}})).unwrap_or_default();
        set.reserved_ordinals().into_iter().collect()
    }

    #[test]
    fn reserved_ordinals_are_numbers_and_ranges() {
        assert_eq!(reserved(json!([7, "1-3", 2])), [1, 2, 3, 7]);
        assert!(reserved(json!([7, "3-1"])).is_empty());
        assert!(reserved(json!([7, "1-2-3"])).is_empty());
    }
}
