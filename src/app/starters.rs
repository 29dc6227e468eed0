//! Workloads to begin with: one press makes one, so that nobody has to write a manifest first.

use super::dispatch::{Dispatch, sends};
use super::host;
use super::language::say;
use crate::page::{self, Msg, Origin};
use crate::session::Command;
use crate::text::Text;
use yew::{Html, html};

/// A button for each.
fn all(send: &Dispatch) -> Html {
    html! {
        <div class="starters" role="group" aria-label={say(text!("Add a workload"))}>
            <span class="field__means">{ say(text!("Add")) }</span>
            { for page::starters().enumerate().map(|(at, name)| html! {
                <button type="button" class="button button--small" onclick={sends(send, Msg::Starter(at))}>
                    { say(Text::fixed(name)) }
                </button>
            }) }
            <button type="button" class="button button--small" onclick={sends(send, Msg::Send(Command::AddNode, Origin::Nodes))}>
                { say(text!("A node")) }
            </button>
        </div>
    }
}

/// The same, closed until it is asked for; nothing where one may only look.
pub(crate) fn folded(send: &Dispatch, sets: usize) -> Html {
    if host::is_locked() {
        return Html::default();
    }
    html! {
        // One that was used comes back closed.
        <details class="starters__fold" key={sets}>
            <summary class="button button--quiet" aria-label={say(text!("Add a workload or a node"))}>{ say(text!("Add")) }</summary>
            { all(send) }
        </details>
    }
}
