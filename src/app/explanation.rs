//! Where the controller stands, why, and what would move it.

use super::appearance;
use super::el::{El, el, text};
use super::icon::{Sign, sign};
use crate::view::{Explanation, Severity};

/// The note below the rail.
pub(crate) fn stands_note(explanation: &Explanation) -> El {
    let (class, word) = appearance::severity(explanation.severity);
    let shape = match explanation.severity {
        Severity::Settled => Sign::Check,
        Severity::Waiting => Sign::Clock,
        Severity::Stuck => Sign::Hand,
    };
    let ends = (!explanation.resolution.is_empty()).then(|| {
        el("p", "stands__unblocks")
            .with(text("b", "", text!("What ends it:")))
            .verbatim(" ")
            .text(&explanation.resolution)
    });
    el("section", "stands")
        .class(class)
        .set("aria-labelledby", "stands-title")
        .with(el("span", "stands__tone").with(sign(shape)).text(word))
        .with(
            el("div", "stands__text")
                .with(text("h3", "stands__title", &explanation.headline).set("id", "stands-title"))
                .line("p", "", &explanation.reason)
                .maybe(ends),
        )
}
