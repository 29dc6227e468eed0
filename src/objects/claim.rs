//! PersistentVolumeClaim: the storage that stays when its pod goes.

use super::{ObjectMeta, Rest};
use serde::{Deserialize, Serialize};
use std::rc::Rc;

/// A claim, or a claim template inside a StatefulSet.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct PersistentVolumeClaim {
    /// Name is `<template>-<set>-<ordinal>`.
    pub metadata: ObjectMeta,
    /// What was asked for.
    pub spec: ClaimSpec,
    /// What was given.
    pub status: ClaimStatus,
    /// Everything else.
    #[serde(flatten)]
    pub rest: Rest,
}

/// `spec` of a claim.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct ClaimSpec {
    /// `ReadWriteOnce`, `ReadWriteMany`, `ReadOnlyMany`, `ReadWriteOncePod`.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub access_modes: Vec<Rc<str>>,
    /// The volume it is bound to.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub volume_name: Option<Rc<str>>,
    /// Everything else.
    #[serde(flatten)]
    pub rest: Rest,
}

/// `status` of a claim.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct ClaimStatus {
    /// `Pending`, `Bound` or `Lost`.
    #[serde(skip_serializing_if = "str::is_empty")]
    pub phase: Rc<str>,
    /// Everything else.
    #[serde(flatten)]
    pub rest: Rest,
}
