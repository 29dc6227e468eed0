//! The panel "Change it": what can be set and broken, and the same in a terminal.

mod breakage;
mod choice;
mod field;
mod image;
mod lines;
mod more;
mod number;
mod panel;
mod readiness;
mod release;

pub(crate) use panel::ControlsPanel;
