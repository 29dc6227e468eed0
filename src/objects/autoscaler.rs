//! HorizontalPodAutoscaler: between which numbers the replicas of a workload are kept.

use super::json::{nullable, text};
use super::{ApiError, ErrorKind, Extra, FieldError, Kind, ObjectMeta, ObjectRef};
use serde::{Deserialize, Serialize};
use std::rc::Rc;

/// An autoscaler of the group `autoscaling`. What it measures by is kept as it came.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Autoscaler {
    /// The name is its own.
    #[serde(deserialize_with = "nullable")]
    pub metadata: ObjectMeta,
    /// What is asked for.
    #[serde(deserialize_with = "nullable")]
    pub spec: AutoscalerSpec,
    /// What its controller says of it.
    #[serde(deserialize_with = "nullable", skip_serializing_if = "AutoscalerStatus::says_nothing")]
    pub status: AutoscalerStatus,
}

/// `status` of an autoscaler, as far as it says whether it acts.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct AutoscalerStatus {
    /// Whether it reaches what it scales, and more.
    #[serde(deserialize_with = "nullable")]
    pub conditions: Vec<AutoscalerCondition>,
}

impl AutoscalerStatus {
    fn says_nothing(&self) -> bool {
        self.conditions.is_empty()
    }
}

/// One of `status.conditions` of an autoscaler.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct AutoscalerCondition {
    /// Its name.
    #[serde(rename = "type", deserialize_with = "text")]
    pub condition_type: Rc<str>,
    /// `True`, `False` or `Unknown`.
    #[serde(deserialize_with = "text")]
    pub status: Rc<str>,
}

/// `spec` of an autoscaler.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct AutoscalerSpec {
    /// What it scales.
    #[serde(deserialize_with = "nullable")]
    pub scale_target_ref: ScaleTarget,
    /// The fewest pods; 1 without a number.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub min_replicas: Option<i32>,
    /// The most.
    #[serde(deserialize_with = "nullable")]
    pub max_replicas: i32,
    /// Everything else.
    #[serde(flatten)]
    pub extra: Extra,
}

/// `spec.scaleTargetRef`.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct ScaleTarget {
    /// Its group and version.
    #[serde(deserialize_with = "text", skip_serializing_if = "str::is_empty")]
    pub api_version: Rc<str>,
    /// Its kind.
    #[serde(deserialize_with = "text")]
    pub kind: Rc<str>,
    /// Its name, in the autoscaler's namespace.
    #[serde(deserialize_with = "text")]
    pub name: Rc<str>,
}

impl Autoscaler {
    /// What it scales, if that is simulated.
    pub(crate) fn target(&self) -> Option<ObjectRef> {
        let ScaleTarget { api_version, kind, name } = &self.spec.scale_target_ref;
        let kind = Kind::named(api_version, kind)?;
        Some(ObjectRef { kind, namespace: Rc::clone(&self.metadata.namespace), name: Rc::clone(name) })
    }

    /// The fewest pods that it leaves.
    pub(crate) fn min_replicas(&self) -> i32 {
        self.spec.min_replicas.unwrap_or(1)
    }

    /// Whether its controller reaches what it scales, as far as its status says.
    pub fn acts(&self) -> bool {
        let is_kept_off = |one: &AutoscalerCondition| *one.condition_type == *"AbleToScale" && *one.status == *"False";
        !self.status.conditions.iter().any(is_kept_off)
    }

    /// The number that it sets whatever it measures, given the replicas of its target; none where its metrics decide, of a target that
    /// was scaled to 0, and of one that it does not reach. Models reconcileAutoscaler, pkg/controller/podautoscaler/horizontal.go.
    pub(crate) fn bounded(&self, replicas: i32) -> Option<i32> {
        let (least, most) = (self.min_replicas(), self.spec.max_replicas);
        if !self.acts() || replicas == 0 && least != 0 {
            None
        } else if replicas > most {
            Some(most)
        } else if replicas < least {
            Some(least)
        } else {
            None
        }
    }

    /// Checks what the API server does. Models validateHorizontalPodAutoscalerSpec, pkg/apis/autoscaling/validation; metrics and
    /// behavior are taken as they are.
    ///
    /// # Errors
    /// A bound is too low, the bounds cross, or the target has no kind or name.
    pub(crate) fn check(&self) -> Result<(), ApiError> {
        let AutoscalerSpec { scale_target_ref: target, min_replicas, max_replicas, .. } = &self.spec;
        let mut errors = Vec::new();
        let mut wrong = |field: &str, value: i32, detail: &str| {
            errors.push(FieldError::new(ErrorKind::Invalid, field, value.to_string(), detail));
        };
        // The gate HPAScaleToZero, which lets it be 0, is alpha and off.
        if let Some(least) = min_replicas.filter(|least| *least < 1) {
            wrong("spec.minReplicas", least, "must be greater than or equal to 1");
        }
        if *max_replicas < 1 {
            wrong("spec.maxReplicas", *max_replicas, "must be greater than 0");
        }
        if min_replicas.is_some_and(|least| *max_replicas < least) {
            wrong("spec.maxReplicas", *max_replicas, "must be greater than or equal to `minReplicas`");
        }
        for (field, word) in [("spec.scaleTargetRef.kind", &target.kind), ("spec.scaleTargetRef.name", &target.name)] {
            if word.is_empty() {
                errors.push(FieldError::new(ErrorKind::Required, field, "", ""));
            }
        }
        if errors.is_empty() {
            return Ok(());
        }
        Err(ApiError::invalid("HorizontalPodAutoscaler", &self.metadata.name, errors))
    }
}
