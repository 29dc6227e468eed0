//! What a person can do.

use crate::session::Command;
use crate::text::Text;

/// Something a person can do, with the same act as a kubectl command.
#[derive(Clone, Debug, PartialEq)]
pub struct Act {
    /// The button's words.
    pub label: Text,
    /// What is sent.
    pub command: Command,
    /// The same for a terminal; empty where kubectl has none.
    pub kubectl: String,
    /// What it risks, if anything.
    pub risk: Text,
}
