//! What kubectl says in the place of objects: errors, and that there is nothing.

use super::tree::Line;
use super::{Form, Part, Told};
use crate::text::Text;

pub(super) const FORM: Form = Form { begins: |text| is_said(text), goes_on: |_, _| false, read };

/// How such lines begin.
const BEGINNINGS: [&str; 10] = [
    "Error from server",
    "No resources found",
    "Unable to connect to the server",
    "The connection to the server",
    "error: You must be logged in",
    "error: the server doesn't have",
    "error: no matches for",
    "error: context ",
    "error: ",
    WAITED,
];

/// What `kubectl wait` says of each object for which it waited in vain.
const WAITED: &str = "timed out waiting for the condition on ";

fn is_said(text: &str) -> bool {
    BEGINNINGS.iter().any(|beginning| text.starts_with(beginning))
}

fn read(part: &Part<'_>, told: &mut Told) {
    told.said.extend(part.lines.iter().map(sentence));
}

/// What such a line means.
fn sentence(line: &Line<'_>) -> Text {
    /// Characters of kubectl's words that are repeated.
    const MAX_REPEATED: usize = 300;
    let words: String = line.text.trim().chars().filter(|letter| !letter.is_control()).take(MAX_REPEATED).collect();
    if words.starts_with("No resources found") {
        return text!(
            "kubectl found nothing there (line {}): name the namespace with -n, or take every one with -A",
            line.number
        );
    }
    if words.contains("(Forbidden)") {
        return text!("kubectl was not allowed to read this (line {}): {}", line.number, words);
    }
    if let Some(object) = words.trim_start_matches("error: ").strip_prefix(WAITED) {
        return text!(
            "kubectl waited for {} in vain (line {}), and does not say why: give what `{}` prints",
            Text::verbatim(object),
            line.number,
            super::super::command()
        );
    }
    text!("kubectl answered with an error (line {}): {}", line.number, words)
}
