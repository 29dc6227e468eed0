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
    /// Sets it to what was typed.
    fn message(self, typed: &str) -> Msg {
        let number = |msg: fn(i32) -> ComparisonMsg| match typed.trim().parse::<i64>() {
            // The API server, not the page, says what is too much.
            Ok(number) => msg(i32::try_from(number).unwrap_or(if number < 0 { i32::MIN } else { i32::MAX })),
            Err(_) => ComparisonMsg::NotANumber(typed.to_owned()),
        };
        Msg::Comparison(match self {
            Self::Replicas => number(ComparisonMsg::Replicas),
            Self::Image => ComparisonMsg::Image(typed.to_owned()),
            Self::Partition => number(ComparisonMsg::Partition),
        })
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
            send.emit(setting.message(&typed));
        })
    };
    html! {
        // What cannot be read is said by the page, in its language.
        <form class="lanes__field" novalidate={true} {onsubmit}>
            <label for={*id}>{ say(label) }</label>
            <input class="text" id={*id} type={*kind} min="0" spellcheck="false" autocomplete="off" value={typed} {oninput} />
            <button type="submit" class="button button--small" aria-label={say(act)}>{ say(text!("Set")) }</button>
        </form>
    }
}
