//! The inspector: why, the events, the manifest.

mod editor;
mod events;
mod panel;
mod why;

pub(crate) use editor::{Editing, editor};
pub(crate) use events::{events, latest};
pub(crate) use panel::inspector;
pub(crate) use why::why;
