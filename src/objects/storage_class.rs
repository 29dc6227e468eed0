//! StorageClass: how claims of its name get their volumes.

use super::ObjectMeta;
use super::json::{nullable, text};
use serde::{Deserialize, Serialize};
use std::rc::Rc;

/// A class of the group `storage.k8s.io`.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct StorageClass {
    /// The name is its own.
    #[serde(deserialize_with = "nullable")]
    pub metadata: ObjectMeta,
    /// Who makes a volume for each claim.
    #[serde(deserialize_with = "text", skip_serializing_if = "str::is_empty")]
    pub provisioner: Rc<str>,
    /// `Immediate`, the default, or `WaitForFirstConsumer`.
    #[serde(deserialize_with = "text", skip_serializing_if = "str::is_empty")]
    pub volume_binding_mode: Rc<str>,
    /// Whether its volumes may grow; without it they may not.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub allow_volume_expansion: Option<bool>,
    /// What becomes of its volumes once their claims are gone; `Delete` without it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reclaim_policy: Option<Rc<str>>,
}

impl StorageClass {
    /// Whether nobody makes its volumes: they are made by hand.
    pub(crate) fn is_by_hand(&self) -> bool {
        ["", "kubernetes.io/no-provisioner"].contains(&&*self.provisioner)
    }

    /// Whether a claim is bound only once a pod that uses it is placed.
    pub(crate) fn waits_for_consumer(&self) -> bool {
        &*self.volume_binding_mode == "WaitForFirstConsumer"
    }

    /// Whether it stands for one of which only claims tell, so that nothing more is known of it. The server takes no empty policy.
    pub(crate) fn is_assumed(&self) -> bool {
        self.reclaim_policy.as_deref() == Some("")
    }

    /// Whether claims that name no class are of it.
    pub(crate) fn is_default(&self) -> bool {
        let says = |name: &str| self.metadata.annotations.get(name).is_some_and(|value| &**value == "true");
        says("storageclass.kubernetes.io/is-default-class") || says("storageclass.beta.kubernetes.io/is-default-class")
    }
}
