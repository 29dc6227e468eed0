//! LimitRange: what each container, pod or claim of a namespace asks for at least and at most, and without a word.

use super::json::{nullable, text};
use super::resource_quota::{Quantities, quantity_errors};
use super::{ApiError, ObjectMeta};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::rc::Rc;

/// A range.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct LimitRange {
    /// The name is its own.
    #[serde(deserialize_with = "nullable")]
    pub metadata: ObjectMeta,
    /// Its limits.
    #[serde(deserialize_with = "nullable")]
    pub spec: LimitRangeSpec,
}

/// `spec` of a range.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct LimitRangeSpec {
    /// One for each type that is limited.
    #[serde(deserialize_with = "nullable")]
    pub limits: Vec<LimitRangeItem>,
}

/// One of `spec.limits`.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct LimitRangeItem {
    /// `Container`, `Pod` or `PersistentVolumeClaim`.
    #[serde(rename = "type", deserialize_with = "text")]
    pub limit_type: Rc<str>,
    /// No more than this.
    #[serde(deserialize_with = "nullable", skip_serializing_if = "BTreeMap::is_empty")]
    pub max: Quantities,
    /// No less than this.
    #[serde(deserialize_with = "nullable", skip_serializing_if = "BTreeMap::is_empty")]
    pub min: Quantities,
    /// Limits of containers that have none.
    #[serde(deserialize_with = "nullable", skip_serializing_if = "BTreeMap::is_empty")]
    pub default: Quantities,
    /// Requests of containers that have none.
    #[serde(deserialize_with = "nullable", skip_serializing_if = "BTreeMap::is_empty")]
    pub default_request: Quantities,
    /// So many times the request at most is the limit.
    #[serde(deserialize_with = "nullable", skip_serializing_if = "BTreeMap::is_empty")]
    pub max_limit_request_ratio: Quantities,
}

impl LimitRangeItem {
    /// What the API server fills in. Models SetDefaults_LimitRangeItem, apis/core/v1/defaults.go.
    pub(crate) fn fill_in(&mut self) {
        let Self { limit_type, max, min, default, default_request, .. } = self;
        if &**limit_type != "Container" {
            return;
        }
        let fill = |into: &mut Quantities, from: &Quantities| {
            for (name, quantity) in from {
                into.entry(Rc::clone(name)).or_insert_with(|| quantity.clone());
            }
        };
        fill(default, max);
        fill(default_request, default);
        fill(default_request, min);
    }
}

impl LimitRange {
    /// Checks that its amounts are some, as ValidateLimitRange of apis/core/validation does among other things.
    ///
    /// # Errors
    /// An amount is no quantity.
    pub(crate) fn check(&self) -> Result<(), ApiError> {
        let mut errors = Vec::new();
        for (at, item) in self.spec.limits.iter().enumerate() {
            let all = [
                ("max", &item.max),
                ("min", &item.min),
                ("default", &item.default),
                ("defaultRequest", &item.default_request),
                ("maxLimitRequestRatio", &item.max_limit_request_ratio),
            ];
            let wrong = |(name, all)| quantity_errors(&format!("spec.limits[{at}].{name}"), all);
            errors.extend(all.into_iter().flat_map(wrong));
        }
        if errors.is_empty() { Ok(()) } else { Err(ApiError::invalid("LimitRange", &self.metadata.name, errors)) }
    }
}
