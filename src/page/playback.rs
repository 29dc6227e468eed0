//! Whether time passes on the stage, how fast, and what it runs on to.

use super::FASTEST;
use super::run::{Clock, Goal, PLAYED, Pace, STEP, in_time, slice};
use crate::session::Session;
use crate::sim::START;

/// Twice real time.
const SPEED: i64 = 20;

/// The passing of time.
pub struct Playback {
    /// Whether time passes.
    pub playing: bool,
    /// It was playing when nothing was left to happen: the next command goes on.
    resumes: bool,
    /// What it runs on to, as fast as possible, while playing.
    pub goal: Option<Goal>,
    /// Tenths of virtual time per real time, or `FASTEST`.
    pub speed: i64,
    pace: Pace,
    pub(super) clock: Clock,
}

impl Playback {
    pub(super) fn new(clock: Clock) -> Self {
        Self { playing: false, resumes: false, goal: None, speed: SPEED, pace: Pace::default(), clock }
    }

    /// Whether it plays slower than its speed says.
    pub fn is_late(&self) -> bool {
        self.pace.is_late()
    }

    /// Ends the playing by hand.
    pub(super) fn stop(&mut self) {
        (self.playing, self.resumes, self.goal) = (false, false, None);
    }

    /// Nothing is left to happen.
    pub(super) fn rest(&mut self) {
        self.resumes |= std::mem::take(&mut self.playing);
    }

    /// Something was done that may make something happen.
    pub(super) fn resume(&mut self) {
        self.playing |= std::mem::take(&mut self.resumes);
    }

    /// What is done next does not resume it.
    pub(super) fn stay(&mut self) {
        self.resumes = false;
    }

    /// Plays, where there is something to play, or pauses. The goal that it had.
    pub(super) fn toggle(&mut self, can_play: bool) -> Option<Goal> {
        self.playing = !self.playing && can_play;
        self.resumes = false;
        self.pace = Pace::default();
        self.goal.take()
    }

    /// Plays on to something that is not a goal of the run, as a lesson's stop.
    pub(super) fn set_out(&mut self) {
        (self.playing, self.resumes, self.goal) = (true, false, None);
    }

    /// It plays from now on at another speed.
    pub(super) fn set_speed(&mut self, speed: i64) {
        (self.speed, self.pace) = (speed, Pace::default());
    }

    /// Runs to a goal: what is near is reached at once, and true given.
    pub(super) fn run_to(&mut self, goal: Goal, session: &mut Session) -> bool {
        self.playing = true;
        self.goal = Some(goal);
        slice(session, self.goal.as_mut(), STEP, &self.clock)
    }

    /// Steps to a goal. Where such a step is under way already, the frames go on.
    pub(super) fn step_to(&mut self, goal: Goal, session: &mut Session) -> bool {
        self.resumes = false;
        self.playing = true;
        let goes_on = self.goal.replace(goal).is_some_and(|goal| goal.is_step());
        !goes_on && slice(session, self.goal.as_mut(), STEP, &self.clock)
    }

    /// Whether it runs as fast as possible.
    pub(super) fn is_fast(&self) -> bool {
        self.goal.is_some() || self.speed == FASTEST
    }

    /// A frame as fast as possible. True when the goal is reached or nothing is left to happen.
    pub(super) fn run_on(&mut self, session: &mut Session) -> bool {
        let milliseconds = self.next_slice();
        slice(session, self.goal.as_mut(), milliseconds, &self.clock)
    }

    /// A frame at its speed, after so many real milliseconds.
    pub(super) fn pass(&mut self, passed: i64, session: &mut Session) {
        let from = session.cluster().now();
        let due = self.pace.due(passed, self.speed);
        session.pass_until(from.0 - START.0 + due, in_time(PLAYED, &self.clock));
        self.pace.played(session.cluster().now().0 - from.0, self.speed);
    }

    /// The real milliseconds of a frame's work.
    pub(super) fn next_slice(&self) -> f64 {
        self.pace.next(&self.clock)
    }

    /// A frame's work is done, and drawn.
    pub(super) fn slice_ended(&mut self) {
        self.pace.ended(&self.clock);
    }
}
