//! Errors of the API server, with their reason, their causes and its message.

use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use std::fmt;

/// Why the API server refused, as `metav1.StatusReason`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Reason {
    /// The name is taken.
    AlreadyExists,
    /// The object changed since it was read.
    Conflict,
    /// Policy (quota, admission) forbids it.
    Forbidden,
    /// Something broke on the server.
    InternalError,
    /// The object does not pass validation.
    Invalid,
    /// There is no such object.
    NotFound,
    /// The server did not come to an end in time.
    ServerTimeout,
    /// The client is asked to slow down.
    TooManyRequests,
    /// The request could not be read.
    BadRequest,
}

impl Reason {
    /// The API's word.
    pub(crate) fn as_str(self) -> &'static str {
        match self {
            Self::AlreadyExists => "AlreadyExists",
            Self::Conflict => "Conflict",
            Self::Forbidden => "Forbidden",
            Self::InternalError => "InternalError",
            Self::Invalid => "Invalid",
            Self::NotFound => "NotFound",
            Self::ServerTimeout => "ServerTimeout",
            Self::TooManyRequests => "TooManyRequests",
            Self::BadRequest => "BadRequest",
        }
    }
}

/// A failed request, as the `metav1.Status` that the API server answers with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ApiError {
    /// The machine-readable reason.
    pub reason: Reason,
    /// The message, in the API server's words.
    pub message: String,
    /// What the message is about, as far as somebody asks for it.
    pub details: Details,
}

/// `details` of a failed request's status.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Details {
    /// The kind of an object that is not valid; empty for other reasons.
    pub kind: String,
    /// Its name.
    pub name: String,
    /// The single causes.
    pub causes: Vec<Cause>,
}

/// One of `details.causes`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Cause {
    /// The namespace is being deleted: nothing more can be created in it.
    NamespaceTerminating,
    /// A field of the object is not valid.
    #[serde(skip)]
    Field(FieldError),
}

impl ApiError {
    /// An error without details.
    pub fn new(reason: Reason, message: impl Into<String>) -> Self {
        Self { reason, message: message.into(), details: Details::default() }
    }

    /// The request cannot be understood.
    pub(crate) fn bad_request(message: impl Into<String>) -> Self {
        Self::new(Reason::BadRequest, message)
    }

    /// `Pod "web-0" is invalid: spec.containers: Required value`. Each cause is kept, and told once (ToAggregate,
    /// pkg/util/validation/field/errors.go of k8s.io/apimachinery).
    pub(crate) fn invalid(kind: &str, name: &str, errors: Vec<FieldError>) -> Self {
        let lines = told_once(&errors);
        let message = match &lines[..] {
            [one] => format!("{kind} \"{name}\" is invalid: {one}"),
            several => format!("{kind} \"{name}\" is invalid: [{}]", several.join(", ")),
        };
        let causes = errors.into_iter().map(Cause::Field).collect();
        let details = Details { kind: kind.to_owned(), name: name.to_owned(), causes };
        Self { details, ..Self::new(Reason::Invalid, message) }
    }

    /// Whether the namespace is being deleted.
    pub(crate) fn is_namespace_terminating(&self) -> bool {
        self.details.causes.contains(&Cause::NamespaceTerminating)
    }

    /// The fields that are not valid.
    pub(crate) fn fields(&self) -> impl Iterator<Item = &FieldError> {
        self.details.causes.iter().filter_map(|cause| match cause {
            Cause::Field(error) => Some(error),
            Cause::NamespaceTerminating => None,
        })
    }

    /// `pods "web-0" not found`.
    pub fn not_found(resource: &str, name: &str) -> Self {
        Self::new(Reason::NotFound, format!("{resource} \"{name}\" not found"))
    }

    /// `pods "web-0" already exists`.
    pub fn already_exists(resource: &str, name: &str) -> Self {
        Self::new(Reason::AlreadyExists, format!("{resource} \"{name}\" already exists"))
    }

    /// The object is not the version that the request was made from.
    pub fn conflict(resource: &str, name: &str) -> Self {
        Self::new(
            Reason::Conflict,
            format!(
                "Operation cannot be fulfilled on {resource} \"{name}\": the object has been modified; \
                 please apply your changes to the latest version and try again"
            ),
        )
    }
}

/// What errors say, in order, and what several say alike once.
pub fn told_once<'a>(errors: impl IntoIterator<Item = &'a FieldError>) -> Vec<String> {
    let mut seen = BTreeSet::new();
    errors.into_iter().map(ToString::to_string).filter(|line| seen.insert(line.clone())).collect()
}

impl fmt::Display for ApiError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for ApiError {}

/// The kind of a field error.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ErrorKind {
    /// The value is not valid.
    Invalid,
    /// There must be a value.
    Required,
    /// There may be no value, or it may not change.
    Forbidden,
    /// The value is not one of the known ones.
    NotSupported,
    /// What the value names does not exist.
    NotFound,
    /// Another entry has this value.
    Duplicate,
    /// The value is too long.
    TooLong,
}

/// An error about one field.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FieldError {
    /// Such as `spec.replicas`.
    pub path: String,
    /// What is wrong.
    pub kind: ErrorKind,
    /// The value as Go prints it; empty where it is not shown.
    pub value: String,
    /// The detail; may be empty.
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
            ErrorKind::TooLong => ("Too long", false),
        };
        write!(f, "{}: {words}", self.path)?;
        if shown {
            write!(f, ": {}", self.value)?;
        }
        if self.detail.is_empty() { Ok(()) } else { write!(f, ": {}", self.detail) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_errors_are_told_once_and_all_kept() {
        let required = || FieldError::required("spec.selector", "");
        let invalid = FieldError::invalid("spec.replicas", "-1", "must be greater than or equal to 0");
        let told = ApiError::invalid("Pod", "web-0", vec![required(), required()]);
        assert_eq!(told.message, "Pod \"web-0\" is invalid: spec.selector: Required value");
        assert_eq!(told.fields().count(), 2);
        let several = ApiError::invalid("Pod", "web-0", vec![required(), invalid, required()]);
        assert!(several.message.ends_with(
            ": [spec.selector: Required value, spec.replicas: Invalid value: -1: must be greater than or equal to 0]"
        ));
    }
}
