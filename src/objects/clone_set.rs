//! CloneSet of OpenKruise: interchangeable pods, updated in place where the change allows it.

use super::json::{fields, words};
use super::{
    Extra, IntOrPercent, LabelSelector, Labels, ObjectMeta, PersistentVolumeClaim, PodTemplateSpec, Time,
    UpdateStrategyType,
};
use std::rc::Rc;

/// A CloneSet of apps.kruise.io/v1beta1.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct CloneSet {
    /// Its name is the prefix of its pods' names.
    pub metadata: ObjectMeta,
    /// What should be.
    pub spec: Rc<CloneSetSpec>,
    /// What the controller last saw.
    pub status: CloneSetStatus,
    /// Everything else.
    pub extra: Extra,
}

fields!(CloneSet {
    "metadata": metadata, "spec": spec, "status": status, ..extra
});

/// `spec` of a CloneSet.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct CloneSetSpec {
    /// How many pods should exist; the webhook fills in 1.
    pub replicas: Option<i32>,
    /// Which pods and revisions are its own.
    pub selector: LabelSelector,
    /// What its pods are made from.
    pub template: PodTemplateSpec,
    /// Claims made for each pod.
    pub volume_claim_templates: Vec<PersistentVolumeClaim>,
    /// How pods come and go.
    pub scale_strategy: ScaleStrategy,
    /// How a changed template reaches the pods.
    pub update_strategy: UpdateStrategy,
    /// How many old revisions are kept; 10 if absent.
    pub revision_history_limit: Option<i32>,
    /// Seconds a pod must be ready before it counts as available.
    pub min_ready_seconds: i32,
    /// Hooks at which a pod's steps wait.
    pub lifecycle: Option<Lifecycle>,
    /// Seconds a rollout may take before it counts as stuck.
    pub progress_deadline_seconds: Option<i32>,
    /// Everything else.
    pub extra: Extra,
}

fields!(CloneSetSpec {
    "replicas": replicas, "selector": selector always, "template": template always,
    "volumeClaimTemplates": volume_claim_templates, "scaleStrategy": scale_strategy,
    "updateStrategy": update_strategy, "revisionHistoryLimit": revision_history_limit,
    "minReadySeconds": min_ready_seconds, "lifecycle": lifecycle,
    "progressDeadlineSeconds": progress_deadline_seconds, ..extra
});

/// `spec.scaleStrategy`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ScaleStrategy {
    /// Names of pods to be deleted.
    pub pods_to_delete: Vec<Rc<str>>,
    /// How many unavailable pods creating may lead to; without limit if absent.
    pub max_unavailable: Option<IntOrPercent>,
    /// Whether a new pod takes over the claims of a pod that is gone.
    pub enable_pvc_reuse: bool,
    /// Whether pods whose deletion waits at a hook no longer count.
    pub exclude_preparing_delete: bool,
    /// Everything else.
    pub extra: Extra,
}

fields!(ScaleStrategy {
    "podsToDelete": pods_to_delete, "maxUnavailable": max_unavailable, "enablePVCReuse": enable_pvc_reuse,
    "excludePreparingDelete": exclude_preparing_delete, ..extra
});

/// `spec.updateStrategy`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct UpdateStrategy {
    /// RollingUpdate or OnDelete.
    pub strategy_type: UpdateStrategyType,
    /// Absent for OnDelete.
    pub rolling_update: Option<RollingUpdate>,
}

fields!(UpdateStrategy {
    "type": strategy_type always, "rollingUpdate": rolling_update
});

/// `spec.updateStrategy.rollingUpdate`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RollingUpdate {
    /// Whether pods are replaced or changed.
    pub pod_update_policy: PodUpdatePolicy,
    /// How many pods keep an old revision; 0 if absent.
    pub partition: Option<IntOrPercent>,
    /// How many pods may be unavailable; 20% if absent.
    pub max_unavailable: Option<IntOrPercent>,
    /// How many pods there may be above `replicas`; 0 if absent.
    pub max_surge: Option<IntOrPercent>,
    /// Whether updates are held.
    pub paused: bool,
    /// Which pods go first.
    pub priority_strategy: Option<PriorityStrategy>,
    /// Which pods are spread over the rollout.
    pub scatter_strategy: Vec<ScatterTerm>,
    /// How a pod is changed in place.
    pub in_place_update_strategy: Option<InPlaceUpdateStrategy>,
    /// Everything else.
    pub extra: Extra,
}

fields!(RollingUpdate {
    "podUpdatePolicy": pod_update_policy always, "partition": partition, "maxUnavailable": max_unavailable,
    "maxSurge": max_surge, "paused": paused, "priorityStrategy": priority_strategy,
    "scatterStrategy": scatter_strategy, "inPlaceUpdateStrategy": in_place_update_strategy, ..extra
});

/// `podUpdatePolicy`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum PodUpdatePolicy {
    /// A pod is deleted and another made.
    #[default]
    ReCreate,
    /// A pod is changed where the change allows it, and replaced otherwise.
    InPlaceIfPossible,
    /// A pod is changed or left.
    InPlaceOnly,
}

words!(PodUpdatePolicy { ReCreate: "ReCreate", InPlaceIfPossible: "InPlaceIfPossible", InPlaceOnly: "InPlaceOnly" });

/// `priorityStrategy`: one of the two is set.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PriorityStrategy {
    /// By the sum of the weights of matching selectors.
    pub weight_priority: Vec<WeightTerm>,
    /// By the number at the end of a label's value.
    pub order_priority: Vec<OrderTerm>,
}

fields!(PriorityStrategy {
    "weightPriority": weight_priority, "orderPriority": order_priority
});

/// One of `weightPriority`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct WeightTerm {
    /// 0 to 100.
    pub weight: i32,
    /// Which pods it is given to.
    pub match_selector: LabelSelector,
}

fields!(WeightTerm {
    "weight": weight always, "matchSelector": match_selector always
});

/// One of `orderPriority`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct OrderTerm {
    /// The label's key.
    pub ordered_key: Rc<str>,
}

fields!(OrderTerm {
    "orderedKey": ordered_key always
});

/// One of `scatterStrategy`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ScatterTerm {
    /// The label's key.
    pub key: Rc<str>,
    /// Its value.
    pub value: Rc<str>,
}

fields!(ScatterTerm {
    "key": key always, "value": value always
});

/// `inPlaceUpdateStrategy`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct InPlaceUpdateStrategy {
    /// Seconds between not ready and the change.
    pub grace_period_seconds: i32,
    /// Everything else.
    pub extra: Extra,
}

fields!(InPlaceUpdateStrategy {
    "gracePeriodSeconds": grace_period_seconds, ..extra
});

/// `spec.lifecycle`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Lifecycle {
    /// Holds deletions.
    pub pre_delete: Option<LifecycleHook>,
    /// Holds updates in place.
    pub in_place_update: Option<LifecycleHook>,
    /// Holds new pods.
    pub pre_normal: Option<LifecycleHook>,
}

fields!(Lifecycle {
    "preDelete": pre_delete, "inPlaceUpdate": in_place_update, "preNormal": pre_normal
});

/// One hook: the labels and finalizers that hold a pod.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct LifecycleHook {
    /// Labels with these values.
    pub labels_handler: Labels,
    /// Finalizers.
    pub finalizers_handler: Vec<Rc<str>>,
    /// Whether a held pod is made not ready.
    pub mark_pod_not_ready: bool,
}

fields!(LifecycleHook {
    "labelsHandler": labels_handler, "finalizersHandler": finalizers_handler, "markPodNotReady": mark_pod_not_ready
});

/// `status` of a CloneSet.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct CloneSetStatus {
    /// The generation of the spec that this status is about.
    pub observed_generation: i64,
    /// Active pods.
    pub replicas: i32,
    /// Pods that are Running and Ready.
    pub ready_replicas: i32,
    /// Pods that have been ready long enough.
    pub available_replicas: i32,
    /// Pods at the update revision.
    pub updated_replicas: i32,
    /// Ready pods at the update revision.
    pub updated_ready_replicas: i32,
    /// Available pods at the update revision.
    pub updated_available_replicas: i32,
    /// Pods that the partition lets be updated.
    pub expected_updated_replicas: i32,
    /// The revision of the template as it is.
    pub update_revision: Rc<str>,
    /// The revision that every pod had when the last rollout was complete.
    pub current_revision: Rc<str>,
    /// How often a revision's name was taken.
    pub collision_count: Option<i32>,
    /// `Progressing`, `FailedScale`, `FailedUpdate`.
    pub conditions: Vec<CloneSetCondition>,
    /// The selector as text, for the horizontal autoscaler.
    pub label_selector: Rc<str>,
    /// Everything else.
    pub extra: Extra,
}

fields!(CloneSetStatus {
    "observedGeneration": observed_generation, "replicas": replicas always, "readyReplicas": ready_replicas always,
    "availableReplicas": available_replicas always, "updatedReplicas": updated_replicas always,
    "updatedReadyReplicas": updated_ready_replicas always, "updatedAvailableReplicas": updated_available_replicas,
    "expectedUpdatedReplicas": expected_updated_replicas, "updateRevision": update_revision,
    "currentRevision": current_revision, "collisionCount": collision_count, "conditions": conditions,
    "labelSelector": label_selector, ..extra
});

/// One of `status.conditions` of a CloneSet.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct CloneSetCondition {
    /// `Progressing` and others.
    pub condition_type: Rc<str>,
    /// `True` or `False`.
    pub status: Rc<str>,
    /// When it was last written. Go writes it though it is empty.
    pub last_update_time: Option<Time>,
    /// When the status last changed. Go writes it though it is empty.
    pub last_transition_time: Option<Time>,
    /// CamelCase cause.
    pub reason: Rc<str>,
    /// The sentence.
    pub message: Rc<str>,
}

fields!(CloneSetCondition {
    "type": condition_type always, "status": status always, "lastUpdateTime": last_update_time always,
    "lastTransitionTime": last_transition_time always, "reason": reason, "message": message
});

impl CloneSet {
    /// `spec.replicas` as the webhook would have filled it in.
    pub fn replicas(&self) -> i32 {
        self.spec.replicas.unwrap_or(1)
    }

    /// The rolling update's settings; none for OnDelete.
    pub fn rolling_update(&self) -> Option<&RollingUpdate> {
        self.spec.update_strategy.rolling_update.as_ref()
    }
}
