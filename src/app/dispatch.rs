//! The one way up: a context that never changes.

use super::state::{Msg, Origin, State};
use crate::session::Command;
use yew::prelude::*;

/// Sends messages to the page's state.
#[derive(Clone, PartialEq)]
pub(crate) struct Dispatch(pub(crate) UseReducerDispatcher<State>);

impl Dispatch {
    pub(crate) fn send(&self, msg: Msg) {
        self.0.dispatch(msg);
    }

    pub(crate) fn command(&self, command: Command, origin: Origin) {
        self.send(Msg::Send(command, origin));
    }

    /// A callback that sends the same message whatever the event.
    pub(crate) fn on<E: 'static>(&self, msg: Msg) -> Callback<E> {
        let dispatch = self.clone();
        Callback::from(move |_| dispatch.send(msg.clone()))
    }
}

/// The page's dispatch.
#[hook]
pub(crate) fn use_dispatch() -> Dispatch {
    use_context().expect("App provides the dispatch to every component")
}
