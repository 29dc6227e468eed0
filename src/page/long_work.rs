//! Work that takes longer than a frame and changes the page only once it is done: it goes on from frame to frame while the page
//! stays as it was.

use super::run;
use super::state::State;
use crate::session::lanes::{Again, Lanes};
use crate::session::{Rerun, Session};
use crate::text::Text;

/// Work that is under way.
pub struct LongWork {
    /// What the page says meanwhile; empty for what is over in a few frames.
    pub words: Text,
    work: Work,
    began_at: RunPositions,
}

/// What can take longer than a frame.
pub(super) enum Work {
    /// What is compared goes to a moment, in milliseconds since the start.
    Seek(Lanes, i64),
    /// What is compared runs from the start to the moment at which the comparison opens.
    Compare(Lanes, i64),
    /// What is compared starts in another way; whether it plays then.
    Again(Again, bool),
    /// The run is repeated under another release.
    Under(Box<Rerun>),
}

impl Work {
    fn go_on(&mut self, goes_on: impl FnMut() -> bool) -> bool {
        match self {
            Self::Seek(lanes, at) => lanes.seek_while(*at, goes_on),
            Self::Compare(lanes, at) => lanes.reach_while(*at, goes_on),
            Self::Again(again, _) => again.go_on(goes_on),
            Self::Under(rerun) => rerun.go_on(goes_on),
        }
    }

    /// Puts what came of it on the page.
    fn end(self, state: &mut State) {
        match self {
            Self::Seek(lanes, at) => state.sought(lanes, at),
            Self::Compare(lanes, _) => state.begin_comparison(lanes),
            Self::Again(again, plays) => state.started_again(again.end(), plays),
            Self::Under(rerun) => state.ran_under(*rerun),
        }
    }
}

/// Where the page's runs stand: by branch and moves, the single run before those that are compared.
#[derive(PartialEq, Eq)]
struct RunPositions(Vec<(usize, u64)>);

impl RunPositions {
    fn of(state: &State) -> Self {
        let lanes = state.lanes.iter().flat_map(|comparison| comparison.lanes.lanes()).map(|lane| &lane.session);
        let place = |session: &Session| (session.branches().0.number, session.position().0);
        Self([&state.session].into_iter().chain(lanes).map(place).collect())
    }
}

impl State {
    /// Does work, at once if it is short. What comes of it is put on the page, unless a run was moved meanwhile: the work began
    /// from where it stood.
    pub(super) fn work_on(&mut self, words: Text, work: Work) {
        (self.playing, self.goal) = (false, None);
        self.long_work = Some(LongWork { words, work, began_at: RunPositions::of(self) });
        self.go_on_with_work(run::STEP);
        self.pace.ended(&self.clock);
    }

    /// A frame of the work.
    pub(super) fn tick_of_work(&mut self) {
        let slice = self.pace.next(&self.clock);
        self.needs_draw = self.go_on_with_work(slice);
        self.pace.ended(&self.clock);
    }

    /// For so many real milliseconds. Once it is done, what came of it is put on the page, and true given.
    fn go_on_with_work(&mut self, milliseconds: f64) -> bool {
        let in_time = run::in_time(milliseconds, &self.clock);
        let Some(done) = self.long_work.take_if(|long| long.work.go_on(in_time)) else { return false };
        done.work.end(self);
        true
    }

    /// Work ends without a result once what it began from has changed.
    pub(super) fn end_outdated_work(&mut self) {
        if self.long_work.as_ref().is_some_and(|long| long.began_at != RunPositions::of(self)) {
            self.long_work = None;
        }
    }

    /// What the page says of work that is under way, or of a run to a goal.
    pub fn under_way(&self) -> Option<&Text> {
        let words = self.long_work.as_ref().map(|long| &long.words).or(self.goal.as_ref().map(|goal| &goal.words));
        words.filter(|words| !words.is_empty())
    }
}
