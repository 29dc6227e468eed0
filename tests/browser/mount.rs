//! A place in the test page for one component.
use js_sys::Promise;
use wasm_bindgen::JsCast;
use wasm_bindgen::prelude::Closure;
use web_sys::{Element, KeyboardEvent, KeyboardEventInit, Window};
use yew::{BaseComponent, Renderer};

/// One mounted component; it is taken off the page when this is dropped.
pub(crate) struct Mounted<C: BaseComponent> {
    handle: Option<yew::AppHandle<C>>,
    place: Element,
}

impl<C: BaseComponent> Mounted<C> {
    /// What the component drew, as text.
    pub(crate) fn text(&self) -> String {
        self.place.text_content().unwrap_or_default()
    }

    /// The first element that matches; the test ends with the selector's name where none does.
    #[track_caller]
    pub(crate) fn find(&self, selector: &str) -> Element {
        let found = self.place.query_selector(selector).expect("the selector is valid");
        found.unwrap_or_else(|| panic!("nothing matches {selector} in {}", self.place.inner_html()))
    }
}

impl<C: BaseComponent> Drop for Mounted<C> {
    fn drop(&mut self) {
        if let Some(handle) = self.handle.take() {
            handle.destroy();
        }
        self.place.remove();
    }
}

/// Draws a component in a new `div` and waits until all of it is there. Never mount at `body`: the test harness writes its
/// own lines there and would wait forever.
pub(crate) async fn mount<C: BaseComponent>(props: C::Properties) -> Mounted<C> {
    let window = web_sys::window().expect("a browser has a window");
    // What another test left behind is not restored.
    if let Ok(Some(storage)) = window.local_storage() {
        storage.clear().expect("the storage can be cleared");
    }
    let document = window.document().expect("a browser has a document");
    let place = document.create_element("div").expect("div is a valid name");
    document.body().expect("the test page has a body").append_child(&place).expect("body takes a div");
    let handle = Renderer::<C>::with_root_and_props(place.clone(), props).render();
    yew::scheduler::flush().await;
    paint(&window).await;
    Mounted { handle: Some(handle), place }
}

/// Waits until the browser has painted, and what is only made after that is there.
async fn paint(window: &Window) {
    let painted = Promise::new(&mut |done, _| {
        let timers = window.clone();
        let frame = Closure::once_into_js(move || {
            timers.set_timeout_with_callback(&done).expect("a window has timers");
        });
        window.request_animation_frame(frame.unchecked_ref()).expect("a window has frames");
    });
    painted.await.expect("nothing refuses it");
    yew::scheduler::flush().await;
}

/// Presses a key as a person with the focus on this element would, and waits for what comes of it.
pub(crate) async fn press(target: &Element, key: &str) {
    let init = KeyboardEventInit::new();
    init.set_key(key);
    init.set_bubbles(true);
    init.set_cancelable(true);
    let event = KeyboardEvent::new_with_keyboard_event_init_dict("keydown", &init).expect("keydown is a valid type");
    target.dispatch_event(&event).expect("an element takes events");
    yew::scheduler::flush().await;
}
