//! Words that every picture of a pod has.

use super::icon;
use super::language::say;
use crate::text::Text;
use crate::view::{Pod, UpdateRank, state_word};
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

/// The band of a pod's revision and its letter, with a word beside that.
pub(crate) fn band(pod: &Pod, word: Option<Text>) -> Html {
    html! {
        <span class="pod__band">
            <span class="unseen">{ say(text!("revision ")) }</span><b class="pod__letter">{ pod.revision.letter.clone() }</b>
            if let Some(word) = word { <span class="pod__turn">{ say(word) }</span> }
        </span>
    }
}

/// A pod's state: its shape and its word, with kubectl's own word for whoever points at it or hears it.
pub(crate) fn state_line(pod: &Pod) -> Html {
    html! {
        <span class="pod__status" title={pod.status.clone()}>
            { icon::look(pod.look) }
            <span class="pod__word">{ say(state_word(pod.look, &pod.status, pod.is_held)) }</span>
            <span class="unseen">{ " " }{ pod.status.clone() }</span>
        </span>
    }
}
