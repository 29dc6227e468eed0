//! PodDisruptionBudget: how many of some pods may be evicted at a time.

use super::json::{is_zero, nullable, text};
use super::{ApiError, ErrorKind, Extra, FieldError, IntOrPercent, LabelSelector, ObjectMeta, Round};
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::Value;
use std::rc::Rc;

/// A budget of the group `policy`.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct DisruptionBudget {
    /// The name is its own.
    #[serde(deserialize_with = "nullable")]
    pub metadata: ObjectMeta,
    /// What is asked for.
    #[serde(deserialize_with = "nullable")]
    pub spec: DisruptionBudgetSpec,
    /// Whether its controller said that it cannot count what may go, as of pods whose controller has no scale.
    #[serde(rename = "status", skip_serializing, deserialize_with = "is_unsynced")]
    pub is_unsynced: bool,
}

/// The condition that failSafe of pkg/controller/disruption writes: until a sync goes through, nothing may go.
fn is_unsynced<'d, D: Deserializer<'d>>(from: D) -> Result<bool, D::Error> {
    let status = Value::deserialize(from)?;
    let conditions = status.get("conditions").and_then(Value::as_array);
    let has = |condition: &Value, key: &str, word: &str| condition.get(key).is_some_and(|own| own == word);
    let is_it = |condition: &Value| {
        has(condition, "type", "DisruptionAllowed")
            && has(condition, "status", "False")
            && has(condition, "reason", "SyncFailed")
    };
    Ok(conditions.into_iter().flatten().any(is_it))
}

/// `spec` of a budget.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct DisruptionBudgetSpec {
    /// So many pods must be left.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub min_available: Option<IntOrPercent>,
    /// So many may be missing.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_unavailable: Option<IntOrPercent>,
    /// Of these pods; of none without it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub selector: Option<LabelSelector>,
    /// `IfHealthyBudget` (the default) or `AlwaysAllow`.
    #[serde(deserialize_with = "text", skip_serializing_if = "str::is_empty")]
    pub unhealthy_pod_eviction_policy: Rc<str>,
    /// Everything else.
    #[serde(flatten)]
    pub extra: Extra,
}

/// `status` of a budget.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct DisruptionBudgetStatus {
    /// How many pods may go now.
    pub disruptions_allowed: i32,
    /// Pods that are ready and stay.
    pub current_healthy: i32,
    /// Pods that must be.
    pub desired_healthy: i32,
    /// Pods that there should be.
    pub expected_pods: i32,
    /// The generation that this is about.
    #[serde(skip_serializing_if = "is_zero")]
    pub observed_generation: i64,
}

impl DisruptionBudget {
    /// Checks what the API server does. Models ValidatePodDisruptionBudgetSpec, apis/policy/validation.
    ///
    /// # Errors
    /// Both limits are given, or a limit is no number and no percentage.
    pub(crate) fn check(&self) -> Result<(), ApiError> {
        let spec = &self.spec;
        let mut errors = Vec::new();
        if spec.min_available.is_some() && spec.max_unavailable.is_some() {
            let detail = "minAvailable and maxUnavailable cannot be both set";
            errors.push(FieldError::new(ErrorKind::Invalid, "spec", "", detail));
        }
        for (path, limit) in
            [("spec.minAvailable", &spec.min_available), ("spec.maxUnavailable", &spec.max_unavailable)]
        {
            let Some(limit) = limit else { continue };
            let detail = match limit {
                IntOrPercent::Int(number) if *number < 0 => "must be greater than or equal to 0",
                IntOrPercent::Text(_) if limit.of(100, Round::Up).is_none_or(|share| !(0..=100).contains(&share)) => {
                    "a valid percent string must be a numeric string followed by an ending '%' (e.g. '1%',  or '93%')"
                }
                _ => continue,
            };
            errors.push(FieldError::new(ErrorKind::Invalid, path, limit.to_string(), detail));
        }
        if errors.is_empty() {
            return Ok(());
        }
        Err(ApiError::invalid("PodDisruptionBudget", &self.metadata.name, errors))
    }
}
