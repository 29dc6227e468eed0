//! What www/host.js does for the page: links, the clipboard, files, scenarios that are fetched on demand. What it has to
//! say comes back as an event of the document.

use super::browser::document;
use super::dispatch::Dispatch;
use super::language;
use crate::page::{ClusterMsg, ComparisonMsg, LearnMsg, Msg, ShareMsg};
use gloo_events::EventListener;
use std::rc::Rc;
use wasm_bindgen::JsCast;
use wasm_bindgen::prelude::{Closure, JsValue, wasm_bindgen};
use web_sys::{CustomEvent, Element};

#[wasm_bindgen]
extern "C" {
    #[wasm_bindgen(catch, js_namespace = setscopeHost)]
    fn ask(act: &str, text: &str, name: &str) -> Result<(), JsValue>;
    #[wasm_bindgen(catch, js_namespace = setscopeHost, js_name = copyText)]
    fn copy_text(text: &str, button: &Element, tell: &JsValue) -> Result<(), JsValue>;
    #[wasm_bindgen(catch, js_namespace = setscopeHost)]
    fn opened() -> Result<String, JsValue>;
    #[wasm_bindgen(catch, js_namespace = setscopeHost)]
    fn words() -> Result<String, JsValue>;
    #[wasm_bindgen(catch, js_namespace = setscopeHost)]
    fn named() -> Result<bool, JsValue>;
}

/// Asks for one of its acts. On a page without it nothing comes of that.
pub(crate) fn call(act: &str, text: &str, name: &str) {
    let _ = ask(act, text, name);
}

/// What became of a text that was to be copied.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Copied {
    Yes,
    /// The browser does not let the page copy: the text beside the button is selected instead.
    Selected,
    /// As above, and there is no text beside it.
    No,
}

/// Copies a text, or selects it where it stands beside the button. Tells what came of it.
pub(crate) fn copy(text: &str, button: &Element, tell: impl FnOnce(Copied) + 'static) {
    let tell = Closure::once_into_js(move |end: String| {
        tell(match end.as_str() {
            "copied" => Copied::Yes,
            "selected" => Copied::Selected,
            _ => Copied::No,
        });
    });
    let _ = copy_text(text, button, &tell);
}

/// The dictionary of the page's language; empty for English.
pub(crate) fn dictionary() -> String {
    words().unwrap_or_default()
}

/// Whether the address names a scenario by its file.
pub(crate) fn is_named() -> bool {
    named().unwrap_or_default()
}

/// The scenario that the address names; or, as an error, what is wrong with it; or nothing.
pub(crate) fn addressed() -> Result<Option<String>, String> {
    let text = opened().unwrap_or_default();
    match text.strip_prefix('!') {
        Some(problem) => Err(problem.to_owned()),
        None => Ok(Some(text).filter(|text| !text.is_empty())),
    }
}

/// Whether the page is a figure in another page.
pub(crate) fn is_embedded() -> bool {
    has_attribute("data-embed")
}

/// Whether the figure's reader may look and not touch.
pub(crate) fn is_locked() -> bool {
    has_attribute("data-locked")
}

/// What the figure's address asks and nobody knows, as www/theme.js found it.
pub(crate) fn unknown_values() -> Vec<(String, String)> {
    let root = document().and_then(|document| document.document_element());
    let text = root.and_then(|root| root.get_attribute("data-unknown")).unwrap_or_default();
    serde_json::from_str(&text).unwrap_or_default()
}

fn has_attribute(name: &str) -> bool {
    let root = document().and_then(|document| document.document_element());
    root.is_some_and(|root| root.has_attribute(name))
}

const TOLD: [&str; 16] = [
    "setscope:fetched",
    "setscope:not-fetched",
    "setscope:lesson",
    "setscope:lessons",
    "setscope:link",
    "setscope:print",
    "setscope:cluster",
    "setscope:file",
    "setscope:open",
    "setscope:closed",
    "setscope:left-out",
    "setscope:list",
    "setscope:truth",
    "setscope:problem",
    "setscope:went",
    "setscope:words",
];

/// The answer to a request, whose number stands before it.
fn answer(detail: &str, msg: fn(u32, Rc<str>) -> ShareMsg) -> Msg {
    let (request, text) = detail.split_once(' ').unwrap_or_default();
    Msg::Share(msg(request.parse().unwrap_or_default(), text.into()))
}

/// Listens to what it has to say, until what this returns is dropped.
pub(crate) fn listen(send: &Dispatch) -> Vec<EventListener> {
    let Some(document) = document() else { return Vec::new() };
    let listener = |name: &'static str| {
        let send = send.clone();
        EventListener::new(&document, name, move |event| {
            let detail = event.unchecked_ref::<CustomEvent>().detail().as_string().unwrap_or_default();
            send.emit(match event.type_().as_str() {
                "setscope:words" => {
                    language::set_dictionary(&dictionary());
                    Msg::LanguageChanged
                }
                "setscope:cluster" => Msg::Cluster(ClusterMsg::Read(detail.into())),
                "setscope:link" => answer(&detail, ShareMsg::Linked),
                "setscope:fetched" => answer(&detail, ShareMsg::Fetched),
                "setscope:not-fetched" => answer(&detail, ShareMsg::NotFetched),
                "setscope:lesson" => Msg::Learn(LearnMsg::Fetch(detail.into())),
                "setscope:print" => Msg::Share(ShareMsg::Preview(detail == "begins")),
                "setscope:lessons" => Msg::Learn(LearnMsg::List(detail.into())),
                "setscope:file" => Msg::File(detail.into()),
                "setscope:closed" => Msg::Comparison(ComparisonMsg::Left),
                "setscope:left-out" => Msg::LeftOut(detail.into()),
                "setscope:open" => Msg::Share(ShareMsg::Open(detail.into())),
                "setscope:went" => Msg::Share(ShareMsg::Went(detail.into())),
                "setscope:list" => Msg::Share(ShareMsg::List(detail.into())),
                "setscope:truth" => Msg::Share(ShareMsg::Truth(detail.into())),
                _ => Msg::Share(ShareMsg::Problem(detail.into())),
            });
        })
    };
    TOLD.into_iter().map(listener).collect()
}
