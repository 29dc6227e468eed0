//! Runs as fast as possible, in slices of real time between which the page is drawn and can be told to stop.

use crate::reconcile::parent_and_ordinal;
use crate::session::Session;

/// Real milliseconds in one tick: the rest of it is for drawing.
pub(crate) const SLICE: f64 = 20.0;
/// Real milliseconds at once: a wait that nobody feels.
pub(crate) const FIRST_SLICE: f64 = 60.0;
/// Events between two looks at the clock.
const BETWEEN: u32 = 8;
/// A run to a goal ends when the controller has written nothing for so many virtual milliseconds, and after so many in all:
/// a container that crashes again and again never settles.
const QUIET: i64 = 15 * 60_000;
const LONGEST: i64 = 24 * 3_600_000;

/// What a run goes on to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Goal {
    /// The next decision about this ordinal; none: until nothing is left to happen.
    ordinal: Option<i32>,
    began: i64,
    /// When the controller last wrote something.
    wrote: i64,
    /// What the page says meanwhile.
    pub(crate) words: String,
}

impl Goal {
    /// Until nothing is left to happen.
    pub(crate) fn settled(session: &Session) -> Self {
        let now = session.cluster().now().0;
        Self { ordinal: None, began: now, wrote: now, words: "Running until everything is settled.".to_owned() }
    }

    /// Until the controller next decides something about this pod.
    pub(crate) fn decision(session: &Session, pod: &str) -> Self {
        let words = ["Running until the next decision at ", pod, "."].concat();
        Self { ordinal: parent_and_ordinal(pod).map(|(_, ordinal)| ordinal), words, ..Self::settled(session) }
    }

    /// Looks at the event just taken.
    fn is_reached(&mut self, session: &Session) -> bool {
        let now = session.cluster().now().0;
        if session.has_just_synced() {
            let sync = session.cluster().trace().syncs.last();
            let decides =
                |ordinal| sync.is_some_and(|sync| sync.decisions.iter().any(|one| one.ordinal == Some(ordinal)));
            if self.ordinal.is_some_and(decides) {
                return true;
            }
            if sync.is_some_and(|sync| !sync.writes.is_empty()) {
                self.wrote = now;
            }
        }
        let (moves, known) = session.position();
        moves >= known && (now - self.wrote > QUIET || now - self.began > LONGEST)
    }
}

/// Takes events for so many real milliseconds. True when the goal is reached or nothing is left to happen.
pub(crate) fn slice(session: &mut Session, mut goal: Option<&mut Goal>, milliseconds: f64) -> bool {
    let end = js_sys::Date::now() + milliseconds;
    loop {
        for _ in 0..BETWEEN {
            if !session.step() || goal.as_mut().is_some_and(|goal| goal.is_reached(session)) {
                return true;
            }
        }
        if js_sys::Date::now() >= end {
            return false;
        }
    }
}
