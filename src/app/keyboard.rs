//! The page's keys. Whatever has the focus keeps the keys it needs itself.

use super::browser::document;
use super::el::Dispatch;
use super::inspector_state::InspectorMsg;
use super::state::Msg;
use gloo_events::{EventListener, EventListenerOptions};
use wasm_bindgen::JsCast;
use web_sys::{Element, KeyboardEvent};

/// What types or moves by itself: every key is its own. The moment's slider leaves what it does not need to the page.
const TAKES_ALL: &str = "input:not(#moment, #lanes-moment), select, textarea, dialog, [role=slider], [role=tab], [role=radio], [role=dialog]";
/// Of these, what has no use for Escape.
const LEAVES_ESCAPE: &str = "[role=slider], [role=tab], [role=radio]";
/// What Space presses.
const TAKES_SPACE: &str = "button, a, summary";

fn message(event: &KeyboardEvent) -> Option<Msg> {
    if (event.ctrl_key() || event.meta_key()) && event.key().eq_ignore_ascii_case("k") {
        return Some(Msg::Inspector(InspectorMsg::Prompt));
    }
    if event.default_prevented() || event.alt_key() {
        return None;
    }
    let target = event.target()?.dyn_into::<Element>().ok();
    let within = |selector| target.as_ref().is_some_and(|target| matches!(target.closest(selector), Ok(Some(_))));
    if within(TAKES_ALL) && !(event.key() == "Escape" && within(LEAVES_ESCAPE)) {
        return None;
    }
    let shift = event.shift_key();
    if event.ctrl_key() || event.meta_key() {
        return match event.key().as_str() {
            "z" if !shift => Some(Msg::Undo),
            "z" | "Z" | "y" => Some(Msg::Redo),
            _ => None,
        };
    }
    match event.key().as_str() {
        " " if within(TAKES_SPACE) => None,
        " " => Some(Msg::Toggle),
        "ArrowRight" if shift => Some(Msg::StepSync),
        "ArrowLeft" if shift => Some(Msg::StepSyncBack),
        "." | "ArrowRight" => Some(Msg::Step),
        "," | "ArrowLeft" => Some(Msg::StepBack),
        ">" => Some(Msg::StepSync),
        "<" => Some(Msg::StepSyncBack),
        "Home" => Some(Msg::ToStart),
        "End" => Some(Msg::RunUntilSettled),
        "?" => Some(Msg::Keys(true)),
        "Escape" => Some(Msg::Cover(None)),
        // Where Shift makes another sign of the same key.
        _ if shift && event.code() == "Period" => Some(Msg::StepSync),
        _ if shift && event.code() == "Comma" => Some(Msg::StepSyncBack),
        _ => None,
    }
}

/// Listens to the document, as the focus is often on nothing; until what this returns is dropped.
pub(crate) fn listen(send: Dispatch) -> Option<EventListener> {
    let options = EventListenerOptions::enable_prevent_default();
    let document = document()?;
    Some(EventListener::new_with_options(&document, "keydown", options, move |event| {
        let event: &KeyboardEvent = event.unchecked_ref();
        if let Some(msg) = message(event) {
            // The browser itself closes what Escape closes.
            if event.key() != "Escape" {
                event.prevent_default();
            }
            send.emit(msg);
        }
    }))
}
