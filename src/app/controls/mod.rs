//! What can be set, beside the stage.

mod fields;
mod image;
mod kubectl;
mod panel;
mod range;
mod segments;

pub(crate) use panel::ControlsPanel;
pub(crate) use range::filled;
