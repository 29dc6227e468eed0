//! Kubernetes 1.26.

use super::{Basis, ClusterGates, Evidence, Gates, KubeletWords, LogFormat, Profile, Server};

const BEFORE: Profile = super::v1_25::PROFILE;

pub(super) const PROFILE: Profile = Profile {
    name: "v1.26",
    label: "v1.26 (not recorded)",
    minor: 26,
    note: "Read from the source of 1.26, not recorded.",
    proved_on: "v1.26.15",
    basis: Basis::Source,
    assumed_as: "",
    workloads: Evidence { basis: Basis::Assumed, of: "v1.28" },
    // The status is written in a deferred function of updateStatefulSet, stateful_set_control.go.
    controller: Gates { writes_status_after_failure: true, ..BEFORE.controller },
    cluster: ClusterGates { disruption_target: true, out_of_service: true, ..BEFORE.cluster },
    kubelet: KubeletWords { back_off_names_container: true, ..BEFORE.kubelet },
    log: LogFormat { is_structured: true, ..BEFORE.log },
    server: Server { minor: 26, ..BEFORE.server },
    ..BEFORE
};
