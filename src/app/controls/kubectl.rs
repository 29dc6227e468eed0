//! The kubectl line of a control.

use crate::app::el::{El, el, verbatim};

/// The line, if kubectl has one: cut to the width there is until it is opened.
pub(crate) fn kubectl(line: &str) -> Option<El> {
    let cut = || el("summary", "kubectl__line").set("title", line).with(verbatim("code", "", line));
    (!line.is_empty()).then(|| el("details", "kubectl").with(cut()))
}
