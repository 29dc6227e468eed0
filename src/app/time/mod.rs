//! The timeline: the whole run at a glance, and its branches.

mod branches;
mod panel;
mod row;

pub(crate) use panel::{keep_in_sight, timeline, tools};
#[cfg(debug_assertions)]
pub use row::rows_drawn;
pub(crate) use row::{row, syncs};
