//! PersistentVolumeClaim: the storage that stays when its pod goes.

use super::json::fields;
use super::{Extra, ObjectMeta};
use std::rc::Rc;

/// A claim, or a claim template inside a StatefulSet.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PersistentVolumeClaim {
    /// Name is `<template>-<set>-<ordinal>`.
    pub metadata: ObjectMeta,
    /// What was asked for.
    pub spec: ClaimSpec,
    /// What was given.
    pub status: ClaimStatus,
    /// Everything else.
    pub extra: Extra,
}

fields!(PersistentVolumeClaim {
    "metadata": metadata, "spec": spec, "status": status, ..extra
});

/// `spec` of a claim.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ClaimSpec {
    /// `ReadWriteOnce`, `ReadWriteMany`, `ReadOnlyMany`, `ReadWriteOncePod`.
    pub access_modes: Vec<Rc<str>>,
    /// The volume it is bound to.
    pub volume_name: Option<Rc<str>>,
    /// Everything else.
    pub extra: Extra,
}

fields!(ClaimSpec {
    "accessModes": access_modes, "volumeName": volume_name, ..extra
});

/// `status` of a claim.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ClaimStatus {
    /// `Pending`, `Bound` or `Lost`.
    pub phase: Rc<str>,
    /// Everything else.
    pub extra: Extra,
}

fields!(ClaimStatus {
    "phase": phase, ..extra
});
