//! The one clock of all lanes: a track for each, and marks where they differ. Dragging on them seeks; the slider is for the
//! keyboard and for screen readers.

use crate::app::bands::corners;
use crate::app::browser::{is_held, is_primary};
use crate::app::dispatch::Dispatch;
use crate::app::language::say;
use crate::app::moment::{MARKS, Moment, pointed, tick};
use crate::page::Msg;
use crate::session::lanes::Counts;
use crate::text::Text;
use crate::view::{LaneView, LanesView, MarkKind, MarkView, axis};
use std::rc::Rc;
use yew::{Callback, Html, NodeRef, PointerEvent, Properties, classes, component, html};

/// Differences that are nearer to the one before than this part of the scale cannot be told apart, and are not drawn.
const APART: i64 = 500;

#[derive(Properties, PartialEq)]
pub(super) struct Props {
    pub(super) send: Dispatch,
    pub(super) view: Rc<LanesView>,
    /// How many milliseconds all of it is wide, and the marks on the axis.
    pub(super) scale: i64,
    pub(super) ticks: Vec<(i64, Text)>,
    /// The element by which a pointer is placed, as wide as each lane's track.
    pub(super) plot: NodeRef,
    pub(super) onpointer: [Callback<PointerEvent>; 2],
}

/// The axis at the head of the tracks, with what was done and where the lanes differ.
#[component]
pub(super) fn Axis(props: &Props) -> Html {
    let Props { send, view, scale, ticks, plot, onpointer: [onpointerdown, onpointermove] } = props;
    let (now, end) = view.moments;
    html! {
        <div ref={plot.clone()} class="lanes__plot" {onpointerdown} {onpointermove}>
            <div class="lanes__axis" aria-hidden="true">
                { for ticks.iter().map(|mark| tick(["lanes__tick", "lanes__tick--last"], *scale, mark)) }
            </div>
            <div class="lanes__differs">{ for drawable(&view.marks, scale / APART).map(mark) }</div>
            <div class="lanes__cursor lanes__cursor--head"></div>
            <Moment send={send.clone()} id="lanes-moment" class="lanes__moment" {now} {end} words={view.clock.clone()} />
        </div>
    }
}

/// Goes to the moment that a pointer is at: where it is pressed, and while it is moved.
pub(super) fn seeking(send: &Dispatch, plot: &NodeRef, scale: i64) -> [Callback<PointerEvent>; 2] {
    let seek = |is_meant: fn(&PointerEvent) -> bool| {
        let (send, plot) = (send.clone(), plot.clone());
        Callback::from(move |event: PointerEvent| {
            let at = pointed(&event, &plot, scale).filter(|_| is_meant(&event));
            at.into_iter().for_each(|at| send.emit(Msg::Seek(at)));
        })
    };
    [seek(is_primary), seek(is_held)]
}

/// The scale of all tracks, and the marks on their axis.
pub(super) fn scale_of(view: &LanesView, plays: bool) -> (i64, Vec<(i64, Text)>) {
    axis(view.moments.1, MARKS, plays)
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

/// What the tracks and the marks show.
pub(super) fn legend() -> Html {
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
pub(super) fn course(lane: &LaneView, (scale, end): (i64, i64)) -> Html {
    let all = lane.course.iter().map(|(_, counts)| counts.pods).max().unwrap_or(1).max(1);
    let band = |class: &'static str, from: fn(&Counts) -> i32, to: fn(&Counts) -> i32| {
        let height = |pods: fn(&Counts) -> i32| move |counts: &Counts| pods(counts) * 100 / all;
        let corners = corners(&lane.course, (scale, end), (&height(from), &height(to)));
        html! { <i class={classes!("lanes__band", class)} style={format!("clip-path:polygon({corners})")} /> }
    };
    html! {
        <div class="lanes__course" aria-hidden="true">
            if !lane.course.is_empty() {
                { band("is-ready", |_| 0, |counts| counts.available) }
                { band("is-pending", |counts| counts.available, staying) }
                { band("is-terminating", staying, |counts| counts.pods) }
            }
            <div class="lanes__cursor"></div>
        </div>
    }
}

/// Pods that are not terminating.
fn staying(counts: &Counts) -> i32 {
    (counts.pods - counts.terminating).max(counts.available)
}
