//! Marks of syncs: a disk where one wrote something, a ring where it did not. Dots of a line without length stay round however
//! the picture is stretched.

use crate::app::same::Same;
use crate::view::SyncMark;
use std::fmt::Write;
use std::rc::Rc;
use yew::{Html, Properties, component, html};

/// Of more syncs than this, those are left out whose mark would cover another of their kind; and how many have room.
const ALL: usize = 1_000;
const ROOM: i64 = 2_048;

#[derive(Properties, PartialEq)]
pub(super) struct Props {
    pub(super) bundles: Vec<Rc<Vec<SyncMark>>>,
    /// How many milliseconds the picture is wide.
    pub(super) scale: i64,
    /// How many times as wide as its place.
    pub(super) zoom: i32,
}

/// The marks of all syncs, in bundles of which only the last one grows.
#[component]
pub(super) fn Syncs(props: &Props) -> Html {
    let many = props.bundles.iter().map(|bundle| bundle.len()).sum::<usize>() > ALL;
    // A power of two: it rests while the run grows.
    let apart =
        if many { (props.scale / (ROOM << props.zoom)).checked_ilog2().map_or(0, |power| 1 << power) } else { 0 };
    html! {
        <svg class="time__syncs" viewBox={format!("0 0 {} 2", props.scale)} preserveAspectRatio="none" aria-hidden="true">
            for (at, marks) in props.bundles.iter().enumerate() {
                <Bundle key={at} marks={Same::from(marks)} {apart} />
            }
        </svg>
    }
}

#[derive(Properties, PartialEq)]
struct BundleProps {
    marks: Same<Vec<SyncMark>>,
    /// The least milliseconds between two marks of a kind.
    apart: i64,
}

#[component]
fn Bundle(props: &BundleProps) -> Html {
    let dots = |wrote: bool| {
        let (mut line, mut last) = (String::new(), None);
        for mark in props.marks.iter().filter(|mark| mark.wrote == wrote) {
            if last.is_none_or(|last| mark.at - last >= props.apart) {
                last = Some(mark.at);
                let _ = write!(line, "M{} 1h0", mark.at);
            }
        }
        line
    };
    let path =
        |class: &'static str, line: String| html! { <path {class} d={line} vector-effect="non-scaling-stroke" /> };
    let rings = dots(false);
    html! { <g>{ path("time__sync", rings.clone()) }{ path("time__sync-hole", rings) }{ path("time__sync", dots(true)) }</g> }
}
