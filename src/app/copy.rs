//! A button that copies a command, and says that it did.

use super::dispatch::Dispatch;
use super::language::say;
use crate::page::Msg;
use crate::text::Text;
use gloo_timers::callback::Timeout;
use yew::{AttrValue, Callback, Html, MouseEvent, Properties, component, html, use_effect_with, use_state_eq};

/// Milliseconds that it says so.
const SAID_MS: u32 = 1_500;

#[derive(Properties, PartialEq)]
pub(crate) struct Props {
    pub(crate) send: Dispatch,
    /// What is copied.
    pub(crate) text: AttrValue,
    /// What it is called where the text is too long to be its name.
    #[prop_or_default]
    pub(crate) name: Option<Text>,
}

/// Copies its text.
#[component]
pub(crate) fn Copy(props: &Props) -> Html {
    // How often it was pressed since it last said nothing.
    let pressed = use_state_eq(|| 0_u32);
    use_effect_with(*pressed, {
        let pressed = pressed.clone();
        move |count| {
            let timeout = (*count > 0).then(|| Timeout::new(SAID_MS, move || pressed.set(0)));
            move || drop(timeout)
        }
    });
    let onclick = {
        let (send, text, pressed) = (props.send.clone(), props.text.clone(), pressed.clone());
        Callback::from(move |_: MouseEvent| {
            send.emit(Msg::Copy(text.to_string()));
            pressed.set(*pressed + 1);
        })
    };
    let words = if *pressed > 0 { text!("Copied") } else { text!("Copy") };
    let name = props.name.clone().unwrap_or_else(|| Text::verbatim(&*props.text));
    html! {
        <button type="button" class="copy" {onclick} aria-label={say(text!("{}: {}", words, name))}>
            { say(words) }
        </button>
    }
}
