//! Work that takes longer than a frame and changes the page only once it is done: it goes on from frame to frame while the page
//! stays as it was.

use super::comparison::ComparisonPage;
use crate::session::lanes::{Again, Lanes};
use crate::session::{Rerun, Session};
use crate::text::Text;

/// Work that is under way.
pub struct LongWork {
    /// What the page says meanwhile; empty for what is over in a few frames.
    pub words: Text,
    pub(super) work: Work,
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

/// Where the page's runs stand: by branch and moves, the single run before those that are compared.
#[derive(PartialEq, Eq)]
pub(super) struct RunPositions(Vec<(usize, u64)>);

impl RunPositions {
    pub(super) fn of(session: &Session, comparison: Option<&ComparisonPage>) -> Self {
        let lanes = comparison.into_iter().flat_map(|comparison| comparison.lanes.lanes()).map(|lane| &lane.session);
        let place = |session: &Session| (session.branches().0.number, session.position().0);
        Self([session].into_iter().chain(lanes).map(place).collect())
    }
}

impl LongWork {
    pub(super) fn new(words: Text, work: Work, began_at: RunPositions) -> Self {
        Self { words, work, began_at }
    }

    /// Goes on for as long as it may. True once it is done.
    pub(super) fn go_on(&mut self, goes_on: impl FnMut() -> bool) -> bool {
        match &mut self.work {
            Work::Seek(lanes, at) => lanes.seek_while(*at, goes_on),
            Work::Compare(lanes, at) => lanes.reach_while(*at, goes_on),
            Work::Again(again, _) => again.go_on(goes_on),
            Work::Under(rerun) => rerun.go_on(goes_on),
        }
    }

    /// Whether a run was moved since it began: what would come of it no longer fits the page.
    pub(super) fn is_outdated(&self, now: &RunPositions) -> bool {
        self.began_at != *now
    }
}
