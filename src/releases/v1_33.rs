//! Kubernetes 1.33.

use super::{Basis, Evidence, Gates, Profile, SchedulerWords, Server, ToldTwice, WorkloadGates};

const BEFORE: Profile = super::v1_32::PROFILE;

pub(super) const PROFILE: Profile = Profile {
    name: "v1.33",
    label: "v1.33 (not recorded)",
    minor: 33,
    note: "Taken to be as 1.28 where nothing is known to differ; not recorded.",
    proved_on: "v1.33.5",
    basis: Basis::Assumed,
    assumed_as: "v1.28",
    workloads: Evidence { basis: Basis::Assumed, of: "v1.28" },
    controller: Gates {
        // syncNodeUpdate of pkg/controller/daemon/daemon_controller.go, new in 1.33.
        workloads: WorkloadGates { asks_node_for_its_daemons: true, ..BEFORE.controller.workloads },
        ..BEFORE.controller
    },
    scheduler: SchedulerWords { claim_back_off: 0, told_twice: ToldTwice::UnboundClaims, ..BEFORE.scheduler },
    server: Server { minor: 33, warns_of_negative_history: true, ..BEFORE.server },
    ..BEFORE
};
