//! The run in the browser's own storage: a reload shows again what was there. It outlives the tab and is not asked about, so a
//! real cluster's run is kept there as it may be passed on, and only until it is closed.

use super::effect::Effect;
use crate::session::Session;
use crate::session::scenario::{About, EVENTS, read, write_redacted};
use crate::text::Text;

/// The storage key; its number is the version of the saved format.
pub const KEY: &str = "setscope.run.1";
/// Where a run that cannot be read is kept. A saved run is moved here while it loads, too, so that one that crashes the page is
/// not loaded twice.
pub const QUARANTINE_KEY: &str = "setscope.run.aside";
/// Between the runs of two branches.
const BETWEEN: &str = "\n---\n";

/// The run that was saved, if it can be read; and a notice if a part of it cannot. `text` lies aside and goes back to its
/// place only if all of it can be read.
pub(super) fn restore(text: String, effects: &mut Vec<Effect>) -> (Option<(Session, About)>, Text) {
    let mut runs = Vec::new();
    let mut wrong = None;
    for part in text.split(BETWEEN) {
        match read(part) {
            Ok(run) => runs.push(run),
            Err(refusal) => wrong = refusal.problems.into_iter().next().or(wrong),
        }
    }
    let note = wrong.map_or_else(Text::default, |problem| {
        text!(
            "A run that was saved here cannot be read: {}. It is kept in this browser's storage as {}.",
            problem.text(),
            QUARANTINE_KEY
        )
    });
    if note.is_empty() {
        effects.extend([Effect::Forget(QUARANTINE_KEY), Effect::Store { key: KEY, text }]);
    }
    let mut runs = runs.into_iter();
    let mut present = runs.next();
    if let Some((present, _)) = &mut present {
        runs.for_each(|(run, _)| present.keep(run));
    }
    (present, note)
}

/// What was saved last, and whether the next time is set.
pub(super) struct Saving {
    /// Branch, moves and moment of what was saved last.
    last: (usize, u64, i64),
    due: bool,
}

fn mark(session: &Session) -> (usize, u64, i64) {
    (session.branches().0.number, session.position().0, session.cluster().now().0)
}

impl Saving {
    /// Nothing is saved before the run changes.
    pub(super) fn new(session: &Session) -> Self {
        Self { last: mark(session), due: false }
    }

    /// Sees to it that a change is saved within a second.
    pub(super) fn follow(&mut self, session: &Session) -> Option<Effect> {
        if self.due || self.last == mark(session) {
            return None;
        }
        self.due = true;
        Some(Effect::SaveLater)
    }

    /// Saves, if there is anything to save.
    pub(super) fn save(&mut self, session: &Session, about: &About) -> Option<Effect> {
        if !std::mem::take(&mut self.due) {
            return None;
        }
        self.last = mark(session);
        if session.position().1 > EVENTS {
            return None;
        }
        let mut runs = vec![write_redacted(session, about)];
        // What was opened goes with its closing.
        let stays = |other: &Session| !other.is_of_text() || session.is_of_text();
        runs.extend(session.left_behind().filter(stays).map(|other| write_redacted(&other, &About::default())));
        Some(Effect::Store { key: KEY, text: runs.join(BETWEEN) })
    }
}
