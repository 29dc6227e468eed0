//! The inspector: why, the terminal, the events, the object.

mod chart;
mod events;
mod manifest;
mod object;
mod receipt;
mod revisions;
mod status;
mod sync_bar;
mod tabs;
mod terminal;
mod why;

pub(crate) use chart::Chart;
pub(crate) use events::latest;
pub(crate) use tabs::{PANELS, Panel, Shown, inspector, panel_id};
