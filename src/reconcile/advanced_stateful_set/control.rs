//! The heart of the sync: pods are split by ordinal, replicas go up, condemned down, old revisions last.
//! Models UpdateStatefulSet and updateStatefulSet of stateful_set_control.go.

use super::order::is_updated;
use super::pods::is_healthy;
use super::{Rule, Sync};
use crate::objects::{AdvancedStatefulSetStatus, ControllerRevision, Pod, PodManagementPolicy, UpdateStrategyType};
use crate::order::Order;
use crate::reconcile::ordinals::{Revisions, to_i32};
use crate::reconcile::roster::Member;
use crate::reconcile::{Decision, Facts, SyncError};
use std::cmp::Reverse;
use std::rc::Rc;

/// One place in the range of ordinals.
pub(super) enum Replica<'a> {
    /// No pod is to be here.
    Reserved,
    /// A pod the cache holds.
    Existing(Member<'a>),
    /// A pod made in memory, at the revision the rule gives: sent in this sync, or to be sent in a later one.
    New(Rc<Pod>),
}

impl<'a> Replica<'a> {
    pub(super) fn pod(&self) -> Option<&Rc<Pod>> {
        match self {
            Self::Existing(member) => Some(member.pod),
            Self::New(pod) => Some(pod),
            Self::Reserved => None,
        }
    }
}

/// Pods by what the sync does with them, and the status counted on the way.
pub(super) struct Plan<'a> {
    /// By ordinal, from 0.
    pub(super) replicas: Vec<Replica<'a>>,
    /// In the order in which they go: by ordinal, descending.
    pub(super) condemned: Vec<Member<'a>>,
    pub(super) first_unhealthy: Option<Rc<Pod>>,
    pub(super) is_monotonic: bool,
    pub(super) revisions: &'a Revisions,
    pub(super) status: AdvancedStatefulSetStatus,
}

impl Sync<'_> {
    pub(super) async fn reconcile(&mut self) -> Result<(), SyncError> {
        self.steps.adopt_orphan_revisions()?;
        let roster = self.steps.claim_pods()?;
        let pods = roster.members();
        let history = self.steps.list_revisions();
        let revisions = self.steps.revisions(&history);
        let outcome = match &revisions {
            Ok(revisions) => self.perform_update(&pods, revisions, &history).await,
            Err(error) => Err(error.clone()),
        };
        self.steps.finish(outcome, &roster, &history, revisions.ok().as_ref())
    }

    /// Scales, updates and writes status, even after a refusal on the way.
    async fn perform_update(
        &mut self,
        pods: &[Member<'_>],
        revisions: &Revisions,
        history: &[&Rc<ControllerRevision>],
    ) -> Result<(), SyncError> {
        let mut plan = self.split(pods, revisions)?;
        let outcome = self.scale_and_update(&mut plan, pods, history).await;
        let written = self.update_status(plan.status);
        outcome.and(written)
    }

    fn split<'p>(&mut self, pods: &[Member<'p>], revisions: &'p Revisions) -> Result<Plan<'p>, SyncError> {
        let set = self.set;
        let status = self.new_status(pods, revisions);
        let mut places: Vec<Option<Member<'p>>> = vec![None; self.steps.ordinals.len()];
        let mut condemned = Vec::new();
        for member in pods {
            match usize::try_from(member.ordinal) {
                Ok(index) if self.steps.ordinals.contains(member.ordinal) => places[index] = Some(*member),
                Ok(_) => condemned.push(*member),
                // An ordinal that does not fit 32 bits is in neither part.
                Err(_) => {}
            }
        }
        let mut replicas: Vec<Replica<'p>> =
            places.into_iter().map(|it| it.map_or(Replica::Reserved, Replica::Existing)).collect();
        for index in 0..replicas.len() {
            let ordinal = to_i32(index);
            if matches!(replicas[index], Replica::Reserved) && self.steps.ordinals.contains(ordinal) {
                let pod = self.new_versioned_pod(&replicas, ordinal, revisions)?;
                replicas[index] = Replica::New(Rc::new(pod));
            }
        }
        condemned.order_by_key(|member| Reverse(member.ordinal));
        let facts = Facts::Split { replicas: set.replicas(), condemned: to_i32(condemned.len()) };
        self.steps.decide(Decision::new(Rule::Split).with(facts));
        let unhealthy = |pod: &&Rc<Pod>| !is_healthy(pod);
        let replica =
            replicas.iter().enumerate().find_map(|(index, it)| Some((to_i32(index), it.pod().filter(unhealthy)?)));
        let other = condemned.iter().rev().map(|member| (member.ordinal, member.pod)).find(|(_, pod)| unhealthy(pod));
        let first = replica.into_iter().chain(other).min_by_key(|(ordinal, _)| *ordinal);
        let first_unhealthy = first.map(|(_, pod)| Rc::clone(pod));
        let is_monotonic = set.spec.pod_management_policy == PodManagementPolicy::OrderedReady;
        Ok(Plan { replicas, condemned, first_unhealthy, is_monotonic, revisions, status })
    }

    /// A pod for the ordinal at the current or at the update revision.
    fn new_versioned_pod(
        &self,
        replicas: &[Replica<'_>],
        ordinal: i32,
        revisions: &Revisions,
    ) -> Result<Pod, SyncError> {
        let (current, update) = (&revisions.current, &revisions.update);
        if self.is_current_needed(replicas, ordinal, &update.metadata.name) {
            if current.metadata.name == update.metadata.name {
                return Ok(self.steps.new_pod(&self.set.spec.template, &current.metadata.name, ordinal));
            }
            let template = current.data.template().map_err(|error| SyncError(error.to_string()))?;
            return Ok(self.steps.new_pod(&template, &current.metadata.name, ordinal));
        }
        Ok(self.steps.new_pod(&self.set.spec.template, &update.metadata.name, ordinal))
    }

    /// Whether a new pod is to be at the current revision. Models isCurrentRevisionNeeded of stateful_set_utils.go.
    fn is_current_needed(&self, replicas: &[Replica<'_>], ordinal: i32, update: &str) -> bool {
        let strategy = &self.set.spec.update_strategy;
        if strategy.strategy_type != UpdateStrategyType::RollingUpdate {
            return false;
        }
        let Some(rolling) = &strategy.rolling_update else { return ordinal < self.set.status.current_replicas };
        let others = if rolling.unordered_update.is_none() {
            // How many lower ones there are to be, whatever revision they have.
            (0..ordinal).filter(|lower| self.steps.ordinals.contains(*lower)).count()
        } else {
            let others = replicas.iter().enumerate().filter(|(index, _)| to_i32(*index) != ordinal);
            others.filter_map(|(_, replica)| replica.pod()).filter(|pod| !is_updated(self.gates, pod, update)).count()
        };
        to_i32(others) < self.set.partition()
    }

    /// Scales, counts, and updates what is old.
    async fn scale_and_update(
        &mut self,
        plan: &mut Plan<'_>,
        pods: &[Member<'_>],
        history: &[&Rc<ControllerRevision>],
    ) -> Result<(), SyncError> {
        if self.set.metadata.deletion_timestamp.is_some() {
            return Ok(());
        }
        let flow = self.process(plan).await;
        self.count_again(plan);
        if flow?.is_break() {
            return Ok(());
        }
        if self.set.spec.update_strategy.strategy_type == UpdateStrategyType::OnDelete {
            self.steps.decide(Decision::new(Rule::OnDelete));
            return Ok(());
        }
        self.update(plan, pods, history).await
    }
}
