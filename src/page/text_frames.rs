//! What people read of the run, rather than watch: of many pods it is redrawn ten times a second while the run plays.

use crate::text::Text;
use crate::view::{Explanation, Summary, Timeline, View};
use std::rc::Rc;

/// Real milliseconds between two redraws of texts while playing.
const BETWEEN: i64 = 100;
/// Of many pods that play, redraws of texts between two of where the controller stands.
const SYNC_FRAMES: u64 = 6;

/// The texts as they are read now, and their redraws.
pub struct TextFrames {
    /// What people read of the run.
    pub texts: ThrottledTexts,
    /// Counts redraws: while playing ten a second.
    pub number: u64,
    /// Real milliseconds since the last one.
    since: i64,
}

impl TextFrames {
    pub(super) fn of(view: &View, timeline: &Timeline) -> Self {
        Self { texts: ThrottledTexts::of(view, timeline, 0), number: 0, since: 0 }
    }

    /// So many real milliseconds passed while playing.
    pub(super) fn passed(&mut self, milliseconds: i64) {
        self.since += milliseconds;
    }

    /// The next redraw is due: something happened that is drawn.
    pub(super) fn are_due(&mut self) {
        self.since += BETWEEN;
    }

    /// Counts the next redraw, where it is due.
    pub(super) fn is_next(&mut self, plays: bool) -> bool {
        let is_due = !plays || self.since >= BETWEEN;
        if is_due {
            (self.number, self.since) = (self.number + 1, 0);
        }
        is_due
    }

    /// The texts are those of this moment. Beside many pods the sync is read anew less often, and takes turns with what else is
    /// drawn of them.
    pub(super) fn draw(&mut self, view: &View, timeline: &Timeline, plays_many: bool) {
        let stands_anew = !plays_many || self.number % SYNC_FRAMES == SYNC_FRAMES / 2;
        self.texts = match stands_anew {
            true => ThrottledTexts::of(view, timeline, self.number),
            false => self.texts.but_standing(view, timeline),
        };
    }
}

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
    /// `TextFrames::number` when these two were drawn, and with them the sync that they come of: what tells one thing in several
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
    fn of(view: &View, timeline: &Timeline, number: u64) -> Self {
        let ringed = view.workload.places().iter().rfind(|place| place.ringed);
        Self {
            summary: view.summary.clone(),
            line: view.workload.axis().map_or_else(Text::default, |rail| rail.line.clone()),
            explanation: Rc::clone(&view.explanation),
            ring: ringed.map(|place| place.ordinal),
            stood: number,
            last: view.last.clone(),
            progress: view.progress.clone(),
            clock: view.clock.clone(),
            now: timeline.now,
            end: timeline.end,
        }
    }

    /// Those of this moment, but for where the controller stands.
    fn but_standing(&self, view: &View, timeline: &Timeline) -> Self {
        let Self { explanation, ring, stood, .. } = self;
        Self { explanation: Rc::clone(explanation), ring: *ring, stood: *stood, ..Self::of(view, timeline, *stood) }
    }
}
