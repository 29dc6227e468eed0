//! Kubernetes 1.31.

use super::{
    Basis, DrainWords, Evidence, FailureLine, Gates, Kubectl, LogFormat, PodFields, Profile, Server, WorkloadGates,
};

const BEFORE: Profile = super::v1_30::PROFILE;

pub(super) const PROFILE: Profile = Profile {
    name: "v1.31",
    label: "v1.31 (not recorded)",
    minor: 31,
    note: "Read from the source of 1.31, not recorded.",
    proved_on: "v1.31.14",
    basis: Basis::Source,
    assumed_as: "",
    workloads: Evidence { basis: Basis::Source, of: "v1.31.14" },
    controller: Gates {
        // dedupCurHistories of pkg/controller/daemon/update.go.
        workloads: WorkloadGates { template_types: 31, relabels_daemons_once: true, ..BEFORE.controller.workloads },
        ..BEFORE.controller
    },
    pods: PodFields { mount_statuses: true, ..BEFORE.pods },
    kubectl: Kubectl {
        ended_pods_keep_status: true,
        services_show_traffic_policy: true,
        drain: DrainWords { reasons: Some(" "), ..BEFORE.kubectl.drain },
        ..BEFORE.kubectl
    },
    // HandleError of k8s.io/apimachinery, pkg/util/runtime/runtime.go.
    log: LogFormat { failure: FailureLine::Unhandled, ..BEFORE.log },
    server: Server { types: 31, ..BEFORE.server },
    ..BEFORE
};
