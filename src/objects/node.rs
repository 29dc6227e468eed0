//! Node: a machine that runs pods, as the API knows it.

use super::json::{is_zero, nullable, text};
use super::{Extra, ObjectMeta, SharedExtra, Time};
use serde::{Deserialize, Serialize};
use std::fmt;
use std::rc::Rc;

/// The taint by which people say that a machine is off for good.
pub(crate) const OUT_OF_SERVICE: &str = "node.kubernetes.io/out-of-service";

/// A node.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Node {
    /// Cluster-scoped: no namespace.
    #[serde(deserialize_with = "nullable")]
    pub metadata: ObjectMeta,
    /// What people and controllers ask of it.
    #[serde(deserialize_with = "nullable")]
    pub spec: NodeSpec,
    /// What its kubelet and the node lifecycle controller say of it.
    #[serde(deserialize_with = "nullable")]
    pub status: NodeStatus,
    /// Everything else.
    #[serde(flatten)]
    pub extra: Extra,
}

/// `spec` of a node.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct NodeSpec {
    /// Cordoned: nothing new is scheduled here.
    #[serde(deserialize_with = "nullable", skip_serializing_if = "is_zero")]
    pub unschedulable: bool,
    /// What repels pods that do not tolerate it.
    #[serde(deserialize_with = "nullable", skip_serializing_if = "Vec::is_empty")]
    pub taints: Vec<Taint>,
    /// Everything else.
    #[serde(flatten)]
    pub extra: Extra,
}

/// One of `spec.taints`.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Taint {
    /// Such as `node.kubernetes.io/unreachable`.
    #[serde(deserialize_with = "text")]
    pub key: Rc<str>,
    /// Optional value.
    #[serde(deserialize_with = "text", skip_serializing_if = "str::is_empty")]
    pub value: Rc<str>,
    /// `NoSchedule`, `PreferNoSchedule` or `NoExecute`.
    #[serde(deserialize_with = "text")]
    pub effect: Rc<str>,
    /// When a NoExecute taint was added.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub time_added: Option<Time>,
}

/// As `kubectl taint` has it: `key=value:effect`.
impl fmt::Display for Taint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let equals = if self.value.is_empty() { "" } else { "=" };
        write!(f, "{}{equals}{}:{}", self.key, self.value, self.effect)
    }
}

/// `status` of a node.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct NodeStatus {
    /// `Ready` and others.
    #[serde(deserialize_with = "nullable", skip_serializing_if = "Vec::is_empty")]
    pub conditions: Vec<NodeCondition>,
    /// Everything else.
    #[serde(flatten)]
    pub extra: SharedExtra,
}

/// One of `status.conditions` of a node.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct NodeCondition {
    /// `Ready` is the one that is simulated.
    #[serde(rename = "type", deserialize_with = "text")]
    pub condition_type: Rc<str>,
    /// `True`, `False` or `Unknown`.
    #[serde(deserialize_with = "text")]
    pub status: Rc<str>,
    /// Such as `KubeletReady` or `NodeStatusUnknown`.
    #[serde(deserialize_with = "text", skip_serializing_if = "str::is_empty")]
    pub reason: Rc<str>,
    /// The sentence.
    #[serde(deserialize_with = "text", skip_serializing_if = "str::is_empty")]
    pub message: Rc<str>,
    /// When the kubelet last spoke.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub last_heartbeat_time: Option<Time>,
    /// When the status last changed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub last_transition_time: Option<Time>,
}

impl Node {
    /// The status of the Ready condition: `True`, `False` or `Unknown`, the last also if there is none.
    pub fn ready_status(&self) -> &str {
        self.ready_condition().map_or("Unknown", |ready| &ready.status)
    }

    /// The minor number of its kubelet's version, such as the 20 of `v1.20.2`, and the whole of it.
    pub(crate) fn kubelet(&self) -> Option<(u32, &str)> {
        let version = self.status.extra.get("nodeInfo")?["kubeletVersion"].as_str()?;
        let minor = version.strip_prefix("v1.")?.split(['.', '-', '+']).next()?.parse().ok()?;
        Some((minor, version))
    }

    /// The Ready condition; none before the kubelet's first report.
    pub(crate) fn ready_condition(&self) -> Option<&NodeCondition> {
        self.status.conditions.iter().find(|condition| &*condition.condition_type == "Ready")
    }

    /// Whether the Ready condition is True.
    pub fn is_ready(&self) -> bool {
        self.ready_status() == "True"
    }
}
