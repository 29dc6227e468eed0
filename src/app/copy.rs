//! A button that copies a text, and says whether it did.

use super::host::{self, Copied};
use super::language::say;
use crate::text::Text;
use gloo_timers::callback::Timeout;
use yew::{
    AttrValue, Callback, Html, MouseEvent, Properties, TargetCast, component, html, use_effect_with, use_state_eq,
};

/// Milliseconds that it says that it copied, and that it did not.
const SAID_MS: u32 = 1_500;
const REFUSED_MS: u32 = 8_000;

#[derive(Properties, PartialEq)]
pub(crate) struct Props {
    /// What is copied.
    pub(crate) text: AttrValue,
    /// What it is called where the text is too long to be its name.
    #[prop_or_default]
    pub(crate) name: Option<Text>,
}

/// Copies its text.
#[component]
pub(crate) fn Copy(props: &Props) -> Html {
    let copied = use_state_eq(|| None::<Copied>);
    use_effect_with(*copied, {
        let copied = copied.clone();
        move |now| {
            let said = now.map(|now| if now == Copied::Yes { SAID_MS } else { REFUSED_MS });
            let timeout = said.map(|said| Timeout::new(said, move || copied.set(None)));
            move || drop(timeout)
        }
    });
    let onclick = {
        let (text, copied) = (props.text.clone(), copied.clone());
        Callback::from(move |event: MouseEvent| {
            let copied = copied.clone();
            copied.set(None);
            host::copy(&text, &event.target_unchecked_into(), move |end| copied.set(Some(end)));
        })
    };
    let words = if *copied == Some(Copied::Yes) { text!("Copied") } else { text!("Copy") };
    let name = props.name.clone().unwrap_or_else(|| Text::verbatim(&*props.text));
    let refused = match *copied {
        None | Some(Copied::Yes) => None,
        Some(Copied::Selected) => Some(text!("It is selected; copy it with Ctrl or ⌘ and C.")),
        Some(Copied::No) => Some(text!("The browser does not let this page copy.")),
    };
    html! {
        <>
            <button type="button" class="copy" {onclick} aria-label={say(text!("{}: {}", words, name))}>
                { say(words) }
            </button>
            if let Some(refused) = refused { <span class="copy__refused" role="alert">{ say(refused) }</span> }
        </>
    }
}
