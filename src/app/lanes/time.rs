//! The one clock of all lanes: a row for each, and marks where they differ. Dragging on it seeks; the slider is for the keyboard
//! and for screen readers.

use crate::app::browser::{is_held, is_primary};
use crate::app::dispatch::Dispatch;
use crate::app::language::say;
use crate::app::moment::{MARKS, Moment, pointed, tick};
use crate::page::Msg;
use crate::session::lanes::Counts;
use crate::text::Text;
use crate::view::{LaneView, LanesView, MarkKind, MarkView, axis};
use std::rc::Rc;
use yew::{Callback, Html, PointerEvent, Properties, classes, component, html, use_node_ref};

#[derive(Properties, PartialEq)]
pub(super) struct Props {
    pub(super) send: Dispatch,
    pub(super) view: Rc<LanesView>,
    pub(super) plays: bool,
}

/// Differences that are nearer to the one before than this part of the scale cannot be told apart, and are not drawn.
const APART: i64 = 500;

/// The timeline.
#[component]
pub(super) fn Time(props: &Props) -> Html {
    let Props { send, view, plays } = props;
    let plot = use_node_ref();
    let (now, end) = view.moments;
    let (scale, marks) = axis(end, MARKS, *plays);
    let all = view.lanes.iter().flat_map(|lane| &lane.course).map(|(_, counts)| counts.pods).max().unwrap_or(1);
    let seek = |is_meant: fn(&PointerEvent) -> bool| {
        let (send, plot) = (send.clone(), plot.clone());
        Callback::from(move |event: PointerEvent| {
            let at = pointed(&event, &plot, scale).filter(|_| is_meant(&event));
            at.into_iter().for_each(|at| send.emit(Msg::Seek(at)));
        })
    };
    html! {
        <section class="lanes__time" aria-label={say(text!("Timeline"))} style={format!("--scale:{scale};--now:{now};--end:{end}")}>
            { legend() }
            <div class="lanes__labels" aria-hidden="true">
                { for view.lanes.iter().map(|lane| say(Text::authored(&lane.name))).map(|name| html! { <span title={&name}>{ &name }</span> }) }
            </div>
            <div ref={plot.clone()} class="lanes__plot" onpointerdown={seek(is_primary)} onpointermove={seek(is_held)}>
                <div class="lanes__axis" aria-hidden="true">
                    { for marks.iter().map(|mark| tick(["lanes__tick", "lanes__tick--last"], scale, mark)) }
                </div>
                <div class="lanes__rows">{ for view.lanes.iter().map(|lane| course(lane, (scale, end), all.max(1))) }</div>
                <div class="lanes__differs">{ for drawable(&view.marks, scale / APART).map(mark) }</div>
                <div class="lanes__cursor"></div>
                <Moment send={send.clone()} id="lanes-moment" class="lanes__moment" {now} {end} words={view.clock.clone()} />
            </div>
        </section>
    }
}

/// The class of what is marked.
pub(super) fn kind(kind: MarkKind) -> &'static str {
    match kind {
        MarkKind::Act => "is-act",
        MarkKind::Fault => "is-fault",
        MarkKind::Differ => "is-different",
        MarkKind::Alike => "is-alike",
    }
}

fn drawable(marks: &[MarkView], apart: i64) -> impl Iterator<Item = &MarkView> {
    let mut last = i64::MIN;
    marks.iter().filter(move |mark| {
        let is_act = matches!(mark.kind, MarkKind::Act | MarkKind::Fault);
        let is_apart = mark.at.saturating_sub(last) >= apart;
        if !is_act && is_apart {
            last = mark.at;
        }
        is_act || is_apart
    })
}

fn mark(mark: &MarkView) -> Html {
    let class = match mark.kind {
        MarkKind::Act => "time__act",
        MarkKind::Fault => "time__act time__act--fault",
        MarkKind::Differ | MarkKind::Alike => "lanes__at",
    };
    let title = say(text!("{}: {}", mark.clock, mark.words));
    html! { <i class={classes!(class, kind(mark.kind))} {title} style={at_of(mark.at)} /> }
}

fn legend() -> Html {
    let samples = [
        ("lanes__sample is-ready", text!("available")),
        ("lanes__sample is-pending", text!("not available")),
        ("lanes__sample is-terminating", text!("terminating")),
        ("time__act", text!("command")),
        ("time__act time__act--fault", text!("fault")),
        ("lanes__at is-different", text!("they differ")),
        ("lanes__at is-alike", text!("alike again")),
    ];
    let sample = |(class, word): (&'static str, Text)| html! { <li><i {class} aria-hidden="true" />{ say(word) }</li> };
    html! { <ul class="lanes__legend">{ for samples.into_iter().map(sample) }</ul> }
}

fn at_of(at: i64) -> String {
    format!("--at:{at}")
}

/// A lane's pods as bands over time, from below: available ones, those that are not, and those that go. One element each: of
/// thousands of pods a course has hundreds of stretches.
fn course(lane: &LaneView, (scale, end): (i64, i64), all: i32) -> Html {
    let band = |class: &'static str, from: fn(&Counts) -> i32, to: fn(&Counts) -> i32| {
        let height = |pods: fn(&Counts) -> i32| move |counts: &Counts| pods(counts) * 100 / all;
        let corners = outline(&lane.course, (scale, end), (&height(from), &height(to)));
        html! { <i class={classes!("lanes__band", class)} style={format!("clip-path:polygon({corners})")} /> }
    };
    html! {
        <div class="lanes__course" aria-hidden="true">
            if !lane.course.is_empty() {
                { band("is-ready", |_| 0, |counts| counts.available) }
                { band("is-pending", |counts| counts.available, staying) }
                { band("is-terminating", staying, |counts| counts.pods) }
            }
        </div>
    }
}

/// Pods that are not terminating.
fn staying(counts: &Counts) -> i32 {
    (counts.pods - counts.terminating).max(counts.available)
}

/// A height in percent.
type Height<'a> = &'a dyn Fn(&Counts) -> i32;

/// The corners of a band: along the upper heights of the stretches, and back along the lower ones.
fn outline(course: &[(i64, Counts)], (scale, end): (i64, i64), (lower, upper): (Height<'_>, Height<'_>)) -> String {
    let across = |at: i64| {
        let part = at * 10_000 / scale;
        format!("{}.{:02}%", part / 100, part % 100)
    };
    let ends = course.iter().skip(1).map(|(to, _)| *to).chain([end]);
    let stretches: Vec<(String, String, &Counts)> =
        course.iter().zip(ends).map(|((from, counts), to)| (across(*from), across(to), counts)).collect();
    let step = |from: &str, to: &str, height: i32| format!("{from} {0}%,{to} {0}%", 100 - height);
    let there = stretches.iter().map(|(from, to, counts)| step(from, to, upper(counts)));
    let back = stretches.iter().rev().map(|(from, to, counts)| step(to, from, lower(counts)));
    there.chain(back).collect::<Vec<_>>().join(",")
}
