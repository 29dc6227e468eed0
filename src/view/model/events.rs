//! The panel of events.

/// A row of the events.
#[derive(Clone, Debug, PartialEq)]
pub struct EventRow {
    /// Stable while the row is the same event.
    pub key: String,
    /// Normal or Warning.
    pub warning: bool,
    /// CamelCase cause.
    pub reason: String,
    /// kubectl's age, such as `12s` or `3m (x4 over 5m)`.
    pub age: String,
    /// Who says so.
    pub from: &'static str,
    /// What it is about, such as `pod/web-0`.
    pub about: String,
    /// The sentence.
    pub message: String,
}
