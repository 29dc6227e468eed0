//! The words of a text on their way to a terminal or to Markdown: whoever wrote an event's message or a name has no say over either.

use serde::Serialize;
use std::fmt::{Display, Write as _};
use std::io::{ErrorKind, Write};

/// Writes to standard output or standard error. Whoever reads may have enough, which is no error.
///
/// # Errors
/// It cannot be written.
pub(crate) fn write(out: &mut dyn Write, text: &str) -> Result<(), String> {
    match out.write_all(shown(text).as_bytes()).and_then(|()| out.flush()) {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => Err(format!("it cannot be written: {error}")),
        _ => Ok(()),
    }
}

/// A text without what a terminal would obey, or what turns the direction of its letters; its lines stay.
pub(crate) fn shown(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for letter in text.chars() {
        let is_turn = matches!(letter, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
        if (letter.is_control() && !"\n\t".contains(letter)) || is_turn {
            let _ = write!(out, "{}", letter.escape_default());
        } else {
            out.push(letter);
        }
    }
    out
}

/// A value for programs; of equal values the same text.
///
/// # Errors
/// It is no JSON, such as a map whose keys are not words.
pub(crate) fn json(value: &impl Serialize) -> Result<String, String> {
    serde_json::to_value(value).map(|value| format!("{value:#}\n")).map_err(|error| error.to_string())
}

/// Words as they stand in XML and HTML, which have no control characters.
pub(crate) fn xml(words: &str) -> String {
    let words: String = words.chars().filter(|letter| !letter.is_control() || *letter == '\n').collect();
    words.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

/// Words as one line of Markdown that have no markup but the code spans of SetScope's own sentences.
pub(crate) fn markdown(words: impl Display) -> String {
    let line = words.to_string().replace(['\n', '\r'], " ");
    let is_paired = line.matches('`').count().is_multiple_of(2) && !line.contains("``");
    let mut out = String::with_capacity(line.len());
    let mut is_code = false;
    for letter in line.chars() {
        is_code ^= letter == '`' && is_paired;
        let is_markup = "<>[]*_\\".contains(letter) && !is_code || letter == '`' && !is_paired;
        if is_markup || letter == '|' {
            out.push('\\');
        }
        out.push(letter);
    }
    out
}

/// Words as code in Markdown, in a table too.
pub(crate) fn code(words: impl Display) -> String {
    let line = words.to_string().replace(['\n', '\r'], " ").replace('|', "\\|");
    let longest = line.split(|letter| letter != '`').map(str::len).max().unwrap_or(0);
    let fence = "`".repeat(longest + 1);
    let space = if longest > 0 { " " } else { "" };
    format!("{fence}{space}{line}{space}{fence}")
}

#[cfg(test)]
mod tests {
    use super::{code, markdown, shown};

    #[test]
    fn a_terminal_is_not_told_what_to_do() {
        assert_eq!(shown("a\u{1b}]0;b\u{7}\r\n\tc\u{9b}\u{202e}"), "a\\u{1b}]0;b\\u{7}\\r\n\tc\\u{9b}\\u{202e}");
    }

    #[test]
    fn words_have_no_markup() {
        assert_eq!(markdown("<img src=x>\n# a | [b](c) *d*"), "\\<img src=x\\> # a \\| \\[b\\](c) \\*d\\*");
        assert_eq!(markdown("`spec.a_b` is a_b"), "`spec.a_b` is a\\_b");
        assert_eq!(markdown("a ` <b>"), "a \\` \\<b\\>");
        assert_eq!(code("a`b|c"), "`` a`b\\|c ``");
        assert_eq!(code("a"), "`a`");
    }
}
