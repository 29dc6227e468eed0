//! Refusals of the API server.

use serde::{Deserialize, Serialize};
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
    pub fn as_str(self) -> &'static str {
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

/// A refused request: its reason and the API server's own words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ApiError {
    /// The machine-readable reason.
    pub reason: Reason,
    /// The message, in the API server's words.
    pub message: String,
    /// What a controller may have to know beyond the reason.
    pub cause: Option<Cause>,
}

/// One of `details.causes` of a refusal's status, as far as a controller asks for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Cause {
    /// The namespace is being deleted: nothing more can be created in it.
    NamespaceTerminating,
}

impl ApiError {
    /// A refusal without a cause.
    pub fn new(reason: Reason, message: String) -> Self {
        Self { reason, message, cause: None }
    }

    /// Whether the namespace is being deleted.
    pub fn is_namespace_terminating(&self) -> bool {
        self.cause == Some(Cause::NamespaceTerminating)
    }

    /// `pods "web-0" not found`.
    pub fn not_found(resource: &str, name: &str) -> Self {
        Self::new(Reason::NotFound, format!("{resource} \"{name}\" not found"))
    }

    /// `pods "web-0" already exists`.
    pub fn already_exists(resource: &str, name: &str) -> Self {
        Self::new(Reason::AlreadyExists, format!("{resource} \"{name}\" already exists"))
    }

    /// The optimistic-locking refusal.
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

impl fmt::Display for ApiError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for ApiError {}
