//! A panel over the page, beside the element that opened it. It moves nothing.

use super::browser::{by_id, focus, key};
use super::language::say;
use gloo_events::EventListener;
use wasm_bindgen::JsCast;
use web_sys::{Element, Event, HtmlElement, KeyboardEvent, MouseEvent, window};
use yew::{AttrValue, Callback, Children, Html, Properties, component, html, use_effect_with, use_node_ref};

/// Its width in the stylesheet, the least height it needs, and what stays free around it, in pixels.
const SIZE: (f64, f64) = (340.0, 220.0);
const MARGIN: f64 = 8.0;

#[derive(Properties, PartialEq)]
pub(crate) struct BesideProps {
    /// The id of the element that it stands beside, which has the focus again once it is closed.
    pub(crate) anchor: AttrValue,
    /// Its accessible name.
    pub(crate) label: AttrValue,
    /// Its title.
    pub(crate) title: AttrValue,
    pub(crate) close: Callback<()>,
    pub(crate) children: Children,
}

/// The panel; Escape or a click beside it closes it.
#[component]
pub(crate) fn Beside(props: &BesideProps) -> Html {
    let panel = use_node_ref();
    {
        let panel = panel.clone();
        use_effect_with(props.anchor.clone(), move |anchor| {
            if let (Some(panel), Some(anchor)) = (panel.cast::<HtmlElement>(), by_id::<Element>(anchor)) {
                place(&panel, &anchor);
                focus(&panel);
            }
            let anchor = anchor.clone();
            // What opened it may be gone by now.
            move || by_id::<Element>(&anchor).iter().for_each(focus)
        });
    }
    {
        // What had the focus may be gone after an act.
        let close = props.close.clone();
        use_effect_with(props.close.clone(), move |_| {
            let listener = window().map(|window| {
                let beside = close.clone();
                let outside = EventListener::new(&window, "click", move |event| {
                    if is_outside(event) {
                        beside.emit(());
                    }
                });
                let escape = EventListener::new(&window, "keydown", move |event| {
                    if key(event) == "Escape" && !event.default_prevented() {
                        close.emit(());
                    }
                });
                (outside, escape)
            });
            move || drop(listener)
        });
    }
    let close = |close: &Callback<()>| {
        let close = close.clone();
        Callback::from(move |_: MouseEvent| close.emit(()))
    };
    let onkeydown = {
        let close = props.close.clone();
        Callback::from(move |event: KeyboardEvent| {
            if event.key() == "Escape" {
                event.prevent_default();
                event.stop_propagation();
                close.emit(());
            }
        })
    };
    html! {
        <>
            <div class="menu" id="menu" role="dialog" aria-label={props.label.clone()} tabindex="-1" ref={panel} {onkeydown}>
                <div class="menu__head">
                    <strong>{ &props.title }</strong>
                    <button type="button" class="button button--square button--quiet" aria-label={say(text!("Close"))}
                        onclick={close(&props.close)}>{ "×" }</button>
                </div>
                { for props.children.iter() }
            </div>
        </>
    }
}

/// Whether a click is beside the panel and beside what opens one: it does what it is for, and the panel closes.
fn is_outside(event: &Event) -> bool {
    let target = event.target().and_then(|target| target.dyn_into::<Element>().ok());
    // What was clicked may be gone already: then it stood in the panel.
    target.is_some_and(|target| {
        target.is_connected() && target.closest(".menu, [aria-haspopup='dialog']").is_ok_and(|found| found.is_none())
    })
}

/// Below the element if all of it fits there, else below or above it, where there is more room, and within the window.
fn place(panel: &HtmlElement, anchor: &Element) {
    let window = window();
    let side = |value: Option<f64>| value.unwrap_or(f64::MAX);
    let width = side(window.as_ref().and_then(|window| window.inner_width().ok()?.as_f64()));
    let height = side(window.as_ref().and_then(|window| window.inner_height().ok()?.as_f64()));
    let anchor = anchor.get_bounding_client_rect();
    let left = anchor.left().min(width - SIZE.0 - MARGIN).max(MARGIN);
    let (above, below) = (anchor.top() - 2.0 * MARGIN, height - anchor.bottom() - 2.0 * MARGIN);
    let needed = f64::from(panel.scroll_height()) + 2.0;
    let style = if below >= needed || below >= above {
        let top = (anchor.bottom() + MARGIN).min(height - SIZE.1 - MARGIN).max(MARGIN);
        format!("left:{left:.0}px;top:{top:.0}px;max-height:{:.0}px", height - top - MARGIN)
    } else {
        let bottom = height - anchor.top() + MARGIN;
        format!("left:{left:.0}px;bottom:{bottom:.0}px;max-height:{above:.0}px")
    };
    let _ = panel.set_attribute("style", &style);
}
