//! How long a container takes to become ready. The value is sent when the thumb is released, so that one drag is one command.

use crate::app::browser;
use crate::app::dispatch::Dispatch;
use crate::app::language::say;
use crate::app::refusal_note::RefusalNote;
use crate::page::{Draft, Field, Msg, Origin, Refused};
use std::rc::Rc;
use yew::{Callback, Event, Html, InputEvent, Properties, component, html, use_state_eq};

/// The slider's end, in milliseconds, if the value is not above it.
const END: i64 = 30_000;

#[derive(Properties, PartialEq)]
pub(super) struct Props {
    pub(super) send: Dispatch,
    /// Milliseconds.
    pub(super) value: i64,
    pub(super) refused: Option<Rc<Refused>>,
}

/// The slider.
#[component]
pub(super) fn Readiness(props: &Props) -> Html {
    let dragged = use_state_eq(|| None);
    let value = dragged.unwrap_or(props.value);
    let end = props.value.max(END);
    let shown = format!("{}.{} s", value / 1_000, value % 1_000 / 100);
    let percent = (100 * value).checked_div(end).unwrap_or(0).clamp(0, 100);
    let oninput = {
        let dragged = dragged.clone();
        Callback::from(move |event: InputEvent| dragged.set(browser::number(&event)))
    };
    let onchange = {
        let (send, dragged) = (props.send.clone(), dragged.clone());
        Callback::from(move |event: Event| {
            dragged.set(None);
            if let Some(value) = browser::number(&event) {
                send.emit(Msg::Set(Draft { field: Field::Readiness, origin: Origin::Readiness, value: value.max(0) }));
            }
        })
    };
    html! {
        <div class="field">
            <div class="field__head">
                <label class="field__label" for="ready-after">{ say(text!("Ready after")) }</label>
                <output class="field__value" for="ready-after" title={shown.clone()}>{ shown.clone() }</output>
            </div>
            <input id="ready-after" class="range" type="range" min="0" max={end.to_string()} step="500"
                aria-valuetext={shown} style={format!("--filled:{percent}%")} value={value.to_string()} {oninput} {onchange} />
            <p class="field__means">
                { say(text!("From a container's start to its first passed readiness probe.")) }
            </p>
            <RefusalNote send={props.send.clone()} refused={props.refused.clone()} at={Origin::Readiness} />
        </div>
    }
}
