//! Kubernetes 1.27.

use super::{Basis, ClusterGates, Evidence, Gates, Profile, Server, Validation, WorkloadGates};

const BEFORE: Profile = super::v1_28::PROFILE;

pub(super) const PROFILE: Profile = Profile {
    name: "v1.27",
    label: "v1.27 (not recorded)",
    minor: 27,
    note: "Read from the source of 1.27, not recorded. Before 1.27.4 the pods of Parallel are handled one after the other; 1.27.16 \
           makes a pod that Succeeded anew, too.",
    proved_on: "v1.27.16",
    basis: Basis::Source,
    assumed_as: "",
    workloads: Evidence { basis: Basis::Source, of: "v1.27.16" },
    cluster: ClusterGates {
        waits_for_provisioner: super::v1_26::PROFILE.cluster.waits_for_provisioner,
        ..BEFORE.cluster
    },
    controller: Gates {
        pod_index_label: false,
        // completeRollingUpdate of stateful_set_utils.go, read in 1.27.16.
        rollout_requires_all_replicas: true,
        workloads: WorkloadGates { template_types: 27, ..BEFORE.controller.workloads },
        ..BEFORE.controller
    },
    feature_gates: &["MaxUnavailableStatefulSet", "StatefulSetAutoDeletePVC", "StatefulSetStartOrdinal"],
    server: Server {
        types: 27,
        validation: Validation { knows_host_ips: false, sidecars: false, ..BEFORE.server.validation },
        fills_template_host_ports: true,
        stores_directives: true,
        kubelet_skew: 2,
        ..BEFORE.server
    },
    ..BEFORE
};
