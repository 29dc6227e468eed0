//! The bottom bar: time.

use super::dispatch::use_dispatch;
use super::icon::{Sign, sign};
use super::state::{Msg, Sheet};
use crate::view::View;
use std::rc::Rc;
use web_sys::{HtmlInputElement, HtmlSelectElement};
use yew::prelude::*;

/// Tenths of virtual time per real time, and how people write it.
const SPEEDS: [(i64, &str); 8] =
    [(1, "0.1×"), (5, "0.5×"), (10, "1×"), (20, "2×"), (50, "5×"), (100, "10×"), (300, "30×"), (1_000, "100×")];

#[derive(Properties, PartialEq)]
pub(crate) struct TransportProps {
    pub(crate) view: Rc<View>,
    pub(crate) playing: bool,
    pub(crate) speed: i64,
    /// Events and commands before the cursor.
    pub(crate) at: u64,
    /// Events and commands that are known.
    pub(crate) known: u64,
    pub(crate) sheet: Option<Sheet>,
}

/// The bar.
#[component]
pub(crate) fn Transport(props: &TransportProps) -> Html {
    let view = &props.view;
    html! {
        <section class="transport" aria-label="Time">
            <Buttons playing={props.playing} settled={view.settled} at_start={props.at <= 1} />
            <Pace speed={props.speed} />
            <Scrub at={props.at} known={props.known} progress={view.progress.clone()} />
            <p class="transport__last">{ &view.last }</p>
            <span class="transport__progress">{ &view.progress }</span>
            <span class="transport__clock">{ &view.clock }</span>
            <Sheets sheet={props.sheet} />
        </section>
    }
}

#[derive(Properties, PartialEq)]
struct ButtonsProps {
    playing: bool,
    settled: bool,
    at_start: bool,
}

#[component]
fn Buttons(props: &ButtonsProps) -> Html {
    let dispatch = use_dispatch();
    let button = |name: &'static str, shape, msg, off: bool| {
        html! {
            <button type="button" class="button button--square" aria-label={name} title={name} disabled={off} onclick={dispatch.on(msg)}>
                { sign(shape) }
            </button>
        }
    };
    let (word, shape) = match (props.playing, props.settled) {
        (true, _) => ("Pause", Sign::Pause),
        (false, true) => ("Settled", Sign::Check),
        (false, false) => ("Play", Sign::Play),
    };
    html! {
        <div class="transport__buttons">
            { button("Back to the start", Sign::First, Msg::Reset, props.at_start) }
            { button("One event back", Sign::Back, Msg::StepBack, props.at_start) }
            <button type="button" class="button button--primary transport__play" onclick={dispatch.on(Msg::Toggle)}
                disabled={props.settled && !props.playing}>{ sign(shape) }{ word }</button>
            { button("One event forward", Sign::Forward, Msg::Step, props.settled) }
            { button("To the end of the next sync", Sign::NextSync, Msg::StepSync, props.settled) }
        </div>
    }
}

#[derive(Properties, PartialEq)]
struct PaceProps {
    speed: i64,
}

#[component]
fn Pace(props: &PaceProps) -> Html {
    let dispatch = use_dispatch();
    let choose = Callback::from(move |event: Event| {
        let chosen = event.target_dyn_into::<HtmlSelectElement>().and_then(|select| select.value().parse().ok());
        chosen.into_iter().for_each(|speed| dispatch.send(Msg::Speed(speed)));
    });
    html! {
        <select class="select transport__speed" aria-label="Speed" onchange={choose}>
            for (speed, name) in SPEEDS {
                <option value={speed.to_string()} selected={speed == props.speed}>{ name }</option>
            }
        </select>
    }
}

#[derive(Properties, PartialEq)]
struct ScrubProps {
    at: u64,
    known: u64,
    progress: String,
}

#[component]
fn Scrub(props: &ScrubProps) -> Html {
    let dispatch = use_dispatch();
    let go = Callback::from(move |event: InputEvent| {
        let moment = event.target_dyn_into::<HtmlInputElement>().and_then(|input| input.value().parse().ok());
        moment.into_iter().for_each(|moment| dispatch.send(Msg::GoTo(moment)));
    });
    html! {
        <input type="range" class="range transport__scrub" aria-label="Moment" min="1" max={props.known.to_string()}
            value={props.at.to_string()} aria-valuetext={props.progress.clone()} oninput={go}
            style={super::controls::filled(props.at.saturating_sub(1), props.known.saturating_sub(1))} />
    }
}

#[derive(Properties, PartialEq)]
struct SheetsProps {
    sheet: Option<Sheet>,
}

#[component]
fn Sheets(props: &SheetsProps) -> Html {
    let dispatch = use_dispatch();
    let button = |sheet: Sheet, name: &'static str, controls: &'static str, shape| {
        let open = props.sheet == Some(sheet);
        html! {
            <button type="button" class="button" aria-expanded={open.to_string()} aria-controls={controls}
                onclick={dispatch.on(Msg::Cover((!open).then_some(sheet)))}>{ sign(shape) }{ name }</button>
        }
    };
    html! {
        <div class="transport__sheets">
            { button(Sheet::Controls, "Controls", "controls", Sign::Sliders) }
            { button(Sheet::Inspector, "Why", "inspector", Sign::Lines) }
        </div>
    }
}
