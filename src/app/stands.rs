//! Where the controller stands, why, and what would move it.

use super::icon::{Sign, sign};
use super::looks;
use crate::view::{Stands, Tone};
use std::rc::Rc;
use yew::prelude::*;

#[derive(Properties, PartialEq)]
pub(crate) struct StandsNoteProps {
    pub(crate) stands: Rc<Stands>,
}

/// The note below the rail.
#[component]
pub(crate) fn StandsNote(props: &StandsNoteProps) -> Html {
    let stands = &props.stands;
    let (class, word) = looks::tone(stands.tone);
    let shape = match stands.tone {
        Tone::Settled => Sign::Check,
        Tone::Waiting => Sign::Clock,
        Tone::Stuck => Sign::Hand,
    };
    html! {
        <section class={classes!("stands", class)} aria-labelledby="stands-title">
            <span class="stands__tone">{ sign(shape) }{ word }</span>
            <div class="stands__text">
                <h3 id="stands-title" class="stands__title">{ &stands.title }</h3>
                if !stands.body.is_empty() {
                    <p>{ &stands.body }</p>
                }
                if !stands.unblocks.is_empty() {
                    <p class="stands__unblocks"><b>{ "What ends it: " }</b>{ &stands.unblocks }</p>
                }
            </div>
        </section>
    }
}
