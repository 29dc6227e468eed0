//! What people read of the run, where others watch it. Of many pods it changes too fast to be read from picture to picture.

use crate::text::Text;
use crate::view::{Explanation, Summary, Timeline, View};
use std::rc::Rc;

/// The words and counts at one moment of the run.
#[derive(Clone, Debug, PartialEq)]
pub struct Told {
    /// The set's line.
    pub summary: Option<Summary>,
    /// How many pods of a long axis are in which state; empty for a short one.
    pub line: Text,
    /// Where the controller stands, and why.
    pub explanation: Rc<Explanation>,
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

impl Told {
    /// What there is to tell of this moment.
    pub(super) fn of(view: &View, timeline: &Timeline) -> Self {
        Self {
            summary: view.summary.clone(),
            line: view.workload.axis().map_or_else(Text::default, |rail| rail.line.clone()),
            explanation: Rc::clone(&view.explanation),
            last: view.last.clone(),
            progress: view.progress.clone(),
            clock: view.clock.clone(),
            now: timeline.now,
            end: timeline.end,
        }
    }
}
