//! What commands and comparisons know about a kind of workload: one row for each.

use crate::objects::{Kind, PodManagementPolicy};
use serde_json::{Value, json};

/// A kind of workload: the patches of its spec that commands send, and what it has for a comparison. A field that is none is
/// one that the kind does not have.
pub(super) struct WorkloadKind {
    /// Sets how many pods it has.
    pub(super) replicas: Option<fn(i32) -> Value>,
    /// Sets in which order pods are made.
    pub(super) order: Option<fn(PodManagementPolicy) -> Value>,
    /// Holds or resumes updates.
    pub(super) paused: Option<fn(bool) -> Value>,
    /// The path of the policy that comparisons change; empty if it has none.
    pub(super) policy: &'static [&'static str],
    /// Whether it has `volumeClaimTemplates`.
    pub(super) claims: bool,
    /// Whether it has `serviceName`.
    pub(super) service_name: bool,
    /// What kubectl says of a workload of this name that has no earlier revision.
    pub(super) no_history: fn(&str) -> String,
}

/// A kind that is applied beside the workloads.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Other {
    Service,
    Budget,
    Autoscaler,
    Quota,
    Limits,
    Claim,
    Volume,
    StorageClass,
    AttachLimits,
    PriorityClass,
    Pod,
    /// One of which only the name counts.
    Named,
}

/// Each with the versions in which it is taken, also those that no release serves any more: a text may be old.
const OTHERS: [(&str, &[&str], Other); 13] = [
    ("Service", &["v1"], Other::Service),
    ("PodDisruptionBudget", &["policy/v1", "policy/v1beta1"], Other::Budget),
    (
        "HorizontalPodAutoscaler",
        &["autoscaling/v1", "autoscaling/v2", "autoscaling/v2beta1", "autoscaling/v2beta2"],
        Other::Autoscaler,
    ),
    ("ResourceQuota", &["v1"], Other::Quota),
    ("LimitRange", &["v1"], Other::Limits),
    ("PersistentVolumeClaim", &["v1"], Other::Claim),
    ("PersistentVolume", &["v1"], Other::Volume),
    ("StorageClass", &["storage.k8s.io/v1", "storage.k8s.io/v1beta1"], Other::StorageClass),
    ("CSINode", &["storage.k8s.io/v1", "storage.k8s.io/v1beta1"], Other::AttachLimits),
    ("PriorityClass", &["scheduling.k8s.io/v1", "scheduling.k8s.io/v1beta1"], Other::PriorityClass),
    ("Pod", &["v1"], Other::Pod),
    ("ServiceAccount", &["v1"], Other::Named),
    ("RuntimeClass", &["node.k8s.io/v1", "node.k8s.io/v1beta1"], Other::Named),
];

impl Other {
    pub(super) fn named(api_version: &str, kind: &str) -> Option<Self> {
        let is_it = |(own, versions, _): &&(&str, &[&str], Self)| *own == kind && versions.contains(&api_version);
        OTHERS.iter().find(is_it).map(|(.., other)| *other)
    }
}

const PLAIN: WorkloadKind = WorkloadKind {
    replicas: Some(replicas),
    order: None,
    paused: None,
    policy: &[],
    claims: false,
    service_name: false,
    no_history: |_| "no last revision to roll back to".to_owned(),
};

const STATEFUL_SET: WorkloadKind = WorkloadKind {
    order: Some(|order| json!({"podManagementPolicy": order.as_str()})),
    policy: &["spec", "podManagementPolicy"],
    claims: true,
    service_name: true,
    ..PLAIN
};

const ADVANCED_STATEFUL_SET: WorkloadKind = WorkloadKind { paused: Some(paused_update), ..STATEFUL_SET };

const CLONE_SET: WorkloadKind = WorkloadKind {
    paused: Some(paused_update),
    policy: &["spec", "updateStrategy", "rollingUpdate", "podUpdatePolicy"],
    claims: true,
    ..PLAIN
};

const DEPLOYMENT: WorkloadKind = WorkloadKind {
    paused: Some(|paused| json!({"paused": paused})),
    no_history: |name| format!("no rollout history found for deployment \"{name}\""),
    ..PLAIN
};

const DAEMON_SET: WorkloadKind = WorkloadKind { replicas: None, ..PLAIN };

fn replicas(replicas: i32) -> Value {
    json!({"replicas": replicas})
}

fn paused_update(paused: bool) -> Value {
    json!({"updateStrategy": {"rollingUpdate": {"paused": paused}}})
}

/// The row of a kind; none of what is no workload.
pub(super) fn workload(kind: Kind) -> Option<&'static WorkloadKind> {
    match kind {
        Kind::StatefulSet => Some(&STATEFUL_SET),
        Kind::AdvancedStatefulSet => Some(&ADVANCED_STATEFUL_SET),
        Kind::CloneSet => Some(&CLONE_SET),
        Kind::ReplicaSet => Some(&PLAIN),
        Kind::Deployment => Some(&DEPLOYMENT),
        Kind::DaemonSet => Some(&DAEMON_SET),
        Kind::Pod | Kind::PersistentVolumeClaim | Kind::ControllerRevision | Kind::Node => None,
    }
}
