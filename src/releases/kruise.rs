//! OpenKruise beside Kubernetes: it is built with the types of one Kubernetes release, and its Advanced StatefulSet goes about
//! the steps that it shares with StatefulSet, from whose controller of 1.28 it was made.

use super::{Gates, v1_28};

/// How OpenKruise's CloneSet controller writes a template: with the types of Kubernetes 1.32, which do as those of 1.28, beside
/// whatever release it runs.
pub const CLONE_SET: Gates = v1_28::PROFILE.controller;

/// Of openkruise/kruise, commit 07169cfac7b9, with its feature gates as they are by default.
pub(crate) const ADVANCED_STATEFUL_SET: Gates = Gates {
    owner_version: "apps.kruise.io/v1beta1",
    adopts_for_deleted_set: true,
    claim_going: "to be deleted",
    start_ordinal: false,
    ..v1_28::PROFILE.controller
};
