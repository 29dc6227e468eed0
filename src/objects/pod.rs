//! Pod, and the template it is made from.

use super::json::{Json, Mismatch, fields, object, put, take, words};
use super::{Extra, ObjectMeta, Time};
use serde_json::Value;
use std::rc::Rc;

/// A pod.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Pod {
    /// Name is `<set>-<ordinal>`.
    pub metadata: ObjectMeta,
    /// Shared with every pod that differs only in status.
    pub spec: Rc<PodSpec>,
    /// What the kubelet says.
    pub status: PodStatus,
    /// Everything else.
    pub extra: Extra,
}

fields!(Pod {
    "metadata": metadata, "spec": spec, "status": status, ..extra
});

/// `spec.template` of a workload.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PodTemplateSpec {
    /// Labels and annotations for the pods.
    pub metadata: ObjectMeta,
    /// The pods' spec.
    pub spec: Rc<PodSpec>,
    /// Everything else.
    pub extra: Extra,
}

fields!(PodTemplateSpec {
    "metadata": metadata, "spec": spec, ..extra
});

/// `spec` of a pod.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PodSpec {
    /// What runs.
    pub containers: Vec<Container>,
    /// What runs before.
    pub init_containers: Vec<Container>,
    /// The host name inside the pod.
    pub hostname: Rc<str>,
    /// Names the headless Service: the pod is `<hostname>.<subdomain>.<namespace>.svc.<cluster domain>`.
    pub subdomain: Rc<str>,
    /// Where it was scheduled; empty before.
    pub node_name: Rc<str>,
    /// Seconds between the signal to stop and the kill; 30 by default.
    pub termination_grace_period_seconds: Option<i64>,
    /// Taints it bears, and for how long.
    pub tolerations: Vec<Toleration>,
    /// Labels its node must carry.
    pub node_selector: super::Labels,
    /// Its volumes, claims among them.
    pub volumes: Vec<Volume>,
    /// Everything else.
    pub extra: Extra,
}

fields!(PodSpec {
    "containers": containers always, "initContainers": init_containers, "hostname": hostname, "subdomain": subdomain,
    "nodeName": node_name, "terminationGracePeriodSeconds": termination_grace_period_seconds,
    "tolerations": tolerations, "nodeSelector": node_selector, "volumes": volumes, ..extra
});

/// One container of a pod.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Container {
    /// Unique in the pod.
    pub name: Rc<str>,
    /// What runs.
    pub image: Rc<str>,
    /// Requests and limits. Go always writes this field, and the revision hash covers it.
    pub resources: Extra,
    /// Everything else.
    pub extra: Extra,
}

fields!(Container {
    "name": name always, "image": image, "resources": resources always, ..extra
});

/// One of `spec.tolerations`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Toleration {
    /// The taint's key; empty with `Exists` means every key.
    pub key: Rc<str>,
    /// `Exists` or `Equal`; empty means `Equal`.
    pub operator: Rc<str>,
    /// The taint's value for `Equal`.
    pub value: Rc<str>,
    /// The taint's effect; empty means every effect.
    pub effect: Rc<str>,
    /// How long a NoExecute taint is borne; for ever if absent.
    pub toleration_seconds: Option<i64>,
}

fields!(Toleration {
    "key": key, "operator": operator, "value": value, "effect": effect, "tolerationSeconds": toleration_seconds
});

/// One of `spec.volumes`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Volume {
    /// Unique in the pod.
    pub name: Rc<str>,
    /// Set for volumes that come from a claim.
    pub persistent_volume_claim: Option<ClaimSource>,
    /// Any other source.
    pub extra: Extra,
}

fields!(Volume {
    "name": name always, "persistentVolumeClaim": persistent_volume_claim, ..extra
});

/// `persistentVolumeClaim` of a volume.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ClaimSource {
    /// The claim's name, in the pod's namespace.
    pub claim_name: Rc<str>,
    /// Whether the mount is read-only.
    pub read_only: bool,
}

fields!(ClaimSource {
    "claimName": claim_name always, "readOnly": read_only
});

/// `status.phase` of a pod.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum PodPhase {
    /// No phase: the object exists only in the controller's memory.
    #[default]
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

words!(PodPhase {
    None: "",
    Pending: "Pending",
    Running: "Running",
    Succeeded: "Succeeded",
    Failed: "Failed",
    Unknown: "Unknown"
});

/// `status` of a pod.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PodStatus {
    /// Where it is in its life.
    pub phase: PodPhase,
    /// `Ready`, `PodScheduled` and others.
    pub conditions: Vec<PodCondition>,
    /// Such as `NodeLost` or `Evicted`.
    pub reason: Rc<str>,
    /// The sentence.
    pub message: Rc<str>,
    /// Each container's state.
    pub container_statuses: Vec<ContainerStatus>,
    /// Everything else.
    pub extra: Extra,
}

fields!(PodStatus {
    "phase": phase, "conditions": conditions, "reason": reason, "message": message,
    "containerStatuses": container_statuses, ..extra
});

/// One of `status.conditions` of a pod.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PodCondition {
    /// `Ready` and others.
    pub condition_type: Rc<str>,
    /// `True`, `False` or `Unknown`.
    pub status: Rc<str>,
    /// CamelCase cause.
    pub reason: Rc<str>,
    /// The sentence.
    pub message: Rc<str>,
    /// When the status last changed.
    pub last_transition_time: Option<Time>,
    /// Everything else.
    pub extra: Extra,
}

fields!(PodCondition {
    "type": condition_type always, "status": status always, "reason": reason, "message": message,
    "lastTransitionTime": last_transition_time, ..extra
});

/// One of `status.containerStatuses`.
#[derive(Clone, Debug, Default, PartialEq)]
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
    pub image: Rc<str>,
    /// Everything else.
    pub extra: Extra,
}

fields!(ContainerStatus {
    "name": name always, "ready": ready always, "restartCount": restart_count always, "state": state, "image": image,
    ..extra
});

/// `state` of a container: exactly one is set.
#[derive(Clone, Debug, PartialEq)]
pub enum ContainerState {
    /// Not started; the reason is kubectl's word, such as `ContainerCreating`.
    Waiting {
        /// CamelCase cause.
        reason: Rc<str>,
    },
    /// Started.
    Running {
        /// When.
        started_at: Option<Time>,
    },
    /// Ended.
    Terminated {
        /// How the process ended.
        exit_code: i32,
        /// `Completed`, `Error` and others.
        reason: Rc<str>,
    },
}

impl Json for ContainerState {
    fn from_json(value: Value) -> Result<Self, Mismatch> {
        let Some((state, inner)) = object(value)?.into_iter().next() else { return Ok(Self::default()) };
        let mut inner = object(inner)?;
        Ok(match &*state {
            "running" => Self::Running { started_at: take(&mut inner, "startedAt")? },
            "terminated" => {
                Self::Terminated { exit_code: take(&mut inner, "exitCode")?, reason: take(&mut inner, "reason")? }
            }
            _ => Self::Waiting { reason: take(&mut inner, "reason")? },
        })
    }

    fn to_json(&self) -> Value {
        let (mut fields, mut inner) = (Extra::new(), Extra::new());
        let state = match self {
            Self::Waiting { reason } => {
                put(&mut inner, "reason", reason.to_json());
                "waiting"
            }
            Self::Running { started_at } => {
                put(&mut inner, "startedAt", started_at.to_json());
                "running"
            }
            Self::Terminated { exit_code, reason } => {
                put(&mut inner, "exitCode", exit_code.to_json());
                put(&mut inner, "reason", reason.to_json());
                "terminated"
            }
        };
        put(&mut fields, state, Value::Object(inner));
        Value::Object(fields)
    }
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
