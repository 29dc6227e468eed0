//! A run in small, for the list of scenarios: a line of letters for each pod, or for each lane of a comparison.

use super::{MarkKind, PodAppearance, Timeline};
use crate::objects::ObjectRef;
use crate::session::Session;
use crate::session::lanes::{Lanes, Stretch};

/// Letters in a row.
const COLUMNS: i64 = 60;
/// Pods that a picture shows, at most.
const ROWS: usize = 6;

/// A run in small. Each letter is the state at the middle of its part of the time.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Thumbnail {
    /// A row for each pod, by ordinal, or for each lane: `R` ready, `P` pending or not ready, `T` terminating, `F` failed, `U`
    /// on a node that cannot be reached, `.` nothing. Of a lane: all, some or none of its pods are available.
    pub rows: Vec<String>,
    /// The commands: `|` for one, `!` for one that breaks something.
    pub acts: String,
}

/// The run of a set between two moments, in milliseconds since the start.
pub fn thumbnail(session: &Session, set: &ObjectRef, from: i64, to: i64) -> Thumbnail {
    let mut timeline = Timeline::default();
    timeline.follow(session, set);
    let row = |row: &std::rc::Rc<super::TimeRow>| {
        middles(from, to)
            .map(|at| {
                let span = row.spans.iter().rfind(|span| span.from <= at && span.to.is_none_or(|to| at < to));
                span.map_or('.', |span| letter(span.look))
            })
            .collect()
    };
    let rows = timeline.ordinals.iter().take(ROWS).map(row).collect();
    Thumbnail { rows, acts: acts(from, to, timeline.acts.iter().map(|act| (act.at, act.fault))) }
}

/// A comparison between two moments, in milliseconds since the start.
pub fn thumbnail_of_lanes(lanes: &Lanes, from: i64, to: i64) -> Thumbnail {
    let row = |course: Vec<Stretch>| {
        let state = |at: i64| match course.iter().rfind(|stretch| stretch.at <= at) {
            None => '.',
            Some(stretch) if stretch.available >= stretch.wanted => 'R',
            Some(stretch) if stretch.available > 0 => 'P',
            Some(_) => 'F',
        };
        middles(from, to).map(state).collect()
    };
    let rows = lanes.accounts().availability().into_iter().map(row).collect();
    let marks = super::lanes(lanes).marks;
    let given = marks.iter().filter(|mark| matches!(mark.kind, MarkKind::Act | MarkKind::Fault));
    Thumbnail { rows, acts: acts(from, to, given.map(|mark| (mark.at, mark.kind == MarkKind::Fault))) }
}

fn middles(from: i64, to: i64) -> impl Iterator<Item = i64> {
    (0..COLUMNS).map(move |column| from + (to - from) * (2 * column + 1) / (2 * COLUMNS))
}

fn acts(from: i64, to: i64, given: impl Iterator<Item = (i64, bool)>) -> String {
    let mut letters = vec!['.'; usize::try_from(COLUMNS).unwrap_or(0)];
    for (at, is_fault) in given.filter(|(at, _)| (from..to).contains(at)) {
        let column = usize::try_from((at - from) * COLUMNS / (to - from)).unwrap_or(0);
        if letters[column] != '!' {
            letters[column] = if is_fault { '!' } else { '|' };
        }
    }
    letters.into_iter().collect()
}

fn letter(look: PodAppearance) -> char {
    match look {
        PodAppearance::Ready => 'R',
        PodAppearance::Terminating => 'T',
        PodAppearance::Failed => 'F',
        PodAppearance::Unreachable => 'U',
        PodAppearance::Starting | PodAppearance::Pending => 'P',
    }
}
