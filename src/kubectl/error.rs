//! Errors of kubectl lines, as kubectl prints them.

use crate::objects::{ApiError, Details, Reason, told_once};
use crate::text::Text;
use std::borrow::Cow;
use std::fmt;

/// Why a line is not carried out. Displays as kubectl prints it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Error {
    /// kubectl itself refuses: `error: …`.
    Client(String),
    /// The line cannot be parsed: `error: …`.
    Usage(Usage),
    /// The API server refuses: `Error from server (NotFound): …`.
    Server(ApiError),
    /// The simulator refuses, in its own words.
    Own(Text),
    /// Printed without a prefix.
    Plain(String),
}

/// Why a line cannot be parsed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Usage {
    /// The word before the message, which a release chooses.
    pub word: &'static str,
    /// What is wrong.
    pub message: String,
    /// The verb whose help is named.
    pub verb: Option<&'static str>,
}

impl Error {
    /// An error that kubectl itself finds.
    pub(crate) fn client(message: impl Into<String>) -> Self {
        Self::Client(message.into())
    }
}

impl Error {
    /// The message without kubectl's prefix.
    pub(crate) fn message(&self) -> Cow<'_, str> {
        match self {
            Self::Client(message) | Self::Usage(Usage { message, .. }) | Self::Plain(message) => message.into(),
            Self::Own(text) => text.to_string().into(),
            Self::Server(error) if !error.details.kind.is_empty() => invalid(error).into(),
            Self::Server(error) => (&*error.message).into(),
        }
    }
}

/// How kubectl prints an object that is not valid.
/// Models StandardErrorMessage, statusCausesToAggrError and MultilineError, k8s.io/kubectl pkg/cmd/util/helpers.go.
fn invalid(error: &ApiError) -> String {
    let Details { kind, name, .. } = &error.details;
    let fields = told_once(error.fields());
    if kind.is_empty() {
        let message = if fields.is_empty() { error.to_string() } else { fields.join(", ") };
        return format!("The request is invalid: {message}");
    }
    match &fields[..] {
        [one] => format!("The {kind} \"{name}\" is invalid: {one}"),
        several => {
            let lines: Vec<String> = several.iter().map(|field| format!("* {field}")).collect();
            format!("The {kind} \"{name}\" is invalid: \n{}", lines.join("\n"))
        }
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
            Self::Own(text) => write!(out, "error: {text}"),
            Self::Usage(Usage { word, message, verb: None }) => write!(out, "{word}: {message}"),
            Self::Usage(Usage { word, message, verb: Some(verb) }) => {
                write!(out, "{word}: {message}\nSee 'kubectl {verb} --help' for usage.")
            }
            Self::Server(error) if error.reason == Reason::Invalid => out.write_str(&invalid(error)),
            Self::Server(error) => write!(out, "Error from server ({}): {error}", error.reason.as_str()),
            Self::Plain(message) => out.write_str(message),
        }
    }
}
