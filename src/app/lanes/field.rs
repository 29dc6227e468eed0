//! A field that proposes what is in force, and sets what is typed.

use crate::app::browser;
use crate::app::dispatch::Dispatch;
use crate::app::language::say;
use crate::page::{ComparisonMsg, Msg};
use crate::text::Text;
use yew::{
    AttrValue, Callback, Html, InputEvent, Properties, SubmitEvent, component, hook, html, use_effect_with, use_state,
};

/// What stands in a field: what is proposed, until something is typed or something else is proposed.
#[hook]
pub(super) fn use_proposed(proposed: AttrValue) -> (AttrValue, Callback<InputEvent>) {
    let typed = use_state(|| proposed.clone());
    use_effect_with(proposed, {
        let typed = typed.clone();
        move |proposed| typed.set(proposed.clone())
    });
    let oninput = {
        let typed = typed.clone();
        Callback::from(move |event: InputEvent| typed.set(browser::value(&event).into()))
    };
    ((*typed).clone(), oninput)
}

#[derive(Properties, PartialEq)]
pub(super) struct Props {
    pub(super) send: Dispatch,
    pub(super) id: &'static str,
    /// The type of the input.
    pub(super) kind: &'static str,
    pub(super) label: Text,
    /// What its button does.
    pub(super) act: Text,
    pub(super) proposed: AttrValue,
    pub(super) setting: Setting,
}

/// What a field sets.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Setting {
    Replicas,
    Image,
    Partition,
}

impl Setting {
    /// Sets it to what was typed, if that can be read.
    fn message(self, typed: &str) -> Option<Msg> {
        let number = || typed.trim().parse().ok();
        let msg = match self {
            Self::Replicas => ComparisonMsg::Replicas(number()?),
            Self::Image => ComparisonMsg::Image(typed.to_owned()),
            Self::Partition => ComparisonMsg::Partition(number()?),
        };
        Some(Msg::Comparison(msg))
    }
}

/// The field, with its label and its button.
#[component]
pub(super) fn Field(props: &Props) -> Html {
    let Props { send, id, kind, label, act, proposed, setting } = props;
    let (typed, oninput) = use_proposed(proposed.clone());
    let onsubmit = {
        let (send, setting, typed) = (send.clone(), *setting, typed.clone());
        Callback::from(move |event: SubmitEvent| {
            event.prevent_default();
            setting.message(&typed).into_iter().for_each(|msg| send.emit(msg));
        })
    };
    html! {
        <form class="lanes__field" {onsubmit}>
            <label for={*id}>{ say(label) }</label>
            <input class="text" id={*id} type={*kind} min="0" spellcheck="false" autocomplete="off" value={typed} {oninput} />
            <button type="submit" class="button button--small" aria-label={say(act)}>{ say(text!("Set")) }</button>
        </form>
    }
}
