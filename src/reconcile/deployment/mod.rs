//! The Deployment controller: a ReplicaSet for each template, scaled against each other.
//! Models pkg/controller/deployment.
//!
//! A worked example: `web` wants 4 pods, maxSurge 1, maxUnavailable 1, and its template changes. The first sync makes the
//! new ReplicaSet with 1 pod: 5 in all are allowed. The next sees that 3 must stay available and takes the old ReplicaSet
//! from 4 to 3. As the new pod becomes available, the two go on by turns until the old one stands at 0.

mod annotations;
mod numbers;
mod rollback;
mod rollout;
mod scale;
mod status;
mod versions;

pub use annotations::revision_of_replica_set;

use super::workload::{Outcome, Work};
use super::{Api, Decision, Facts, Gates, Rule, SyncError};
use crate::objects::workload::{DeploymentStatus, DeploymentStrategyType};
use crate::objects::{Deployment, Event, EventType, Kind, LabelSelector, Object, Pod, ReplicaSet, Time};
use std::rc::Rc;

/// The label that sets the pods of one ReplicaSet apart from those of another.
pub(crate) const TEMPLATE_HASH_LABEL: &str = "pod-template-hash";
/// The annotation that counts a Deployment's templates.
pub(crate) const REVISION: &str = "deployment.kubernetes.io/revision";
const REVISION_HISTORY: &str = "deployment.kubernetes.io/revision-history";
const DESIRED: &str = "deployment.kubernetes.io/desired-replicas";
const MAX: &str = "deployment.kubernetes.io/max-replicas";
const ROLLBACK_TO: &str = "deprecated.deployment.rollback.to";

/// What the controller's cache holds when the Deployment's key comes off the queue: everything in its namespace.
pub struct Observed<'a> {
    /// What the release does.
    pub gates: Gates,
    /// The clock.
    pub now: Time,
    /// The Deployment.
    pub set: &'a Rc<Deployment>,
    /// Pods in the order the cache lists them.
    pub pods: &'a [Rc<Pod>],
    /// ReplicaSets in the order the cache lists them.
    pub replica_sets: &'a [Rc<ReplicaSet>],
}

/// One sync of one Deployment. Models syncDeployment.
pub fn sync(observed: &Observed<'_>, api: &mut dyn Api, decisions: &mut Vec<Decision>) -> Outcome {
    let metadata = &observed.set.metadata;
    let selector = &observed.set.spec.selector;
    let work = Work { gates: observed.gates, kind: Kind::Deployment, metadata, selector, api, decisions };
    let mut sync = Sync { observed, set: (**observed.set).clone(), work };
    Outcome::of(sync.reconcile())
}

/// One sync and what it carries along. The Deployment is a copy whose status the sync writes as it goes.
struct Sync<'a> {
    observed: &'a Observed<'a>,
    set: Deployment,
    work: Work<'a>,
}

/// The ReplicaSets of a sync, as the cache has them; the new one as it was last written.
struct Sets {
    /// Of the template as it is; none before it was made.
    new: Option<Rc<ReplicaSet>>,
    /// The others, oldest first.
    old: Vec<Rc<ReplicaSet>>,
}

impl Sets {
    fn all(&self) -> impl DoubleEndedIterator<Item = &Rc<ReplicaSet>> {
        self.old.iter().chain(&self.new)
    }

    /// Old ones that should have pods.
    fn active_old(&self) -> Vec<Rc<ReplicaSet>> {
        self.old.iter().filter(|set| set.replicas() > 0).cloned().collect()
    }
}

impl Sync<'_> {
    fn reconcile(&mut self) -> Result<Option<i64>, SyncError> {
        if self.set.spec.selector == LabelSelector::default() {
            self.warn_of_empty_selector();
            return Ok(None);
        }
        let mut sets = self.work.claim(self.observed.replica_sets, Rule::ReplicaSetsClaimed)?;
        sets.sort_by(|a, b| numbers::age(a).cmp(&numbers::age(b)));
        if self.work.is_going() {
            self.work.decide(Rule::DeploymentTerminating, Facts::None);
            let sets = self.versions(&sets, false)?;
            return self.write_status(self.new_status(&sets)).map(|()| None);
        }
        self.note_pause()?;
        if self.set.spec.paused {
            self.work.decide(Rule::DeploymentPaused, Facts::None);
            return self.scale_only(&sets);
        }
        if let Some(revision) = self.rollback_to() {
            return self.roll_back(&sets, revision).map(|()| None);
        }
        if self.is_scaling(&sets)? {
            return self.scale_only(&sets);
        }
        match self.set.spec.strategy.strategy_type {
            DeploymentStrategyType::Recreate => self.recreate(&sets),
            DeploymentStrategyType::RollingUpdate => self.roll(&sets),
        }
    }

    fn warn_of_empty_selector(&mut self) {
        let message = "This deployment is selecting all pods. A non-empty selector is required.";
        self.record(EventType::Warning, "SelectingAll", message.to_owned());
        if self.set.status.observed_generation < self.set.metadata.generation {
            self.set.status.observed_generation = self.set.metadata.generation;
            // Upstream does not look at what came of it.
            let _ = self.send_status();
        }
    }

    /// Scales without rolling out: paused, or the wanted number has changed. Models sync.
    fn scale_only(&mut self, sets: &[Rc<ReplicaSet>]) -> Result<Option<i64>, SyncError> {
        let sets = self.versions(sets, false)?;
        self.scale(&sets)?;
        if self.set.spec.paused && self.rollback_to().is_none() {
            self.clean_up(&sets.old)?;
        }
        let status = self.new_status(&sets);
        self.write_status(status).map(|()| None)
    }

    /// Whether a ReplicaSet with pods was last scaled for another number of replicas. To know that, the new ReplicaSet is
    /// put right: what is written here is written from the same cached copy again later, and refused. Models
    /// isScalingEvent.
    fn is_scaling(&mut self, sets: &[Rc<ReplicaSet>]) -> Result<bool, SyncError> {
        let sets = self.versions(sets, false)?;
        let wanted = self.set.replicas();
        let desired = |set: &ReplicaSet| annotations::size(set, DESIRED, &self.observed.gates);
        let mut active = sets.all().filter(|set| set.replicas() > 0);
        Ok(active.any(|set| desired(set).is_some_and(|desired| desired != wanted)))
    }

    fn record(&mut self, event_type: EventType, reason: &'static str, message: String) {
        self.work.api.record(Event { event_type, reason, message: message.into() });
    }

    /// Writes the status, and the annotations that stand beside it, if it differs.
    fn write_status(&mut self, status: DeploymentStatus) -> Result<(), SyncError> {
        if status == self.set.status {
            self.work.decide(Rule::DeploymentStatusUnchanged, Facts::None);
            return Ok(());
        }
        self.set.status = status;
        self.send_status()
    }

    /// Upstream drops what the server returns, so that a second write in the same sync has an old version and is refused: the
    /// sync ends in a conflict and is tried again.
    fn send_status(&mut self) -> Result<(), SyncError> {
        let sent = self.work.api.update_status(Object::Deployment(Rc::new(self.set.clone())));
        let rule = if sent.is_ok() { Rule::DeploymentStatusWritten } else { Rule::DeploymentStatusRefused };
        self.work.decide(rule, Facts::None);
        sent?;
        Ok(())
    }
}
