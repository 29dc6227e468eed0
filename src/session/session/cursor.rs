//! Moving the cursor: step by step, to a moment, back and forth over commands.

use super::{Logged, Session, Snapshot};
use crate::objects::Time;
use crate::session::start::Start;
use crate::sim::{START, TraceEvent};

/// Moves that are searched for a sync at a time.
const LOOK_BACK: u64 = 128;

impl Session {
    /// Where going back ends: at position 0, or right after the first command of a run that starts from nothing but nodes. At 0
    /// such a run has nothing to draw, and starting over keeps its manifest.
    pub(crate) fn first_position(&self) -> u64 {
        match self.branch.scenario.start {
            Start::Empty { .. } => 1,
            Start::Objects(_) => 0,
        }
    }

    /// Goes back by one event or command. False at the first position.
    pub fn step_back(&mut self) -> bool {
        if self.moves <= self.first_position() {
            return false;
        }
        self.go_to(self.moves - 1);
        true
    }

    /// Goes back to the end of the previous sync, or to the first position if there is none. False there.
    pub fn step_sync_back(&mut self) -> bool {
        let (start, first) = (self.moves, self.first_position());
        let mut before = start;
        while before > first {
            self.go_to(before.saturating_sub(LOOK_BACK).max(first));
            let from = self.moves;
            let mut synced = None;
            while self.moves < before {
                if self.has_just_synced() {
                    synced = Some(self.moves);
                }
                if !self.step() {
                    break;
                }
            }
            if let Some(moves) = synced.filter(|moves| *moves > first) {
                self.go_to(moves);
                return true;
            }
            before = from;
        }
        self.go_to(first);
        start > first
    }

    /// Whether the last event was a sync of the controller.
    pub fn has_just_synced(&self) -> bool {
        matches!(self.cluster.trace().events.last(), Some((_, TraceEvent::Synced(_))))
    }

    /// Goes to the moment right after this many moves, by the nearest snapshot before it.
    pub fn go_to(&mut self, moves: u64) {
        self.jump(moves < self.moves, |snapshot| snapshot.moves <= moves);
        while self.moves < moves && self.step() {}
    }

    /// Goes to a virtual moment, in milliseconds since the start, further than the run is known if need be.
    pub fn reach(&mut self, milliseconds: i64) {
        self.reach_while(milliseconds, || true);
    }

    /// The same, for as long as `goes_on` says after an event. Whether it is there; else a later call goes on from here.
    pub(crate) fn reach_while(&mut self, milliseconds: i64, mut goes_on: impl FnMut() -> bool) -> bool {
        self.seek_while(milliseconds, &mut goes_on) && self.pass_until(milliseconds, goes_on)
    }

    /// Goes to a virtual moment of the known run, in milliseconds since the start.
    pub fn seek(&mut self, milliseconds: i64) {
        self.seek_while(milliseconds, || true);
    }

    /// The same, for as long as `goes_on` says after an event. Whether it is there; else a later call goes on from here.
    pub(crate) fn seek_while(&mut self, milliseconds: i64, mut goes_on: impl FnMut() -> bool) -> bool {
        let at = Time(START.0.saturating_add(milliseconds.max(0))).min(self.latest().now());
        self.jump(at < self.cluster.now(), |snapshot| snapshot.cluster.now() <= at);
        while self.moves < self.branch.known && self.next_move_at().is_some_and(|next| next <= at) {
            self.step();
            if !goes_on() {
                return false;
            }
        }
        self.cluster.wait_until(at);
        true
    }

    /// Takes the last snapshot that is not too late, if that is nearer than where the cursor is.
    fn jump(&mut self, back: bool, fits: impl Fn(&Snapshot) -> bool) {
        let Some(snapshot) = self.branch.snapshots.iter().rev().find(|snapshot| fits(snapshot)).cloned() else {
            return;
        };
        if !back && snapshot.moves <= self.moves {
            return;
        }
        self.leave();
        self.restore(&snapshot);
    }

    /// Puts the cursor where the snapshot was made.
    pub(super) fn restore(&mut self, snapshot: &Snapshot) {
        self.cluster = snapshot.cluster.clone();
        self.applied = snapshot.applied;
        self.moves = snapshot.moves;
        self.work = 0;
    }

    /// Goes to right before the last command, unless that is before the first position. False if there is none.
    pub fn undo(&mut self) -> bool {
        let Some(last) = self.applied.checked_sub(1).filter(|last| *last > 0 || self.first_position() == 0) else {
            return false;
        };
        let Logged { after, at, .. } = self.branch.scenario.commands[last];
        self.go_to(after);
        self.cluster.wait_until(Time(START.0 + at));
        true
    }

    /// Goes to right after the next command that is known. False if there is none.
    pub fn redo(&mut self) -> bool {
        let next = self.branch.scenario.commands.get(self.applied).map(|next| next.after + 1);
        next.is_some_and(|after| {
            self.go_to(after);
            true
        })
    }

    /// Lets virtual milliseconds pass, taking everything that falls due.
    pub fn advance(&mut self, milliseconds: i64) {
        let now = self.cluster.now().0 - START.0;
        self.pass_until(now.saturating_add(milliseconds), || true);
    }

    /// Lets time pass to a virtual moment, in milliseconds since the start, for as long as `goes_on` says after an event. Whether
    /// it is there; else a later call goes on from here.
    pub fn pass_until(&mut self, milliseconds: i64, mut goes_on: impl FnMut() -> bool) -> bool {
        let until = Time(START.0.saturating_add(milliseconds));
        while self.next_move_at().is_some_and(|at| at <= until) {
            self.step();
            if !goes_on() {
                return false;
            }
        }
        self.cluster.wait_until(until);
        true
    }

    /// When the next event or logged command is due.
    pub(in crate::session) fn next_move_at(&self) -> Option<Time> {
        match self.branch.scenario.commands.get(self.applied) {
            Some(next) if next.after == self.moves => Some(Time(START.0 + next.at).max(self.cluster.now())),
            _ => self.cluster.next_event_at(),
        }
    }

    /// Goes back to the first position and forgets what was to come; the run as it was stays as a branch.
    pub fn reset(&mut self) {
        self.go_to(self.first_position());
        self.fork();
    }

    /// Whether more falls due at the cursor's own moment: then the moment alone does not say where the cursor is.
    pub(crate) fn is_amid_a_moment(&self) -> bool {
        self.next_move_at().is_some_and(|at| at <= self.cluster.now())
    }
}
