//! Whether a workload is as it was asked to be, and whether it will be without help.

use super::case::{is_ready, is_terminating, pods};
use crate::objects::{Object, ObjectRef, Pod, UpdateStrategyType};
use crate::reconcile::{parent_and_ordinal, revision_of};
use crate::session::Session;
use crate::sim::Cluster;
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
    /// It will not be, however long one waits.
    Stuck,
}

/// How long a run without help is followed, in milliseconds: longer than any timer of a cluster.
pub(super) const HORIZON_MS: i64 = 3_600_000;
/// Events that such a run may take.
pub(super) const EVENTS: u64 = 20_000;

/// How far a workload is from what it was asked to be; nothing of what is no workload.
pub fn shortfall(cluster: &Cluster, object: &Object) -> Shortfall {
    let pods = pods(cluster, object);
    let [mut ready, mut surplus] = [0, 0];
    for pod in &pods {
        if is_terminating(pod) {
            surplus += 1;
        } else if is_ready(pod) {
            ready += 1;
        }
    }
    let desired = object.desired();
    let live = i32::try_from(pods.len()).unwrap_or(i32::MAX) - surplus;
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
    let mut run = session.clone();
    let start = run.cluster().now();
    let (until, last) = (start.0 + HORIZON_MS, run.position().0 + EVENTS);
    let is_well = |run: &Session| {
        let object = run.cluster().get(workload);
        object.is_ok_and(|object| shortfall(run.cluster(), object).is_none())
    };
    if is_well(&run) {
        return (Health::Well, run);
    }
    while run.cluster().next_event_at().is_some_and(|at| at.0 <= until) && run.position().0 < last {
        run.step();
        if is_well(&run) {
            return (Health::Recovers(run.cluster().now().0 - start.0), run);
        }
    }
    (Health::Stuck, run)
}
