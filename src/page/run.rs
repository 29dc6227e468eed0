//! Runs as fast as possible, in slices of real time, so that the page is drawn and can stop the run in between.

use crate::objects::ObjectRef;
use crate::reconcile::parent_and_ordinal;
use crate::session::Session;
use crate::text::Text;
use crate::view::{Severity, explanation};
use std::rc::Rc;

/// The time in milliseconds since some moment.
pub type Clock = Rc<dyn Fn() -> f64>;

/// The shortest and the longest slice of a tick, in real milliseconds: with what is drawn after it, an input is answered within
/// a tenth of a second.
const SLICES: (f64, f64) = (12.0, 20.0);
/// Real milliseconds that a tick may simulate while time passes at a speed: the rest of a frame is for drawing.
pub(super) const PLAYED: f64 = 4.0;
/// Real milliseconds that may be caught up; what is more is not played, and the page says that it plays slower.
const OWED: i64 = 100;
/// Real milliseconds for which it says so.
const SLOW_NOTICE_MS: i64 = 1_000;
/// Gaps longer than this mean the tab was suspended, not that drawing was slow.
const PAUSE: f64 = 2_000.0;
/// Real milliseconds at once, before what takes longer goes on frame by frame: what it changes is drawn right after it.
pub(super) const STEP: f64 = 25.0;
/// Events between two looks at the clock.
const BETWEEN: u32 = 8;
/// A run to a goal ends when controllers have changed no status for so many virtual milliseconds, and after so many in all:
/// a container that crashes again and again never settles.
const QUIET: i64 = 15 * 60_000;
const MAX_WAIT_MS: i64 = 24 * 3_600_000;

/// Of more pods than these a run looks only after so many virtual milliseconds where the controller stands.
const FEW: usize = 50;
const LOOKS: i64 = 10_000;

/// What a run goes on to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Goal {
    until: Until,
    /// The workload that a run until a person is needed looks at.
    of: Option<ObjectRef>,
    began: i64,
    /// When it last looked where the controller stands.
    looked: i64,
    /// When a controller last wrote a status that was another one. Pods alone may be created and deleted in a loop.
    wrote: i64,
    /// What the page says meanwhile.
    pub words: Text,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Until {
    /// Nothing is left to happen.
    Settled,
    /// The next decision about this ordinal.
    Decision(i32),
    /// So many syncs are over.
    Syncs(u32),
}

impl Goal {
    /// Until nothing is left to happen.
    pub(super) fn settled(session: &Session) -> Self {
        let now = session.cluster().now().0;
        Self {
            until: Until::Settled,
            of: None,
            began: now,
            looked: now,
            wrote: now,
            words: text!("Running until everything is settled."),
        }
    }

    /// Until nothing is left to happen, or this workload's controller stands where only a person moves it on.
    pub(super) fn needs_a_person(session: &Session, of: Option<&ObjectRef>) -> Self {
        Self { of: of.cloned(), ..Self::settled(session) }
    }

    /// Whether the controller stands where only a person moves it on, right after a sync in which it wrote nothing. What is still
    /// to be done of the run's own commands goes first.
    fn is_held(&mut self, session: &Session) -> bool {
        let (Some(of), Some(sync)) = (&self.of, session.cluster().trace().syncs.last()) else { return false };
        let now = session.cluster().now().0;
        let is_due = now - self.looked >= LOOKS || session.cluster().pods().count() <= FEW;
        let is_all_given = session.commands_given() == session.scenario().commands.len();
        if !is_due || sync.subject != *of || !is_all_given || !session.has_looked_since_commands() {
            return false;
        }
        self.looked = now;
        explanation(session, of).severity == Severity::Stuck
    }

    /// Until the controller next decides something about this pod.
    pub(super) fn decision(session: &Session, pod: &str) -> Self {
        let words = text!("Running until the next decision at {}.", pod);
        let until = parent_and_ordinal(pod).map_or(Until::Settled, |(_, ordinal)| Until::Decision(ordinal));
        Self { until, words, ..Self::settled(session) }
    }

    /// Until the next sync is over; one more if such a step is under way already.
    pub(super) fn sync(session: &Session, under_way: Option<&Self>) -> Self {
        let until = match under_way.map(|goal| goal.until) {
            Some(Until::Syncs(left)) => Until::Syncs(left + 1),
            _ => Until::Syncs(1),
        };
        Self { until, words: text!("Running to the end of the next sync."), ..Self::settled(session) }
    }

    /// Whether it is a step of a person.
    pub(super) fn is_step(&self) -> bool {
        matches!(self.until, Until::Syncs(_))
    }

    /// Why a run was stopped before its goal; empty if it reached it.
    pub(super) fn given_up(&self, session: &Session) -> Text {
        let now = session.cluster().now().0;
        if now - self.wrote > QUIET {
            text!("Something goes on without an end. No status has changed for 15 minutes: the run stops here.")
        } else if now - self.began > MAX_WAIT_MS {
            text!(
                "Something goes on without an end, such as a container that crashes again and again. The run stops after a day."
            )
        } else {
            Text::default()
        }
    }

    /// Looks at the event just taken.
    fn is_reached(&mut self, session: &Session) -> bool {
        let now = session.cluster().now().0;
        match &mut self.until {
            Until::Syncs(_) if !session.has_just_synced() => return false,
            Until::Syncs(left) => {
                *left -= 1;
                return *left == 0;
            }
            Until::Settled | Until::Decision(_) => {}
        }
        if session.has_just_synced() {
            let sync = session.cluster().trace().syncs.last();
            let decides =
                |ordinal| sync.is_some_and(|sync| sync.decisions.iter().any(|one| one.ordinal() == Some(ordinal)));
            if let Until::Decision(ordinal) = self.until
                && decides(ordinal)
            {
                return true;
            }
            if sync.is_some_and(|sync| sync.before != sync.after) {
                self.wrote = now;
            } else if sync.is_some_and(|sync| sync.writes.is_empty()) && self.is_held(session) {
                return true;
            }
        }
        let (moves, known) = session.position();
        moves >= known && (now - self.wrote > QUIET || now - self.began > MAX_WAIT_MS)
    }
}

/// How long slices are: as long as the drawing between them, so that many pods are not drawn more than run. And while time
/// passes at a speed, how far the run is behind.
#[derive(Clone, Copy, Default)]
pub(super) struct Pace {
    ended: f64,
    /// Tenths of virtual milliseconds that are due.
    owed: i64,
    /// For how many real milliseconds it still says that it plays slower.
    said: i64,
}

impl Pace {
    /// The virtual milliseconds that are due once so many real ones have passed at a speed.
    pub(super) fn due(&mut self, passed: i64, speed: i64) -> i64 {
        self.owed += passed * speed;
        self.said = (self.said - passed).max(0);
        self.owed / 10
    }

    /// So many virtual milliseconds were played.
    pub(super) fn played(&mut self, milliseconds: i64, speed: i64) {
        self.owed -= milliseconds * 10;
        if self.owed > OWED * speed {
            self.owed = OWED * speed;
            self.said = SLOW_NOTICE_MS;
        }
    }

    /// Whether it plays slower than it should.
    pub(super) fn is_late(self) -> bool {
        self.said > 0
    }

    /// The next slice's real milliseconds: as many as passed since the last one.
    pub(super) fn next(self, clock: &Clock) -> f64 {
        let between = clock() - self.ended;
        let (shortest, longest) = SLICES;
        if between > PAUSE { shortest } else { between.clamp(shortest, longest) }
    }

    /// A slice has ended.
    pub(super) fn ended(&mut self, clock: &Clock) {
        self.ended = clock();
    }
}

/// Whether work that begins now may go on, for so many real milliseconds, asked again and again.
pub(super) fn in_time(milliseconds: f64, clock: &Clock) -> impl FnMut() -> bool {
    let end = clock() + milliseconds;
    move || clock() < end
}

/// Takes events for so many real milliseconds. True when the goal is reached or nothing is left to happen.
pub(super) fn slice(session: &mut Session, mut goal: Option<&mut Goal>, milliseconds: f64, clock: &Clock) -> bool {
    let mut goes_on = in_time(milliseconds, clock);
    loop {
        for _ in 0..BETWEEN {
            if !session.step() {
                return true;
            }
            if goal.as_mut().is_some_and(|goal| goal.is_reached(session)) {
                return true;
            }
        }
        if !goes_on() {
            return false;
        }
    }
}
