//! What people leave out of what they paste: lines in the place of others, and stars in the place of names.

use std::borrow::Cow;

/// Words that stand alone in the place of what was left out.
const WORDS: [&str; 6] = ["snip", "snipped", "cut", "omitted", "truncated", "redacted"];

/// Whether a line stands in the place of others: dots, or such a word between marks.
pub(super) fn is_elided(text: &str) -> bool {
    let own = text.trim();
    let inner = own.trim_matches(['[', ']', '<', '>', '(', ')', '{', '}', '-', '/', '*', '#', ' ']);
    let is_dots = inner.chars().count() > 1 && inner.chars().all(|letter| letter == '.') || inner == "\u{2026}";
    let is_word = own != inner && WORDS.contains(&inner.to_ascii_lowercase().as_str());
    let is_stars = own.len() > 2 && own.bytes().all(|byte| byte == b'*');
    // An item of a list may be dots.
    (is_dots && !own.starts_with("- ")) || is_word || is_stars
}

/// Where a value begins that is stars.
fn stars(text: &str) -> Option<usize> {
    [": **", "- **"].iter().filter_map(|mark| text.find(mark)).min().map(|at| at + 2)
}

/// Whether a value of a line begins with stars, which YAML takes for an alias.
pub(super) fn has_stars(text: &str) -> bool {
    stars(text).is_some()
}

/// The same line, as long, with letters in the place of such stars.
pub(super) fn without_stars(text: &str) -> Cow<'_, str> {
    let Some(at) = stars(text) else { return Cow::Borrowed(text) };
    Cow::Owned(format!("{}{}", &text[..at], text[at..].replace('*', "x")))
}

#[cfg(test)]
mod tests {
    use super::{is_elided, without_stars};

    #[test]
    fn what_stands_in_the_place_of_lines_is_known() {
        for text in
            ["...", "  ...", "[...]", "<snip>", "  (omitted)", "--- snip ---", "***", "\u{2026}", "// ...", "# <snip>"]
        {
            assert!(is_elided(text), "{text}");
        }
        for text in ["---", "----- ----", "", "- ...", "snip", "# web", "{}", "[]", "cut: true", "-", "a ..."] {
            assert!(!is_elided(text), "{text}");
        }
        assert_eq!(without_stars("  uid: ****-1"), "  uid: xxxx-1");
        assert_eq!(without_stars("  schedule: '* * * * *'"), "  schedule: '* * * * *'");
    }
}
