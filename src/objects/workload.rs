//! The workloads of apps/v1 beside StatefulSet: ReplicaSet, Deployment, DaemonSet; and one JSON door for every workload.

use super::json::{field, is_zero, nullable, text};
use super::{
    AdvancedStatefulSet, CloneSet, Extra, IntOrPercent, Json, Kind, LabelSelector, Mismatch, Object, ObjectMeta,
    PodTemplateSpec, Round, SharedExtra, StatefulSet, Time, UpdateStrategyType,
};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::rc::Rc;

/// The annotation in which the API server shows how many templates a DaemonSet has had.
pub(crate) const TEMPLATE_GENERATION: &str = "deprecated.daemonset.template.generation";

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
        self.kind().is_workload()
    }

    /// The object's JSON form, group and kind included.
    pub fn to_json(&self) -> Value {
        let mut value = match self {
            Self::StatefulSet(set) => set.to_json(),
            Self::CloneSet(set) => set.to_json(),
            Self::AdvancedStatefulSet(set) => set.to_json(),
            Self::ReplicaSet(set) => set.to_json(),
            Self::Deployment(set) => set.to_json(),
            Self::DaemonSet(set) => set.to_json(),
            Self::Pod(pod) => pod.to_json(),
            Self::Claim(claim) => claim.to_json(),
            Self::Revision(revision) => revision.to_json(),
            Self::Node(node) => node.to_json(),
        };
        *field(&mut value, "apiVersion") = self.kind().api_version().into();
        *field(&mut value, "kind") = self.kind().as_str().into();
        value
    }

    /// The `spec` of a workload as JSON; null for what is no workload.
    pub fn spec_value(&self) -> Value {
        match self {
            Self::StatefulSet(set) => set.spec.to_json(),
            Self::CloneSet(set) => set.spec.to_json(),
            Self::AdvancedStatefulSet(set) => set.spec.to_json(),
            Self::ReplicaSet(set) => set.spec.to_json(),
            Self::Deployment(set) => set.spec.to_json(),
            Self::DaemonSet(set) => set.spec.to_json(),
            Self::Pod(_) | Self::Claim(_) | Self::Revision(_) | Self::Node(_) => Value::Null,
        }
    }

    /// The `status` of a workload as JSON; null for what is no workload.
    pub fn status_value(&self) -> Value {
        match self {
            Self::StatefulSet(set) => set.status.to_json(),
            Self::CloneSet(set) => set.status.to_json(),
            Self::AdvancedStatefulSet(set) => set.status.to_json(),
            Self::ReplicaSet(set) => set.status.to_json(),
            Self::Deployment(set) => set.status.to_json(),
            Self::DaemonSet(set) => set.status.to_json(),
            Self::Pod(_) | Self::Claim(_) | Self::Revision(_) | Self::Node(_) => Value::Null,
        }
    }

    /// The workload of a JSON form, read as an object of this kind.
    ///
    /// # Errors
    /// A field is of another type, or the kind is no workload.
    pub fn workload(kind: Kind, mut value: Value) -> Result<Self, Mismatch> {
        // A StatefulSet carries its kind in every form.
        if let Some(fields) = value.as_object_mut().filter(|_| kind != Kind::StatefulSet) {
            fields.remove("apiVersion");
            fields.remove("kind");
        }
        Ok(match kind {
            Kind::StatefulSet => Self::StatefulSet(Rc::new(StatefulSet::from_json(value)?)),
            Kind::CloneSet => Self::CloneSet(Rc::new(CloneSet::from_json(value)?)),
            Kind::AdvancedStatefulSet => Self::AdvancedStatefulSet(Rc::new(AdvancedStatefulSet::from_json(value)?)),
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
            (Self::AdvancedStatefulSet(one), Self::AdvancedStatefulSet(other)) => one.spec == other.spec,
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
            Self::AdvancedStatefulSet(set) => Rc::make_mut(set).status = Default::default(),
            Self::ReplicaSet(set) => Rc::make_mut(set).status = Default::default(),
            Self::Deployment(set) => Rc::make_mut(set).status = Default::default(),
            Self::DaemonSet(set) => Rc::make_mut(set).status = Default::default(),
            Self::StatefulSet(_) | Self::Pod(_) | Self::Claim(_) | Self::Revision(_) | Self::Node(_) => return,
        }
        self.metadata_mut().generation = 1;
        self.count_templates(None);
    }

    /// Counts a DaemonSet's templates in an annotation, which nobody else can set.
    fn count_templates(&mut self, stored: Option<&Self>) {
        let Self::DaemonSet(sent) = self else { return };
        let number = match stored {
            Some(Self::DaemonSet(stored)) => {
                let before = stored.metadata.annotations.get(TEMPLATE_GENERATION).and_then(|text| text.parse().ok());
                before.unwrap_or(0_i64) + i64::from(stored.spec.template != sent.spec.template)
            }
            _ => 1,
        };
        let annotations = &mut Rc::make_mut(sent).metadata.annotations;
        match number {
            0 => annotations.remove(TEMPLATE_GENERATION),
            number => annotations.insert(TEMPLATE_GENERATION, number.to_string()),
        }
    }

    /// A write of the spec leaves the status as it was held, and raises the generation if it changes the spec.
    pub(crate) fn prepare_for_update(&mut self, stored: &Self) {
        match (&mut *self, stored) {
            (Self::CloneSet(sent), Self::CloneSet(stored)) => Rc::make_mut(sent).status = stored.status.clone(),
            (Self::AdvancedStatefulSet(sent), Self::AdvancedStatefulSet(stored)) => {
                Rc::make_mut(sent).status = stored.status.clone()
            }
            (Self::ReplicaSet(sent), Self::ReplicaSet(stored)) => Rc::make_mut(sent).status = stored.status.clone(),
            (Self::Deployment(sent), Self::Deployment(stored)) => Rc::make_mut(sent).status = stored.status.clone(),
            (Self::DaemonSet(sent), Self::DaemonSet(stored)) => Rc::make_mut(sent).status = stored.status.clone(),
            _ => return,
        }
        self.count_templates(Some(stored));
        // A Deployment's annotations go to its ReplicaSets.
        let annotated =
            matches!(self, Self::Deployment(_)) && self.metadata().annotations != stored.metadata().annotations;
        let changed = annotated || !self.has_spec_of(stored);
        self.metadata_mut().generation = stored.metadata().generation + i64::from(changed);
    }

    /// A write of the status leaves the spec as it was held. Annotations go with it, by which a Deployment's controller
    /// writes its revision.
    pub(crate) fn with_status_of(&self, sent: Self) -> Self {
        let mut sent = sent;
        match (&mut sent, self) {
            (Self::CloneSet(sent), Self::CloneSet(stored)) => Rc::make_mut(sent).spec = Rc::clone(&stored.spec),
            (Self::AdvancedStatefulSet(sent), Self::AdvancedStatefulSet(stored)) => {
                Rc::make_mut(sent).spec = Rc::clone(&stored.spec)
            }
            (Self::ReplicaSet(sent), Self::ReplicaSet(stored)) => Rc::make_mut(sent).spec = Rc::clone(&stored.spec),
            (Self::Deployment(sent), Self::Deployment(stored)) => Rc::make_mut(sent).spec = Rc::clone(&stored.spec),
            (Self::DaemonSet(sent), Self::DaemonSet(stored)) => Rc::make_mut(sent).spec = Rc::clone(&stored.spec),
            _ => return sent,
        }
        let metadata = self.metadata().clone();
        let annotations = sent.metadata().annotations.clone();
        *sent.metadata_mut() = ObjectMeta { annotations, ..metadata };
        sent
    }
}
