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
