//! How wide an element is, followed as it changes.

use wasm_bindgen::JsCast;
use wasm_bindgen::prelude::{Closure, wasm_bindgen};
use web_sys::Element;
use yew::{NodeRef, hook, use_effect_with, use_state};

#[wasm_bindgen]
extern "C" {
    type ResizeObserver;
    #[wasm_bindgen(constructor)]
    fn new(changed: &js_sys::Function) -> ResizeObserver;
    #[wasm_bindgen(method)]
    fn observe(this: &ResizeObserver, element: &Element);
    #[wasm_bindgen(method)]
    fn disconnect(this: &ResizeObserver);
}

/// Before anything was measured: the usual stage.
const USUAL: f64 = 600.0;

/// The width of the element, in whole pixels. It is measured before the browser paints what was drawn first.
#[hook]
pub(crate) fn use_width(node: &NodeRef) -> f64 {
    let width = use_state(|| USUAL);
    {
        let (width, node) = (width.setter(), node.clone());
        use_effect_with((), move |()| {
            let measure = {
                let node = node.clone();
                move || {
                    let measured = node.cast::<Element>().map_or(0, |element| element.client_width());
                    if measured > 0 {
                        width.set(f64::from(measured));
                    }
                }
            };
            measure();
            let changed = Closure::<dyn Fn()>::new(measure);
            let observer = ResizeObserver::new(changed.as_ref().unchecked_ref());
            node.cast::<Element>().iter().for_each(|element| observer.observe(element));
            move || {
                observer.disconnect();
                drop(changed);
            }
        });
    }
    *width
}
