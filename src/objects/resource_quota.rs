//! ResourceQuota: how much the objects of a namespace may use together.

use super::json::{nullable, text};
use super::quantity::quantity_error;
use super::{ApiError, FieldError, ObjectMeta};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::BTreeMap;
use std::rc::Rc;

/// Quantities by the names of their resources, each a text or a number.
pub(crate) type Quantities = BTreeMap<Rc<str>, Value>;

/// The scopes that there are. Models standardResourceQuotaScopes, apis/core/helper.
const SCOPES: [&str; 7] = [
    "Terminating",
    "NotTerminating",
    "BestEffort",
    "NotBestEffort",
    "PriorityClass",
    "CrossNamespacePodAffinity",
    "VolumeAttributesClass",
];
const OPERATORS: [&str; 4] = ["In", "NotIn", "Exists", "DoesNotExist"];

/// A quota.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct ResourceQuota {
    /// The name is its own.
    #[serde(deserialize_with = "nullable")]
    pub metadata: ObjectMeta,
    /// What is allowed.
    #[serde(deserialize_with = "nullable")]
    pub spec: ResourceQuotaSpec,
    /// What is used.
    #[serde(deserialize_with = "nullable")]
    pub status: ResourceQuotaStatus,
}

/// `spec` of a quota.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct ResourceQuotaSpec {
    /// So much of each resource at most.
    #[serde(deserialize_with = "nullable", skip_serializing_if = "BTreeMap::is_empty")]
    pub hard: Quantities,
    /// Only objects in all of these scopes are counted.
    #[serde(deserialize_with = "nullable", skip_serializing_if = "Vec::is_empty")]
    pub scopes: Vec<Rc<str>>,
    /// And in these.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub scope_selector: Option<ScopeSelector>,
}

/// `spec.scopeSelector` of a quota.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct ScopeSelector {
    /// All must hold.
    #[serde(deserialize_with = "nullable")]
    pub match_expressions: Vec<ScopeRequirement>,
}

/// One of `spec.scopeSelector.matchExpressions`.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct ScopeRequirement {
    /// The scope.
    #[serde(deserialize_with = "text")]
    pub scope_name: Rc<str>,
    /// `In`, `NotIn`, `Exists` or `DoesNotExist`.
    #[serde(deserialize_with = "text")]
    pub operator: Rc<str>,
    /// Names of classes.
    #[serde(deserialize_with = "nullable", skip_serializing_if = "Vec::is_empty")]
    pub values: Vec<Rc<str>>,
}

/// `status` of a quota.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct ResourceQuotaStatus {
    /// So much of each resource is used.
    #[serde(deserialize_with = "nullable", skip_serializing_if = "BTreeMap::is_empty")]
    pub used: Quantities,
}

/// A quantity as its text.
pub(crate) fn quantity_text(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

/// What is wrong with quantities at a path.
pub(super) fn quantity_errors(path: &str, all: &Quantities) -> Vec<FieldError> {
    let wrong = |(name, value): (&Rc<str>, &Value)| {
        let text = quantity_text(value);
        let detail = quantity_error(&text)?;
        Some(FieldError::invalid(&format!("{path}[{name}]"), text, detail))
    };
    all.iter().filter_map(wrong).collect()
}

impl ResourceQuota {
    /// What its objects must be, each with how: of a scope that is only named there has to be something.
    pub(crate) fn scopes(&self) -> impl Iterator<Item = ScopeRequirement> {
        let named = self.spec.scopes.iter().map(|scope| ScopeRequirement {
            scope_name: Rc::clone(scope),
            operator: "Exists".into(),
            values: Vec::new(),
        });
        let selected = self.spec.scope_selector.iter().flat_map(|selector| selector.match_expressions.iter().cloned());
        named.chain(selected)
    }

    /// Checks what the API server does, as far as the simulation rests on it. Models ValidateResourceQuotaSpec,
    /// apis/core/validation.
    ///
    /// # Errors
    /// An amount is no quantity, or a scope or an operator is none that there is.
    pub(crate) fn check(&self) -> Result<(), ApiError> {
        let mut errors = quantity_errors("spec.hard", &self.spec.hard);
        for ScopeRequirement { scope_name, operator, .. } in self.scopes() {
            if !SCOPES.contains(&&*scope_name) {
                errors.push(FieldError::invalid("spec.scopes", &*scope_name, "unsupported scope"));
            }
            if !OPERATORS.contains(&&*operator) {
                let path = "spec.scopeSelector.matchExpressions.operator";
                errors.push(FieldError::invalid(path, &*operator, "not a valid selector operator"));
            }
        }
        if errors.is_empty() {
            return Ok(());
        }
        Err(ApiError::invalid("ResourceQuota", &self.metadata.name, errors))
    }
}
