//! Listens to the page's keys. `page::message` says what they mean.

use super::browser::document;
use super::dispatch::Dispatch;
use crate::page::{Focus, Key, message};
use gloo_events::{EventListener, EventListenerOptions};
use wasm_bindgen::JsCast;
use web_sys::{Element, KeyboardEvent};

/// The moment's slider leaves what it does not need to the page.
const FIELDS: &str = "input:not(#moment, #lanes-moment), select, textarea, [role=dialog]";
const WIDGETS: &str = "[role=slider], [role=tab], [role=radio]";
const BUTTONS: &str = "button, a, summary";

/// Whether a stop of the Tab key, which is neither a widget nor a button, has more than is seen of it.
fn scrolls(element: &Element) -> bool {
    let is_stop = element.get_attribute("tabindex").as_deref() == Some("0");
    let overflows =
        element.scroll_height() > element.client_height() || element.scroll_width() > element.client_width();
    is_stop && overflows
}

fn focus(event: &KeyboardEvent) -> Option<Focus> {
    // Wherever the focus is: a click beside what a dialog holds leaves it on nothing.
    if matches!(document()?.query_selector("dialog[open]"), Ok(Some(_))) {
        return Some(Focus::Modal);
    }
    let target = event.target()?.dyn_into::<Element>().ok();
    let within = |selector| target.as_ref().is_some_and(|target| matches!(target.closest(selector), Ok(Some(_))));
    Some(if within(WIDGETS) {
        Focus::Widget
    } else if within(FIELDS) {
        Focus::Field
    } else if within(BUTTONS) {
        Focus::Button
    } else if target.as_ref().is_some_and(scrolls) {
        Focus::Scroller
    } else {
        Focus::Page
    })
}

/// Listens to the document, as the focus is often on nothing; until what this returns is dropped.
pub(crate) fn listen(send: Dispatch) -> Option<EventListener> {
    let options = EventListenerOptions::enable_prevent_default();
    let document = document()?;
    Some(EventListener::new_with_options(&document, "keydown", options, move |event| {
        let event: &KeyboardEvent = event.unchecked_ref();
        let Some(focus) = focus(event) else { return };
        let pressed = Key {
            key: &event.key(),
            code: &event.code(),
            shift: event.shift_key(),
            command: event.ctrl_key() || event.meta_key(),
            alt: event.alt_key(),
            used: event.default_prevented(),
            focus,
        };
        if let Some(msg) = message(&pressed) {
            // The browser itself closes what Escape closes.
            if event.key() != "Escape" {
                event.prevent_default();
            }
            send.emit(msg);
        }
    }))
}
