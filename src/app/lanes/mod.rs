//! Runs side by side: the page while a comparison is open. It takes the messages of time for itself; the single run stays
//! underneath as it was.

mod act;
mod beside;
mod controls;
mod lane;
mod page;
mod settle;
mod table;
mod time;

pub(crate) use act::{LanesMsg, takes};
pub(crate) use beside::Beside;
pub(crate) use page::{page, with_what};
pub(crate) use settle::Settled;
