//! What commands and comparisons know about a kind of workload: what its spec has, and where.

use crate::objects::Kind;

/// What the spec of a kind has.
pub(super) struct Spec {
    /// `replicas`.
    pub(super) replicas: bool,
    /// `updateStrategy.type`.
    pub(super) update_strategy: bool,
    /// `updateStrategy.rollingUpdate.partition`.
    pub(super) partition: bool,
    /// The path of its policy in a manifest; empty if it has none.
    pub(super) policy: &'static [&'static str],
    /// `volumeClaimTemplates`.
    pub(super) claims: bool,
    /// `serviceName`.
    pub(super) service_name: bool,
}

const PLAIN: Spec =
    Spec { replicas: true, update_strategy: false, partition: false, policy: &[], claims: false, service_name: false };

const STATEFUL_SET: Spec = Spec {
    update_strategy: true,
    partition: true,
    policy: &["spec", "podManagementPolicy"],
    claims: true,
    service_name: true,
    ..PLAIN
};

const CLONE_SET: Spec = Spec {
    update_strategy: true,
    partition: true,
    policy: &["spec", "updateStrategy", "rollingUpdate", "podUpdatePolicy"],
    claims: true,
    ..PLAIN
};

const DAEMON_SET: Spec = Spec { replicas: false, update_strategy: true, ..PLAIN };

/// What the spec of this kind has; none of what is no workload.
pub(super) fn spec_of(kind: Kind) -> Option<&'static Spec> {
    match kind {
        Kind::StatefulSet | Kind::AdvancedStatefulSet => Some(&STATEFUL_SET),
        Kind::CloneSet => Some(&CLONE_SET),
        Kind::ReplicaSet | Kind::Deployment => Some(&PLAIN),
        Kind::DaemonSet => Some(&DAEMON_SET),
        Kind::Pod | Kind::PersistentVolumeClaim | Kind::ControllerRevision | Kind::Node => None,
    }
}
