//! Whether a workload is as it was asked to be, and whether it will be without help.

use super::case::pods;
use super::shortfall::{Shortfall, Tally};
use crate::objects::{Object, ObjectRef};
use crate::session::Session;
use crate::sim::Cluster;
use crate::text::Text;
use crate::view::clock;

/// What becomes of a workload.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Health {
    /// It is as it was asked to be.
    Well,
    /// It will be, after so many milliseconds, if nobody does anything.
    Recovers(i64),
    /// Its pods are all there, ready and of the newest revision, now or after so many milliseconds, and one that is being deleted does
    /// not go by itself.
    Lingers(i64),
    /// It will not be, however long one waits.
    Stuck,
}

impl Health {
    /// What becomes of it, in words.
    pub fn outlook(self) -> Text {
        match self {
            Self::Well => text!("as it was asked to be"),
            Self::Recovers(after) => text!("not there yet; by itself in about {}", clock(after)),
            Self::Lingers(0) => text!("available; a pod that is being deleted stays until somebody ends it"),
            Self::Lingers(after) => text!(
                "available in about {}; a pod that is being deleted then stays until somebody ends it",
                clock(after)
            ),
            Self::Stuck => text!("stuck: nothing ends this by itself"),
        }
    }

    /// One word for programs.
    pub fn word(self) -> &'static str {
        match self {
            Self::Well => "well",
            Self::Recovers(_) => "recovers",
            Self::Lingers(_) => "lingers",
            Self::Stuck => "stuck",
        }
    }

    /// Whether it does not become as it was asked to be without help.
    pub fn needs_help(self) -> bool {
        matches!(self, Self::Lingers(_) | Self::Stuck)
    }
}

/// How long a run without help is followed, in milliseconds: longer than any timer of a cluster.
pub(super) const HORIZON_MS: i64 = 3_600_000;
/// Events that such a run may take.
pub(super) const EVENTS: u64 = 20_000;

/// What becomes of a workload from the run's moment on if nobody does anything, and the run at the moment that decided it.
pub fn health(session: &Session, workload: &ObjectRef) -> (Health, Session) {
    let mut outlook = Outlook::new(session, workload);
    loop {
        if let Some(health) = outlook.advance(EVENTS) {
            return (health, outlook.run);
        }
    }
}

/// A run without help, followed until it decides what becomes of a workload.
pub(super) struct Outlook {
    pub(super) workload: ObjectRef,
    pub(super) run: Session,
    start: i64,
    last: u64,
    is_deleted: bool,
    lingers_since: Option<i64>,
    tally: Tally,
}

impl Outlook {
    /// Nothing has happened yet since the run's moment.
    pub(super) fn new(session: &Session, workload: &ObjectRef) -> Self {
        let run = session.clone();
        let (start, last) = (run.cluster().now().0, run.position().0 + EVENTS);
        let is_deleted = is_being_deleted(run.cluster(), workload);
        let (workload, tally) = (workload.clone(), Tally::default());
        let mut outlook = Self { workload, run, start, last, is_deleted, lingers_since: None, tally };
        outlook.lingers_since = outlook.lingers().then_some(start);
        outlook
    }

    /// A workload that is being deleted was asked to go.
    fn is_well(&mut self) -> bool {
        let cluster = self.run.cluster();
        match cluster.get(&self.workload) {
            Ok(object) => !self.is_deleted && self.tally.shortfall(cluster, object).is_none(),
            Err(_) => self.is_deleted,
        }
    }

    /// Whether nothing is left but pods that are being deleted.
    fn lingers(&mut self) -> bool {
        let cluster = self.run.cluster();
        let kept = cluster.get(&self.workload).ok().filter(|object| object.metadata().deletion_timestamp.is_none());
        kept.is_some_and(|object| {
            let left = self.tally.shortfall(cluster, object);
            Shortfall { surplus: 0, ..left }.is_none() && all_terminate(cluster, object, left.surplus)
        })
    }

    /// Follows it for at most so many events, or parts of events that change much: what becomes of it, once that is decided.
    pub(super) fn advance(&mut self, events: u64) -> Option<Health> {
        if self.run.cluster().now().0 == self.start && self.is_well() {
            return Some(Health::Well);
        }
        let end = self.start + HORIZON_MS;
        let is_due = |run: &Session| run.cluster().next_event_at().is_some_and(|at| at.0 <= end);
        for _ in 0..events {
            if !is_due(&self.run) || self.run.position().0 >= self.last {
                return Some(self.lingers_since.map_or(Health::Stuck, |since| Health::Lingers(since - self.start)));
            }
            if self.run.step_in_parts(|| false).is_none() {
                continue;
            }
            let now = self.run.cluster().now().0;
            self.lingers_since = self.lingers().then(|| self.lingers_since.unwrap_or(now));
            if self.is_well() {
                return Some(Health::Recovers(now - self.start));
            }
        }
        None
    }
}

/// Whether the workload is there and was asked to go.
pub(super) fn is_being_deleted(cluster: &Cluster, workload: &ObjectRef) -> bool {
    cluster.get(workload).is_ok_and(|object| object.metadata().deletion_timestamp.is_some())
}

/// Whether the pods that are too many are all being deleted.
fn all_terminate(cluster: &Cluster, object: &Object, surplus: i32) -> bool {
    let terminating = pods(cluster, object).into_iter().filter(|pod| pod.is_terminating()).count();
    i32::try_from(terminating).is_ok_and(|terminating| terminating == surplus)
}
