//! The browser's own things, by name: elements, events, the focus.

use wasm_bindgen::JsCast;
use web_sys::{Document, Element, Event, HtmlElement, HtmlInputElement, KeyboardEvent, PointerEvent, window};

/// The page's document.
pub(crate) fn document() -> Option<Document> {
    window()?.document()
}

/// The element of this id. Whoever asks knows what it is: the page drew it.
pub(crate) fn by_id<T: JsCast>(id: &str) -> Option<T> {
    document()?.get_element_by_id(id).map(JsCast::unchecked_into)
}

/// The text of the field that the event is about. A list and a text area have a `value` as an input has.
pub(crate) fn value(event: &Event) -> String {
    event.target().map(|target| target.unchecked_into::<HtmlInputElement>().value()).unwrap_or_default()
}

/// The number in the field that the event is about.
pub(crate) fn number(event: &Event) -> Option<i64> {
    value(event).trim().parse().ok()
}

/// The key of a keyboard's event.
pub(crate) fn key(event: &Event) -> String {
    event.unchecked_ref::<KeyboardEvent>().key()
}

/// Whether a key is pressed together with one that changes what it means.
pub(crate) fn is_modified(event: &Event) -> bool {
    let event: &KeyboardEvent = event.unchecked_ref();
    event.shift_key() || event.ctrl_key() || event.alt_key() || event.meta_key()
}

/// Whether the primary button of a pointer was pressed, or a finger or a pen put down.
pub(crate) fn is_primary(event: &PointerEvent) -> bool {
    event.button() == 0
}

/// Whether the primary button is down while a pointer moves.
pub(crate) fn is_held(event: &PointerEvent) -> bool {
    event.buttons() & 1 == 1
}

/// Gives an element the focus; one that cannot take it leaves it where it was.
pub(crate) fn focus(element: &Element) {
    let _ = element.unchecked_ref::<HtmlElement>().focus();
}

/// Which of the buttons in a row an arrow leads to; the focus goes there. `upright`: the arrows up and down lead on too.
pub(crate) fn rove(event: &Event, now: usize, count: usize, upright: bool) -> Option<usize> {
    if is_modified(event) {
        return None;
    }
    let next = match (key(event).as_str(), upright) {
        ("ArrowRight", _) | ("ArrowDown", true) => (now + 1) % count,
        ("ArrowLeft", _) | ("ArrowUp", true) => (now + count - 1) % count,
        ("Home", false) => 0,
        ("End", false) => count - 1,
        _ => return None,
    };
    event.prevent_default();
    let row = event.target().and_then(|button| button.unchecked_into::<Element>().parent_element());
    if let Some(button) = row.and_then(|row| row.children().item(u32::try_from(next).ok()?)) {
        focus(&button);
    }
    Some(next)
}
