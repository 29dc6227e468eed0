//! How wide and how high an element is, followed as it changes.

use wasm_bindgen::JsCast;
use wasm_bindgen::prelude::{Closure, wasm_bindgen};
use web_sys::Element;
use yew::{NodeRef, hook, use_effect_with, use_state_eq};

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

/// Before anything was measured: the usual stage, and the usual rows on it.
const USUAL: (f64, f64) = (600.0, 400.0);

/// The width of the element, in whole pixels. It is measured before the browser paints what was drawn first.
#[hook]
pub(crate) fn use_width(node: &NodeRef) -> f64 {
    use_measured(node, USUAL.0, Element::client_width)
}

/// The height of the element, without what of it is scrolled out of sight.
#[hook]
pub(crate) fn use_height(node: &NodeRef) -> f64 {
    use_measured(node, USUAL.1, Element::client_height)
}

#[hook]
fn use_measured(node: &NodeRef, usual: f64, length: fn(&Element) -> i32) -> f64 {
    let measured = use_state_eq(|| usual);
    {
        let (measured, node) = (measured.setter(), node.clone());
        use_effect_with((), move |()| {
            let measure = {
                let node = node.clone();
                move || {
                    let length = node.cast::<Element>().map_or(0, |element| length(&element));
                    if length > 0 {
                        measured.set(f64::from(length));
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
    *measured
}
