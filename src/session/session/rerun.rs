//! The same commands at the same moments under another release.

use super::{Scenario, Session};
use crate::kubectl::{Command, Refusal};
use crate::reconcile::Release;
use crate::sim::START;
use std::rc::Rc;

/// A run on its way through the commands of another one.
pub(crate) struct Rerun {
    of: Rc<Scenario>,
    /// Where the run that it repeats ends, in milliseconds since the start.
    end: i64,
    run: Session,
    /// Commands that were given or refused.
    given: usize,
    refused: Vec<(Command, Refusal)>,
}

impl Rerun {
    /// The start of a run under another release, or with other feature gates.
    pub(crate) fn new(of: &Session, release: Release, gates: Vec<(Rc<str>, bool)>) -> Self {
        let run = Session::new(Scenario { release, gates, ..of.scenario().clone() });
        let end = of.latest().now().0 - START.0;
        Self { of: Rc::clone(&of.branch.scenario), end, run, given: 0, refused: Vec::new() }
    }

    /// Goes on for as long as `goes_on` says after an event. Whether it is done.
    pub(crate) fn go_on(&mut self, mut goes_on: impl FnMut() -> bool) -> bool {
        while let Some(logged) = self.of.commands.get(self.given) {
            if !self.run.pass_until(logged.at, &mut goes_on) {
                return false;
            }
            self.given += 1;
            if let Err(refusal) = self.run.command(logged.command.clone()) {
                self.refused.push((logged.command.clone(), refusal));
            }
        }
        self.run.pass_until(self.end, goes_on)
    }

    /// The run itself.
    pub(crate) fn finish(self) -> Session {
        self.run
    }

    /// Opens it at the moment of the run that it repeats, which stays as a branch. What was refused.
    pub(crate) fn open_in(self, session: &mut Session) -> Vec<(Command, Refusal)> {
        let here = session.cluster.now().0 - START.0;
        session.open(self.run);
        session.seek(here);
        self.refused
    }
}
