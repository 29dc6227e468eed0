//! What can be set and broken: the panel of what is changed most, and the settings beside the manifest.

mod breakage;
mod choice;
mod field;
mod image;
mod number;
mod panel;
mod readiness;
mod release;
mod settings;

pub(crate) use panel::ControlsPanel;
pub(crate) use settings::Settings;
