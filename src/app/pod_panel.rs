//! The frame of a pod's panel, which each kind of stage fills.

use super::browser;
use super::dispatch::Dispatch;
use super::el::{El, On, button, el, group, verbatim};
use crate::page::Msg;
use web_sys::HtmlElement;

/// Its width in the stylesheet and the height it needs, in pixels.
const SIZE: (f64, f64) = (320.0, 420.0);

/// A pod's panel over the stage; Escape or a click beside it closes it.
pub(crate) fn pod_panel(send: &Dispatch, pod: &str, content: El) -> El {
    let behind = el("div", "menu__behind").on(On::Click, send, |_| Some(Msg::Open(None)));
    let close = button("button button--square button--quiet", send, Msg::Open(None)).say("aria-label", text!("Close"));
    let panel = el("div", "menu")
        .set("id", "menu")
        .set("role", "dialog")
        .say("aria-label", text!("Pod {}", pod))
        .set("tabindex", "-1")
        .on(On::Key, send, |event| {
            if browser::key(event) != "Escape" {
                return None;
            }
            event.prevent_default();
            event.stop_propagation();
            Some(Msg::Open(None))
        })
        .with(el("div", "menu__head").with(verbatim("strong", "", pod)).with(close.verbatim("×")))
        .with(content);
    group().with(behind).with(panel)
}

/// Puts the panel below its tile, and within the window.
pub(crate) fn stand_beside(panel: &HtmlElement) {
    let window = web_sys::window();
    let side = |value: Option<f64>| value.unwrap_or(f64::MAX);
    let width = side(window.as_ref().and_then(|window| window.inner_width().ok()?.as_f64()));
    let height = side(window.as_ref().and_then(|window| window.inner_height().ok()?.as_f64()));
    let Some(tile) = panel.parent_element().map(|tile| tile.get_bounding_client_rect()) else { return };
    let left = tile.left().min(width - SIZE.0 - 8.0).max(8.0) as i32;
    let top = (tile.top() + 92.0).min(height - SIZE.1 - 60.0).max(8.0) as i32;
    let place = ["left:", &left.to_string(), "px;top:", &top.to_string(), "px"].concat();
    let _ = panel.set_attribute("style", &place);
}
