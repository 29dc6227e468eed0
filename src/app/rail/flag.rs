//! A flag on the axis: a slider whose values are the gaps between the places.

use super::rows::{Rows, value_of};
use crate::app::browser::{by_id, focus, is_held, is_modified, is_primary, key};
use crate::app::dispatch::Dispatch;
use crate::app::host;
use crate::app::language::say;
use crate::page::{Draft, Field, Msg, Origin};
use crate::view::{Flag, Rail, RailLayout};
use std::rc::Rc;
use wasm_bindgen::JsCast;
use web_sys::{Element, Event, KeyboardEvent, PointerEvent};
use yew::{Callback, Html, NodeRef, classes, html};

/// How far PageUp and PageDown go.
const PAGE: i32 = 5;
/// As wide as a label, and what stays free beside the last place, in pixels.
const LABEL: f64 = 90.0;
const BESIDE: f64 = 24.0;

/// Which of the flags.
#[derive(Clone, Copy)]
pub(super) struct Pole {
    id: &'static str,
    name: &'static str,
    class: &'static str,
    field: Field,
}

impl Pole {
    pub(super) const PARTITION: Self =
        Self { id: "flag-partition", name: "partition", class: "flag--partition", field: Field::Partition };
    pub(super) const REPLICAS: Self =
        Self { id: "flag-replicas", name: "replicas", class: "flag--replicas", field: Field::Replicas };

    fn flag(self, rail: &Rail) -> Option<&Flag> {
        if self.field == Field::Partition { rail.partition.as_ref() } else { rail.replicas.as_ref() }
    }
}

/// Where the axis stands, and in what.
#[derive(Clone)]
pub(super) struct Ground {
    pub(super) layout: Rc<RailLayout>,
    pub(super) rows: Rc<Rows>,
    pub(super) room: NodeRef,
    pub(super) width: f64,
}

/// The flag and its pole; nothing where there is no such flag.
pub(super) fn pole(send: &Dispatch, rail: &Rail, ground: &Ground, pole: Pole, draft: Option<Draft>) -> Html {
    let Some(flag) = pole.flag(rail) else { return Html::default() };
    let (stands, max, before) = (flag.at, flag.max, flag.before);
    let to = move |value: i32| Draft { field: pole.field, origin: Origin::Rail, value: i64::from(value) };
    let dragged = draft.filter(|draft| draft.field == pole.field);
    let at = value_of(flag, pole.field, draft);
    let other = rail.replicas.as_ref().filter(|_| pole.field == Field::Partition);
    let other = other.map(|other| (other, value_of(other, Field::Replicas, draft)));
    let Standing { left, top, shift, leans_left } = ground.stand((flag, at), other);
    let locked = host::is_locked();
    let onkeydown = {
        let send = send.clone();
        Callback::from(move |event: KeyboardEvent| {
            let next = turned(&event, stands, max).filter(|next| *next != stands);
            next.into_iter().for_each(|next| send.emit(Msg::Set(to(next))));
        })
    };
    let onpointerdown = {
        let send = send.clone();
        Callback::from(move |event: PointerEvent| {
            let Some(element) = by_id::<Element>(pole.id).filter(|_| is_primary(&event)) else { return };
            event.prevent_default();
            // Without capture the drag still works while the pointer is over the flag.
            let _ = element.set_pointer_capture(event.pointer_id());
            focus(&element);
            send.emit(Msg::Draft(Some(to(stands))));
        })
    };
    let onpointermove = {
        let (send, ground) = (send.clone(), ground.clone());
        Callback::from(move |event: PointerEvent| {
            if dragged.is_none() || !is_held(&event) {
                return;
            }
            let next = (ground.before(event.unchecked_ref()) - before).clamp(0, max);
            if next != at {
                send.emit(Msg::Draft(Some(to(next))));
            }
        })
    };
    let onpointerup = {
        let send = send.clone();
        let msg = dragged.map(|draft| if at == stands { Msg::Draft(None) } else { Msg::Set(draft) });
        Callback::from(move |_: PointerEvent| msg.iter().for_each(|msg| send.emit(msg.clone())))
    };
    // Also after `pointerup`, when there is no draft any more.
    let onlostpointercapture = {
        let send = send.clone();
        Callback::from(move |_: PointerEvent| send.emit(Msg::Draft(None)))
    };
    html! {
        <div class={classes!("flag", pole.class, dragged.map(|_| "flag--held"))} id={pole.id} role="slider"
            style={format!("transform:translate({left:.2}px,{top:.0}px);height:{:.0}px;--shift:{shift:.0}px", ground.rows.high)}
            data-side={if leans_left { "left" } else { "right" }}
            tabindex={if locked { "-1" } else { "0" }} aria-disabled={locked.to_string()}
            aria-label={say(text!("{} flag", pole.name))} aria-orientation="horizontal" aria-valuemin="0"
            aria-valuemax={max.to_string()} aria-valuenow={stands.to_string()} aria-valuetext={say(&flag.consequence)}
            title={say(&flag.consequence)}
            {onkeydown} {onpointerdown} {onpointermove} {onpointerup} {onlostpointercapture}>
            <span class="flag__label">{ pole.name }{ " " }{ at }</span>
        </div>
    }
}

/// Where a flag stands, and its label at it, in pixels.
struct Standing {
    left: f64,
    top: f64,
    /// How far the label makes room for the one that it would meet.
    shift: f64,
    leans_left: bool,
}

impl Ground {
    /// Where a flag stands at its value. At the right end a label leans to the left; and the partition's stands left of the other
    /// one, should they meet.
    fn stand(&self, (flag, at): (&Flag, i32), other: Option<(&Flag, i32)>) -> Standing {
        let leans = |left: f64| left + LABEL > self.width + BESIDE;
        let (row, left) = self.layout.gap_of(flag, at);
        let left = left.min(self.width + LABEL);
        let top = self.rows.tops.get(row).copied().unwrap_or_default();
        let other = other.map(|(other, at)| {
            let (row, left) = self.layout.gap_of(other, at);
            (row, if leans(left) { left - LABEL } else { left })
        });
        let met =
            other.filter(|(other, begins)| *other == row && left + LABEL > *begins).map(|(_, begins)| left - begins);
        let shift = met.map_or(0.0, |met| met.max(0.0));
        Standing { left, top, shift, leans_left: met.is_some() || leans(left) }
    }

    /// How many places lie before the pointer.
    fn before(&self, event: &PointerEvent) -> i32 {
        let Some(room) = self.room.cast::<Element>() else { return 0 };
        let (seen, own) = (room.get_bounding_client_rect(), room.client_width());
        // On large screens the stage is drawn larger than it is laid out.
        let zoom = if own > 0 && seen.width() > 0.0 { seen.width() / f64::from(own) } else { 1.0 };
        let row = self.rows.row_at((f64::from(event.client_y()) - seen.top()) / zoom);
        let before = self.layout.before(row, (f64::from(event.client_x()) - seen.left()) / zoom);
        i32::try_from(before).unwrap_or(i32::MAX)
    }
}

fn turned(event: &Event, at: i32, max: i32) -> Option<i32> {
    if is_modified(event) {
        return None;
    }
    let to = match key(event).as_str() {
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
