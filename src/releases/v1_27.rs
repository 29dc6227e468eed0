//! Kubernetes 1.27.

use super::{Basis, ClusterGates, Evidence, Gates, KubeletWords, Profile, PullReport, Server};

const BEFORE: Profile = super::v1_28::PROFILE;

pub(super) const PROFILE: Profile = Profile {
    name: "v1.27",
    label: "v1.27 (not recorded)",
    minor: 27,
    note: "Taken to be as 1.28, not recorded; the real one handles the pods of Parallel one after the other.",
    proved_on: "v1.27.16",
    basis: Basis::Assumed,
    assumed_as: "v1.28",
    workloads: Evidence { basis: Basis::Assumed, of: "v1.28" },
    cluster: ClusterGates {
        waits_for_provisioner: super::v1_26::PROFILE.cluster.waits_for_provisioner,
        ..BEFORE.cluster
    },
    controller: Gates { pod_index_label: false, ..BEFORE.controller },
    feature_gates: &["MaxUnavailableStatefulSet", "StatefulSetAutoDeletePVC", "StatefulSetStartOrdinal"],
    kubelet: KubeletWords { pulled: PullReport::Duration, ..BEFORE.kubelet },
    server: Server { minor: 27, ..BEFORE.server },
    ..BEFORE
};
