//! Which release runs, among the controls.

use crate::text::Text;

/// Which release's controller runs.
#[derive(Clone, Debug, PartialEq)]
pub struct ReleaseView {
    /// Its name, such as `v1.34`.
    pub name: &'static str,
    /// What has to be known about it; empty if nothing has.
    pub note: &'static str,
    /// Every release there is, oldest first: its name, and the name with what has to be known at once.
    pub all: Vec<(&'static str, &'static str)>,
    /// Its feature gates, whether they are on, and what each does.
    pub gates: Vec<(&'static str, bool, &'static str)>,
    /// The release that the changes are counted from.
    pub compared: Text,
    /// What is done otherwise than in the compared release, the change upstream behind it, empty if nothing is known, and
    /// the scenario that shows it.
    pub changes: Vec<(&'static str, &'static str, &'static str)>,
    /// Where this run first decides differently from the branch left last, if that ran under another release.
    pub difference: Option<(i64, Text)>,
    /// Whether there is such a branch and this run decides the same, as far as both are known.
    pub same: bool,
}
