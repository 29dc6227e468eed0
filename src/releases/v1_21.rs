//! Kubernetes 1.21.

use super::{Basis, Evidence, Kubectl, PodFields, Profile, SchedulerWords, Server};

const BEFORE: Profile = super::v1_20::PROFILE;

pub(super) const PROFILE: Profile = Profile {
    name: "v1.21",
    label: "v1.21 (not recorded)",
    minor: 21,
    note: "Taken to be as 1.20 where nothing is known to differ; not recorded.",
    proved_on: "v1.21.14",
    basis: Basis::Assumed,
    assumed_as: "v1.20",
    workloads: Evidence { basis: Basis::Assumed, of: "v1.20" },
    scheduler: SchedulerWords {
        node_affinity: "node(s) didn't match Pod's node affinity/selector",
        asks_for_resources_first: false,
        ..BEFORE.scheduler
    },
    pods: PodFields { token_volume: "kube-api-access", token_is_projected: true, ..BEFORE.pods },
    kubectl: Kubectl { node_pods_age: "Age", missing_name: "name was", ..BEFORE.kubectl },
    server: Server { minor: 21, ..BEFORE.server },
    ..BEFORE
};
