//! The bar of time of a comparison.

use super::controls::PANEL;
use crate::app::dispatch::{Dispatch, sends};
use crate::app::icon::{Sign, sign};
use crate::app::language::say;
use crate::app::transport::{clock, pace, play, sign_button};
use crate::page::{ComparisonPage, Msg, Sheet, State};
use crate::text::Text;
use yew::{Html, html};

/// The bar.
pub(super) fn transport(send: &Dispatch, state: &State, comparison: &ComparisonPage) -> Html {
    let view = &comparison.view;
    let settled = view.settled;
    let at_start = view.moments.0 == 0;
    let one = |name: Text, shape: Sign, msg: Msg, off: bool| sign_button(send, (name, shape), msg, off);
    let words = state.under_way().cloned();
    let stops = state.playback.playing || words.is_some();
    let face = match (stops, settled) {
        (true, _) if words.is_some() => (text!("Cancel"), Sign::Pause),
        (true, _) => (text!("Pause"), Sign::Pause),
        (false, true) => (text!("Settled"), Sign::Check),
        (false, false) => (text!("Play"), Sign::Play),
    };
    let last = words.or_else(|| view.last.map(|last| view.marks[last].words.clone())).unwrap_or_default();
    let open = state.panels.sheet == Some(Sheet::Controls);
    let cover = sends(send, Msg::Cover((!open).then_some(Sheet::Controls)));
    html! {
        <section class="transport" aria-label={say(text!("Time"))}>
            <div class="transport__buttons">
                { one(text!("Start over without the commands"), Sign::StartOver, Msg::StartOver, state.locked) }
                { one(text!("Back to the start"), Sign::First, Msg::ToStart, at_start) }
                { one(text!("One moment back"), Sign::Back, Msg::StepBack, at_start) }
                { play(send, face, settled && !stops) }
                { one(text!("One moment forward"), Sign::Forward, Msg::Step, settled) }
                { one(text!("Run until settled"), Sign::Last, Msg::RunUntilSettled, settled) }
            </div>
            { pace(send, comparison.speed) }
            <p class="transport__last" title={say(&last)}>{ say(&last) }</p>
            { clock(state, &view.clock) }
            <div class="transport__sheets">
                <button type="button" class="button" aria-expanded={open.to_string()} aria-controls={PANEL} onclick={cover}>
                    { sign(Sign::Sliders) }<span>{ say(text!("Controls")) }</span>
                </button>
            </div>
        </section>
    }
}
