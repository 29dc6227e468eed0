//! What the panels of pods have in common, whichever stage they are on.

use super::copy::Copy;
use super::dispatch::{Dispatch, sends};
use super::host;
use super::language::say;
use crate::page::{Msg, Origin};
use crate::view::Act;
use yew::{AttrValue, Html, html};

/// A line of kubectl, to be copied; nothing if there is none.
pub(crate) fn command(line: &str) -> Html {
    if line.is_empty() {
        return Html::default();
    }
    let line = AttrValue::from(line.to_owned());
    html! { <span class="command"><code class="kubectl">{ line.clone() }</code><Copy text={line} /></span> }
}

/// What can be done to a pod, each with its kubectl line and its risk; nothing where one may only look.
pub(crate) fn acts(send: &Dispatch, acts: &[Act]) -> Html {
    if host::is_locked() {
        return Html::default();
    }
    let one = |act: &Act| {
        html! {
            <li key={act.label.to_string()}>
                <button type="button" class="button" onclick={sends(send, Msg::Send(act.command.clone(), Origin::Rail))}>
                    { say(&act.label) }
                </button>
                if !act.risk.is_empty() { <p class="menu__risk">{ say(&act.risk) }</p> }
                { command(&act.kubectl) }
            </li>
        }
    };
    html! { <ul class="menu__acts">{ for acts.iter().map(one) }</ul> }
}
