//! How components speak to the page.

use crate::page::Msg;
use yew::Callback;

/// The one way up: what is drawn can only send messages.
pub(crate) type Dispatch = Callback<Msg>;
