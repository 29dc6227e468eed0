//! The panel at the bottom. Dragging on it seeks; the slider on it is for the keyboard and for screen readers.

use super::branches::{branches, branches_button};
use super::row::lane;
use crate::app::browser::{self, by_id, focus};
use crate::app::dispatch::Dispatch;
use crate::app::el::{El, On, button, el, group, text};
use crate::app::icon::{Sign, sign};
use crate::app::part::{Shown, part};
use crate::app::size::Size;
use crate::page::{Msg, Sheet, State};
use crate::text::Text;
use crate::view::{ActMark, TimeRow, Timeline, axis, folded};
use std::collections::BTreeSet;
use std::rc::Rc;
use wasm_bindgen::JsCast;
use web_sys::{Element, Event, PointerEvent};

/// Marks on the axis, at most, while the whole run is in view.
const MARKS: i64 = 8;
/// The arrows on the slider move by a hundredth of the run, but not by less than this many milliseconds.
const LEAST: i64 = 100;
/// More rows of pods, and of nodes, are folded.
const POD_ROWS: usize = 5;
const NODE_ROWS: usize = 3;
/// From here on, in percent of the axis, words stand before their mark.
const LAST_PERCENT: i64 = 93;

/// The panel.
pub(crate) fn timeline(send: &Dispatch, state: &State, size: Size) -> El {
    let line = &state.timeline;
    let (scale, marks) = axis(line.end, MARKS << state.zoom);
    let number = |name: &str, value: i64| [name, &value.to_string(), ";"].concat();
    let style = [
        number("--scale:", scale),
        number("--now:", line.now),
        number("--end:", line.end),
        number("--zoom:", 1 << state.zoom),
    ];
    let seeks = move |event: &Event| moment(event, scale);
    let canvas = el("div", "time__canvas")
        .set("style", &style.concat())
        .on(On::PointerDown, send, move |event| {
            let at = seeks(event)?;
            event.prevent_default();
            let canvas: Element = by_id("time-plot")?;
            // Without capture the drag still works while the pointer is over the rows.
            let _ = canvas.set_pointer_capture(event.unchecked_ref::<PointerEvent>().pointer_id());
            by_id::<Element>("moment").iter().for_each(focus);
            Some(Msg::Seek(at))
        })
        .on(On::PointerMove, send, move |event| {
            let pressed = event.unchecked_ref::<PointerEvent>().buttons() & 1 == 1;
            if pressed { seeks(event).map(Msg::Seek) } else { None }
        })
        .with(axis_row(&marks, scale))
        .with(lane(text!("commands")).with(el("div", "time__spans").each(line.acts.iter(), act)))
        .with(
            lane(text!("syncs"))
                .class("time__row--syncs")
                .with(el("div", "time__spans").with(sync_marks(send, line, scale))),
        )
        .with(ordinals(send, state))
        .with(rows(send, &folded(&line.nodes, line.now, NODE_ROWS)).class("time__rows--nodes"))
        .with(plot(send, state));
    el("section", "time")
        .say("aria-label", text!("Timeline"))
        .with(text("h2", "unseen", text!("Timeline")))
        .maybe((size != Size::Wide).then(|| opener(send, state.sheet)))
        .maybe(
            (size == Size::Phone && state.sheet == Some(Sheet::Time))
                .then(|| el("div", "time__tools").with(tools(send, state))),
        )
        .with(branches(send, state))
        .with(el("div", "time__scroll").set("id", "time-scroll").with(canvas))
        .maybe(future(state))
}

/// What changes the run and how much of it is seen.
pub(crate) fn tools(send: &Dispatch, state: &State) -> El {
    let tool = |name: Text, msg: Msg, off: bool| {
        button("button button--tool", send, msg).say("aria-label", &name).say("title", &name).flag("disabled", off)
    };
    let (given, all) = (state.session.commands_given(), state.session.scenario().commands.len());
    group()
        .maybe(branches_button(state))
        .with(tool(text!("Undo the last command"), Msg::Undo, given <= 1).with(sign(Sign::Undo)))
        .with(tool(text!("Redo the next command"), Msg::Redo, given >= all).with(sign(Sign::Redo)))
        .with(tool(text!("Zoom out"), Msg::Zoom(-1), state.zoom == 0).verbatim("−"))
        .with(tool(text!("Zoom in"), Msg::Zoom(1), state.zoom == crate::page::ZOOM).verbatim("+"))
}

/// What acting now does to what is known of later.
fn future(state: &State) -> Option<El> {
    let (at, known) = state.session.position();
    let number = state.session.branches().0.number.to_string();
    (at < known && !state.playing && !state.locked).then(|| {
        text("p", "time__past", text!("A command here begins a new branch; what follows is kept as branch {}.", number))
    })
}

fn axis_row(marks: &[(i64, Text)], scale: i64) -> El {
    let tick = |(at, words): &(i64, Text)| {
        // Words that would leave the window at the end stand before their mark.
        let class = if at * 100 > scale * LAST_PERCENT { "time__tick time__tick--last" } else { "time__tick" };
        text("span", class, words).set("style", &["--at:", &at.to_string()].concat())
    };
    el("div", "time__row time__axis")
        .set("aria-hidden", "true")
        .with(el("span", "time__label"))
        .with(el("div", "time__spans").each(marks, tick))
}

fn act(act: &ActMark) -> El {
    el("i", "time__act")
        .class(if act.fault { "time__act--fault" } else { "" })
        .set("title", &act.text)
        .set("style", &["--at:", &act.at.to_string()].concat())
}

fn sync_marks(send: &Dispatch, line: &Timeline, scale: i64) -> El {
    let picture = el("svg", "time__syncs")
        .set("viewBox", &["0 0 ", &scale.to_string(), " 2"].concat())
        .set("preserveAspectRatio", "none")
        .set("aria-hidden", "true");
    line.syncs.iter().fold(picture, |picture, marks| picture.add(part(send, None, Shown::Syncs(marks.clone()))))
}

/// From the first ordinal that ever had a pod to the last that shall have one.
fn ordinals(send: &Dispatch, state: &State) -> El {
    let had = &state.timeline.ordinals;
    let first = had.iter().position(|row| !row.spans.is_empty()).unwrap_or(had.len());
    let known: BTreeSet<&str> = had.iter().map(|row| &*row.label).collect();
    let to_come = state.view.rail.places.iter().filter(|place| !known.contains(&*place.name));
    let to_come = to_come.map(|place| Rc::new(TimeRow { label: (&*place.name).into(), spans: Vec::new() }));
    let all: Vec<_> = had[first..].iter().cloned().chain(to_come).collect();
    rows(send, &folded(&all, state.timeline.now, POD_ROWS))
}

/// Opens and closes the timeline where it is only a strip.
fn opener(send: &Dispatch, sheet: Option<Sheet>) -> El {
    let is_open = sheet == Some(Sheet::Time);
    let name = if is_open { text!("Fold the timeline") } else { text!("Show the whole timeline") };
    button("button button--tool time__opener", send, Msg::Cover((!is_open).then_some(Sheet::Time)))
        .say("aria-label", &name)
        .say("title", &name)
        .truth("aria-expanded", is_open)
        .verbatim(if is_open { "▾" } else { "▴" })
}

fn rows(send: &Dispatch, rows: &[Rc<TimeRow>]) -> El {
    rows.iter()
        .fold(el("div", "time__rows"), |list, row| list.add(part(send, Some(&row.label), Shown::TimeRow(row.clone()))))
}

/// What lies over the rows: the time to come, the cursor, the slider.
fn plot(send: &Dispatch, state: &State) -> El {
    let (now, end) = (state.timeline.now, state.timeline.end);
    let unit = (end / 100).max(LEAST);
    let slider = el("input", "time__moment")
        .set("id", "moment")
        .set("type", "range")
        .say("aria-label", text!("Moment"))
        .set("min", "0")
        .set("max", &end.to_string())
        .say("aria-valuetext", &text!("{}: {}", state.view.clock, state.view.last))
        .value(&now.to_string())
        .on(On::Input, send, |event| browser::number(event).map(Msg::Seek))
        .on(On::Key, send, move |event| {
            let to = match browser::key(event).as_str() {
                "ArrowRight" | "ArrowUp" => now + unit,
                "ArrowLeft" | "ArrowDown" => now - unit,
                "PageUp" => now + 10 * unit,
                "PageDown" => now - 10 * unit,
                "Home" => 0,
                "End" => end,
                _ => return None,
            };
            event.prevent_default();
            Some(Msg::Seek(to))
        });
    el("div", "time__plot")
        .set("id", "time-plot")
        .with(el("div", "time__future"))
        .with(el("div", "time__beyond"))
        .with(el("div", "time__cursor").with(text("span", "time__clock", &state.view.clock)))
        .with(slider)
}

/// The moment that a pointer is at; none over the labels.
fn moment(event: &Event, scale: i64) -> Option<i64> {
    let point: &PointerEvent = event.unchecked_ref();
    let target: Element = event.target()?.unchecked_into();
    if target.closest(".time__label").ok()?.is_some() {
        return None;
    }
    let plot = by_id::<Element>("time-plot")?.get_bounding_client_rect();
    let part = (f64::from(point.client_x()) - plot.left()) / plot.width().max(1.0);
    Some((part * scale as f64) as i64)
}

/// Scrolls a wide timeline so that its cursor is seen.
pub(crate) fn keep_in_sight(line: &Timeline, zoom: i32) {
    let (Some(scroll), Some(plot)) = (by_id::<Element>("time-scroll"), by_id::<Element>("time-plot")) else { return };
    let (scale, _) = axis(line.end, MARKS << zoom);
    let at = (f64::from(plot.client_width()) * line.now as f64 / scale as f64) as i32;
    let (from, width) = (scroll.scroll_left(), scroll.client_width() - (scroll.scroll_width() - plot.client_width()));
    if at < from || at > from + width {
        scroll.set_scroll_left(at - width / 2);
    }
}
