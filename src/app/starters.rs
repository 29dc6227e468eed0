//! Workloads to begin with: one press makes one, so that nobody has to write a manifest first.

use super::dispatch::Dispatch;
use super::el::{El, button, el, text};
use crate::page::{self, Msg};
use crate::text::Text;

/// A button for each.
pub(crate) fn starters(send: &Dispatch) -> El {
    let one = |(at, name)| button("button button--small", send, Msg::Starter(at)).text(Text::fixed(name));
    el("div", "starters")
        .set("role", "group")
        .say("aria-label", text!("Add a workload"))
        .with(text("span", "field__means", text!("Add")))
        .each(page::starters().enumerate(), one)
}

/// The same, closed until it is asked for.
pub(crate) fn folded(send: &Dispatch, sets: usize) -> El {
    el("details", "starters__fold")
        // One that was used comes back closed.
        .key(&sets.to_string())
        .with(text("summary", "button button--small", text!("Add a workload")))
        .with(starters(send))
}
