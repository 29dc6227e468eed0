//! A text without what a terminal takes for colors, and what a page puts in the place of blanks and brackets.

use std::borrow::Cow;
use std::rc::Rc;

/// What begins a sequence that a terminal does not print (ECMA-48, 5.4: `ESC [`, parameters, a letter).
const ESCAPE: char = '\u{1b}';

/// The same text without such sequences, line by line.
pub(super) fn plain(text: Rc<str>) -> Rc<str> {
    let text = unescaped(text);
    if !text.contains(ESCAPE) {
        return text;
    }
    let mut parts = text.split(ESCAPE);
    let mut plain = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let sequence = part.strip_prefix('[').unwrap_or_default();
        let letter = sequence.find(|letter: char| ('@'..='~').contains(&letter) || letter == '\n');
        plain.push_str(
            letter.map_or(part, |at| sequence[at..].strip_prefix(|letter| letter != '\n').unwrap_or(&sequence[at..])),
        );
    }
    plain.into()
}

/// A blank at which no line is broken, as pages and chats put it in the place of others.
const NO_BREAK: char = '\u{a0}';

/// Marks as a page's source writes them; the last one begins each of them.
const ENTITIES: [(&str, &str); 5] = [("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&#39;", "'"), ("&amp;", "&")];

/// The same text with plain blanks; and, where it was copied from a page's source, with the marks that it has there.
fn unescaped(text: Rc<str>) -> Rc<str> {
    // kubectl prints brackets as they are.
    let is_source = text.contains("&lt;") && !text.contains('<');
    let mut plain = Cow::Borrowed(&*text);
    if plain.contains(NO_BREAK) {
        plain = plain.replace(NO_BREAK, " ").into();
    }
    for (written, mark) in ENTITIES.iter().filter(|_| is_source) {
        plain = plain.replace(written, mark).into();
    }
    match plain {
        Cow::Borrowed(_) => Rc::clone(&text),
        Cow::Owned(plain) => plain.into(),
    }
}

#[cfg(test)]
mod tests {
    use super::plain;

    #[test]
    fn colors_are_taken_away_and_nothing_else() {
        let of = |text: &str| plain(text.into()).to_string();
        assert_eq!(of("\u{1b}[1;31m0/1\u{1b}[0m  Error\n\u{1b}[Kweb"), "0/1  Error\nweb");
        assert_eq!(of("web-0\u{a0}\u{a0}&lt;none&gt;"), "web-0  <none>");
        assert_eq!(of("<none> &lt;"), "<none> &lt;");
        assert_eq!(of("a [31m b"), "a [31m b");
        assert_eq!(of("a\u{1b}[3\nb\u{1b}"), "a\nb");
    }
}
