//! Kubernetes 1.31.

use super::{Basis, DrainWords, Evidence, Kubectl, PodFields, Profile, Server};

const BEFORE: Profile = super::v1_30::PROFILE;

pub(super) const PROFILE: Profile = Profile {
    name: "v1.31",
    label: "v1.31 (not recorded)",
    minor: 31,
    note: "Taken to be as 1.28 where nothing is known to differ; not recorded.",
    proved_on: "v1.31.14",
    basis: Basis::Assumed,
    assumed_as: "v1.28",
    workloads: Evidence { basis: Basis::Assumed, of: "v1.28" },
    pods: PodFields { mount_statuses: true, ..BEFORE.pods },
    kubectl: Kubectl {
        ended_pods_keep_status: true,
        drain: DrainWords { reasons: Some(" "), ..BEFORE.kubectl.drain },
        ..BEFORE.kubectl
    },
    server: Server { minor: 31, ..BEFORE.server },
    ..BEFORE
};
