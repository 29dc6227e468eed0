//! The problems of a refusal as one text.

use crate::session::{Problem, Refusal};
use crate::text::Text;

/// All problems of a refusal, one after the other, each with its line where that is known.
pub(super) fn problems_text(refusal: &Refusal) -> Text {
    let placed = |problem: &Problem| match problem.line {
        Some(line) => text!("line {}: {}", line, problem.text()),
        None => problem.text(),
    };
    Text::list("; ", refusal.problems.iter().map(placed))
}
