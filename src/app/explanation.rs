//! Where the controller stands, why, and what would move it.

use super::appearance;
use super::el::{El, el, text};
use super::icon::{Sign, sign};
use crate::view::{Explanation, Severity};

/// The note below the rail.
pub(crate) fn explanation_note(explanation: &Explanation) -> El {
    let (class, word) = appearance::severity(explanation.severity);
    let shape = match explanation.severity {
        Severity::Settled => Sign::Check,
        Severity::Waiting => Sign::Clock,
        Severity::Stuck => Sign::Hand,
    };
    let ends = (!explanation.resolution.is_empty()).then(|| {
        el("p", "explanation__resolution")
            .with(text("b", "", text!("What ends it:")))
            .verbatim(" ")
            .text(&explanation.resolution)
    });
    el("section", "explanation")
        .class(class)
        .set("aria-labelledby", "explanation-title")
        .with(el("span", "explanation__severity").with(sign(shape)).text(word))
        .with(
            el("div", "explanation__text")
                .with(text("h3", "explanation__headline", &explanation.headline).set("id", "explanation-title"))
                .line("p", "", &explanation.reason)
                .maybe(ends),
        )
}
