//! The panel of controls.

use super::fields;
use super::image::image;
use super::more::more;
use super::release::release;
use super::workload::workload;
use crate::app::dispatch::Dispatch;
use crate::app::el::{El, el, text};
use crate::page::{Draft, Refused};
use crate::view::Controls;

pub(super) fn aside() -> El {
    el("aside", "controls").set("id", "controls").say("aria-label", text!("Controls"))
}

/// The panel without a set: it says how to get one.
pub(crate) fn no_panel() -> El {
    aside().with(text(
        "p",
        "field__means",
        text!("There is no StatefulSet. Apply a manifest in the inspector to create one."),
    ))
}

/// The panel.
pub(crate) fn panel(send: &Dispatch, controls: &Controls, refused: Option<&Refused>, draft: Option<Draft>) -> El {
    let panel = fields::Panel { send, controls, refused, draft };
    if controls.policy.is_none() {
        return workload(&panel);
    }
    aside()
        .with(text("h2", "heading", text!("Scale")))
        .with(panel.replicas())
        .with(panel.policy())
        .with(text("h2", "heading", text!("Update")))
        .with(image(send, controls, refused))
        .with(panel.strategy())
        .with(panel.partition())
        .with(more(send, controls, refused))
        .with(text("h2", "heading", text!("Simulation")))
        .with(release(send, &controls.release, refused))
        .with(panel.readiness())
}
