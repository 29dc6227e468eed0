//! Of more pods than there are rows for: how many were in which state, stacked, and where the controller stood among rows.

use super::row::label;
use crate::app::appearance;
use crate::app::bands::corners;
use crate::app::language::say;
use crate::view::{STACKED, Share, state_word_of};
use std::fmt::Write;
use yew::{Callback, Html, MouseEvent, classes, html};

/// The pods in each of the states of `STACKED`.
type Counts = [u32; STACKED.len()];

/// The strip. It is as high as the most pods there were at once.
pub(super) fn strip((shares, most): &(Vec<Share>, u32), (scale, end): (i64, i64)) -> Html {
    let percent = |counts: &[u32]| i32::try_from(counts.iter().sum::<u32>() * 100 / (*most).max(1)).unwrap_or(100);
    let band = |(at, look)| {
        let below = |counts: &Counts| percent(&counts[..at]);
        let with = |counts: &Counts| percent(&counts[..=at]);
        let corners = corners(shares, (scale, end), (&below, &with));
        html! { <i class={classes!("time__band", appearance::look(look))} title={say(state_word_of(look))} style={format!("clip-path:polygon({corners})")} /> }
    };
    let is_there = |(at, _): &(usize, _)| shares.iter().any(|(_, counts)| counts[*at] > 0);
    html! { <div class="time__spans time__density">{ for STACKED.into_iter().enumerate().filter(is_there).map(band) }</div> }
}

/// Before the strip, or before the rows that it opens into; of very many pods there are none.
pub(super) fn opener(most: u32, rows: usize, is_open: bool, onclick: Callback<MouseEvent>) -> Html {
    if rows == 0 {
        return label(&text!("{} pods", most));
    }
    html! {
        <button type="button" class="time__label time__unfold" aria-expanded={is_open.to_string()} {onclick}>
            { if is_open { "▼ " } else { "► " } }{ say(text!("{} pods", most)) }
        </button>
    }
}

/// The controller's way along the rows: a line at the top of the row where it stands.
pub(super) fn path(path: &[(i64, Option<usize>)], rows: usize, (scale, end): (i64, i64)) -> Html {
    let mut line = String::new();
    let ends = path.iter().skip(1).map(|(to, _)| *to).chain([end]);
    let mut before = None;
    for ((from, row), to) in path.iter().zip(ends) {
        if let Some(row) = row {
            let _ = match before {
                Some(()) => write!(line, "V{row}.15H{to}"),
                None => write!(line, "M{from} {row}.15H{to}"),
            };
        }
        before = row.map(|_| ());
    }
    html! {
        if !line.is_empty() {
            <svg class="time__path" viewBox={format!("0 0 {scale} {rows}")} preserveAspectRatio="none" aria-hidden="true">
                <path d={line} vector-effect="non-scaling-stroke" />
            </svg>
        }
    }
}
