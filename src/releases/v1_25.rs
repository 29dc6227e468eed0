//! Kubernetes 1.25.

use super::{Basis, Evidence, Kubectl, Profile, Server};

const BEFORE: Profile = super::v1_24::PROFILE;

pub(super) const PROFILE: Profile = Profile {
    name: "v1.25",
    label: "v1.25 (not recorded)",
    minor: 25,
    note: "Read from the source of 1.26, not recorded.",
    proved_on: "v1.25.16",
    basis: Basis::Assumed,
    assumed_as: "v1.26",
    workloads: Evidence { basis: Basis::Assumed, of: "v1.28" },
    kubectl: Kubectl { pods_show_service_account: true, ..BEFORE.kubectl },
    server: Server { minor: 25, decodes_strictly: true, ..BEFORE.server },
    ..BEFORE
};
