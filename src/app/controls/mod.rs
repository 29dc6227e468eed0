//! The controls next to the stage.

mod fields;
mod image;
mod kubectl;
mod more;
mod panel;
mod range;
mod release;
mod segments;
mod workload;

pub(crate) use image::behaviour_name;
pub(crate) use panel::{no_panel, panel};
pub(crate) use range::NUMBER;
