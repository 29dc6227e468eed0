//! Kubernetes 1.32.

use super::{Basis, ClusterGates, Evidence, Kubectl, KubeletWords, Profile, Server};

const BEFORE: Profile = super::v1_31::PROFILE;

pub(super) const PROFILE: Profile = Profile {
    name: "v1.32",
    label: "v1.32 (not recorded)",
    minor: 32,
    note: "Taken to be as 1.28 where nothing is known to differ; not recorded.",
    proved_on: "v1.32.13",
    basis: Basis::Assumed,
    assumed_as: "v1.28",
    workloads: Evidence { basis: Basis::Assumed, of: "v1.28" },
    cluster: ClusterGates { node_monitor_grace: 50_000, ..BEFORE.cluster },
    kubelet: KubeletWords { created_with_colon: true, ..BEFORE.kubelet },
    kubectl: Kubectl { scale_not_found: Some("no objects passed to scale "), ..BEFORE.kubectl },
    server: Server { minor: 32, ..BEFORE.server },
    ..BEFORE
};
