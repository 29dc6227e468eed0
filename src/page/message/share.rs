//! The messages of scenarios and links.

use crate::view::Export;
use std::rc::Rc;

/// The dialogs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dialog {
    /// The scenarios to choose from.
    Scenarios,
    /// The link to this moment, and files.
    Share,
    /// What can be compared.
    Compare,
    /// How true the simulation is.
    Truth,
    /// A real cluster, opened.
    Cluster,
    /// The lessons to choose from.
    Learn,
    /// Lines that are rehearsed.
    Rehearse,
}

impl Dialog {
    /// Its element's id.
    pub fn id(self) -> &'static str {
        match self {
            Self::Scenarios => "scenarios",
            Self::Share => "share",
            Self::Compare => "compare",
            Self::Truth => "truth",
            Self::Cluster => "cluster",
            Self::Learn => "learn",
            Self::Rehearse => "rehearse",
        }
    }
}

/// A title and a text of one's own for what is shared.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Caption {
    /// A few words.
    pub title: String,
    /// A sentence or two.
    pub text: String,
}

/// A message about links and scenarios.
#[derive(Clone, Debug)]
pub enum ShareMsg {
    /// Shows this dialog, or none.
    Show(Option<Dialog>),
    /// The browser closed this dialog: another one may be open in its place already.
    Closed(Dialog),
    /// The list of scenarios was loaded, as JSON.
    List(Rc<str>),
    /// What the tests counted was loaded, as JSON.
    Truth(Rc<str>),
    /// Fetches the scenario of this file.
    Fetch(Rc<str>),
    /// The scenario or lesson that was asked for under this number.
    Fetched(u32, Rc<str>),
    /// It did not come, for the reason of this name.
    NotFetched(u32, Rc<str>),
    /// Opens this scenario, which was read from a file or typed.
    Open(Rc<str>),
    /// The field for a scenario's text was edited.
    Typed(String),
    /// Something went wrong outside, by the name that www/host.js gives it.
    Problem(Rc<str>),
    /// The browser's Back or Forward came to this scenario's name; empty where none is named.
    Went(Rc<str>),
    /// To the moment, in milliseconds since the start, from which on a sentence of the scenario is said.
    Tell(i64),
    /// Copies the link.
    Copy,
    /// The link to the whole page is about to be followed: writes its address.
    Link,
    /// The address that was asked for under this number.
    Linked(u32, Rc<str>),
    /// A title and a text of one's own for what is shared.
    Caption(Caption),
    /// Whether what is shared holds the values of environment variables and of annotations of a cluster that was opened.
    Values(bool),
    /// Saves the run as a file.
    Save(Export),
    /// Saves a picture as a PNG.
    SavePng(Export),
    /// Prints the report.
    Print,
    /// Whether the report and the pictures are looked at, or printed.
    Preview(bool),
    /// Goes back to the run before the scenario.
    Back,
    /// Dismisses the problem or the description.
    Dismiss,
}
