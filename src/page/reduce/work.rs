//! Work that takes longer than a frame, and what comes of it.

use crate::page::long_work::{LongWork, RunPositions, Work};
use crate::page::run::{STEP, in_time};
use crate::page::state::State;
use crate::text::Text;

impl State {
    /// Does work, at once if it is short. What comes of it is put on the page, unless a run was moved meanwhile: the work began
    /// from where it stood.
    pub(super) fn work_on(&mut self, words: Text, work: Work) {
        (self.playback.playing, self.playback.goal) = (false, None);
        self.long_work = Some(LongWork::new(words, work, self.run_positions()));
        self.go_on_with_work(STEP);
        self.playback.slice_ended();
    }

    /// A frame of the work.
    pub(super) fn tick_of_work(&mut self) {
        let slice = self.playback.next_slice();
        self.needs_draw = self.go_on_with_work(slice);
        self.playback.slice_ended();
    }

    /// For so many real milliseconds. Once it is done, what came of it is put on the page, and true given.
    fn go_on_with_work(&mut self, milliseconds: f64) -> bool {
        let in_time = in_time(milliseconds, &self.playback.clock);
        let Some(done) = self.long_work.take_if(|long| long.go_on(in_time)) else { return false };
        match done.work {
            Work::Seek(lanes, at) => self.sought(lanes, at),
            Work::Compare(lanes, _) => self.begin_comparison(lanes),
            Work::Again(again, plays) => self.started_again(again.end(), plays),
            Work::Under(rerun) => self.ran_under(*rerun),
        }
        true
    }

    /// Work ends without a result once what it began from has changed.
    pub(super) fn end_outdated_work(&mut self) {
        if self.long_work.as_ref().is_some_and(|long| long.is_outdated(&self.run_positions())) {
            self.long_work = None;
        }
    }

    fn run_positions(&self) -> RunPositions {
        RunPositions::of(&self.stage.session, self.lanes.as_ref())
    }
}
