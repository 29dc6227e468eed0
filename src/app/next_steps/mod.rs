//! The invitation at the start, and what to try next once all is well.

use super::dispatch::{Dispatch, sends};
use super::icon::{Sign, sign};
use super::language::say;
use crate::page::{Msg, NextStep, State, next_steps};
use yew::{Html, html};

/// What to do next, by where it stands.
#[derive(Default)]
pub(crate) struct NextSteps {
    /// Below the verdict: the invitation, or its place.
    pub(crate) invitation: Html,
    /// In the verdict, which has room for it once there is nothing to wait for.
    pub(crate) offers: Html,
}

/// The offers, if there are any.
pub(crate) fn next(send: &Dispatch, state: &State) -> NextSteps {
    let Some(steps) = next_steps(state) else { return NextSteps::default() };
    let place = html! { <div class="next next--none" /> };
    match steps.first() {
        None => NextSteps { invitation: place, offers: Html::default() },
        Some(NextStep { msg: Msg::Toggle, .. }) => {
            NextSteps { invitation: group(send, steps, true), offers: Html::default() }
        }
        Some(_) => NextSteps { invitation: place, offers: group(send, steps, false) },
    }
}

fn group(send: &Dispatch, steps: Vec<NextStep>, is_invitation: bool) -> Html {
    let class = if is_invitation { "button button--primary" } else { "button button--small" };
    let offer = |NextStep { label, msg }: NextStep| {
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
            { for steps.into_iter().map(offer) }
        </div>
    }
}
