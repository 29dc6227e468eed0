//! The invitation at the start, and what to try next once all is well.

use super::dispatch::{Dispatch, sends};
use super::icon::{Sign, sign};
use super::language::say;
use crate::page::{Msg, NextStep, State, next_steps};
use yew::{Html, classes, html};

/// The offers, if there are any; they stand in the verdict, and the first is its button.
pub(crate) fn next(send: &Dispatch, state: &State) -> Html {
    let steps = next_steps(state).unwrap_or_default();
    match steps.first() {
        None => Html::default(),
        Some(NextStep { msg: Msg::Toggle, .. }) => group(send, steps, true),
        Some(_) => group(send, steps, false),
    }
}

fn group(send: &Dispatch, steps: Vec<NextStep>, is_invitation: bool) -> Html {
    let offer = |(at, NextStep { label, msg }): (usize, NextStep)| {
        let class = classes!("button", (at == 0).then_some("button--primary"));
        html! {
            <button type="button" {class} onclick={sends(send, msg)}>
                if is_invitation { { sign(Sign::Play) } }
                <span>{ say(label) }</span>
            </button>
        }
    };
    html! {
        <div class={if is_invitation { "next" } else { "next next--offers" }} role="group" aria-label={say(text!("What to do next"))}>
            if !is_invitation { <span class="next__title">{ say(text!("Try next:")) }</span> }
            { for steps.into_iter().enumerate().map(offer) }
        </div>
    }
}
