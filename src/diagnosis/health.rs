//! Whether a workload is as it was asked to be, and whether it will be without help.

use super::case::pods;
use super::ordered::Ordered;
use crate::objects::{Object, ObjectRef, Pod, UpdateStrategyType};
use crate::reconcile::{parent_and_ordinal, revision_of};
use crate::session::Session;
use crate::sim::Cluster;
use crate::text::Text;
use crate::view::clock;
use std::rc::Rc;

/// How far a workload is from what it was asked to be, in pods.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Shortfall {
    /// Pods that should be ready and are not.
    pub unavailable: i32,
    /// Pods that should be of the newest revision and are not.
    pub outdated: i32,
    /// Pods that should be gone, or are going.
    pub surplus: i32,
    /// Whether its controller has not seen the last change of its spec.
    pub unseen: bool,
}

impl Shortfall {
    /// Whether nothing is left to be done.
    pub fn is_none(self) -> bool {
        self == Self::default()
    }
}

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

/// Whether a workload is as it was asked to be; one that is being deleted was asked to go.
pub(super) fn is_as_asked(cluster: &Cluster, workload: &ObjectRef, is_deleted: bool) -> bool {
    match cluster.get(workload) {
        Ok(object) => !is_deleted && shortfall(cluster, object).is_none(),
        Err(_) => is_deleted,
    }
}

/// How far a workload is from what it was asked to be; nothing of what is no workload.
pub fn shortfall(cluster: &Cluster, object: &Object) -> Shortfall {
    let pods = pods(cluster, object);
    let set = Ordered::of(object);
    // A pod beyond the ordinals that are asked for stands in for none of them.
    let counts = |pod: &Pod| set.as_ref().is_none_or(|set| set.in_range(pod));
    let [mut ready, mut surplus, mut live] = [0, 0, 0];
    for pod in &pods {
        if pod.is_terminating() || !counts(pod) {
            surplus += 1;
            continue;
        }
        live += 1;
        ready += i32::from(pod.is_ready());
    }
    let desired = object.desired();
    let observed = object.to_value()["status"]["observedGeneration"].as_i64();
    Shortfall {
        unavailable: (desired - ready).max(0),
        outdated: outdated(object, &pods),
        surplus: surplus + (live - desired).max(0),
        unseen: observed.is_some_and(|observed| observed < object.metadata().generation),
    }
}

/// Pods that an update is to replace or change.
fn outdated(object: &Object, pods: &[&Rc<Pod>]) -> i32 {
    let old_from = |first: i32, update: &str| {
        let is_old = |pod: &&&Rc<Pod>| {
            let ordinal = parent_and_ordinal(&pod.metadata.name).map_or(-1, |(_, ordinal)| ordinal);
            ordinal >= first && revision_of(pod) != update
        };
        i32::try_from(pods.iter().filter(is_old).count()).unwrap_or(i32::MAX)
    };
    let rolls = |strategy: UpdateStrategyType| strategy == UpdateStrategyType::RollingUpdate;
    match object {
        Object::StatefulSet(set) if rolls(set.spec.update_strategy.strategy_type) => {
            let partition = set.spec.update_strategy.rolling_update.as_ref().and_then(|update| update.partition);
            old_from(partition.unwrap_or(0), &set.status.update_revision)
        }
        Object::AdvancedStatefulSet(set) if rolls(set.spec.update_strategy.strategy_type) => {
            old_from(set.partition(), &set.status.update_revision)
        }
        Object::Deployment(set) if !set.spec.paused => (set.status.replicas - set.status.updated_replicas).max(0),
        Object::DaemonSet(set) if rolls(set.spec.update_strategy.strategy_type) => {
            (set.status.desired_number_scheduled - set.status.updated_number_scheduled).max(0)
        }
        Object::CloneSet(set) => (set.status.expected_updated_replicas - set.status.updated_replicas).max(0),
        Object::StatefulSet(_) | Object::AdvancedStatefulSet(_) | Object::Deployment(_) | Object::DaemonSet(_) => 0,
        Object::ReplicaSet(_) | Object::Pod(_) | Object::Claim(_) | Object::Revision(_) | Object::Node(_) => 0,
    }
}

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
}

impl Outlook {
    /// Nothing has happened yet since the run's moment.
    pub(super) fn new(session: &Session, workload: &ObjectRef) -> Self {
        let run = session.clone();
        let (start, last) = (run.cluster().now().0, run.position().0 + EVENTS);
        let is_deleted = is_being_deleted(run.cluster(), workload);
        let lingers_since = lingers(&run, workload).then_some(start);
        Self { workload: workload.clone(), run, start, last, is_deleted, lingers_since }
    }

    fn is_well(&self) -> bool {
        is_as_asked(self.run.cluster(), &self.workload, self.is_deleted)
    }

    /// Follows it for at most so many events: what becomes of it, once that is decided.
    pub(super) fn advance(&mut self, events: u64) -> Option<Health> {
        let until = self.run.position().0.saturating_add(events).min(self.last);
        if self.run.cluster().now().0 == self.start && self.is_well() {
            return Some(Health::Well);
        }
        let end = self.start + HORIZON_MS;
        while self.run.cluster().next_event_at().is_some_and(|at| at.0 <= end) && self.run.position().0 < until {
            self.run.step();
            let now = self.run.cluster().now().0;
            self.lingers_since = lingers(&self.run, &self.workload).then(|| self.lingers_since.unwrap_or(now));
            if self.is_well() {
                return Some(Health::Recovers(now - self.start));
            }
        }
        let goes_on = self.run.cluster().next_event_at().is_some_and(|at| at.0 <= end) && until < self.last;
        (!goes_on).then(|| self.lingers_since.map_or(Health::Stuck, |since| Health::Lingers(since - self.start)))
    }
}

/// Whether the workload is there and was asked to go.
pub(super) fn is_being_deleted(cluster: &Cluster, workload: &ObjectRef) -> bool {
    cluster.get(workload).is_ok_and(|object| object.metadata().deletion_timestamp.is_some())
}

/// Whether nothing is left but pods that are being deleted.
fn lingers(run: &Session, workload: &ObjectRef) -> bool {
    let kept = run.cluster().get(workload).ok().filter(|object| object.metadata().deletion_timestamp.is_none());
    kept.is_some_and(|object| {
        let left = shortfall(run.cluster(), object);
        Shortfall { surplus: 0, ..left }.is_none() && all_terminate(run.cluster(), object, left.surplus)
    })
}

/// Whether the pods that are too many are all being deleted.
fn all_terminate(cluster: &Cluster, object: &Object, surplus: i32) -> bool {
    let terminating = pods(cluster, object).into_iter().filter(|pod| pod.is_terminating()).count();
    i32::try_from(terminating).is_ok_and(|terminating| terminating == surplus)
}
