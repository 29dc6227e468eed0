//! Where the controller stands, why, and what would move it.

use super::appearance;
use super::el::{El, el, text};
use super::icon::{Sign, sign};
use crate::view::{Explanation, Severity};

/// The note below the rail.
pub(crate) fn stands_note(stands: &Explanation) -> El {
    let (class, word) = appearance::tone(stands.tone);
    let shape = match stands.tone {
        Severity::Settled => Sign::Check,
        Severity::Waiting => Sign::Clock,
        Severity::Stuck => Sign::Hand,
    };
    let ends = (!stands.unblocks.is_empty())
        .then(|| el("p", "stands__unblocks").with(text("b", "", "What ends it: ")).text(&stands.unblocks));
    el("section", "stands")
        .class(class)
        .set("aria-labelledby", "stands-title")
        .with(el("span", "stands__tone").with(sign(shape)).text(word))
        .with(
            el("div", "stands__text")
                .with(text("h3", "stands__title", &stands.title).set("id", "stands-title"))
                .line("p", "", &stands.body)
                .maybe(ends),
        )
}
