//! Words that every picture of a pod has.

use crate::text::Text;
use yew::{Html, html};

/// How often its containers were started again; empty if never.
pub(crate) fn restarts(restarts: i32) -> Text {
    match restarts {
        0 => Text::default(),
        1 => text!("1 restart"),
        restarts => text!("{} restarts", restarts),
    }
}

/// A state's word, which may break between its parts and is never cut: `ImagePull` `BackOff`.
pub(crate) fn face_word(word: &str) -> Html {
    let mut parts = vec![String::new()];
    for letter in word.chars() {
        if letter.is_uppercase() && parts.last().is_some_and(|part| part.len() > 3) {
            parts.push(String::new());
        }
        if let Some(part) = parts.last_mut() {
            part.push(letter);
        }
    }
    html! {
        <span class="pod__word">
            { for parts.into_iter().enumerate().map(|(at, part)| html! { <>if at > 0 { <wbr /> }{ part }</> }) }
        </span>
    }
}
