//! Service: the name under which pods are found.

use super::json::{is_zero, nullable, text};
use super::{Extra, Labels, ObjectMeta};
use serde::{Deserialize, Serialize};
use std::rc::Rc;

/// A Service.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Service {
    /// The name is part of its pods' DNS names.
    #[serde(deserialize_with = "nullable")]
    pub metadata: ObjectMeta,
    /// What is asked for.
    #[serde(deserialize_with = "nullable")]
    pub spec: ServiceSpec,
}

/// `spec` of a Service.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct ServiceSpec {
    /// Labels of its pods; without any it has none of its own.
    #[serde(deserialize_with = "nullable", skip_serializing_if = "Labels::is_empty")]
    pub selector: Labels,
    /// `None` where it is headless.
    #[serde(rename = "clusterIP", deserialize_with = "text", skip_serializing_if = "str::is_empty")]
    pub cluster_ip: Rc<str>,
    /// Whether pods that are not ready have addresses too.
    #[serde(deserialize_with = "nullable", skip_serializing_if = "is_zero")]
    pub publish_not_ready_addresses: bool,
    /// Everything else.
    #[serde(flatten)]
    pub extra: Extra,
}

impl Service {
    /// Whether its pods have names of their own instead of one address for all.
    pub(crate) fn is_headless(&self) -> bool {
        &*self.spec.cluster_ip == "None"
    }
}
