//! Shows a panic in the page, with a link that opens the run as it was right before.

use super::host;
use crate::page::State;
use crate::session::Session;
use crate::session::scenario::{self, About};
use std::cell::RefCell;

thread_local! {
    /// The run as it is now; none while a comparison is open, which the address names.
    static RUN: RefCell<Option<(Session, About)>> = const { RefCell::new(None) };
}

/// Installs the panic hook, through Yew, which would otherwise replace it.
pub fn install() {
    yew::set_custom_panic_hook(Box::new(|info| {
        // The message first: a program that is no longer sound may not get as far as the link.
        host::call("panicked", "", &info.to_string());
        let text = RUN.with(|run| {
            run.try_borrow().ok()?.as_ref().map(|(session, about)| scenario::write_redacted(session, about))
        });
        if let Some(text) = text {
            host::call("link", &text, "stopped-link");
        }
    }));
}

/// What the link of a panic would open. Whatever comes next may panic.
pub(crate) fn remember(state: &State) {
    let run = state.lanes.is_none().then(|| (state.stage.session.clone(), state.sharing.about.clone()));
    RUN.set(run);
}
