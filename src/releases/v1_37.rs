//! Kubernetes 1.37, reconstructed.

use super::{Basis, Evidence, Gates, Profile, Server};

const BEFORE: Profile = super::v1_36::PROFILE;

pub(super) const PROFILE: Profile = Profile {
    name: "v1.37",
    label: "v1.37 (reconstructed)",
    minor: 37,
    note: "Reconstructed: 1.36.3 with two published changes, kubernetes/kubernetes#137666 and #136833. What else 1.37.0 \
           changed could not be seen.",
    proved_on: "v1.37-reconstructed",
    basis: Basis::Reconstructed,
    workloads: Evidence { basis: Basis::Assumed, of: "v1.36" },
    controller: Gates {
        max_unavailable: true,
        parallel_deletes_broken_pods_first: true,
        completes_under_any_strategy: true,
        ..BEFORE.controller
    },
    feature_gates: &[
        "DeploymentReplicaSetTerminatingReplicas",
        "MaxUnavailableStatefulSet",
        "StaleControllerConsistencyDaemonSet",
        "StaleControllerConsistencyReplicaSet",
        "StaleControllerConsistencyStatefulSet",
        "StatefulSetRecreateStrategy",
        "StatefulSetSemanticRevisionComparison",
    ],
    server: Server { types: 37, ..BEFORE.server },
    ..BEFORE
};
