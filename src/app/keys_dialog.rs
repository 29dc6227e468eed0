//! The keys, listed. The browser's own dialog keeps the focus within and closes on Escape.

use super::el::{Dispatch, El, On, button, el, group, text};
use crate::page::Msg;

const KEYS: [(&str, &str); 14] = [
    ("Space", "Play or pause"),
    (". or →", "One event forward"),
    (", or ←", "One event back"),
    ("Shift + . or →", "To the end of the next sync"),
    ("Shift + , or ←", "To the end of the previous sync"),
    ("End", "Run until nothing is left to happen"),
    ("Home", "Back to the start"),
    ("Ctrl/⌘ + K", "The kubectl line"),
    ("→ at its end", "Accept the suggestion"),
    ("Tab at its end", "Complete the word as a shell does, or move on"),
    ("Ctrl/⌘ + Z", "To right before the last command"),
    ("Shift + Ctrl/⌘ + Z", "To right after the next command"),
    ("?", "This list"),
    ("Arrows on a flag", "Move partition or replicas"),
];

/// The dialog; `settle` opens and closes it.
pub(crate) fn keys_dialog(send: &Dispatch, open: bool) -> El {
    el("dialog", "keys")
        .set("id", "keys")
        .set("aria-labelledby", "keys-title")
        .on(On::Close, send, |_| Some(Msg::Keys(false)))
        .maybe(open.then(|| list(send)))
}

#[inline(never)]
fn list(send: &Dispatch) -> El {
    let row = |(key, act): &(&str, &str)| {
        let key = el("dt", "").with(text("kbd", "", key));
        el("div", "keys__row").with(key).with(text("dd", "", act))
    };
    group()
        .with(text("h2", "keys__title", "Keys").set("id", "keys-title"))
        .with(el("dl", "keys__list").each(&KEYS, row))
        .with(button("button button--primary", send, Msg::Keys(false)).text("Close"))
}
