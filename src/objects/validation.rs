//! What the API server refuses.

use serde_json::Value;

/// One refusal.
pub struct FieldError {
    /// The field.
    pub path: String,
    /// The words.
    pub detail: String,
}

/// Checks a new set.
pub fn validate(value: &Value) -> Vec<FieldError> {
    validate_update(value, value)
}

/// Checks a changed set.
pub fn validate_update(new: &Value, _old: &Value) -> Vec<FieldError> {
    let path = "spec.replicas".to_owned();
    match new["spec"]["replicas"].as_i64() {
        Some(replicas) if replicas < 0 => {
            let detail = format!("{path}: Invalid value: {replicas}: must be greater than or equal to 0");
            vec![FieldError { path, detail }]
        }
        _ => Vec::new(),
    }
}

/// kubectl's line.
pub fn invalid_message(kind: &str, name: &str, errors: &[FieldError]) -> String {
    let details: Vec<_> = errors.iter().map(|error| error.detail.as_str()).collect();
    format!("The {kind} \"{name}\" is invalid: {}", details.join(", "))
}
