//! One of two options: radio buttons drawn as segments. They show the stored value, so a refused change leaves them as
//! they are.

use crate::app::browser::rove;
use crate::app::dispatch::Dispatch;
use crate::app::language::say;
use crate::app::refusal_note::RefusalNote;
use crate::page::{Draft, Msg, Refused};
use crate::text::Text;
use std::rc::Rc;
use yew::{Callback, Html, KeyboardEvent, MouseEvent, Properties, component, html};

#[derive(Properties, PartialEq)]
pub(super) struct Props {
    pub(super) send: Dispatch,
    pub(super) name: Text,
    pub(super) options: [&'static str; 2],
    /// The field they set, and which option it has.
    pub(super) now: Draft,
    pub(super) refused: Option<Rc<Refused>>,
}

/// The choice, with its name; arrow keys choose, as with radio buttons.
#[component]
pub(super) fn Choice(props: &Props) -> Html {
    let Props { send, name, options, now, refused } = props;
    let chosen = usize::from(now.value == 1);
    let draft = |at: usize| Draft { value: i64::from(at == 1), ..*now };
    let onkeydown = {
        let (send, now) = (send.clone(), *now);
        Callback::from(move |event: KeyboardEvent| {
            if let Some(at) = rove(&event, chosen, 2, true) {
                send.emit(Msg::Set(Draft { value: i64::from(at == 1), ..now }));
            }
        })
    };
    let option = |(at, option): (usize, &&'static str)| {
        let draft = draft(at);
        html! {
            <button type="button" class="segments__one" role="radio" key={*option}
                aria-checked={(at == chosen).to_string()} tabindex={if at == chosen { "0" } else { "-1" }}
                onclick={send.reform(move |_: MouseEvent| Msg::Set(draft))}>{ *option }</button>
        }
    };
    html! {
        <div class="field field--stacked">
            <div class="field__head"><span class="field__label">{ say(name) }</span></div>
            <div class="segments" role="radiogroup" aria-label={say(name)} {onkeydown}>
                { for options.iter().enumerate().map(option) }
            </div>
            <RefusalNote send={send.clone()} refused={refused.clone()} at={now.origin} />
        </div>
    }
}
