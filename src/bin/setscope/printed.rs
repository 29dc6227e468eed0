//! The words of a text on their way to a terminal or to Markdown: whoever wrote an event's message or a name has no say over either.

use annotate_snippets::{AnnotationKind, Group, Level, Renderer, Snippet};
use anstream::AutoStream;
use serde::Serialize;
use std::fmt::{self, Display, Write as _};
use std::io::{ErrorKind, IsTerminal, Write};

/// What is printed: words, which have no power over a terminal, and colors, which this program alone sets.
#[derive(Default)]
pub(crate) struct Printed(String);

impl Printed {
    /// Lines of a text with what they show, as compilers print them.
    pub(crate) fn snippet(&mut self, group: &Group<'_>) {
        self.0.push('\n');
        self.0.push_str(&Renderer::styled().render(std::slice::from_ref(group)));
        self.0.push('\n');
    }

    /// Writes it to standard output, with colors where NO_COLOR, CLICOLOR, CLICOLOR_FORCE and the terminal let it have them. Whoever
    /// reads may have enough, which is no error.
    ///
    /// # Errors
    /// It cannot be written.
    pub(crate) fn write(&self) -> Result<(), String> {
        write(&mut AutoStream::auto(std::io::stdout()), &self.0)
    }
}

impl fmt::Write for Printed {
    fn write_str(&mut self, words: &str) -> fmt::Result {
        self.0.push_str(&shown(words));
        Ok(())
    }
}

impl From<&str> for Printed {
    fn from(words: &str) -> Self {
        Self(shown(words))
    }
}

impl From<String> for Printed {
    fn from(words: String) -> Self {
        Self(shown(&words))
    }
}

/// Writes words to standard error.
///
/// # Errors
/// It cannot be written.
pub(crate) fn tell(words: &str) -> Result<(), String> {
    write(&mut std::io::stderr(), &shown(words))
}

/// Writes what is no text to standard output, which must not be a terminal.
///
/// # Errors
/// It cannot be written.
pub(crate) fn hand_over(bytes: &[u8]) -> Result<(), String> {
    let mut out = std::io::stdout();
    if out.is_terminal() {
        return Err("a terminal cannot show this: send it to a file with `>`".to_owned());
    }
    write_bytes(&mut out, bytes)
}

fn write(out: &mut dyn Write, text: &str) -> Result<(), String> {
    write_bytes(out, text.as_bytes())
}

fn write_bytes(out: &mut dyn Write, bytes: &[u8]) -> Result<(), String> {
    match out.write_all(bytes).and_then(|()| out.flush()) {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => Err(format!("it cannot be written: {error}")),
        _ => Ok(()),
    }
}

/// Whether a person looks at the stream, or CLICOLOR_FORCE says so.
pub(crate) fn is_looked_at(stream: &impl IsTerminal) -> bool {
    stream.is_terminal() || std::env::var_os("CLICOLOR_FORCE").is_some_and(|value| value != "0")
}

/// A line of a text, counted from 1, with what is said of it below what stands there.
pub(crate) fn line_of(
    text: &str,
    number: usize,
    label: &str,
) -> Snippet<'static, annotate_snippets::Annotation<'static>> {
    let line = shown(text.lines().nth(number.saturating_sub(1)).unwrap_or_default());
    let begins = line.len() - line.trim_start().len();
    let span = begins..line.trim_end().len().max(begins);
    let label = shown(label);
    Snippet::source(line).line_start(number).annotation(AnnotationKind::Primary.span(span).label(label))
}

/// The place of a text, line and column counted from 1, without colors.
pub(crate) fn place_in(text: &str, line: usize, column: usize) -> String {
    let shown = shown(text.lines().nth(line.saturating_sub(1)).unwrap_or_default());
    let at = shown.char_indices().nth(column.saturating_sub(1)).map_or(shown.len(), |(at, _)| at);
    let snippet = Snippet::source(shown).line_start(line).annotation(AnnotationKind::Primary.span(at..at));
    Renderer::plain().render(&[Group::with_level(Level::ERROR).element(snippet)])
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

/// What stands behind a line in brackets, if anything does.
pub(crate) fn in_brackets(words: &str) -> String {
    if words.is_empty() { String::new() } else { format!(" ({words})") }
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
