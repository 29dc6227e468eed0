//! What the API server refuses about a StatefulSet, in its own words and field paths.
//! Models pkg/apis/apps/validation/validation.go and pkg/apis/core/validation/validation.go.

mod names;
mod quantity;
mod template;
pub mod workloads;

pub(super) use quantity::canonical;
pub(crate) use quantity::{QuantitySum, in_nano as quantity_in_nano};

use super::{ApiError, Json, LabelSelector, Labels, Pod, Reason, Server, json_text};
use crate::releases::RETENTION;
use serde_json::Value;
use std::fmt;

/// What is wrong with a field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ErrorKind {
    /// The value may not be that.
    Invalid,
    /// There must be a value.
    Required,
    /// There may be no value, or it may not change.
    Forbidden,
    /// The value is not one of the known ones.
    NotSupported,
    /// What the value names is not there.
    NotFound,
    /// Another entry has this value.
    Duplicate,
}

/// One refusal of one field.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FieldError {
    /// Such as `spec.replicas`.
    pub path: String,
    /// What is wrong.
    pub kind: ErrorKind,
    /// The value as Go prints it; empty where it is not shown.
    pub value: String,
    /// The words behind it; may be empty.
    pub detail: String,
}

impl FieldError {
    pub(crate) fn new(kind: ErrorKind, path: &str, value: impl Into<String>, detail: impl Into<String>) -> Self {
        Self { path: path.to_owned(), kind, value: value.into(), detail: detail.into() }
    }

    pub(crate) fn invalid(path: &str, value: impl Into<String>, detail: impl Into<String>) -> Self {
        Self::new(ErrorKind::Invalid, path, value, detail)
    }

    pub(crate) fn required(path: &str, detail: &str) -> Self {
        Self::new(ErrorKind::Required, path, "", detail)
    }
}

impl fmt::Display for FieldError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (words, shown) = match self.kind {
            ErrorKind::Invalid => ("Invalid value", true),
            ErrorKind::Required => ("Required value", false),
            ErrorKind::Forbidden => ("Forbidden", false),
            ErrorKind::NotSupported => ("Unsupported value", true),
            ErrorKind::NotFound => ("Not found", true),
            ErrorKind::Duplicate => ("Duplicate value", true),
        };
        write!(f, "{}: {words}", self.path)?;
        if shown {
            write!(f, ": {}", self.value)?;
        }
        if self.detail.is_empty() { Ok(()) } else { write!(f, ": {}", self.detail) }
    }
}

/// kubectl's line for refused fields.
pub fn invalid_message(kind: &str, name: &str, errors: &[FieldError]) -> String {
    match errors {
        [one] => format!("The {kind} \"{name}\" is invalid: {one}"),
        several => {
            let lines: Vec<String> = several.iter().map(|error| format!("* {error}")).collect();
            format!("The {kind} \"{name}\" is invalid: \n{}", lines.join("\n"))
        }
    }
}

/// The server's own line for refused fields.
fn status_message(kind: &str, name: &str, errors: &[FieldError]) -> String {
    let errors: Vec<String> = errors.iter().map(ToString::to_string).collect();
    match &errors[..] {
        [one] => format!("{kind} \"{name}\" is invalid: {one}"),
        several => format!("{kind} \"{name}\" is invalid: [{}]", several.join(", ")),
    }
}

/// Whether the server takes a new pod.
///
/// # Errors
/// What is wrong with its spec.
pub(crate) fn new_pod(pod: &Pod) -> Result<(), ApiError> {
    let mut errors = Vec::new();
    template::pod_spec(&pod.spec.to_json(), &mut errors);
    if errors.is_empty() {
        return Ok(());
    }
    Err(ApiError::new(Reason::Invalid, status_message("Pod", &pod.metadata.name, &errors)))
}

/// A text as Go prints it in quotes.
pub(crate) fn quoted(text: &str) -> String {
    format!("{text:?}")
}

pub(crate) fn not_negative(value: Option<&Value>, path: &str, errors: &mut Vec<FieldError>) {
    if let Some(number) = value.and_then(Value::as_i64).filter(|number| *number < 0) {
        errors.push(FieldError::invalid(path, number.to_string(), "must be greater than or equal to 0"));
    }
}

/// Everything wrong with a new set, already defaulted.
pub fn validate(value: &Value, server: &Server) -> Vec<FieldError> {
    let mut errors = Vec::new();
    names::metadata(&value["metadata"], "metadata", server.name_is_label, &mut errors);
    validate_spec(&value["spec"], server, &mut errors);
    errors
}

fn validate_spec(spec: &Value, server: &Server, errors: &mut Vec<FieldError>) {
    let word = |name: &str| spec[name].as_str().unwrap_or_default();
    match word("podManagementPolicy") {
        "" => errors.push(FieldError::required("spec.podManagementPolicy", "")),
        "OrderedReady" | "Parallel" => {}
        other => errors.push(FieldError::invalid(
            "spec.podManagementPolicy",
            quoted(other),
            "must be 'OrderedReady' or 'Parallel'",
        )),
    }
    update_strategy(&spec["updateStrategy"], errors);
    for field in ["whenDeleted", "whenScaled"] {
        let path = format!("spec.{RETENTION}.{field}");
        match spec[RETENTION][field].as_str() {
            None | Some("Retain" | "Delete") => {}
            Some(other) => {
                let detail = r#"supported values: "Retain", "Delete""#;
                errors.push(FieldError::new(ErrorKind::NotSupported, &path, quoted(other), detail));
            }
        }
    }
    not_negative(spec.get("replicas"), "spec.replicas", errors);
    not_negative(spec.get("minReadySeconds"), "spec.minReadySeconds", errors);
    not_negative(spec["ordinals"].get("start"), "spec.ordinals.start", errors);
    selector(spec, server, errors);
    template::validate(&spec["template"], server, errors);
}

fn update_strategy(strategy: &Value, errors: &mut Vec<FieldError>) {
    let path = "spec.updateStrategy";
    let rolling = &strategy["rollingUpdate"];
    match strategy["type"].as_str().unwrap_or_default() {
        "" => errors.push(FieldError::required(path, "")),
        "OnDelete" => {
            if rolling.is_object() {
                let partition = rolling["partition"].as_i64().unwrap_or(0);
                let value = format!("apps.RollingUpdateStatefulSetStrategy{{Partition:{partition}}}");
                let detail = "only allowed for updateStrategy 'RollingUpdate'";
                errors.push(FieldError::invalid(&format!("{path}.rollingUpdate"), value, detail));
            }
        }
        "RollingUpdate" => {
            not_negative(rolling.get("partition"), &format!("{path}.rollingUpdate.partition"), errors);
            max_unavailable(&rolling["maxUnavailable"], errors);
        }
        other => {
            errors.push(FieldError::invalid(path, quoted(other), "must be 'RollingUpdate' or 'OnDelete'"));
        }
    }
}

fn max_unavailable(value: &Value, errors: &mut Vec<FieldError>) {
    let path = "spec.updateStrategy.rollingUpdate.maxUnavailable";
    let number = match value {
        Value::Null => return,
        Value::String(text) => {
            let digits = text.strip_suffix('%').filter(|digits| !digits.is_empty());
            let Some(percent) = digits.and_then(|digits| digits.parse::<u32>().ok()) else {
                let detail = "a valid percent string must be a numeric string followed by an ending '%' (e.g. '1%',  or \
                              '93%', regex used for validation is '[0-9]+%')";
                errors.push(FieldError::invalid(path, quoted(text), detail));
                return;
            };
            if percent > 100 {
                errors.push(FieldError::invalid(path, quoted(text), "must not be greater than 100%"));
            }
            i64::from(percent)
        }
        number => number.as_i64().unwrap_or(1),
    };
    not_negative(Some(value), path, errors);
    if number == 0 {
        let shown = value.as_str().map_or_else(|| json_text(value), quoted);
        errors.push(FieldError::invalid(path, shown, "cannot be 0"));
    }
}

fn selector(spec: &Value, server: &Server, errors: &mut Vec<FieldError>) {
    selector_of("statefulset", spec, server, errors);
}

fn selector_of(word: &str, spec: &Value, server: &Server, errors: &mut Vec<FieldError>) {
    let path = "spec.selector";
    if !spec["selector"].is_object() {
        errors.push(FieldError::required(path, ""));
        return;
    }
    let Ok(selector) = LabelSelector::from_json(spec["selector"].clone()) else { return };
    if selector.match_labels.is_empty() && selector.match_expressions.is_empty() {
        let value =
            "v1.LabelSelector{MatchLabels:map[string]string(nil), MatchExpressions:[]v1.LabelSelectorRequirement(nil)}";
        let detail = if server.early_words {
            format!("empty selector is not valid for {word}.")
        } else {
            format!("empty selector is invalid for {word}")
        };
        errors.push(FieldError::invalid(path, value, detail));
        return;
    }
    let before = errors.len();
    names::labels(&spec["selector"]["matchLabels"], &format!("{path}.matchLabels"), errors);
    for (index, requirement) in selector.match_expressions.iter().enumerate() {
        let at = format!("{path}.matchExpressions[{index}]");
        match &*requirement.operator {
            "In" | "NotIn" if requirement.values.is_empty() => {
                let detail = "must be specified when `operator` is 'In' or 'NotIn'";
                errors.push(FieldError::required(&format!("{at}.values"), detail));
            }
            "Exists" | "DoesNotExist" if !requirement.values.is_empty() => {
                let detail = "may not be specified when `operator` is 'Exists' or 'DoesNotExist'";
                errors.push(FieldError::new(ErrorKind::Forbidden, &format!("{at}.values"), "", detail));
            }
            "In" | "NotIn" | "Exists" | "DoesNotExist" => {}
            other => {
                let detail = "not a valid selector operator";
                errors.push(FieldError::invalid(&format!("{at}.operator"), quoted(other), detail));
            }
        }
    }
    let labels = spec["template"]["metadata"]["labels"].clone();
    let labels = Labels::from_json(labels).unwrap_or_default();
    if errors.len() == before && !selector.matches(&labels) {
        let pairs: Vec<String> = labels.iter().map(|(key, value)| format!("{key:?}:{value:?}")).collect();
        let value = if pairs.is_empty() {
            "map[string]string(nil)".to_owned()
        } else {
            format!("map[string]string{{{}}}", pairs.join(", "))
        };
        let detail = "`selector` does not match template `labels`";
        errors.push(FieldError::invalid("spec.template.metadata.labels", value, detail));
    }
}

/// Everything wrong with a changed set, already defaulted.
pub fn validate_update(new: &Value, old: &Value, server: &Server) -> Vec<FieldError> {
    let mut errors = Vec::new();
    // The name cannot change, and an old one may not be as it has to be now.
    names::labels_and_annotations(&new["metadata"], "metadata", &mut errors);
    validate_spec(&new["spec"], server, &mut errors);
    let fixed = |value: &Value| {
        let mut spec = value["spec"].clone();
        if let Some(fields) = spec.as_object_mut() {
            server.changeable.iter().for_each(|field| drop(fields.remove(*field)));
        }
        spec
    };
    if fixed(new) != fixed(old) {
        let detail = format!("updates to statefulset spec for fields other than {}", server.changeable_words);
        errors.push(FieldError::new(ErrorKind::Forbidden, "spec", "", detail));
    }
    errors
}
