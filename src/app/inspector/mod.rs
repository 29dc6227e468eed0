//! The inspector: why, kubectl, the events, the status, the revisions, the manifest.

mod chart;
mod editor;
mod events;
mod panel;
mod revisions;
mod status;
mod terminal;
mod why;

pub(crate) use chart::chart;
pub(crate) use editor::editor;
pub(crate) use events::{events, latest};
pub(crate) use panel::inspector;
