//! A number that is stepped or typed.

use crate::app::browser;
use crate::app::dispatch::Dispatch;
use crate::app::language::say;
use crate::page::{Draft, Msg, not_a_number};
use crate::text::Text;
use yew::{
    Callback, Event, Html, MouseEvent, Properties, component, html, use_effect_with, use_force_update, use_state_eq,
};

#[derive(Properties, PartialEq)]
pub(super) struct Props {
    pub(super) send: Dispatch,
    /// The id of the field that it is typed into.
    pub(super) id: &'static str,
    pub(super) name: Text,
    /// What it sets, and the value that is in force.
    pub(super) now: Draft,
    /// As far as the button leads; more can be typed.
    #[prop_or(i64::MAX)]
    pub(super) most: i64,
}

/// The number, with its name.
#[component]
pub(super) fn Number(props: &Props) -> Html {
    let Props { send, id, name, now, most } = props;
    // A refused number is replaced by the value that is in force.
    let refresh = use_force_update();
    let unreadable = use_state_eq(|| None::<String>);
    use_effect_with(now.value, {
        let unreadable = unreadable.clone();
        move |_| unreadable.set(None)
    });
    let step = |by: i64| {
        let draft = Draft { value: now.value + by, ..*now };
        send.reform(move |_: MouseEvent| Msg::Set(draft))
    };
    let onchange = {
        let (send, now, refresh, unreadable) = (send.clone(), *now, refresh.clone(), unreadable.clone());
        Callback::from(move |event: Event| {
            let value = browser::number(&event);
            unreadable.set(value.is_none().then(|| browser::value(&event)));
            value.into_iter().for_each(|value| send.emit(Msg::Set(Draft { value, ..now })));
            refresh.force_update();
        })
    };
    html! {
        <>
            <div class="field__head">
                <label class="field__label" for={*id}>{ say(name) }</label>
                <div class="stepper">
                    <button type="button" class="stepper__button" disabled={now.value <= 0} onclick={step(-1)}
                        aria-label={say(text!("One fewer {}", name))}>{ "−" }</button>
                    <input id={*id} class="stepper__number" type="number" inputmode="numeric" min="0"
                        aria-label={say(text!("{} as a number", name))} value={now.value.to_string()} {onchange} />
                    <button type="button" class="stepper__button" disabled={now.value >= *most} onclick={step(1)}
                        aria-label={say(text!("One more {}", name))}>{ "+" }</button>
                </div>
            </div>
            if let Some(typed) = &*unreadable {
                <p class="refusal" role="alert">{ say(not_a_number(typed)) }</p>
            }
        </>
    }
}
