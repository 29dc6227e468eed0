//! Runs side by side: the page while a comparison is open. It takes the messages of time for itself; the single run stays
//! underneath as it was.

mod controls;
mod differences;
mod field;
mod lane;
mod own;
mod page;
mod results;
mod time;
mod transport;

pub(crate) use page::{page, use_comparison_focus};
