//! What people read of the run, rather than watch: of many pods it is redrawn ten times a second while the run plays.

use crate::text::Text;
use crate::view::{Explanation, Summary, Timeline, View};
use std::rc::Rc;

/// The texts and counts of one moment of the run.
#[derive(Clone, Debug, PartialEq)]
pub struct ThrottledTexts {
    /// The set's line.
    pub summary: Option<Summary>,
    /// How many pods of a long axis are in which state; empty for a short one.
    pub line: Text,
    /// Where the controller stands, and why.
    pub explanation: Rc<Explanation>,
    /// The ordinal where it stands.
    pub ring: Option<i32>,
    /// `State::text_frame` when these two were drawn, and with them the sync that they come of: what tells one thing in several
    /// places tells it of one moment.
    pub stood: u64,
    /// What was done last.
    pub last: Text,
    /// How many events lie before the cursor and in all.
    pub progress: Text,
    /// The moment in words.
    pub clock: Text,
    /// The moment, in milliseconds since the start.
    pub now: i64,
    /// The end of what is known, in milliseconds since the start.
    pub end: i64,
}

impl ThrottledTexts {
    /// Those of this moment.
    pub(super) fn of(view: &View, timeline: &Timeline, text_frame: u64) -> Self {
        let ringed = view.workload.places().iter().rfind(|place| place.ringed);
        Self {
            summary: view.summary.clone(),
            line: view.workload.axis().map_or_else(Text::default, |rail| rail.line.clone()),
            explanation: Rc::clone(&view.explanation),
            ring: ringed.map(|place| place.ordinal),
            stood: text_frame,
            last: view.last.clone(),
            progress: view.progress.clone(),
            clock: view.clock.clone(),
            now: timeline.now,
            end: timeline.end,
        }
    }

    /// Those of this moment, but for where the controller stands.
    pub(super) fn but_standing(&self, view: &View, timeline: &Timeline) -> Self {
        let Self { explanation, ring, stood, .. } = self;
        Self { explanation: Rc::clone(explanation), ring: *ring, stood: *stood, ..Self::of(view, timeline, *stood) }
    }
}
