//! Kubernetes 1.35.4 and later patch releases.

use super::{Basis, Gates, Profile};

const BEFORE: Profile = super::v1_35_3::PROFILE;

pub(super) const PROFILE: Profile = Profile {
    name: "v1.35",
    label: "v1.35",
    last_patch: None,
    note: "1.35.4 and later, where MaxUnavailableStatefulSet is off by default.",
    proved_on: "v1.35.6",
    basis: Basis::Recorded,
    controller: Gates { max_unavailable: false, ..BEFORE.controller },
    ..BEFORE
};
