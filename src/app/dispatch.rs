//! How components speak to the page.

use crate::page::Msg;
use yew::Callback;

/// The one way up: what is drawn can only send messages.
pub(crate) type Dispatch = Callback<Msg>;

/// What sends this message at an event.
pub(crate) fn sends<E>(send: &Dispatch, msg: Msg) -> Callback<E> {
    send.reform(move |_| msg.clone())
}
