//! A flag on the rail: a slider whose values are the gaps between the places.

use crate::app::browser::{self, by_id, focus};
use crate::app::dispatch::Dispatch;
use crate::app::el::{El, On, el, verbatim};
use crate::app::host;
use crate::page::{Draft, Field, Msg, Origin};
use crate::view::Flag;
use wasm_bindgen::JsCast;
use web_sys::{Element, Event, HtmlElement, PointerEvent};

/// How far PageUp and PageDown go.
const PAGE: i32 = 5;
/// Half a label's width, in pixels.
const NEAR: i32 = 44;

/// Which of the flags.
#[derive(Clone, Copy)]
pub(crate) struct Pole {
    pub(crate) id: &'static str,
    pub(crate) field: Field,
    /// Their order where both are in one gap.
    pub(crate) turn: i32,
}

/// The flag and its pole.
pub(crate) fn flag_pole(send: &Dispatch, flag: &Flag, pole: Pole, draft: Option<Draft>) -> El {
    let (stands, max, start, before) = (flag.at, flag.max, flag.start, flag.before);
    let to = move |value: i32| Draft { field: pole.field, origin: Origin::Rail, value: i64::from(value) };
    let locked = host::is_locked();
    let dragged = draft.filter(|draft| draft.field == pole.field && draft.origin == Origin::Rail);
    let at = dragged.map_or(stands, |draft| i32::try_from(draft.value).unwrap_or(stands));
    let name = if pole.field == Field::Replicas { "replicas" } else { "partition" };
    el("div", "flag")
        .class(["flag--partition", "flag--replicas"][usize::from(pole.field == Field::Replicas)])
        .class(if dragged.is_some() { "flag--held" } else { "" })
        .set("id", pole.id)
        .set("style", &["order:", &(4 * (start + at) + pole.turn).to_string()].concat())
        .set("role", "slider")
        .set("tabindex", if locked { "-1" } else { "0" })
        .set("aria-disabled", if locked { "true" } else { "false" })
        .say("aria-label", text!("{} flag", name))
        .set("aria-orientation", "horizontal")
        .set("aria-valuemin", "0")
        .set("aria-valuemax", &max.to_string())
        .set("aria-valuenow", &stands.to_string())
        .say("aria-valuetext", &flag.consequence)
        .say("title", &flag.consequence)
        .on(On::Key, send, move |event| {
            let next = turned(event, stands, max)?;
            (next != stands).then(|| Msg::Set(to(next)))
        })
        .on(On::PointerDown, send, move |event| {
            let element: Element = by_id(pole.id)?;
            event.prevent_default();
            // Without capture the drag still works while the pointer is over the flag.
            let _ = element.set_pointer_capture(event.unchecked_ref::<PointerEvent>().pointer_id());
            focus(&element);
            Some(Msg::Draft(Some(to(stands))))
        })
        .on(On::PointerMove, send, move |event| {
            dragged?;
            let point: &PointerEvent = event.unchecked_ref();
            let next = gap(&by_id(pole.id)?, f64::from(point.client_x()), f64::from(point.client_y()));
            Some(Msg::Draft(Some(to((next - before).clamp(0, max)))))
        })
        .on(On::PointerUp, send, move |_| Some(dragged.filter(|_| at != stands).map_or(Msg::Draft(None), Msg::Set)))
        .on(On::PointerCancel, send, |_| Some(Msg::Draft(None)))
        .with(verbatim("span", "flag__label", &format!("{name} {at}")))
}

/// Where a row begins or ends, the label leans to the side that has room.
pub(crate) fn lean(pole: &HtmlElement) {
    let width = pole.parent_element().map_or(0, |rail| rail.client_width());
    let side = match pole.offset_left() {
        left if left < NEAR => "first",
        left if left > width - NEAR => "last",
        _ => "between",
    };
    let _ = pole.set_attribute("data-side", side);
}

fn turned(event: &Event, at: i32, max: i32) -> Option<i32> {
    let to = match browser::key(event).as_str() {
        "ArrowRight" | "ArrowUp" => at + 1,
        "ArrowLeft" | "ArrowDown" => at - 1,
        "PageUp" => at + PAGE,
        "PageDown" => at - PAGE,
        "Home" => 0,
        "End" => max,
        _ => return None,
    };
    event.prevent_default();
    Some(to.clamp(0, max))
}

/// The gap nearest to a point: how many places lie before it, in reading order; right of the last place it counts on.
fn gap(pole: &Element, x: f64, y: f64) -> i32 {
    let Some(tiles) = pole.parent_element().and_then(|rail| rail.query_selector_all(".place").ok()) else { return 0 };
    let mut before = 0;
    let mut beyond = 0;
    for index in 0..tiles.length() {
        let Some(tile) = tiles.get(index) else { continue };
        let tile = tile.unchecked_into::<Element>().get_bounding_client_rect();
        let row_above = tile.bottom() < y;
        let same_row = tile.top() - tile.height() / 2.0 <= y;
        before += i32::from(row_above || (same_row && tile.left() + tile.width() / 2.0 < x));
        // Each half tile of free space after the last place counts as one more place.
        let past = ((x - tile.right()) / (tile.width() / 2.0)) as i32;
        beyond = if tile.width() > 0.0 && x > tile.right() { past } else { 0 };
    }
    let all = i32::try_from(tiles.length()).is_ok_and(|count| count == before);
    before + if all { beyond } else { 0 }
}
