//! Sentences in which a name stays whole: a browser would break a line at the hyphen of `web-0`.

use super::language::translated;
use crate::text::Text;
use std::borrow::Borrow;
use yew::{Html, html};

/// The text in the page's language.
pub(crate) fn prose(text: impl Borrow<Text>) -> Html {
    let text = translated(text.borrow());
    let is_of_name = |letter: char| letter.is_ascii_alphanumeric() || letter == '-' || letter == '.';
    let mut parts: Vec<Html> = Vec::new();
    let mut plain = String::new();
    for piece in text.split_inclusive(|letter| !is_of_name(letter)) {
        let name = piece.trim_end_matches(|letter| !is_of_name(letter));
        if name.trim_matches('-').contains('-') {
            parts.push(std::mem::take(&mut plain).into());
            parts.push(html! { <span class="whole">{ name.to_owned() }</span> });
            plain.push_str(&piece[name.len()..]);
        } else {
            plain.push_str(piece);
        }
    }
    parts.push(plain.into());
    parts.into_iter().collect()
}
