//! A dialog over the page. The browser's own keeps the focus within, gives it back, and closes on Escape.

use super::dispatch::{Dispatch, sends};
use super::language::say;
use crate::page::Msg;
use crate::text::Text;
use web_sys::HtmlDialogElement;
use yew::{AttrValue, Html, Properties, component, html, use_effect_with, use_node_ref};

#[derive(Properties, PartialEq)]
pub(crate) struct Props {
    pub(crate) send: Dispatch,
    /// The dialog's id; its title's is `<id>-title`.
    pub(crate) id: &'static str,
    pub(crate) title: Text,
    pub(crate) is_open: bool,
    /// Sent when its button or the browser closes it.
    pub(crate) closed: Closed,
    #[prop_or_default]
    pub(crate) class: &'static str,
    pub(crate) children: Html,
}

/// What is sent when a dialog is closed; of one dialog it is always the same.
#[derive(Clone)]
pub(crate) struct Closed(pub(crate) Msg);

impl PartialEq for Closed {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

/// A dialog with its title and a button that closes it.
#[component]
pub(crate) fn Modal(props: &Props) -> Html {
    let dialog = use_node_ref();
    {
        let dialog = dialog.clone();
        use_effect_with(props.is_open, move |is_open| {
            let Some(dialog) = dialog.cast::<HtmlDialogElement>() else { return };
            if !is_open {
                dialog.close();
            } else if !dialog.open() {
                // It fails only for a dialog that is not on the page.
                let _ = dialog.show_modal();
            }
        });
    }
    let Closed(closed) = &props.closed;
    let title = AttrValue::from(format!("{}-title", props.id));
    html! {
        <dialog ref={dialog} id={props.id} class={format!("keys dialog {}", props.class)} aria-labelledby={title.clone()}
            onclose={sends(&props.send, closed.clone())}>
            if !props.title.is_empty() {
                <div class="dialog__head">
                    <h2 id={title} class="keys__title">{ say(&props.title) }</h2>
                    <button type="button" class="button button--small" onclick={sends(&props.send, closed.clone())}>
                        { say(text!("Close")) }
                    </button>
                </div>
            }
            { props.children.clone() }
        </dialog>
    }
}
