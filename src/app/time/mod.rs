//! The timeline: the whole run at a glance, and its branches.

mod branches;
mod canvas;
mod density;
mod panel;
mod row;
mod syncs;

pub(crate) use panel::{new_branch, timeline, tools};
#[cfg(debug_assertions)]
pub use row::rows_drawn;
