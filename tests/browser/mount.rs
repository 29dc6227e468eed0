//! A place in the test page for one component.
use web_sys::Element;
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

/// Draws a component in a new `div` and waits until it is there. Never mount at `body`: the test harness writes its
/// own lines there and would wait for ever.
pub(crate) async fn mount<C: BaseComponent>(props: C::Properties) -> Mounted<C> {
    let document = web_sys::window().and_then(|window| window.document()).expect("a browser has a document");
    let place = document.create_element("div").expect("div is a valid name");
    document.body().expect("the test page has a body").append_child(&place).expect("body takes a div");
    let handle = Renderer::<C>::with_root_and_props(place.clone(), props).render();
    yew::scheduler::flush().await;
    Mounted { handle: Some(handle), place }
}
