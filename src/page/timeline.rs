//! The timeline: the whole run at a glance, and how much of it people have seen.

use super::ZOOM;
use crate::session::Session;
use crate::view::{Timeline, View};
use std::collections::BTreeMap;

/// The state of the timeline.
pub struct TimelineState {
    /// The whole run.
    pub line: Timeline,
    /// It is two to this power times as wide as its place.
    pub zoom: i32,
    /// Up to which moment people have seen each branch, by its number, in milliseconds since the start.
    seen: BTreeMap<usize, i64>,
}

impl TimelineState {
    /// Of a run that was left and is there again: how far it had been looked at is not kept with it.
    pub(super) fn of(restored: Option<&Session>) -> Self {
        let mut seen = BTreeMap::new();
        if let Some(session) = restored {
            let (own, others) = session.branches();
            seen.insert(own.number, i64::MAX);
            seen.extend(others.iter().map(|branch| (branch.number, i64::MAX)));
        }
        Self { line: Timeline::default(), zoom: 0, seen }
    }

    /// Up to which moment it is drawn: what comes later of a run that was opened is its answer. In milliseconds since the start.
    pub fn seen(&self, session: &Session) -> i64 {
        let number = session.branches().0.number;
        self.seen.get(&number).map_or(self.line.end, |seen| self.line.end.min(*seen))
    }

    /// Whether there are so many pods that not each of them has its row.
    pub fn has_many(&self) -> bool {
        self.line.folds[0].are_many()
    }

    /// Takes in what the run has gained.
    pub(super) fn follow(&mut self, session: &Session, view: &View) {
        let Some(controls) = view.controls.as_ref() else { return };
        let is_new = !self.line.is_of(session, &controls.set);
        self.line.follow(session, &controls.set);
        let seen = self.seen.entry(session.branches().0.number).or_default();
        *seen = (*seen).max(self.line.now);
        // Of many pods rows are folded with the texts.
        if is_new || !self.has_many() {
            self.fold(view);
        }
    }

    /// Folds its rows as the pods stand now.
    pub(super) fn fold(&mut self, view: &View) {
        self.line.fold(view.workload.places().iter().map(|place| (place.ordinal, &*place.name)));
    }

    /// Twice as wide for 1, half as wide for -1.
    pub(super) fn zoom(&mut self, by: i32) {
        self.zoom = (self.zoom + by).clamp(0, ZOOM);
    }
}
