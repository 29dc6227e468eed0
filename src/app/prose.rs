//! Sentences in which a name stays whole: a browser would break a line at the hyphen of `web-0`.

use super::language::translated;
use crate::text::Text;
use std::borrow::Borrow;
use yew::{Html, html};

/// What stands at the end of a line, and never at the start of one.
const CLOSES: &str = ",;:?!)，；：？！）。、";

/// The text in the page's language.
pub(crate) fn prose(text: impl Borrow<Text>) -> Html {
    let text = translated(text.borrow());
    let is_of_name = |letter: char| letter.is_ascii_alphanumeric() || letter == '-' || letter == '.';
    let mut parts: Vec<Html> = Vec::new();
    let mut plain = String::new();
    for piece in text.split_inclusive(|letter| !is_of_name(letter)) {
        let name = piece.trim_end_matches(|letter| !is_of_name(letter));
        if name.trim_matches('-').contains('-') {
            // No line begins with the comma behind it.
            let whole = piece.trim_end_matches(|letter| !is_of_name(letter) && !CLOSES.contains(letter));
            parts.push(std::mem::take(&mut plain).into());
            parts.push(html! { <span class="whole">{ whole.to_owned() }</span> });
            plain.push_str(&piece[whole.len()..]);
        } else {
            plain.push_str(piece);
        }
    }
    parts.push(plain.into());
    parts.into_iter().collect()
}
