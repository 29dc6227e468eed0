//! The inspector: why, the events, the manifest.

mod editor;
mod events;
mod gutter;
mod panel;
mod why;

pub(crate) use events::Latest;
pub(crate) use panel::Inspector;
