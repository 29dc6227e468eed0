//! StatefulSet.

use super::json::{fields, words};
use super::{Extra, LabelSelector, ObjectMeta, PersistentVolumeClaim, PodTemplateSpec};
use std::rc::Rc;

/// A StatefulSet of apps/v1.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct StatefulSet {
    /// Its name is the prefix of its pods' names.
    pub metadata: ObjectMeta,
    /// What should be.
    pub spec: Rc<StatefulSetSpec>,
    /// What the controller last saw.
    pub status: StatefulSetStatus,
    /// Everything else.
    pub extra: Extra,
}

fields!(StatefulSet {
    "metadata": metadata, "spec": spec, "status": status, ..extra
});

/// `spec` of a StatefulSet.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct StatefulSetSpec {
    /// How many ordinals should exist; the API server fills in 1.
    pub replicas: Option<i32>,
    /// Which pods and revisions are its own.
    pub selector: LabelSelector,
    /// What its pods are made from.
    pub template: PodTemplateSpec,
    /// Claims made for each ordinal.
    pub volume_claim_templates: Vec<PersistentVolumeClaim>,
    /// The headless Service that names its pods.
    pub service_name: Rc<str>,
    /// One at a time, or all at once.
    pub pod_management_policy: PodManagementPolicy,
    /// How a changed template reaches the pods.
    pub update_strategy: UpdateStrategy,
    /// Seconds a pod must have been Ready to count as available. Read from 1.22 on.
    pub min_ready_seconds: i32,
    /// How many old revisions are kept; the API server fills in 10.
    pub revision_history_limit: Option<i32>,
    /// Everything else.
    pub extra: Extra,
}

fields!(StatefulSetSpec {
    "replicas": replicas always, "selector": selector, "template": template,
    "volumeClaimTemplates": volume_claim_templates, "serviceName": service_name always,
    "podManagementPolicy": pod_management_policy, "updateStrategy": update_strategy,
    "minReadySeconds": min_ready_seconds,
    "revisionHistoryLimit": revision_history_limit, ..extra
});

/// `spec.podManagementPolicy`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum PodManagementPolicy {
    /// Ordinals are created in order, each after its predecessor is ready, and deleted in reverse.
    #[default]
    OrderedReady,
    /// No ordinal waits for another while scaling.
    Parallel,
}

words!(PodManagementPolicy { OrderedReady: "OrderedReady", Parallel: "Parallel" });

/// `spec.updateStrategy`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct UpdateStrategy {
    /// RollingUpdate or OnDelete.
    pub strategy_type: UpdateStrategyType,
    /// May be absent even for RollingUpdate, and then means something else than partition 0.
    pub rolling_update: Option<RollingUpdate>,
}

fields!(UpdateStrategy {
    "type": strategy_type, "rollingUpdate": rolling_update
});

/// `spec.updateStrategy.type`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum UpdateStrategyType {
    /// The controller deletes old pods, highest ordinal first.
    #[default]
    RollingUpdate,
    /// People delete old pods.
    OnDelete,
}

words!(UpdateStrategyType { RollingUpdate: "RollingUpdate", OnDelete: "OnDelete" });

/// `spec.updateStrategy.rollingUpdate`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RollingUpdate {
    /// Ordinals below it keep the old revision.
    pub partition: Option<i32>,
    /// How many pods may be unavailable during the update: a number or a percentage. Read behind a feature gate.
    pub max_unavailable: Option<serde_json::Value>,
    /// Everything else.
    pub extra: Extra,
}

fields!(RollingUpdate {
    "partition": partition, "maxUnavailable": max_unavailable, ..extra
});

/// `status` of a StatefulSet.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct StatefulSetStatus {
    /// The generation the controller acted on.
    pub observed_generation: i64,
    /// Pods that exist.
    pub replicas: i32,
    /// Pods that are Running and Ready.
    pub ready_replicas: i32,
    /// Pods that have been ready for `minReadySeconds`; none in releases that do not count them.
    pub available_replicas: Option<i32>,
    /// Pods at the current revision. The real controller can count below zero.
    pub current_replicas: i32,
    /// Pods at the update revision.
    pub updated_replicas: i32,
    /// The revision that every pod had when the last rollout was complete.
    pub current_revision: Rc<str>,
    /// The revision of the template as it is.
    pub update_revision: Rc<str>,
    /// How often a revision's name was taken.
    pub collision_count: Option<i32>,
    /// Everything else.
    pub extra: Extra,
}

fields!(StatefulSetStatus {
    "observedGeneration": observed_generation, "replicas": replicas always, "readyReplicas": ready_replicas,
    "availableReplicas": available_replicas,
    "currentReplicas": current_replicas, "updatedReplicas": updated_replicas, "currentRevision": current_revision,
    "updateRevision": update_revision, "collisionCount": collision_count, ..extra
});

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
    pub fn start_ordinal(&self) -> i32 {
        let start = self.spec.extra.get("ordinals").and_then(|ordinals| ordinals["start"].as_i64());
        start.and_then(|start| i32::try_from(start).ok()).unwrap_or(0)
    }

    /// Which claims `spec.persistentVolumeClaimRetentionPolicy` deletes. Read from 1.23 on.
    pub fn claim_deletion(&self) -> ClaimDeletion {
        let policy = self.spec.extra.get("persistentVolumeClaimRetentionPolicy");
        let deletes = |field: &str| policy.is_some_and(|policy| policy[field] == "Delete");
        ClaimDeletion { when_scaled: deletes("whenScaled"), when_deleted: deletes("whenDeleted") }
    }

    /// The pods that `rollingUpdate.maxUnavailable` allows to be unavailable: a percentage of the replicas, rounded
    /// down; at least 1.
    pub fn max_unavailable(&self) -> i32 {
        let wanted = self.spec.update_strategy.rolling_update.as_ref().and_then(|it| it.max_unavailable.as_ref());
        let number = match wanted {
            Some(serde_json::Value::String(text)) => {
                let percent = text.strip_suffix('%').and_then(|digits| digits.parse::<i64>().ok());
                percent.unwrap_or(0) * i64::from(self.replicas()) / 100
            }
            Some(number) => number.as_i64().unwrap_or(1),
            None => 1,
        };
        i32::try_from(number).unwrap_or(i32::MAX).max(1)
    }
}
