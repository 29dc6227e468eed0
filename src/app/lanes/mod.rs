//! Runs side by side: the page while a comparison is open. It takes the messages of time for itself; the single run stays
//! underneath as it was.

mod controls;
mod effects;
mod lane;
mod page;
mod table;
mod time;

pub(crate) use effects::Settled;
pub(crate) use page::{comparison_menu, page};
