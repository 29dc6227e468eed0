//! The timeline: the whole run at a glance, and its branches.

mod branches;
mod panel;
mod row;

pub(crate) use panel::{keep_in_sight, timeline};
pub(crate) use row::{row, syncs};
