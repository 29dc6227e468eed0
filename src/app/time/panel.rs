//! The panel at the bottom. Dragging on it seeks; the slider on it is for the keyboard and for screen readers.

use super::branches::{branches, branches_button};
use super::row::lane;
use crate::app::appearance;
use crate::app::browser::{self, by_id, focus};
use crate::app::dispatch::Dispatch;
use crate::app::el::{El, On, button, el, group, text};
use crate::app::icon::{Sign, sign};
use crate::app::part::{Shown, part};
use crate::page::{Msg, State};
use crate::text::Text;
use crate::view::{ActMark, PodAppearance, TimeRow, Timeline, axis};
use std::rc::Rc;
use wasm_bindgen::JsCast;
use web_sys::{Element, Event, PointerEvent};

/// Marks on the axis, at most, while the whole run is in view.
const MARKS: i64 = 8;
/// The arrows on the slider move by a hundredth of the run, but not by less than this many milliseconds.
const LEAST: i64 = 100;

fn legend_rows() -> [(PodAppearance, Text); 6] {
    [
        (PodAppearance::Ready, Text::verbatim("Ready")),
        (PodAppearance::Starting, text!("Running, not Ready")),
        (PodAppearance::Pending, Text::verbatim("Pending")),
        (PodAppearance::Terminating, Text::verbatim("Terminating")),
        (PodAppearance::Failed, Text::verbatim("Failed")),
        (PodAppearance::Unreachable, text!("Unreachable")),
    ]
}

/// The panel.
pub(crate) fn timeline(send: &Dispatch, state: &State) -> El {
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
        .with(axis_row(&marks))
        .with(lane(text!("commands")).with(el("div", "time__spans").each(line.acts.iter(), act)))
        .with(lane(text!("syncs")).with(el("div", "time__spans").with(sync_marks(send, line, scale))))
        .with(ordinals(send, state))
        .with(rows(send, &line.nodes).class("time__rows--nodes"))
        .with(plot(send, state));
    el("section", "time")
        .say("aria-label", text!("Timeline"))
        .with(head(send, state))
        .with(el("div", "time__scroll").set("id", "time-scroll").with(canvas))
}

fn head(send: &Dispatch, state: &State) -> El {
    let legend = |(look, word): (PodAppearance, Text)| {
        let sample = el("i", "time__span rev-0").class(appearance::look(look)).set("aria-hidden", "true");
        el("li", "").with(sample).text(word)
    };
    let mark = |class: &str, word: Text| el("li", "").with(el("i", class).set("aria-hidden", "true")).text(word);
    let tool = |name: Text, msg: Msg, off: bool| {
        button("button button--tool", send, msg).say("aria-label", &name).say("title", &name).flag("disabled", off)
    };
    let (given, all) = (state.session.commands_given(), state.session.scenario().commands.len());
    let tools = el("div", "time__tools")
        .maybe(branches_button(state))
        .with(tool(text!("Undo the last command"), Msg::Undo, given <= 1).with(sign(Sign::Undo)))
        .with(tool(text!("Redo the next command"), Msg::Redo, given >= all).with(sign(Sign::Redo)))
        .with(
            tool(
                text!("Start over"),
                Msg::StartOver,
                state.locked || state.session.position().1 <= state.session.first_position(),
            )
            .with(sign(Sign::StartOver)),
        )
        .with(tool(text!("Zoom out"), Msg::Zoom(-1), state.zoom == 0).verbatim("−"))
        .with(tool(text!("Zoom in"), Msg::Zoom(1), state.zoom == crate::page::ZOOM).verbatim("+"));
    el("div", "time__head")
        .with(text("h2", "unseen", text!("Timeline")))
        .with(
            el("ul", "time__legend")
                .with(group().each(legend_rows(), legend))
                .with(mark("time__dot", text!("sync that wrote")))
                .with(mark("time__dot time__dot--hollow", text!("sync that wrote nothing")))
                .with(mark("time__act", text!("command")))
                .with(mark("time__act time__act--fault", text!("fault"))),
        )
        .with(tools)
        .with(branches(send, state))
}

fn axis_row(marks: &[(i64, Text)]) -> El {
    let tick = |(at, words): &(i64, Text)| {
        text("span", "time__tick", words).set("style", &["--at:", &at.to_string()].concat())
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
    let places = &state.view.rail.places;
    let to_come = places.iter().filter(|place| !had.iter().any(|row| *row.label == *place.name));
    to_come.fold(rows(send, &had[first..]), |list, place| list.with(lane(Text::verbatim(&place.name)).key(&place.name)))
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
