//! Kubernetes 1.29.

use super::{Basis, Evidence, PodFields, Profile, Server};

const BEFORE: Profile = super::v1_28::PROFILE;

pub(super) const PROFILE: Profile = Profile {
    name: "v1.29",
    label: "v1.29 (not recorded)",
    minor: 29,
    note: "Taken to be as 1.28 where nothing is known to differ; not recorded.",
    proved_on: "v1.29.15",
    basis: Basis::Assumed,
    assumed_as: "v1.28",
    workloads: Evidence { basis: Basis::Assumed, of: "v1.28" },
    pods: PodFields { sandbox_condition: true, host_ips: true, ..BEFORE.pods },
    server: Server { minor: 29, ..BEFORE.server },
    ..BEFORE
};
