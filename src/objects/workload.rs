//! The workloads of apps/v1 beside StatefulSet: ReplicaSet, Deployment, DaemonSet; and one JSON door for every workload.

use super::json::{fields, words};
use super::{
    CloneSet, Extra, IntOrPercent, Json, Kind, LabelSelector, Mismatch, Object, ObjectMeta, PodTemplateSpec, Round,
    StatefulSet, Time, UpdateStrategyType,
};
use serde_json::Value;
use std::rc::Rc;

/// A ReplicaSet of apps/v1.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ReplicaSet {
    /// Its name is the prefix of its pods' names.
    pub metadata: ObjectMeta,
    /// What should be.
    pub spec: Rc<ReplicaSetSpec>,
    /// What the controller last saw.
    pub status: ReplicaSetStatus,
    /// Everything else.
    pub extra: Extra,
}

fields!(ReplicaSet {
    "metadata": metadata, "spec": spec, "status": status, ..extra
});

/// `spec` of a ReplicaSet.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ReplicaSetSpec {
    /// How many pods should exist; the API server fills in 1.
    pub replicas: Option<i32>,
    /// Seconds a pod must be ready before it counts as available.
    pub min_ready_seconds: i32,
    /// Which pods are its own.
    pub selector: LabelSelector,
    /// What its pods are made from.
    pub template: PodTemplateSpec,
    /// Everything else.
    pub extra: Extra,
}

fields!(ReplicaSetSpec {
    "replicas": replicas always, "minReadySeconds": min_ready_seconds, "selector": selector always, "template": template,
    ..extra
});

/// `status` of a ReplicaSet.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ReplicaSetStatus {
    /// Active pods.
    pub replicas: i32,
    /// Pods that carry every label of the template.
    pub fully_labeled_replicas: i32,
    /// Pods that are Ready.
    pub ready_replicas: i32,
    /// Pods that have been ready for `minReadySeconds`.
    pub available_replicas: i32,
    /// The generation the controller acted on.
    pub observed_generation: i64,
    /// `ReplicaFailure`.
    pub conditions: Vec<Condition>,
    /// Everything else.
    pub extra: Extra,
}

fields!(ReplicaSetStatus {
    "replicas": replicas always, "fullyLabeledReplicas": fully_labeled_replicas, "readyReplicas": ready_replicas,
    "availableReplicas": available_replicas, "observedGeneration": observed_generation, "conditions": conditions, ..extra
});

/// One of `status.conditions` of a ReplicaSet or a Deployment.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Condition {
    /// `Available`, `Progressing`, `ReplicaFailure`.
    pub condition_type: Rc<str>,
    /// `True`, `False` or `Unknown`.
    pub status: Rc<str>,
    /// When it was last written; a Deployment's only.
    pub last_update_time: Option<Time>,
    /// When the status last changed.
    pub last_transition_time: Option<Time>,
    /// CamelCase cause.
    pub reason: Rc<str>,
    /// The sentence.
    pub message: Rc<str>,
}

fields!(Condition {
    "type": condition_type always, "status": status always, "lastUpdateTime": last_update_time,
    "lastTransitionTime": last_transition_time, "reason": reason, "message": message
});

/// A Deployment of apps/v1.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Deployment {
    /// Its name is the prefix of its ReplicaSets' names.
    pub metadata: ObjectMeta,
    /// What should be.
    pub spec: Rc<DeploymentSpec>,
    /// What the controller last saw.
    pub status: DeploymentStatus,
    /// Everything else.
    pub extra: Extra,
}

fields!(Deployment {
    "metadata": metadata, "spec": spec, "status": status, ..extra
});

/// `spec` of a Deployment.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct DeploymentSpec {
    /// How many pods should exist; the API server fills in 1.
    pub replicas: Option<i32>,
    /// Which pods and ReplicaSets are its own.
    pub selector: LabelSelector,
    /// What its pods are made from.
    pub template: PodTemplateSpec,
    /// How a changed template reaches the pods.
    pub strategy: DeploymentStrategy,
    /// Seconds a pod must be ready before it counts as available.
    pub min_ready_seconds: i32,
    /// How many old ReplicaSets are kept; the API server fills in 10.
    pub revision_history_limit: Option<i32>,
    /// Whether rollouts are held.
    pub paused: bool,
    /// Seconds a rollout may take without progress; the API server fills in 600.
    pub progress_deadline_seconds: Option<i32>,
    /// Everything else.
    pub extra: Extra,
}

fields!(DeploymentSpec {
    "replicas": replicas always, "selector": selector always, "template": template, "strategy": strategy,
    "minReadySeconds": min_ready_seconds, "revisionHistoryLimit": revision_history_limit, "paused": paused,
    "progressDeadlineSeconds": progress_deadline_seconds, ..extra
});

/// `spec.strategy` of a Deployment.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct DeploymentStrategy {
    /// RollingUpdate or Recreate.
    pub strategy_type: DeploymentStrategyType,
    /// Absent for Recreate.
    pub rolling_update: Option<RollingUpdate>,
}

fields!(DeploymentStrategy {
    "type": strategy_type always, "rollingUpdate": rolling_update
});

/// `spec.strategy.type` of a Deployment.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum DeploymentStrategyType {
    /// New pods come as old ones go.
    #[default]
    RollingUpdate,
    /// Every old pod goes before a new one comes.
    Recreate,
}

words!(DeploymentStrategyType { RollingUpdate: "RollingUpdate", Recreate: "Recreate" });

/// `rollingUpdate` of a Deployment or a DaemonSet.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RollingUpdate {
    /// How many pods may be unavailable.
    pub max_unavailable: Option<IntOrPercent>,
    /// How many pods there may be above what is wanted.
    pub max_surge: Option<IntOrPercent>,
}

fields!(RollingUpdate {
    "maxUnavailable": max_unavailable, "maxSurge": max_surge
});

/// `status` of a Deployment.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct DeploymentStatus {
    /// The generation the controller acted on.
    pub observed_generation: i64,
    /// Active pods of every ReplicaSet.
    pub replicas: i32,
    /// Active pods of the newest one.
    pub updated_replicas: i32,
    /// Pods that are Ready.
    pub ready_replicas: i32,
    /// Pods that have been ready for `minReadySeconds`.
    pub available_replicas: i32,
    /// Pods that are not.
    pub unavailable_replicas: i32,
    /// `Available`, `Progressing`, `ReplicaFailure`.
    pub conditions: Vec<Condition>,
    /// How often a ReplicaSet's name was taken.
    pub collision_count: Option<i32>,
    /// Everything else.
    pub extra: Extra,
}

fields!(DeploymentStatus {
    "observedGeneration": observed_generation, "replicas": replicas, "updatedReplicas": updated_replicas,
    "readyReplicas": ready_replicas, "availableReplicas": available_replicas,
    "unavailableReplicas": unavailable_replicas, "conditions": conditions, "collisionCount": collision_count, ..extra
});

/// A DaemonSet of apps/v1.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct DaemonSet {
    /// Its name is the prefix of its pods' names.
    pub metadata: ObjectMeta,
    /// What should be.
    pub spec: Rc<DaemonSetSpec>,
    /// What the controller last saw.
    pub status: DaemonSetStatus,
    /// Everything else.
    pub extra: Extra,
}

fields!(DaemonSet {
    "metadata": metadata, "spec": spec, "status": status, ..extra
});

/// `spec` of a DaemonSet.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct DaemonSetSpec {
    /// Which pods are its own.
    pub selector: LabelSelector,
    /// What its pods are made from.
    pub template: PodTemplateSpec,
    /// How a changed template reaches the pods.
    pub update_strategy: DaemonSetUpdateStrategy,
    /// Seconds a pod must be ready before it counts as available.
    pub min_ready_seconds: i32,
    /// How many old revisions are kept; the API server fills in 10.
    pub revision_history_limit: Option<i32>,
    /// Everything else.
    pub extra: Extra,
}

fields!(DaemonSetSpec {
    "selector": selector always, "template": template, "updateStrategy": update_strategy,
    "minReadySeconds": min_ready_seconds, "revisionHistoryLimit": revision_history_limit, ..extra
});

/// `spec.updateStrategy` of a DaemonSet.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct DaemonSetUpdateStrategy {
    /// RollingUpdate or OnDelete.
    pub strategy_type: UpdateStrategyType,
    /// Absent for OnDelete.
    pub rolling_update: Option<RollingUpdate>,
}

fields!(DaemonSetUpdateStrategy {
    "type": strategy_type always, "rollingUpdate": rolling_update
});

/// `status` of a DaemonSet.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct DaemonSetStatus {
    /// Nodes that should have a pod and have one.
    pub current_number_scheduled: i32,
    /// Nodes that have one and should not.
    pub number_misscheduled: i32,
    /// Nodes that should have one.
    pub desired_number_scheduled: i32,
    /// Nodes whose pod is Ready.
    pub number_ready: i32,
    /// The generation the controller acted on.
    pub observed_generation: i64,
    /// Nodes whose pod is of the template as it is.
    pub updated_number_scheduled: i32,
    /// Nodes whose pod has been ready for `minReadySeconds`.
    pub number_available: i32,
    /// Nodes that should have an available pod and have none.
    pub number_unavailable: i32,
    /// How often a revision's name was taken.
    pub collision_count: Option<i32>,
    /// Everything else.
    pub extra: Extra,
}

fields!(DaemonSetStatus {
    "currentNumberScheduled": current_number_scheduled always, "numberMisscheduled": number_misscheduled always,
    "desiredNumberScheduled": desired_number_scheduled always, "numberReady": number_ready always,
    "observedGeneration": observed_generation, "updatedNumberScheduled": updated_number_scheduled,
    "numberAvailable": number_available, "numberUnavailable": number_unavailable, "collisionCount": collision_count,
    ..extra
});

impl ReplicaSet {
    /// `spec.replicas` as the API server would have filled it in.
    pub fn replicas(&self) -> i32 {
        self.spec.replicas.unwrap_or(1)
    }
}

impl Deployment {
    /// `spec.replicas` as the API server would have filled it in.
    pub fn replicas(&self) -> i32 {
        self.spec.replicas.unwrap_or(1)
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

impl Object {
    /// Whether a controller keeps pods for it.
    pub fn is_workload(&self) -> bool {
        self.selector().is_some()
    }

    /// The object's JSON form, group and kind included.
    pub fn to_json(&self) -> Value {
        let mut value = match self {
            Self::StatefulSet(set) => set.to_json(),
            Self::CloneSet(set) => set.to_json(),
            Self::ReplicaSet(set) => set.to_json(),
            Self::Deployment(set) => set.to_json(),
            Self::DaemonSet(set) => set.to_json(),
            Self::Pod(pod) => pod.to_json(),
            Self::Claim(claim) => claim.to_json(),
            Self::Revision(revision) => revision.to_json(),
            Self::Node(node) => node.to_json(),
        };
        value["apiVersion"] = self.kind().api_version().into();
        value["kind"] = self.kind().as_str().into();
        value
    }

    /// The workload of a JSON form, read as an object of this kind.
    ///
    /// # Errors
    /// A field is of another type, or the kind is no workload.
    pub fn workload(kind: Kind, mut value: Value) -> Result<Self, Mismatch> {
        if let Some(fields) = value.as_object_mut() {
            fields.remove("apiVersion");
            fields.remove("kind");
        }
        Ok(match kind {
            Kind::StatefulSet => Self::StatefulSet(Rc::new(StatefulSet::from_json(value)?)),
            Kind::CloneSet => Self::CloneSet(Rc::new(CloneSet::from_json(value)?)),
            Kind::ReplicaSet => Self::ReplicaSet(Rc::new(ReplicaSet::from_json(value)?)),
            Kind::Deployment => Self::Deployment(Rc::new(Deployment::from_json(value)?)),
            Kind::DaemonSet => Self::DaemonSet(Rc::new(DaemonSet::from_json(value)?)),
            _ => return Err(Mismatch::default()),
        })
    }

    /// Whether both are of one kind and have the same spec.
    fn has_spec_of(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::CloneSet(one), Self::CloneSet(other)) => one.spec == other.spec,
            (Self::ReplicaSet(one), Self::ReplicaSet(other)) => one.spec == other.spec,
            (Self::Deployment(one), Self::Deployment(other)) => one.spec == other.spec,
            (Self::DaemonSet(one), Self::DaemonSet(other)) => one.spec == other.spec,
            _ => true,
        }
    }

    /// A new workload has no status and the generation 1.
    pub(crate) fn prepare_for_create(&mut self) {
        match self {
            Self::CloneSet(set) => Rc::make_mut(set).status = Default::default(),
            Self::ReplicaSet(set) => Rc::make_mut(set).status = Default::default(),
            Self::Deployment(set) => Rc::make_mut(set).status = Default::default(),
            Self::DaemonSet(set) => Rc::make_mut(set).status = Default::default(),
            _ => return,
        }
        self.metadata_mut().generation = 1;
    }

    /// A write of the spec leaves the status as it was held, and raises the generation if it changes the spec.
    pub(crate) fn prepare_for_update(&mut self, held: &Self) {
        match (&mut *self, held) {
            (Self::CloneSet(sent), Self::CloneSet(held)) => Rc::make_mut(sent).status = held.status.clone(),
            (Self::ReplicaSet(sent), Self::ReplicaSet(held)) => Rc::make_mut(sent).status = held.status.clone(),
            (Self::Deployment(sent), Self::Deployment(held)) => Rc::make_mut(sent).status = held.status.clone(),
            (Self::DaemonSet(sent), Self::DaemonSet(held)) => Rc::make_mut(sent).status = held.status.clone(),
            _ => return,
        }
        let changed = !self.has_spec_of(held);
        self.metadata_mut().generation = held.metadata().generation + i64::from(changed);
    }

    /// A write of the status leaves the spec as it was held. Annotations go with it, by which a Deployment's controller
    /// writes its revision.
    pub(crate) fn with_status_of(&self, sent: Self) -> Self {
        let mut sent = sent;
        match (&mut sent, self) {
            (Self::CloneSet(sent), Self::CloneSet(held)) => Rc::make_mut(sent).spec = Rc::clone(&held.spec),
            (Self::ReplicaSet(sent), Self::ReplicaSet(held)) => Rc::make_mut(sent).spec = Rc::clone(&held.spec),
            (Self::Deployment(sent), Self::Deployment(held)) => Rc::make_mut(sent).spec = Rc::clone(&held.spec),
            (Self::DaemonSet(sent), Self::DaemonSet(held)) => Rc::make_mut(sent).spec = Rc::clone(&held.spec),
            _ => return sent,
        }
        let metadata = self.metadata().clone();
        let annotations = sent.metadata().annotations.clone();
        *sent.metadata_mut() = ObjectMeta { annotations, ..metadata };
        sent
    }
}
