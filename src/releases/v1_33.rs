//! Kubernetes 1.33.

use super::{Basis, Evidence, Profile, SchedulerWords, Server, ToldTwice};

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
    scheduler: SchedulerWords { claim_back_off: 0, told_twice: ToldTwice::UnboundClaims, ..BEFORE.scheduler },
    server: Server { minor: 33, ..BEFORE.server },
    ..BEFORE
};
