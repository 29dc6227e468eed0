//! The keys, listed. The browser's own dialog keeps the focus within and closes on Escape.

use super::dispatch::Dispatch;
use super::el::{El, On, button, el, group, text};
use crate::page::{Dialog, Msg, ShareMsg};
use crate::text::Text;

fn keys() -> [(Text, Text); 14] {
    [
        (text!("Space"), text!("Play or pause")),
        (text!(". or →"), text!("One event forward")),
        (text!(", or ←"), text!("One event back")),
        (text!("Shift + . or →"), text!("To the end of the next sync")),
        (text!("Shift + , or ←"), text!("To the end of the previous sync")),
        (Text::verbatim("End"), text!("Run until nothing is left to happen")),
        (Text::verbatim("Home"), text!("Back to the start")),
        (Text::verbatim("Ctrl/⌘ + K"), text!("The kubectl line")),
        (text!("→ at its end"), text!("Accept the suggestion")),
        (text!("Tab at its end"), text!("Complete the word as a shell does, or move on")),
        (Text::verbatim("Ctrl/⌘ + Z"), text!("To right before the last command")),
        (Text::verbatim("Shift + Ctrl/⌘ + Z"), text!("To right after the next command")),
        (Text::verbatim("?"), text!("This list")),
        (text!("Arrows on a flag"), text!("Move partition or replicas")),
    ]
}

/// The dialog; `AfterRender` opens and closes it.
pub(crate) fn keys_dialog(send: &Dispatch, open: bool) -> El {
    el("dialog", "keys")
        .set("id", "keys")
        .set("aria-labelledby", "keys-title")
        .on(On::Close, send, |_| Some(Msg::Keys(false)))
        .maybe(open.then(|| list(send)))
}

fn list(send: &Dispatch) -> El {
    let row = |(key, act): (Text, Text)| {
        let key = el("dt", "").with(text("kbd", "", key));
        el("div", "keys__row").with(key).with(text("dd", "", act))
    };
    group()
        .with(text("h2", "keys__title", text!("Keys")).set("id", "keys-title"))
        .with(el("dl", "keys__list").each(keys(), row))
        .with(
            el("div", "dialog__row")
                .with(button("button button--primary", send, Msg::Keys(false)).text(text!("Close")))
                .with(
                    button("button", send, Msg::Share(ShareMsg::Show(Some(Dialog::Truth))))
                        .text(text!("How true is this?")),
                ),
        )
}
