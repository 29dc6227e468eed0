//! The verdict.

use crate::text::Text;

/// Where the controller stands.
#[derive(Clone, Debug, PartialEq)]
pub struct Explanation {
    /// The headline, such as `web-1 is starting, and web-2 waits for it`.
    pub headline: Text,
    /// Why.
    pub reason: Text,
    /// What ends the wait and what forcing it would risk; empty if there is nothing to say.
    pub resolution: Text,
    /// What kind of moment it is.
    pub severity: Severity,
}

/// What kind of moment it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Severity {
    /// Nothing is left to do.
    Settled,
    /// Something was done, or time will do it.
    Waiting,
    /// Nothing happens until someone acts.
    Stuck,
    /// Nobody can say from what was read.
    NotKnown,
}

impl Severity {
    /// Its word for programs.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Settled => "settled",
            Self::Waiting => "waiting",
            Self::Stuck => "stuck",
            Self::NotKnown => "notKnown",
        }
    }

    /// Its word.
    pub fn word(self) -> Text {
        match self {
            Self::Settled => text!("Settled"),
            Self::Waiting => text!("Waiting"),
            Self::Stuck => text!("Stuck"),
            Self::NotKnown => text!("Not known"),
        }
    }
}
