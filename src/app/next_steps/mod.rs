//! The invitation at the start, and what to try next once all is well.

use super::dispatch::{Dispatch, sends};
use super::icon::{Sign, sign};
use super::language::say;
use crate::page::{Msg, NextStep, State, next_steps};
use yew::{Html, html};

/// The offers, if there are any.
pub(crate) fn offers(send: &Dispatch, state: &State) -> Html {
    let Some(steps) = next_steps(state) else { return Html::default() };
    let is_invitation = matches!(steps.first(), Some(NextStep { msg: Msg::Toggle, .. }));
    let class = if is_invitation { "button button--primary" } else { "button button--small" };
    let offer = |NextStep { label, msg }: NextStep| {
        html! {
            <button type="button" {class} onclick={sends(send, msg)}>
                if is_invitation { { sign(Sign::Play) } }
                <span>{ say(label) }</span>
            </button>
        }
    };
    let place = if steps.is_empty() { "next next--none" } else { "next" };
    html! {
        <div class={place} role="group" aria-label={say(text!("What to do next"))}>
            if !is_invitation { <span class="next__title">{ say(text!("Try next:")) }</span> }
            <span class="next__offers">{ for steps.into_iter().map(offer) }</span>
        </div>
    }
}
