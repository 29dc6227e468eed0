//! The panel of controls.

use super::fields::{Partition, Policy, Readiness, Replicas, Strategy};
use super::image::Image;
use crate::app::state::Refused;
use crate::view::Controls;
use std::rc::Rc;
use yew::prelude::*;

#[derive(Properties, PartialEq)]
pub(crate) struct ControlsPanelProps {
    pub(crate) controls: Option<Rc<Controls>>,
    pub(crate) refused: Option<Rc<Refused>>,
}

/// The panel; without a set it says how to get one.
#[component]
pub(crate) fn ControlsPanel(props: &ControlsPanelProps) -> Html {
    let Some(controls) = &props.controls else {
        return html! {
            <aside id="controls" class="controls" aria-label="Controls">
                <p class="field__means">{ "There is no StatefulSet. Apply a manifest in the inspector to create one." }</p>
            </aside>
        };
    };
    let refused = &props.refused;
    html! {
        <aside id="controls" class="controls" aria-label="Controls">
            <h2 class="heading">{ "Scale" }</h2>
            <Replicas controls={controls.clone()} refused={refused.clone()} />
            <Policy controls={controls.clone()} refused={refused.clone()} />
            <h2 class="heading">{ "Update" }</h2>
            <Image controls={controls.clone()} refused={refused.clone()} />
            <Strategy controls={controls.clone()} refused={refused.clone()} />
            <Partition controls={controls.clone()} refused={refused.clone()} />
            <h2 class="heading">{ "Simulation" }</h2>
            <Readiness controls={controls.clone()} refused={refused.clone()} />
            <p class="controls__release">{ "Controller of Kubernetes " }<b>{ &controls.release }</b></p>
        </aside>
    }
}
