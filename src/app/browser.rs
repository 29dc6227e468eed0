//! The browser's own things, by name: elements, events, the focus.

use js_sys::Array;
use wasm_bindgen::JsCast;
use web_sys::{
    Blob, BlobPropertyBag, Document, Element, Event, HtmlAnchorElement, HtmlElement, HtmlInputElement, KeyboardEvent,
    Url, window,
};

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

/// Writes into the field of this id, if it is on the page.
pub(crate) fn write(id: &str, text: &str) {
    if let Some(field) = by_id::<HtmlInputElement>(id) {
        field.set_value(text);
    }
}

/// Gives a text to the person as a file.
pub(crate) fn save(name: &str, kind: &str, text: &str) {
    let give = || {
        let options = BlobPropertyBag::new();
        options.set_type(kind);
        let blob = Blob::new_with_str_sequence_and_options(&Array::of1(&text.into()), &options).ok()?;
        let address = Url::create_object_url_with_blob(&blob).ok()?;
        let link: HtmlAnchorElement = document()?.create_element("a").ok()?.unchecked_into();
        link.set_href(&address);
        link.set_download(name);
        link.click();
        // The browser has taken the file over by now.
        Url::revoke_object_url(&address).ok()
    };
    let _ = give();
}

/// The number in the field that the event is about.
pub(crate) fn number(event: &Event) -> Option<i64> {
    value(event).trim().parse().ok()
}

/// The key of a keyboard's event.
pub(crate) fn key(event: &Event) -> String {
    event.unchecked_ref::<KeyboardEvent>().key()
}

/// Gives an element the focus; one that cannot take it leaves it where it was.
pub(crate) fn focus(element: &Element) {
    let _ = element.unchecked_ref::<HtmlElement>().focus();
}

/// Which of the buttons in a row an arrow leads to; the focus goes there. `upright`: the arrows up and down lead on too.
pub(crate) fn rove(event: &Event, now: usize, count: usize, upright: bool) -> Option<usize> {
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
