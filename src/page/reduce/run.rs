//! How the run on the stage moves: by hand, as time passes, to a goal. After each move it is drawn.

use crate::objects::{ObjectRef, Time};
use crate::page::run::Goal;
use crate::page::state::State;
use crate::session::Session;
use crate::view::Severity;

impl State {
    /// A move by hand ends the playing.
    pub(super) fn move_by(&mut self, act: &mut dyn FnMut(&mut Session)) {
        self.playback.stop();
        act(&mut self.stage.session);
        self.redraw();
    }

    /// Plays or pauses.
    pub(super) fn toggle(&mut self) {
        let can_play = !self.stage.view.settled && !self.is_held();
        if self.playback.toggle(can_play).is_some_and(|goal| goal.is_step()) {
            self.redraw();
        }
    }

    /// A frame, so many real milliseconds after the last one.
    pub(super) fn play(&mut self, passed: i64) {
        let session = &mut self.stage.session;
        let before = (session.position(), session.cluster().now());
        if !self.playback.is_fast() {
            self.playback.pass(passed, session);
            return self.draw_moved(before);
        }
        match self.playback.run_on(session) {
            true => self.end_run(),
            false => self.draw_moved(before),
        }
        self.playback.slice_ended();
    }

    /// Runs to a goal. What is near is reached at once.
    pub(super) fn run_to(&mut self, goal: Goal) {
        self.panels.pod = None;
        if self.playback.run_to(goal, &mut self.stage.session) {
            self.end_run();
        }
        self.playback.slice_ended();
    }

    /// Steps to a goal. What is far is reached while the page goes on.
    pub(super) fn step_to(&mut self, goal: Goal) {
        if self.playback.step_to(goal, &mut self.stage.session) {
            self.end_run();
        }
        self.playback.slice_ended();
    }

    fn draw_moved(&mut self, before: ((u64, u64), Time)) {
        let session = &self.stage.session;
        self.needs_draw = (session.position(), session.cluster().now()) != before;
        if self.needs_draw {
            self.redraw();
        }
    }

    /// The run to a goal is over, or nothing is left to happen.
    fn end_run(&mut self) {
        self.playback.playing = false;
        let goal = self.playback.goal.take();
        self.redraw();
        if let Some(goal) = goal.filter(|goal| !goal.is_step() && !self.stage.view.settled && !self.is_held()) {
            self.note = goal.given_up(&self.stage.session);
        }
    }

    /// Draws the run as it is now.
    pub(super) fn redraw(&mut self) {
        self.stage.draw(|session, view| self.opened.bound(session, view));
        self.timeline.follow(&self.stage.session, &self.stage.view);
        if self.stage.view.settled {
            self.playback.rest();
        }
        if !self.playback.playing {
            self.seek_ways_out();
            self.stage.compare_again();
        }
    }

    /// Tries what would help a workload that is stuck on the stage, once for each moment at which it stands still.
    pub(super) fn seek_ways_out(&mut self) {
        let explanation = &self.stage.view.explanation;
        let is_open = matches!(explanation.severity, Severity::Stuck | Severity::NotKnown);
        let is_stuck = is_open && !self.locked && self.lanes.is_none();
        let workload = self.stage.set().filter(|_| is_stuck).cloned();
        if self.ways.seek(&self.stage.session, workload, explanation, &self.opened) {
            self.go_on_later();
        }
    }

    /// Another run is on the stage.
    pub(super) fn show_other_run(&mut self) {
        self.lanes = None;
        self.sharing.preview = None;
        self.refused = None;
        self.panels.pod = None;
        self.move_by(&mut |_| {});
        self.editor.show(&self.stage.manifest());
    }

    /// A run on the stage, with this workload; the run that was there stays as a branch.
    pub(super) fn show_run(&mut self, session: Session, workload: Option<ObjectRef>) {
        self.sharing.dialog = None;
        self.stage.chosen = workload;
        self.stage.session.open(session);
        self.show_other_run();
    }
}
