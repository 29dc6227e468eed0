//! Kubernetes 1.32.

use super::{
    Basis, ClusterGates, Evidence, Gates, Kubectl, KubeletWords, Profile, ScalingMessage, Server, Validation,
    WorkloadGates,
};

const BEFORE: Profile = super::v1_31::PROFILE;

pub(super) const PROFILE: Profile = Profile {
    name: "v1.32",
    label: "v1.32 (not recorded)",
    minor: 32,
    note: "Read from the source of 1.32, not recorded.",
    proved_on: "v1.32.13",
    basis: Basis::Source,
    assumed_as: "",
    workloads: Evidence { basis: Basis::Source, of: "v1.32.13" },
    controller: Gates {
        // scaleReplicaSet of pkg/controller/deployment/sync.go, getNonNegativeInt32FromAnnotation of util/deployment_util.go beside it,
        // ActivePodsWithRanks of pkg/controller/controller_utils.go.
        workloads: WorkloadGates {
            template_types: 32,
            compares_sidecar_restarts: true,
            scaling_message: ScalingMessage::FromTo,
            names_direction_of_each_set: true,
            checks_annotated_sizes: true,
            ..BEFORE.controller.workloads
        },
        ..BEFORE.controller
    },
    cluster: ClusterGates { node_monitor_grace: 50_000, ..BEFORE.cluster },
    kubelet: KubeletWords { created_with_colon: true, ..BEFORE.kubelet },
    kubectl: Kubectl {
        scale_not_found: Some("no objects passed to scale "),
        shows_template_placement: true,
        ..BEFORE.kubectl
    },
    server: Server {
        types: 32,
        validation: Validation { checks_affinity_values: true, ..BEFORE.server.validation },
        claims_may_shrink: true,
        ..BEFORE.server
    },
    ..BEFORE
};
