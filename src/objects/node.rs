//! Node: a machine that runs pods, as the API knows it.

use super::json::fields;
use super::{Extra, ObjectMeta, Time};
use std::rc::Rc;

/// A node.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Node {
    /// Cluster-scoped: no namespace.
    pub metadata: ObjectMeta,
    /// What people and controllers ask of it.
    pub spec: NodeSpec,
    /// What its kubelet and the node lifecycle controller say of it.
    pub status: NodeStatus,
    /// Everything else.
    pub extra: Extra,
}

fields!(Node {
    "metadata": metadata, "spec": spec, "status": status, ..extra
});

/// `spec` of a node.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct NodeSpec {
    /// Cordoned: nothing new is scheduled here.
    pub unschedulable: bool,
    /// What repels pods that do not tolerate it.
    pub taints: Vec<Taint>,
    /// Everything else.
    pub extra: Extra,
}

fields!(NodeSpec {
    "unschedulable": unschedulable, "taints": taints, ..extra
});

/// One of `spec.taints`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Taint {
    /// Such as `node.kubernetes.io/unreachable`.
    pub key: Rc<str>,
    /// Optional value.
    pub value: Rc<str>,
    /// `NoSchedule`, `PreferNoSchedule` or `NoExecute`.
    pub effect: Rc<str>,
    /// When a NoExecute taint was added.
    pub time_added: Option<Time>,
}

fields!(Taint {
    "key": key always, "value": value, "effect": effect always, "timeAdded": time_added
});

/// `status` of a node.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct NodeStatus {
    /// `Ready` and others.
    pub conditions: Vec<NodeCondition>,
    /// Everything else.
    pub extra: Extra,
}

fields!(NodeStatus {
    "conditions": conditions, ..extra
});

/// One of `status.conditions` of a node.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct NodeCondition {
    /// `Ready` is the one that is simulated.
    pub condition_type: Rc<str>,
    /// `True`, `False` or `Unknown`.
    pub status: Rc<str>,
    /// Such as `KubeletReady` or `NodeStatusUnknown`.
    pub reason: Rc<str>,
    /// The sentence.
    pub message: Rc<str>,
    /// When the kubelet last spoke.
    pub last_heartbeat_time: Option<Time>,
    /// When the status last changed.
    pub last_transition_time: Option<Time>,
}

fields!(NodeCondition {
    "type": condition_type always, "status": status always, "reason": reason, "message": message,
    "lastHeartbeatTime": last_heartbeat_time, "lastTransitionTime": last_transition_time
});

impl Node {
    /// The status of the Ready condition: `True`, `False` or `Unknown`, the last also if there is none.
    pub fn ready_status(&self) -> &str {
        self.ready_condition().map_or("Unknown", |ready| &ready.status)
    }

    /// The Ready condition; none before the kubelet's first report.
    pub fn ready_condition(&self) -> Option<&NodeCondition> {
        self.status.conditions.iter().find(|condition| &*condition.condition_type == "Ready")
    }

    /// Whether the Ready condition is True.
    pub fn is_ready(&self) -> bool {
        self.ready_status() == "True"
    }
}
