//! Events: what a controller tells people it did.

use std::rc::Rc;

/// `type` of an event.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, serde::Serialize)]
pub enum EventType {
    /// As it should be.
    Normal,
    /// Something needs a look.
    Warning,
}

impl EventType {
    /// The API's word.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Normal => "Normal",
            Self::Warning => "Warning",
        }
    }
}

/// What a recorder is handed; the store adds time and count.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Event {
    /// Normal or Warning.
    pub event_type: EventType,
    /// CamelCase cause, such as `SuccessfulCreate`.
    pub reason: &'static str,
    /// The sentence.
    pub message: Rc<str>,
}
