//! The one clock of all lanes: a row for each, marks where they differ, and the bar.

use super::controls::PANEL;
use super::table::kind;
use crate::app::browser::{self, by_id};
use crate::app::dispatch::Dispatch;
use crate::app::el::{El, On, button, el, group, text};
use crate::app::icon::{Sign, sign};
use crate::app::transport::{pace, play, sign_button};
use crate::page::ComparisonPage;
use crate::page::{Msg, Sheet, State};
use crate::session::lanes::Counts;
use crate::text::Text;
use crate::view::{LaneView, LanesView, MarkKind, MarkView, axis};
use wasm_bindgen::JsCast;
use web_sys::{Element, Event, PointerEvent};

/// Marks on the axis, at most.
const MARKS: i64 = 8;
const PLOT: &str = "lanes-plot";

/// The timeline.
pub(super) fn timeline(send: &Dispatch, view: &LanesView) -> El {
    let (now, end) = view.moments;
    let (scale, marks) = axis(end, MARKS);
    let all = view.lanes.iter().flat_map(|lane| &lane.course).map(|(_, counts)| counts.pods).max().unwrap_or(1);
    let style = [("--scale:", scale), ("--now:", now), ("--end:", end)];
    let style: String =
        style.iter().flat_map(|(name, value)| [(*name).to_owned(), value.to_string(), ";".into()]).collect();
    let tick = |(at, words): &(i64, Text)| text("span", "lanes__tick", words).set("style", &at_of(*at));
    let mark = |mark: &MarkView| {
        let class = match mark.kind {
            MarkKind::Act => "time__act",
            MarkKind::Fault => "time__act time__act--fault",
            MarkKind::Differ | MarkKind::Alike => "lanes__at",
        };
        el("i", class)
            .class(kind(mark.kind))
            .say("title", &text!("{}: {}", mark.clock, mark.words))
            .set("style", &at_of(mark.at))
    };
    let plot = el("div", "lanes__plot")
        .set("id", PLOT)
        .on(On::PointerDown, send, move |event| moment(event, scale))
        .on(On::PointerMove, send, move |event| {
            let pressed = event.unchecked_ref::<PointerEvent>().buttons() & 1 == 1;
            if pressed { moment(event, scale) } else { None }
        })
        .with(el("div", "lanes__axis").set("aria-hidden", "true").each(&marks, tick))
        .with(el("div", "lanes__rows").each(&view.lanes, |lane| row(lane, all.max(1))))
        .with(el("div", "lanes__differs").each(&view.marks, mark))
        .with(el("div", "lanes__cursor"))
        .with(slider(send, view));
    el("section", "lanes__time")
        .say("aria-label", text!("Timeline"))
        .set("style", &style)
        .with(legend())
        .with(
            el("div", "lanes__labels")
                .set("aria-hidden", "true")
                .each(&view.lanes, |lane| text("span", "", Text::authored(&lane.name))),
        )
        .with(plot)
}

fn legend() -> El {
    let pods = [
        ("is-ready", text!("available")),
        ("is-pending", text!("not available")),
        ("is-terminating", text!("terminating")),
    ];
    let sample = |class: &str, modifier: &str, word: Text| {
        el("li", "").with(el("i", class).class(modifier).set("aria-hidden", "true")).text(word)
    };
    el("ul", "lanes__legend")
        .with(group().each(pods, |(class, word)| sample("lanes__sample", class, word)))
        .with(sample("time__act", "", text!("command")))
        .with(sample("time__act time__act--fault", "", text!("fault")))
        .with(sample("lanes__at", "is-different", text!("they differ")))
        .with(sample("lanes__at", "is-alike", text!("alike again")))
}

fn at_of(at: i64) -> String {
    ["--at:", &at.to_string()].concat()
}

/// Its pods as stretches of time: available ones at the bottom, those that go on top.
fn row(lane: &LaneView, all: i32) -> El {
    let part = |pods: i32| (pods * 100 / all).to_string();
    let stretch = |index: usize| {
        let (from, counts): &(i64, Counts) = &lane.course[index];
        let to = lane.course.get(index + 1).map(|(to, _)| to.to_string());
        let until = ["--to:", to.as_deref().unwrap_or("var(--end)")].concat();
        let staying = part((counts.pods - counts.terminating).max(counts.available));
        let parts =
            [";--available:", &part(counts.available), "%;--staying:", &staying, "%;--pods:", &part(counts.pods), "%"];
        el("i", "lanes__stretch").set("style", &[&at_of(*from), ";", &until, &parts.concat()].concat())
    };
    el("div", "lanes__course").set("aria-hidden", "true").each(0..lane.course.len(), stretch)
}

fn slider(send: &Dispatch, view: &LanesView) -> El {
    let (now, end) = view.moments;
    let step = (end / 100).max(100);
    el("input", "lanes__moment")
        .set("id", "lanes-moment")
        .set("type", "range")
        .say("aria-label", text!("Moment"))
        .set("min", "0")
        .set("max", &end.to_string())
        .say("aria-valuetext", &view.clock)
        .value(&now.to_string())
        .on(On::Input, send, |event| browser::number(event).map(Msg::Seek))
        .on(On::Key, send, move |event| {
            let to = match browser::key(event).as_str() {
                "ArrowRight" | "ArrowUp" => now + step,
                "ArrowLeft" | "ArrowDown" => now - step,
                _ => return None,
            };
            event.prevent_default();
            Some(Msg::Seek(to.clamp(0, end)))
        })
}

fn moment(event: &Event, scale: i64) -> Option<Msg> {
    let plot = by_id::<Element>(PLOT)?.get_bounding_client_rect();
    let x = f64::from(event.unchecked_ref::<PointerEvent>().client_x());
    let part = (x - plot.left()) / plot.width().max(1.0);
    Some(Msg::Seek((part * scale as f64) as i64))
}

/// A button that toggles a sheet.
fn sheet(send: &Dispatch, shown: Option<Sheet>, sheet: Sheet, name: Text, shape: Sign) -> El {
    let open = shown == Some(sheet);
    button("button", send, Msg::Cover((!open).then_some(sheet)))
        .truth("aria-expanded", open)
        .set("aria-controls", sheet.name())
        .with(sign(shape))
        .text(name)
}

/// The bar of time.
pub(super) fn bar(send: &Dispatch, state: &State, comparison: &ComparisonPage) -> El {
    let (playing, settled) = (state.playing, comparison.view.settled);
    let at_start = comparison.view.moments.0 == 0;
    let one = |name: Text, shape: Sign, msg: Msg, off: bool| sign_button(send, (name, shape), msg, off);
    let (word, shape) = match (playing, settled) {
        (true, _) => (text!("Pause"), Sign::Pause),
        (false, true) => (text!("Settled"), Sign::Check),
        (false, false) => (text!("Play"), Sign::Play),
    };
    let play = play(send, (word, shape), settled && !playing);
    let buttons = el("div", "transport__buttons")
        .add(one(text!("Start over without the commands"), Sign::StartOver, Msg::StartOver, state.locked))
        .add(one(text!("Back to the start"), Sign::First, Msg::ToStart, at_start))
        .add(one(text!("One moment back"), Sign::Back, Msg::StepBack, at_start))
        .add(play)
        .add(one(text!("One moment forward"), Sign::Forward, Msg::Step, settled))
        .add(one(text!("Run until settled"), Sign::Last, Msg::RunUntilSettled, settled));
    el("section", "transport")
        .say("aria-label", text!("Time"))
        .with(buttons)
        .add(pace(send, comparison.speed))
        .with(text(
            "p",
            "transport__last",
            comparison.view.last.map(|last| comparison.view.marks[last].words.clone()).unwrap_or_default(),
        ))
        .with(text("span", "transport__clock", &comparison.view.clock))
        .with(el("div", "transport__sheets").with(
            sheet(send, state.sheet, Sheet::Controls, text!("Controls"), Sign::Sliders).set("aria-controls", PANEL),
        ))
}
