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
}

/// Differences that are nearer to the one before than this part of the scale cannot be told apart, and are not drawn.
const APART: i64 = 500;

/// The timeline.
#[component]
pub(super) fn Time(props: &Props) -> Html {
    let Props { send, view } = props;
    let plot = use_node_ref();
    let (now, end) = view.moments;
    let (scale, marks) = axis(end, MARKS);
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
                { for view.lanes.iter().map(|lane| html! { <span>{ say(Text::authored(&lane.name)) }</span> }) }
            </div>
            <div ref={plot.clone()} class="lanes__plot" onpointerdown={seek(is_primary)} onpointermove={seek(is_held)}>
                <div class="lanes__axis" aria-hidden="true">
                    { for marks.iter().map(|mark| tick(["lanes__tick", "lanes__tick--last"], scale, mark)) }
                </div>
                <div class="lanes__rows">{ for view.lanes.iter().map(|lane| course(lane, all.max(1))) }</div>
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

/// A lane's pods as stretches of time: available ones at the bottom, those that go on top.
fn course(lane: &LaneView, all: i32) -> Html {
    let part = |pods: i32| pods * 100 / all;
    let ends = lane.course.iter().skip(1).map(|(to, _)| to.to_string()).chain(["var(--end)".to_owned()]);
    let stretch = |((from, counts), to): (&(i64, Counts), String)| {
        let staying = (counts.pods - counts.terminating).max(counts.available);
        let style = format!(
            "{};--to:{to};--available:{}%;--staying:{}%;--pods:{}%",
            at_of(*from),
            part(counts.available),
            part(staying),
            part(counts.pods)
        );
        html! { <i class="lanes__stretch" {style} /> }
    };
    html! { <div class="lanes__course" aria-hidden="true">{ for lane.course.iter().zip(ends).map(stretch) }</div> }
}
