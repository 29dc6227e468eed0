//! A text without what a terminal takes for colors and the like.

use std::rc::Rc;

/// What begins a sequence that a terminal does not print (ECMA-48, 5.4: `ESC [`, parameters, a letter).
const ESCAPE: char = '\u{1b}';

/// The same text without such sequences, line by line.
pub(super) fn plain(text: Rc<str>) -> Rc<str> {
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

#[cfg(test)]
mod tests {
    use super::plain;

    #[test]
    fn colors_are_taken_away_and_nothing_else() {
        let of = |text: &str| plain(text.into()).to_string();
        assert_eq!(of("\u{1b}[1;31m0/1\u{1b}[0m  Error\n\u{1b}[Kweb"), "0/1  Error\nweb");
        assert_eq!(of("a [31m b"), "a [31m b");
        assert_eq!(of("a\u{1b}[3\nb\u{1b}"), "a\nb");
    }
}
