//! What is so of a pod and of its containers, as its kubelet says.

use super::json::{nullable, text};
use super::{Extra, Shared, SharedExtra, Time};
use serde::{Deserialize, Serialize};
use std::rc::Rc;

/// `status.phase` of a pod.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
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

impl PodPhase {
    fn is_none(&self) -> bool {
        *self == Self::None
    }

    /// The API's word.
    pub(crate) fn as_str(self) -> &'static str {
        match self {
            Self::None => "",
            Self::Pending => "Pending",
            Self::Running => "Running",
            Self::Succeeded => "Succeeded",
            Self::Failed => "Failed",
            Self::Unknown => "Unknown",
        }
    }
}

/// `status` of a pod.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct PodStatus {
    /// Where it is in its life.
    #[serde(deserialize_with = "nullable", skip_serializing_if = "PodPhase::is_none")]
    pub phase: PodPhase,
    /// `Ready`, `PodScheduled` and others.
    #[serde(deserialize_with = "nullable", skip_serializing_if = "Vec::is_empty")]
    pub conditions: Vec<Shared<PodCondition>>,
    /// Such as `NodeLost` or `Evicted`.
    #[serde(deserialize_with = "text", skip_serializing_if = "str::is_empty")]
    pub reason: Rc<str>,
    /// The sentence.
    #[serde(deserialize_with = "text", skip_serializing_if = "str::is_empty")]
    pub message: Rc<str>,
    /// Its address; empty before it has one.
    #[serde(rename = "podIP", deserialize_with = "text", skip_serializing_if = "str::is_empty")]
    pub pod_ip: Rc<str>,
    /// Each init container's state.
    #[serde(deserialize_with = "nullable", skip_serializing_if = "Vec::is_empty")]
    pub init_container_statuses: Vec<ContainerStatus>,
    /// Each container's state.
    #[serde(deserialize_with = "nullable", skip_serializing_if = "Vec::is_empty")]
    pub container_statuses: Vec<ContainerStatus>,
    /// Everything else.
    #[serde(flatten)]
    pub extra: SharedExtra,
}

thread_local! {
    static NO_STATUS: PodStatus = PodStatus {
        phase: PodPhase::None,
        conditions: Vec::new(),
        reason: "".into(),
        message: "".into(),
        pod_ip: "".into(),
        init_container_statuses: Vec::new(),
        container_statuses: Vec::new(),
        extra: SharedExtra::default(),
    };
}

/// What is empty is shared by all, as in `ObjectMeta`.
impl Default for PodStatus {
    fn default() -> Self {
        NO_STATUS.with(Clone::clone)
    }
}

/// One of `status.conditions` of a pod.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct PodCondition {
    /// `Ready` and others.
    #[serde(rename = "type", deserialize_with = "text")]
    pub condition_type: Rc<str>,
    /// `True`, `False` or `Unknown`.
    #[serde(deserialize_with = "text")]
    pub status: Rc<str>,
    /// CamelCase cause.
    #[serde(deserialize_with = "text", skip_serializing_if = "str::is_empty")]
    pub reason: Rc<str>,
    /// The sentence.
    #[serde(deserialize_with = "text", skip_serializing_if = "str::is_empty")]
    pub message: Rc<str>,
    /// When the status last changed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub last_transition_time: Option<Time>,
    /// Everything else.
    #[serde(flatten)]
    pub extra: Extra,
}

/// One of `status.containerStatuses`.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct ContainerStatus {
    /// The container's name.
    #[serde(deserialize_with = "text")]
    pub name: Rc<str>,
    /// Whether it passes its readiness probe.
    #[serde(deserialize_with = "nullable")]
    pub ready: bool,
    /// How often it was started again.
    #[serde(deserialize_with = "nullable")]
    pub restart_count: i32,
    /// What it does now.
    #[serde(deserialize_with = "nullable")]
    pub state: ContainerState,
    /// The image it runs.
    #[serde(deserialize_with = "text", skip_serializing_if = "str::is_empty")]
    pub image: Rc<str>,
    /// The image's digest; empty before it runs.
    #[serde(rename = "imageID", deserialize_with = "text", skip_serializing_if = "str::is_empty")]
    pub image_id: Rc<str>,
    /// Everything else.
    #[serde(flatten)]
    pub extra: SharedExtra,
}

impl ContainerStatus {
    /// How often all of these were started again.
    pub fn restarts<'a>(all: impl IntoIterator<Item = &'a Self>) -> i32 {
        all.into_iter().fold(0, |sum, status| sum.saturating_add(status.restart_count))
    }
}

/// `state` of a container: exactly one is set.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(from = "ContainerStates", rename_all = "camelCase", rename_all_fields = "camelCase")]
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
        /// From when on it ran.
        #[serde(skip_serializing_if = "Option::is_none")]
        started_at: Option<Time>,
        /// To when.
        #[serde(skip_serializing_if = "Option::is_none")]
        finished_at: Option<Time>,
    },
}

/// A container's state as the API spells it: a field for each.
#[derive(Default, Deserialize)]
#[serde(default)]
struct ContainerStates {
    running: Option<StateFields>,
    terminated: Option<StateFields>,
    waiting: Option<StateFields>,
}

#[derive(Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
struct StateFields {
    #[serde(deserialize_with = "nullable")]
    exit_code: i32,
    #[serde(deserialize_with = "text")]
    reason: Rc<str>,
    started_at: Option<Time>,
    finished_at: Option<Time>,
}

impl From<ContainerStates> for ContainerState {
    fn from(states: ContainerStates) -> Self {
        match states {
            ContainerStates { running: Some(StateFields { started_at, .. }), .. } => Self::Running { started_at },
            ContainerStates { terminated: Some(state), .. } => {
                let StateFields { exit_code, reason, started_at, finished_at } = state;
                Self::Terminated { exit_code, reason, started_at, finished_at }
            }
            ContainerStates { waiting, .. } => Self::Waiting { reason: waiting.unwrap_or_default().reason },
        }
    }
}

impl ContainerState {
    /// Ended so, from when to when it ran.
    pub(crate) fn ended(exit_code: i32, reason: &str, [started_at, finished_at]: [Option<Time>; 2]) -> Self {
        Self::Terminated { exit_code, reason: reason.into(), started_at, finished_at }
    }
}

impl Default for ContainerState {
    fn default() -> Self {
        Self::Waiting { reason: "".into() }
    }
}
