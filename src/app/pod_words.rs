//! Words that every picture of a pod has.

use super::language::say;
use crate::text::Text;
use crate::view::{Pod, UpdateRank};
use yew::{Html, html};

/// How often its containers were started again; empty if never.
pub(crate) fn restarts(restarts: i32) -> Text {
    match restarts {
        0 => Text::default(),
        1 => text!("1 restart"),
        restarts => text!("{} restarts", restarts),
    }
}

/// What an update under way has in mind with the pod; none if nothing.
pub(crate) fn turn_word(pod: &Pod) -> Option<Text> {
    match pod.turn {
        UpdateRank::Next => Some(text!("next")),
        UpdateRank::Kept => Some(text!("stays old")),
        UpdateRank::Later | UpdateRank::None => None,
    }
}

/// The band of a pod's revision, with a word at its end.
pub(crate) fn band(pod: &Pod, word: Option<Text>) -> Html {
    html! {
        <span class="pod__band">
            <span class="unseen">{ say(text!("revision ")) }</span>{ &pod.revision.letter }
            if let Some(word) = word { <span class="pod__turn">{ say(word) }</span> }
        </span>
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
