//! What kubectl says of a line that it does not carry out.

use crate::objects::{ApiError, Reason};
use std::fmt;

/// Why a line is not carried out. Displays as kubectl prints it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Error {
    /// kubectl itself refuses: `error: …`.
    Client(String),
    /// The line is written wrongly: `Error: …`, with the verb whose help would say how, if there is one.
    Usage(String, Option<&'static str>),
    /// The API server refuses: `Error from server (NotFound): …`.
    Server(ApiError),
    /// Printed as it stands.
    Plain(String),
}

impl Error {
    /// An error that kubectl itself finds.
    pub fn client(message: impl Into<String>) -> Self {
        Self::Client(message.into())
    }
}

impl From<ApiError> for Error {
    fn from(error: ApiError) -> Self {
        Self::Server(error)
    }
}

impl fmt::Display for Error {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Client(message) => write!(out, "error: {message}"),
            Self::Usage(message, None) => write!(out, "Error: {message}\nRun 'kubectl --help' for usage."),
            Self::Usage(message, Some(verb)) => {
                write!(out, "Error: {message}\nSee 'kubectl {verb} --help' for usage.")
            }
            // The message of an invalid object says by itself what is invalid.
            Self::Server(error) if error.reason == Reason::Invalid => write!(out, "{error}"),
            Self::Server(error) => write!(out, "Error from server ({}): {error}", error.reason.as_str()),
            Self::Plain(message) => out.write_str(message),
        }
    }
}
