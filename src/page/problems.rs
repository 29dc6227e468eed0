//! What is wrong with what somebody gave, as one text.

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

/// Why what was typed sets nothing.
pub fn not_a_number(typed: &str) -> Text {
    match typed.trim() {
        // A browser gives nothing for what it cannot read itself.
        "" => text!("A whole number is needed here."),
        typed => text!("{} is not a whole number.", typed),
    }
}
