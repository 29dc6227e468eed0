//! Another release of the control plane, tried in slices as lines are.

use crate::diagnosis::{Said, Skew, released, run_as, said_of_releases};
use crate::releases::Release;
use crate::session::Session;
use crate::session::dump::Held;
use crate::trial::{Fate, Rehearsal, Rehearsed, Under};
use crate::verdict::Verdict;

/// What is tried under both releases, one after the other.
pub(super) struct Releases {
    releases: [Release; 2],
    /// What has not come to its end, the next one last.
    waiting: Vec<Rehearsal>,
    done: Vec<Rehearsed>,
}

impl Releases {
    /// Of the run as it is, and of the same one under the other release.
    pub(super) fn new(sessions: [Session; 2], holds: &[Held], verdicts: &[Verdict]) -> Self {
        let releases = [sessions[0].release(), sessions[1].release()];
        let trials = sessions.map(|session| Under { session, holds }.trials(verdicts));
        let mut waiting: Vec<Rehearsal> = trials.into_iter().flatten().collect();
        waiting.reverse();
        Self { releases, waiting, done: Vec::new() }
    }

    /// Goes on for so many events. False once all is over.
    pub(super) fn advance(&mut self, events: u64) -> bool {
        if let Some(mut next) = self.waiting.pop() {
            match next.advance(events) {
                true => self.waiting.push(next),
                false => self.done.push(next.finish()),
            }
        }
        !self.waiting.is_empty()
    }

    /// What comes of it, and the run under the other release where all has been restarted.
    pub(super) fn finish(self) -> (Vec<Said>, Option<Session>) {
        let mut done = self.done.into_iter();
        let mut next = || Some(Fate { itself: done.next()?, rollout: done.next()? });
        let (Some(old), Some(new)) = (next(), next()) else { return (Vec::new(), None) };
        let fates = [old, new];
        let mut said =
            said_of_releases(&released(&fates), self.releases, &Skew::of(self.releases, fates[0].itself.run.cluster()));
        let assumed = self.releases.into_iter().filter_map(run_as);
        said.extend(assumed.map(|one| Said::at(0, text!("Assumed: {}", one))));
        let [_, new] = fates;
        (said, Some(new.rollout.run))
    }
}
