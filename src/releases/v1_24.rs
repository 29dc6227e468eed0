//! Kubernetes 1.24.

use super::{Basis, DrainWords, Evidence, Kubectl, Profile, SchedulerWords, Server, TaintWords};

const BEFORE: Profile = super::v1_23::PROFILE;

pub(super) const PROFILE: Profile = Profile {
    name: "v1.24",
    label: "v1.24 (not recorded)",
    minor: 24,
    note: "Read from the source of 1.26, not recorded.",
    proved_on: "v1.24.17",
    basis: Basis::Assumed,
    assumed_as: "v1.26",
    workloads: Evidence { basis: Basis::Assumed, of: "v1.28" },
    scheduler: SchedulerWords { taint: TaintWords::Untolerated, preemption: Some(("", "..")), ..BEFORE.scheduler },
    kubectl: Kubectl {
        drain: DrainWords {
            unmanaged: "Pods declare no controller (use --force to override)",
            deletes_unmanaged: "deleting Pods that declare no controller",
            ..BEFORE.kubectl.drain
        },
        ..BEFORE.kubectl
    },
    server: Server { minor: 24, names_resource_mapping: true, ..BEFORE.server },
    ..BEFORE
};
