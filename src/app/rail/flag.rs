//! A flag on the rail: a slider whose values are the gaps between the places.

use crate::view::Flag;
use wasm_bindgen::JsCast;
use web_sys::{Element, HtmlElement};
use yew::prelude::*;

/// How far PageUp and PageDown go.
const PAGE: i32 = 5;
/// Half a label's width, in pixels.
const NEAR: i32 = 44;

#[derive(Properties, PartialEq)]
pub(crate) struct FlagPoleProps {
    pub(crate) flag: Flag,
    /// `partition` or `replicas`.
    pub(crate) name: &'static str,
    /// Which stands first where both stand in one gap.
    pub(crate) turn: i32,
    pub(crate) on_move: Callback<i32>,
}

/// The flag and its pole.
#[component]
pub(crate) fn FlagPole(props: &FlagPoleProps) -> Html {
    let dragged = use_state_eq(|| None::<i32>);
    let place = use_node_ref();
    let side = use_state_eq(|| "flag--between");
    {
        let (place, setter) = (place.clone(), side.setter());
        use_effect(move || place.cast::<HtmlElement>().into_iter().for_each(|pole| setter.set(side_of(&pole))));
    }
    let flag = &props.flag;
    let at = dragged.unwrap_or(flag.at);
    let label = if dragged.is_some() { format!("{} {at}", props.name) } else { flag.label.clone() };
    let on_key = keys(flag, &props.on_move);
    let on_down = {
        let (place, setter, at) = (place.clone(), dragged.setter(), flag.at);
        Callback::from(move |event: PointerEvent| {
            let Some(pole) = place.cast::<HtmlElement>() else { return };
            event.prevent_default();
            // Without capture the drag still works while the pointer is over the flag.
            let _ = pole.set_pointer_capture(event.pointer_id());
            let _ = pole.focus();
            setter.set(Some(at));
        })
    };
    let on_drag = {
        let (place, setter, max, held) = (place.clone(), dragged.setter(), flag.max, dragged.is_some());
        Callback::from(move |event: PointerEvent| {
            let Some(pole) = place.cast::<Element>().filter(|_| held) else { return };
            setter.set(Some(gap(&pole, f64::from(event.client_x()), f64::from(event.client_y())).clamp(0, max)));
        })
    };
    let on_up = {
        let (dragged, on_move, at) = (dragged.clone(), props.on_move.clone(), flag.at);
        Callback::from(move |_: PointerEvent| {
            dragged.filter(|to| *to != at).into_iter().for_each(|to| on_move.emit(to));
            dragged.set(None);
        })
    };
    let on_cancel = dragged.setter();
    html! {
        <div ref={place} class={classes!("flag", format!("flag--{}", props.name), *side, dragged.is_some().then_some("flag--held"))}
            style={format!("order:{}", 4 * at + props.turn)}
            role="slider" tabindex="0" aria-label={format!("{} flag", props.name)} aria-orientation="horizontal" aria-valuemin="0"
            aria-valuemax={flag.max.to_string()} aria-valuenow={flag.at.to_string()} aria-valuetext={flag.consequence.clone()}
            title={flag.consequence.clone()} onkeydown={on_key} onpointerdown={on_down} onpointermove={on_drag} onpointerup={on_up}
            onpointercancel={Callback::from(move |_: PointerEvent| on_cancel.set(None))}>
            <span class="flag__label">{ label }</span>
        </div>
    }
}

/// Where a row begins or ends, the label hangs to the side that has room.
fn side_of(pole: &HtmlElement) -> &'static str {
    let width = pole.parent_element().map_or(0, |rail| rail.client_width());
    match pole.offset_left() {
        left if left < NEAR => "flag--first",
        left if left > width - NEAR => "flag--last",
        _ => "flag--between",
    }
}

fn keys(flag: &Flag, on_move: &Callback<i32>) -> Callback<KeyboardEvent> {
    let (at, max, on_move) = (flag.at, flag.max, on_move.clone());
    Callback::from(move |event: KeyboardEvent| {
        let to = match event.key().as_str() {
            "ArrowRight" | "ArrowUp" => at + 1,
            "ArrowLeft" | "ArrowDown" => at - 1,
            "PageUp" => at + PAGE,
            "PageDown" => at - PAGE,
            "Home" => 0,
            "End" => max,
            _ => return,
        };
        event.prevent_default();
        let to = to.clamp(0, max);
        if to != at {
            on_move.emit(to);
        }
    })
}

/// The gap nearest to a point: how many places lie before it, in reading order; right of the last place it counts on.
fn gap(pole: &Element, x: f64, y: f64) -> i32 {
    let Some(tiles) = pole.parent_element().and_then(|rail| rail.query_selector_all(".place").ok()) else { return 0 };
    let boxes = (0..tiles.length()).filter_map(|index| tiles.get(index)?.dyn_into::<Element>().ok());
    let boxes: Vec<_> = boxes.map(|tile| tile.get_bounding_client_rect()).collect();
    let before = boxes.iter().filter(|tile| {
        let row_above = tile.bottom() < y;
        let same_row = tile.top() - tile.height() / 2.0 <= y;
        row_above || (same_row && tile.left() + tile.width() / 2.0 < x)
    });
    let before = i32::try_from(before.count()).unwrap_or(i32::MAX);
    let beyond = boxes.last().filter(|last| before as usize == boxes.len() && x > last.right() && last.width() > 0.0);
    // A finger's width of free ground stands for one more place.
    before + beyond.map_or(0, |last| ((x - last.right()) / (last.width() / 2.0)) as i32)
}
