//! Kubernetes objects as plain values, with the API's own names. What the controllers read is typed; everything else an
//! object carries is kept as it came (`extra`), so that a manifest survives the trip.

pub mod advanced_stateful_set;
mod affinity;
mod autoscaler;
mod claim;
pub mod clone_set;
pub mod clone_set_v1alpha1;
mod controlled;
pub mod daemon_set;
pub(crate) mod decode;
pub mod defaults;
pub mod defaults_workloads;
pub mod deployment;
mod disruption_budget;
mod error;
mod event;
mod go_types;
mod int_or_percent;
mod json;
mod json_iterator;
mod labels;
mod lifecycle;
mod limit_range;
mod list;
mod meta;
mod node;
mod node_affinity;
mod object;
mod persistent_volume;
mod pick;
mod pod;
mod pod_status;
pub(crate) mod quantity;
pub mod replica_set;
pub(crate) mod request;
mod resource_quota;
mod revision;
pub(crate) mod schema;
mod selector;
mod service;
mod sharing;
mod stateful_set;
mod storage_class;
pub(crate) mod strategic;
mod text;
mod time;
mod typed;
mod update_strategy;
pub mod validation;
mod warnings;
mod workload;

pub use crate::releases::Server;
pub use advanced_stateful_set::{
    AdvancedStatefulSet, AdvancedStatefulSetCondition, AdvancedStatefulSetStatus, VolumeClaimStatus,
};
pub(crate) use affinity::TopologySpreadConstraint;
pub use affinity::{Affinity, PodAffinity, PodAffinityTerm, WeightedPodAffinityTerm};
pub use autoscaler::Autoscaler;
pub use claim::{ClaimSpec, ClaimStatus, PersistentVolumeClaim};
pub use clone_set::CloneSet;
pub use controlled::Controlled;
pub use daemon_set::DaemonSet;
pub use deployment::Deployment;
pub use disruption_budget::{DisruptionBudget, DisruptionBudgetSpec, DisruptionBudgetStatus};
pub use error::{ApiError, Cause, Details, ErrorKind, FieldError, Reason, told_once};
pub use event::{Event, EventType};
pub(crate) use go_types::{GoField, go_fields};
pub(crate) use int_or_percent::share;
pub use int_or_percent::{IntOrPercent, Round};
pub use json::{Json, Mismatch};
pub(crate) use json::{
    escaped_as_go, field, is_zero, json_text, nullable, object as json_object, slot, write_json, write_quoted,
};
pub use labels::Labels;
pub use limit_range::{LimitRange, LimitRangeItem, LimitRangeSpec};
pub use list::List;
pub(crate) use meta::{LAST_APPLIED, noted_as_applied};
pub use meta::{ObjectMeta, OwnerReference};
pub(crate) use node::OUT_OF_SERVICE;
pub use node::{Node, NodeCondition, NodeSpec, NodeStatus, Taint};
pub use node_affinity::{NodeAffinity, NodeSelector, NodeSelectorTerm, PreferredSchedulingTerm, VolumeNodeAffinity};
pub use object::{Kind, Object, ObjectRef};
pub(crate) use object::{objects, workloads};
pub(crate) use persistent_volume::VolumePhase;
pub use persistent_volume::{ClaimRef, PersistentVolume, PersistentVolumeSpec};
pub(crate) use pod::{CONTROLLER_MANAGER, DEFAULT_SCHEDULER, SCHEDULER};
pub use pod::{ClaimSource, Container, Pod, PodSpec, PodTemplateSpec, Toleration, Volume};
pub use pod_status::{ContainerState, ContainerStatus, PodCondition, PodPhase, PodStatus};
pub use replica_set::ReplicaSet;
pub(crate) use resource_quota::Quantities;
pub(crate) use resource_quota::quantity_text;
pub use resource_quota::{ResourceQuota, ResourceQuotaSpec, ResourceQuotaStatus, ScopeRequirement, ScopeSelector};
pub use revision::{ControllerRevision, RevisionData};
pub(crate) use schema::is_api_field;
pub use selector::{LabelSelector, Requirement};
pub use service::{Service, ServiceSpec};
pub use sharing::Shared;
pub(crate) use sharing::SharedExtra;
pub use stateful_set::{
    ClaimDeletion, PodManagementPolicy, RollingUpdate, StatefulSet, StatefulSetSpec, StatefulSetStatus, UpdateStrategy,
};
pub use storage_class::StorageClass;
pub(crate) use text::shared;
pub use time::Time;
pub use typed::Typed;
pub use update_strategy::UpdateStrategyType;
pub use warnings::warnings;

/// Fields that are kept as they came because no controller reads them.
pub(crate) type Extra = serde_json::Map<String, serde_json::Value>;
