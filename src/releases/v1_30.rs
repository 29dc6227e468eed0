//! Kubernetes 1.30.

use super::{
    Basis, DrainWords, Evidence, Gates, Kubectl, KubeletWords, LogFormat, Profile, PullReport, Server, Validation,
    WorkloadGates,
};

const BEFORE: Profile = super::v1_29::PROFILE;

pub(super) const PROFILE: Profile = Profile {
    name: "v1.30",
    label: "v1.30 (not recorded)",
    minor: 30,
    note: "Read from the source of 1.30, not recorded.",
    proved_on: "v1.30.14",
    basis: Basis::Source,
    assumed_as: "",
    workloads: Evidence { basis: Basis::Source, of: "v1.30.14" },
    controller: Gates {
        workloads: WorkloadGates { template_types: 30, ..BEFORE.controller.workloads },
        ..BEFORE.controller
    },
    kubelet: KubeletWords { pulled: PullReport::Size, ..BEFORE.kubelet },
    kubectl: Kubectl {
        drain: DrainWords {
            unmanaged: "cannot delete Pods that declare no controller (use --force to override)",
            ..BEFORE.kubectl.drain
        },
        ..BEFORE.kubectl
    },
    log: LogFormat { names_logger: true, ..BEFORE.log },
    server: Server {
        types: 30,
        validation: Validation { unmasked_needs_own_users: true, ..BEFORE.server.validation },
        ..BEFORE.server
    },
    ..BEFORE
};
