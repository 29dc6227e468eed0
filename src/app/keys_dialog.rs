//! The keys, listed. The browser's own dialog keeps the focus within and closes on Escape.

use super::dispatch::use_dispatch;
use super::state::Msg;
use web_sys::HtmlDialogElement;
use yew::prelude::*;

const KEYS: [(&str, &str); 8] = [
    ("Space", "Play or pause"),
    ("→", "One event forward"),
    ("←", "One event back"),
    ("Shift + →", "To the end of the next sync"),
    ("End", "Run until nothing is left to happen"),
    ("Home", "Back to the start"),
    ("?", "This list"),
    ("Arrows on a flag", "Move partition or replicas"),
];

#[derive(Properties, PartialEq)]
pub(crate) struct KeysDialogProps {
    pub(crate) open: bool,
}

/// The dialog.
#[component]
pub(crate) fn KeysDialog(props: &KeysDialogProps) -> Html {
    let dispatch = use_dispatch();
    let place = use_node_ref();
    {
        let place = place.clone();
        use_effect_with(props.open, move |open| {
            let Some(dialog) = place.cast::<HtmlDialogElement>() else { return };
            if !*open {
                dialog.close();
            } else if !dialog.open() {
                // It fails only for a dialog that is not on the page.
                let _ = dialog.show_modal();
            }
        });
    }
    html! {
        <dialog ref={place} class="keys" aria-labelledby="keys-title" onclose={dispatch.on(Msg::Keys(false))}>
            <h2 id="keys-title" class="keys__title">{ "Keys" }</h2>
            <dl class="keys__list">
                for (key, act) in KEYS {
                    <div class="keys__row"><dt><kbd>{ key }</kbd></dt><dd>{ act }</dd></div>
                }
            </dl>
            <button type="button" class="button button--primary" onclick={dispatch.on(Msg::Keys(false))}>{ "Close" }</button>
        </dialog>
    }
}
