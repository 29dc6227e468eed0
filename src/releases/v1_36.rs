//! Kubernetes 1.36.

use super::{Basis, DrainWords, Evidence, Gates, Kubectl, Profile, Server, WorkloadGates};

const BEFORE: Profile = super::v1_35::PROFILE;

pub(super) const PROFILE: Profile = Profile {
    name: "v1.36",
    label: "v1.36",
    minor: 36,
    note: "",
    proved_on: "v1.36.3",
    workloads: Evidence { basis: Basis::Source, of: "v1.36.3" },
    controller: Gates {
        gone_pod_counts_as_deleted: true,
        waits_for_own_writes: true,
        workloads: WorkloadGates::V1_36,
        ..BEFORE.controller
    },
    feature_gates: &[
        "DeploymentReplicaSetTerminatingReplicas",
        "MaxUnavailableStatefulSet",
        "StaleControllerConsistencyDaemonSet",
        "StaleControllerConsistencyReplicaSet",
        "StaleControllerConsistencyStatefulSet",
        "StatefulSetSemanticRevisionComparison",
    ],
    server: Server { types: 36, ..BEFORE.server },
    kubectl: Kubectl {
        drain: DrainWords {
            unmanaged: "Pods that declare no controller (use --force to override)",
            ..BEFORE.kubectl.drain
        },
        label_modified: Some("modified"),
        failure_before_completed: true,
        undo_warns_of_applied: true,
        shows_proxy_version: false,
        describes_several_without_events: true,
        ..BEFORE.kubectl
    },
    ..BEFORE
};
