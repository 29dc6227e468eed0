//! PersistentVolumeClaim: the storage that stays when its pod goes.

use super::json::{nullable, text};
use super::{Extra, ObjectMeta};
use serde::{Deserialize, Serialize};
use std::rc::Rc;

/// A claim, or a claim template inside a StatefulSet.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct PersistentVolumeClaim {
    /// Name is `<template>-<set>-<ordinal>`.
    #[serde(deserialize_with = "nullable")]
    pub metadata: ObjectMeta,
    /// What was asked for.
    #[serde(deserialize_with = "nullable")]
    pub spec: ClaimSpec,
    /// What was given.
    #[serde(deserialize_with = "nullable")]
    pub status: ClaimStatus,
    /// Everything else.
    #[serde(flatten)]
    pub extra: Extra,
}

/// `spec` of a claim.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct ClaimSpec {
    /// `ReadWriteOnce`, `ReadWriteMany`, `ReadOnlyMany`, `ReadWriteOncePod`.
    #[serde(deserialize_with = "nullable", skip_serializing_if = "Vec::is_empty")]
    pub access_modes: Vec<Rc<str>>,
    /// The volume it is bound to.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub volume_name: Option<Rc<str>>,
    /// Everything else.
    #[serde(flatten)]
    pub extra: Extra,
}

/// `status` of a claim.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct ClaimStatus {
    /// `Pending`, `Bound` or `Lost`.
    #[serde(deserialize_with = "text", skip_serializing_if = "str::is_empty")]
    pub phase: Rc<str>,
    /// Everything else.
    #[serde(flatten)]
    pub extra: Extra,
}
