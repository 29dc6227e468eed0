//! Pod, and the template it is made from.

use super::{ObjectMeta, Rest, Time};
use serde::{Deserialize, Serialize};
use std::rc::Rc;

/// A pod.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Pod {
    /// Name is `<set>-<ordinal>`.
    pub metadata: ObjectMeta,
    /// Shared with every pod that differs only in status.
    pub spec: Rc<PodSpec>,
    /// What the kubelet says.
    pub status: PodStatus,
    /// Everything else.
    #[serde(flatten)]
    pub rest: Rest,
}

/// `spec.template` of a workload.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct PodTemplateSpec {
    /// Labels and annotations for the pods.
    pub metadata: ObjectMeta,
    /// The pods' spec.
    pub spec: Rc<PodSpec>,
    /// Everything else.
    #[serde(flatten)]
    pub rest: Rest,
}

/// `spec` of a pod.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct PodSpec {
    /// What runs.
    pub containers: Vec<Container>,
    /// What runs before.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub init_containers: Vec<Container>,
    /// The host name inside the pod.
    #[serde(skip_serializing_if = "str::is_empty")]
    pub hostname: Rc<str>,
    /// Names the headless Service: the pod is `<hostname>.<subdomain>.<namespace>.svc.<cluster domain>`.
    #[serde(skip_serializing_if = "str::is_empty")]
    pub subdomain: Rc<str>,
    /// Where it was scheduled; empty before.
    #[serde(skip_serializing_if = "str::is_empty")]
    pub node_name: Rc<str>,
    /// Seconds between the signal to stop and the kill; 30 by default.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub termination_grace_period_seconds: Option<i64>,
    /// Taints it bears, and for how long.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub tolerations: Vec<Toleration>,
    /// Labels its node must carry.
    #[serde(skip_serializing_if = "super::Labels::is_empty")]
    pub node_selector: super::Labels,
    /// Its volumes, claims among them.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub volumes: Vec<Volume>,
    /// Everything else.
    #[serde(flatten)]
    pub rest: Rest,
}

/// One container of a pod.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Container {
    /// Unique in the pod.
    pub name: Rc<str>,
    /// What runs.
    #[serde(skip_serializing_if = "str::is_empty")]
    pub image: Rc<str>,
    /// Requests and limits. Go always writes this field, and the revision hash covers it.
    pub resources: Rest,
    /// Everything else.
    #[serde(flatten)]
    pub rest: Rest,
}

/// One of `spec.tolerations`.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Toleration {
    /// The taint's key; empty with `Exists` means every key.
    #[serde(skip_serializing_if = "str::is_empty")]
    pub key: Rc<str>,
    /// `Exists` or `Equal`; empty means `Equal`.
    #[serde(skip_serializing_if = "str::is_empty")]
    pub operator: Rc<str>,
    /// The taint's value for `Equal`.
    #[serde(skip_serializing_if = "str::is_empty")]
    pub value: Rc<str>,
    /// The taint's effect; empty means every effect.
    #[serde(skip_serializing_if = "str::is_empty")]
    pub effect: Rc<str>,
    /// How long a NoExecute taint is borne; for ever if absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub toleration_seconds: Option<i64>,
}

/// One of `spec.volumes`.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Volume {
    /// Unique in the pod.
    pub name: Rc<str>,
    /// Set for volumes that come from a claim.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub persistent_volume_claim: Option<ClaimSource>,
    /// Any other source.
    #[serde(flatten)]
    pub rest: Rest,
}

/// `persistentVolumeClaim` of a volume.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct ClaimSource {
    /// The claim's name, in the pod's namespace.
    pub claim_name: Rc<str>,
    /// Whether the mount is read-only.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub read_only: bool,
}

/// `status.phase` of a pod.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum PodPhase {
    /// No phase: the object exists only in the controller's memory.
    #[default]
    #[serde(rename = "")]
    None,
    /// Accepted, not all containers started.
    Pending,
    /// Bound, and at least one container runs.
    Running,
    /// Every container ended well.
    Succeeded,
    /// Every container ended, one of them badly.
    Failed,
    /// The node cannot be asked.
    Unknown,
}

/// `status` of a pod.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct PodStatus {
    /// Where it is in its life.
    #[serde(skip_serializing_if = "is_none")]
    pub phase: PodPhase,
    /// `Ready`, `PodScheduled` and others.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub conditions: Vec<PodCondition>,
    /// Such as `NodeLost` or `Evicted`.
    #[serde(skip_serializing_if = "str::is_empty")]
    pub reason: Rc<str>,
    /// The sentence.
    #[serde(skip_serializing_if = "str::is_empty")]
    pub message: Rc<str>,
    /// Each container's state.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub container_statuses: Vec<ContainerStatus>,
    /// Everything else.
    #[serde(flatten)]
    pub rest: Rest,
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "serde hands a reference")]
fn is_none(phase: &PodPhase) -> bool {
    *phase == PodPhase::None
}

/// One of `status.conditions` of a pod.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct PodCondition {
    /// `Ready` and others.
    #[serde(rename = "type")]
    pub condition_type: Rc<str>,
    /// `True`, `False` or `Unknown`.
    pub status: Rc<str>,
    /// CamelCase cause.
    #[serde(skip_serializing_if = "str::is_empty")]
    pub reason: Rc<str>,
    /// The sentence.
    #[serde(skip_serializing_if = "str::is_empty")]
    pub message: Rc<str>,
    /// When the status last changed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub last_transition_time: Option<Time>,
    /// Everything else.
    #[serde(flatten)]
    pub rest: Rest,
}

/// One of `status.containerStatuses`.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct ContainerStatus {
    /// The container's name.
    pub name: Rc<str>,
    /// Whether it passes its readiness probe.
    pub ready: bool,
    /// How often it was started again.
    pub restart_count: i32,
    /// What it does now.
    pub state: ContainerState,
    /// The image it runs.
    #[serde(skip_serializing_if = "str::is_empty")]
    pub image: Rc<str>,
    /// Everything else.
    #[serde(flatten)]
    pub rest: Rest,
}

/// `state` of a container: exactly one is set.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum ContainerState {
    /// Not started; the reason is kubectl's word, such as `ContainerCreating`.
    Waiting {
        /// CamelCase cause.
        reason: Rc<str>,
    },
    /// Started.
    #[serde(rename_all = "camelCase")]
    Running {
        /// When.
        started_at: Option<Time>,
    },
    /// Ended.
    #[serde(rename_all = "camelCase")]
    Terminated {
        /// How the process ended.
        exit_code: i32,
        /// `Completed`, `Error` and others.
        reason: Rc<str>,
    },
}

impl Default for ContainerState {
    fn default() -> Self {
        Self::Waiting { reason: "".into() }
    }
}

impl Pod {
    /// The condition of this type.
    pub fn condition(&self, condition_type: &str) -> Option<&PodCondition> {
        self.status.conditions.iter().find(|condition| &*condition.condition_type == condition_type)
    }
}
