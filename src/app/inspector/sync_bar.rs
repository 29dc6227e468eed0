//! Which sync is shown, with the ways to the others.

use crate::app::dispatch::Dispatch;
use crate::app::icon::{Sign, sign};
use crate::app::language::say;
use crate::page::{InspectorMsg, Msg};
use crate::text::Text;
use crate::view::SyncView;
use std::rc::Rc;
use yew::{Html, MouseEvent, Properties, component, html};

#[derive(Properties, PartialEq)]
pub(super) struct Props {
    pub(super) send: Dispatch,
    pub(super) sync: Rc<SyncView>,
}

/// Its number and the three ways.
#[component]
pub(super) fn SyncBar(props: &Props) -> Html {
    let Props { send, sync } = props;
    let way = |name: Text, shape: Sign, to: Option<Option<u64>>| {
        html! {
            <button type="button" class="button button--square" aria-label={say(&name)} title={say(&name)}
                disabled={to.is_none()}
                onclick={send.reform(move |_: MouseEvent| Msg::Inspector(InspectorMsg::Sync(to.flatten())))}>
                { sign(shape) }
            </button>
        }
    };
    html! {
        <div class="sync__bar">
            <h2 class="panel__title">{ say(text!("Sync {}", sync.number)) }</h2>
            { way(text!("The sync before"), Sign::Back, sync.earlier.map(Some)) }
            // Behind the other, which stays where it is.
            if sync.later.is_some() {
                { way(text!("The next sync"), Sign::Forward, sync.later.map(Some)) }
                { way(text!("The last sync"), Sign::NextSync, sync.later.map(|_| None)) }
            }
        </div>
    }
}
