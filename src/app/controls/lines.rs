//! The controls' acts as kubectl commands. One line of the panel shows that of the control which was pointed at or used last.

use crate::kubectl::command_line;
use crate::session::Command;
use crate::view::Controls;
use wasm_bindgen::JsCast;
use web_sys::Element;
use yew::{AttrValue, Callback};

/// The attribute of an element that names its command.
const ATTRIBUTE: &str = "data-line";

/// The names of those that every panel has. Fields are named by their path, acts by their label.
pub(super) const REPLICAS: &str = "replicas";
pub(super) const PARTITION: &str = "partition";
pub(super) const IMAGE: &str = "image";
pub(super) const UNDO: &str = "undo";
pub(super) const POLICY: &str = "policy";
pub(super) const STRATEGY: &str = "strategy";

/// Tells which control an event of the panel is about.
pub(super) fn pointed_at<E: AsRef<web_sys::Event> + 'static>(point: &Callback<AttrValue>) -> Callback<E> {
    let point = point.clone();
    Callback::from(move |event: E| {
        let target = event.as_ref().target().map(|target| target.unchecked_into::<Element>());
        let named = target.and_then(|target| target.closest(&format!("[{ATTRIBUTE}]")).ok()?);
        if let Some(name) = named.and_then(|named| named.get_attribute(ATTRIBUTE)) {
            point.emit(name.into());
        }
    })
}

/// The command of the control of this name, with the image as it is typed; empty where kubectl has none.
pub(super) fn line_of(controls: &Controls, typed: &str, name: &str) -> String {
    let lines = &controls.kubectl;
    let image = || {
        let (set, container) = (controls.set.clone(), controls.container.clone());
        let image = if typed.is_empty() { controls.next_image.clone() } else { typed.into() };
        command_line(&Command::SetImage { set, container, image })
    };
    match name {
        // Without a field of replicas the panel begins with the image.
        REPLICAS if lines.replicas.is_empty() => image(),
        REPLICAS => lines.replicas.clone(),
        PARTITION => lines.partition.clone(),
        IMAGE => image(),
        UNDO => lines.undo.clone(),
        POLICY => lines.policy.clone(),
        STRATEGY => lines.strategy.clone(),
        _ => {
            let field = controls.more.iter().find(|field| field.path == name).map(|field| &field.kubectl);
            let mut acts = controls.set_acts.iter().chain(&controls.faults);
            let act = || acts.find(|act| act.label == *name).map(|act| &act.kubectl);
            field.or_else(act).cloned().unwrap_or_default()
        }
    }
}
