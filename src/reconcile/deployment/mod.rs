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
mod rules;
mod scale;
mod status;
mod versions;

pub use annotations::revision_of_replica_set;

pub use rules::Rule;

use super::cache::{Cache, WatchEvent};
use super::controller::{Context, Controller, Observed, Outcome, key_of};
use super::enqueue::{self, Orphans};
use super::workload::Work;
use super::{Api, Decision, Facts, Gates, SyncError};
use crate::objects::deployment::{DeploymentStatus, DeploymentStrategyType};
use crate::objects::{Deployment, Event, EventType, Kind, LabelSelector, Object, ObjectRef, Pod, ReplicaSet};
use std::rc::Rc;
use std::time::Duration;

pub(super) const CONTROLLER: Controller = Controller {
    kind: Kind::Deployment,
    name: "deployment-controller",
    waits_for_own_writes: false,
    revisions: None,
    enqueue: keys_of,
    sync: sync_key,
};

fn keys_of(_: &Gates, cache: &Cache, event: &WatchEvent) -> Vec<ObjectRef> {
    let of_dependent = match event.object() {
        Object::ReplicaSet(set) => {
            let orphans = Orphans::Adopted(|deployment: &Deployment| &deployment.spec.selector);
            enqueue::of_dependent(cache, &set.metadata, orphans)
        }
        Object::Pod(pod) if matches!(event, WatchEvent::Gone(_)) => recreating(cache, pod).into_iter().collect(),
        _ => Vec::new(),
    };
    enqueue::own::<Deployment>(event).into_iter().chain(of_dependent).collect()
}

/// The Deployment of a pod, if it recreates: it waits for the last old pod to go.
fn recreating(cache: &Cache, pod: &Pod) -> Option<ObjectRef> {
    let replica_set = enqueue::controller_of::<ReplicaSet>(cache, &pod.metadata)?;
    let deployment = enqueue::controller_of::<Deployment>(cache, &replica_set.metadata)?;
    (deployment.spec.strategy.strategy_type == DeploymentStrategyType::Recreate).then(|| key_of(&**deployment))
}

fn sync_key(context: &mut Context<'_>, key: &ObjectRef) -> Outcome {
    let Some(observed) = Observed::of(context, key) else { return Outcome::default() };
    sync(context.gates, &observed, context.api, context.decisions)
}

/// The annotation that counts a Deployment's templates.
pub(crate) const REVISION: &str = "deployment.kubernetes.io/revision";
const REVISION_HISTORY: &str = "deployment.kubernetes.io/revision-history";
const DESIRED: &str = "deployment.kubernetes.io/desired-replicas";
const MAX: &str = "deployment.kubernetes.io/max-replicas";
const ROLLBACK_TO: &str = "deprecated.deployment.rollback.to";

/// One sync of one Deployment. Models syncDeployment.
pub fn sync(
    gates: &Gates,
    observed: &Observed<'_, Deployment>,
    api: &mut dyn Api,
    decisions: &mut Vec<Decision>,
) -> Outcome {
    let metadata = &observed.set.metadata;
    let selector = &observed.set.spec.selector;
    let work = Work { gates: *gates, kind: Kind::Deployment, metadata, selector, api, decisions };
    let mut sync = Sync { observed, gates: *gates, set: (**observed.set).clone(), work };
    sync.reconcile().into()
}

/// One sync and what it carries along. The Deployment is a copy whose status the sync writes as it goes.
struct Sync<'a> {
    observed: &'a Observed<'a, Deployment>,
    gates: Gates,
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
    fn reconcile(&mut self) -> Result<Option<Duration>, SyncError> {
        if self.set.spec.selector == LabelSelector::default() {
            self.warn_of_empty_selector();
            return Ok(None);
        }
        let mut sets = self.work.claim(self.observed.replica_sets, Some(Rule::ReplicaSetsClaimed.into()))?;
        sets.sort_by(|a, b| numbers::age(a).cmp(&numbers::age(b)));
        if self.work.is_going() {
            self.work.decide(Rule::DeploymentTerminating, Facts::None);
            let sets = self.get_all_replica_sets_and_sync_revision(&sets, false)?;
            return self.sync_deployment_status(self.calculate_status(&sets)).map(|()| None);
        }
        self.check_paused_conditions()?;
        if self.set.spec.paused {
            self.work.decide(Rule::DeploymentPaused, Facts::None);
            return self.sync(&sets);
        }
        if let Some(revision) = self.rollback_to() {
            return self.rollback(&sets, revision).map(|()| None);
        }
        if self.is_scaling_event(&sets)? {
            return self.sync(&sets);
        }
        match self.set.spec.strategy.strategy_type {
            DeploymentStrategyType::Recreate => self.rollout_recreate(&sets),
            DeploymentStrategyType::RollingUpdate => self.rollout_rolling(&sets),
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
    fn sync(&mut self, sets: &[Rc<ReplicaSet>]) -> Result<Option<Duration>, SyncError> {
        let sets = self.get_all_replica_sets_and_sync_revision(sets, false)?;
        self.scale(&sets)?;
        if self.set.spec.paused && self.rollback_to().is_none() {
            self.cleanup_deployment(&sets.old)?;
        }
        let status = self.calculate_status(&sets);
        self.sync_deployment_status(status).map(|()| None)
    }

    /// Whether a ReplicaSet with pods was last scaled for another number of replicas. To know that, the new ReplicaSet is
    /// put right: what is written here is written from the same cached copy again later, and refused. Models
    /// isScalingEvent.
    fn is_scaling_event(&mut self, sets: &[Rc<ReplicaSet>]) -> Result<bool, SyncError> {
        let sets = self.get_all_replica_sets_and_sync_revision(sets, false)?;
        let wanted = self.set.replicas();
        let desired = |set: &ReplicaSet| annotations::size(set, DESIRED, &self.gates);
        let mut active = sets.all().filter(|set| set.replicas() > 0);
        Ok(active.any(|set| desired(set).is_some_and(|desired| desired != wanted)))
    }

    fn record(&mut self, event_type: EventType, reason: &'static str, message: String) {
        self.work.api.record(Event { event_type, reason, message: message.into() });
    }

    /// Writes the status, and the annotations that stand beside it, if it differs.
    fn sync_deployment_status(&mut self, status: DeploymentStatus) -> Result<(), SyncError> {
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
