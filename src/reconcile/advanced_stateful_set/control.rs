//! The heart of the sync: pods are split by ordinal, replicas go up, condemned down, old revisions last.
//! Models UpdateStatefulSet and updateStatefulSet of stateful_set_control.go.

use super::order::is_updated;
use super::pods::is_healthy;
use super::{Rule, Sync};
use crate::objects::{
    AdvancedStatefulSetStatus, ControllerRevision, Pod, PodManagementPolicy, PodTemplateSpec, UpdateStrategyType,
};
use crate::reconcile::in_place::short_hash;
use crate::reconcile::ordinals::{Revisions, to_i32};
use crate::reconcile::sync_cache::CachedPod;
use crate::reconcile::{Decision, Facts, SyncError};
use std::borrow::Cow;
use std::cmp::Reverse;
use std::rc::Rc;

/// One place in the range of ordinals.
pub(super) enum Replica<'a> {
    /// No pod is to be here.
    Reserved,
    /// A pod that is to be made, at the current or at the update revision.
    Missing { is_current: bool },
    /// A pod of the cache, or one made in memory: sent in this sync, or to be sent in a later one.
    Pod(Cow<'a, CachedPod>),
}

impl<'a> Replica<'a> {
    pub(super) fn pod(&self) -> Option<&Cow<'a, CachedPod>> {
        match self {
            Self::Pod(pod) => Some(pod),
            Self::Reserved | Self::Missing { .. } => None,
        }
    }
}

/// Pods by what the sync does with them, and the status counted on the way.
pub(super) struct Plan<'a> {
    pub(super) pods: &'a [&'a CachedPod],
    /// By ordinal, from 0.
    pub(super) replicas: Vec<Replica<'a>>,
    /// In the order in which they go: by ordinal, descending.
    pub(super) condemned: Vec<&'a CachedPod>,
    pub(super) first_unhealthy: Option<Rc<Pod>>,
    pub(super) is_monotonic: bool,
    pub(super) revisions: &'a Revisions,
    /// That of the current revision, where pods are to be made of it.
    current_template: Option<PodTemplateSpec>,
    pub(super) status: AdvancedStatefulSetStatus,
}

impl Sync<'_> {
    pub(super) fn reconcile(&mut self) -> Result<(), SyncError> {
        self.steps.adopt_orphan_revisions()?;
        let pods = self.steps.claim_pods()?;
        let history = self.steps.list_revisions();
        let revisions = self.steps.get_stateful_set_revisions(&history);
        let outcome = match &revisions {
            Ok(revisions) => self.perform_update(&pods, revisions, &history),
            Err(error) => Err(error.clone()),
        };
        self.steps.finish(outcome, &pods, &history, revisions.ok().as_ref())
    }

    /// Scales, updates and writes status, even after a refusal on the way.
    fn perform_update(
        &mut self,
        pods: &[&CachedPod],
        revisions: &Revisions,
        history: &[&Rc<ControllerRevision>],
    ) -> Result<(), SyncError> {
        let mut plan = self.split(pods, revisions)?;
        let outcome = self.scale_and_update(&mut plan, history);
        let written = self.update_status(plan.status);
        outcome.and(written)
    }

    fn split<'p>(&mut self, pods: &'p [&'p CachedPod], revisions: &'p Revisions) -> Result<Plan<'p>, SyncError> {
        let set = self.set;
        let status = self.new_status(pods, revisions);
        let mut replicas: Vec<Replica<'p>> = (0..self.steps.ordinals.len()).map(|_| Replica::Reserved).collect();
        let mut condemned = Vec::new();
        for &pod in pods {
            match usize::try_from(pod.ordinal) {
                Ok(index) if self.steps.ordinals.contains(pod.ordinal) => {
                    replicas[index] = Replica::Pod(Cow::Borrowed(pod));
                }
                Ok(_) => condemned.push(pod),
                // An ordinal that does not fit 32 bits is in neither part.
                Err(_) => {}
            }
        }
        let current_template = self.mark_missing(&mut replicas, revisions)?;
        condemned.sort_by_key(|pod| Reverse(pod.ordinal));
        let facts = Facts::Split { replicas: set.replicas(), condemned: to_i32(condemned.len()) };
        self.steps.decide(Decision::new(Rule::Split).with(facts));
        let is_unhealthy = |replica: &Replica<'_>| match replica {
            Replica::Reserved => false,
            Replica::Missing { .. } => true,
            Replica::Pod(pod) => !is_healthy(pod),
        };
        let pod_at = |index: usize| (to_i32(index), replicas[index].pod().map(|pod| &**pod));
        let replica = replicas.iter().position(is_unhealthy).map(pod_at);
        let other = condemned.iter().rev().find(|pod| !is_healthy(pod)).map(|pod| (pod.ordinal, Some(*pod)));
        let first = replica.into_iter().chain(other).min_by_key(|(ordinal, _)| *ordinal);
        let first_unhealthy = first.and_then(|(_, pod)| pod).map(|pod| Rc::clone(&pod.pod));
        let is_monotonic = set.spec.pod_management_policy == PodManagementPolicy::OrderedReady;
        Ok(Plan { pods, replicas, condemned, first_unhealthy, is_monotonic, revisions, current_template, status })
    }

    /// Finds the ordinals that lack their pod, and the revision of each. Gives the current revision's template if it differs from
    /// the set's and pods are to be made of it. Models isCurrentRevisionNeeded of stateful_set_utils.go.
    fn mark_missing(
        &self,
        replicas: &mut [Replica<'_>],
        revisions: &Revisions,
    ) -> Result<Option<PodTemplateSpec>, SyncError> {
        let strategy = &self.set.spec.update_strategy;
        let is_rolling = strategy.strategy_type == UpdateStrategyType::RollingUpdate;
        let (current, update) = (&revisions.current.metadata.name, &revisions.update.metadata.name);
        // Where pods are updated in an order of choice, those that are not updated; else, the lower ordinals that have one.
        let is_of_choice = strategy.rolling_update.as_ref().is_some_and(|rolling| rolling.unordered_update.is_some());
        let is_old = |pod: &&Cow<'_, CachedPod>| !is_updated(self.gates, &pod.pod, update);
        let mut old = if is_of_choice { replicas.iter().filter_map(Replica::pod).filter(is_old).count() } else { 0 };
        let mut lower = 0;
        let mut is_any_current = false;
        for (index, replica) in replicas.iter_mut().enumerate() {
            let ordinal = to_i32(index);
            if !self.steps.ordinals.contains(ordinal) {
                continue;
            }
            if matches!(replica, Replica::Reserved) {
                let is_current = is_rolling
                    && match &strategy.rolling_update {
                        None => ordinal < self.set.status.current_replicas,
                        Some(_) if is_of_choice => to_i32(old) < self.set.partition(),
                        Some(_) => lower < self.set.partition(),
                    };
                old += usize::from(is_current && short_hash(current) != short_hash(update));
                is_any_current |= is_current;
                *replica = Replica::Missing { is_current };
            }
            lower += 1;
        }
        if !is_any_current || current == update {
            return Ok(None);
        }
        revisions.current.data.template().map(Some).map_err(|error| SyncError(error.to_string()))
    }

    /// The pod that a place lacks, as it would be sent to the API server. Models newVersionedStatefulSetPod of
    /// stateful_set_utils.go.
    pub(super) fn new_versioned_pod(&self, plan: &Plan<'_>, index: usize, is_current: bool) -> Pod {
        let Revisions { current, update, .. } = plan.revisions;
        let revision = if is_current { &current.metadata.name } else { &update.metadata.name };
        let template = plan.current_template.as_ref().filter(|_| is_current).unwrap_or(&self.set.spec.template);
        self.steps.new_stateful_set_pod(template, revision, to_i32(index))
    }

    /// Makes every pod that is still to be made, to be sent in a later sync.
    pub(super) fn make_missing(&self, plan: &mut Plan<'_>) {
        for index in 0..plan.replicas.len() {
            if let Replica::Missing { is_current } = plan.replicas[index] {
                let pod = Rc::new(self.new_versioned_pod(plan, index, is_current));
                plan.replicas[index] = Replica::Pod(Cow::Owned(self.steps.set.read(&pod)));
            }
        }
    }

    /// Scales, counts, and updates what is old.
    fn scale_and_update(&mut self, plan: &mut Plan<'_>, history: &[&Rc<ControllerRevision>]) -> Result<(), SyncError> {
        if self.set.metadata.deletion_timestamp.is_some() {
            return Ok(());
        }
        let flow = self.process(plan);
        self.count_again(plan);
        if flow?.is_break() {
            return Ok(());
        }
        if self.set.spec.update_strategy.strategy_type == UpdateStrategyType::OnDelete {
            self.steps.decide(Decision::new(Rule::OnDelete));
            return Ok(());
        }
        self.update(plan, history)
    }
}
