//! The heart of the sync: replicas up, condemned down, old revisions last.
//! Models UpdateStatefulSet and updateStatefulSet of stateful_set_control.go, v1.20.

use super::Sync;
use super::claim::Member;
use super::history::Revisions;
use super::identity::{member_identity_matches, member_storage_matches, new_pod};
use crate::objects::sorted_by_number;
use crate::objects::{EventType, Pod, PodManagementPolicy, StatefulSet, StatefulSetStatus, UpdateStrategyType};
use crate::reconcile::pods::{is_created, is_failed, is_healthy, is_running_and_ready, is_terminating, revision_of};
use crate::reconcile::{Decision, Facts, Rule, SyncError};
use std::ops::ControlFlow::{self, Break, Continue};
use std::rc::Rc;

/// How a phase ended: go on to the next, or end the sync here.
type Flow = ControlFlow<()>;

/// One ordinal in range.
enum Replica<'a> {
    /// A pod the cache holds, and whether it is healthy.
    Existing(&'a Rc<Pod>, bool),
    /// A pod made in memory, at the revision the rule gives: sent in this sync, or to be sent in a later one.
    New(Box<Pod>),
    /// No pod yet.
    Missing,
}

impl Replica<'_> {
    fn pod(&self) -> Option<&Pod> {
        match self {
            Self::Existing(pod, _) => Some(pod),
            Self::New(pod) => Some(pod),
            Self::Missing => None,
        }
    }

    /// Running, Ready and not terminating; a pod that exists only in memory is not.
    fn is_healthy(&self) -> bool {
        matches!(self, Self::Existing(_, true))
    }
}

/// Pods by what the sync does with them, and the status counted on the way.
struct Plan<'a> {
    replicas: Vec<Replica<'a>>,
    condemned: Vec<Member<'a>>,
    first_unhealthy: Option<&'a Rc<Pod>>,
    monotonic: bool,
    revisions: &'a Revisions,
    status: StatefulSetStatus,
}

impl<'a> Sync<'a> {
    pub(super) fn update_stateful_set(&mut self, pods: &[Member<'a>]) -> Result<(), SyncError> {
        let history = self.list_revisions();
        let (revisions, outcome) = match self.revisions(&history) {
            Ok(revisions) => {
                let outcome = self.perform_update(pods, &revisions);
                (Some(revisions), outcome)
            }
            Err(error) => (None, Err(error)),
        };
        let truncated = self.truncate_history(pods, &history, revisions.as_ref());
        SyncError::aggregate([outcome, truncated].into_iter().filter_map(Result::err).collect())
    }

    /// Scales, updates and writes status; a refusal on the way leaves the status unwritten.
    fn perform_update(&mut self, pods: &[Member<'a>], revisions: &Revisions) -> Result<(), SyncError> {
        let mut plan = self.split(pods, revisions);
        if self.set().metadata.deletion_timestamp.is_some() {
            self.decide(Decision::new(Rule::SetTerminating));
        } else {
            self.scale_and_update(&mut plan)?;
        }
        self.update_status(plan.status)
    }

    fn scale_and_update(&mut self, plan: &mut Plan<'_>) -> Result<(), SyncError> {
        if self.scan_replicas(plan)?.is_continue() && self.delete_condemned(plan)?.is_continue() {
            self.roll(plan)?;
        }
        Ok(())
    }

    fn split<'p>(&mut self, pods: &[Member<'p>], revisions: &'p Revisions) -> Plan<'p> {
        let set = self.set();
        let replica_count = usize::try_from(set.replicas()).unwrap_or(0);
        let (current, update) = (&revisions.current.metadata.name, &revisions.update.metadata.name);
        let mut status = StatefulSetStatus {
            observed_generation: set.metadata.generation,
            current_revision: current.clone(),
            update_revision: update.clone(),
            collision_count: Some(revisions.collision_count),
            ..StatefulSetStatus::default()
        };
        let mut replicas: Vec<Replica<'p>> = (0..replica_count).map(|_| Replica::Missing).collect();
        let mut condemned: Vec<Member<'p>> = Vec::new();
        for member in pods {
            let pod = member.pod;
            status.replicas += 1;
            let (ready, terminating) = (is_running_and_ready(pod), is_terminating(pod));
            if ready {
                status.ready_replicas += 1;
            }
            if is_created(pod) && !terminating {
                count(&mut status, revision_of(pod), 1);
            }
            // An ordinal that does not fit 32 bits is in neither part.
            match usize::try_from(member.ordinal) {
                Ok(index) if index < replica_count => {
                    replicas[index] = Replica::Existing(pod, ready && !terminating);
                }
                Ok(_) => condemned.push(*member),
                Err(_) => {}
            }
        }
        let condemned = sorted_by_number(condemned, |member| i64::from(member.ordinal));
        let facts = Facts::Split { replicas: set.replicas(), condemned: to_i32(condemned.len()) };
        self.decide(Decision::new(Rule::PodsSplit).with(facts));
        let first_unhealthy = self.first_unhealthy(&replicas, &condemned);
        let monotonic = set.spec.pod_management_policy == PodManagementPolicy::OrderedReady;
        Plan { replicas, condemned, first_unhealthy, monotonic, revisions, status }
    }

    /// The lowest ordinal that is not healthy, replicas before condemned. None where it is an ordinal without a pod.
    fn first_unhealthy<'p>(&mut self, replicas: &[Replica<'p>], condemned: &[Member<'p>]) -> Option<&'p Rc<Pod>> {
        let index = replicas.iter().position(|replica| !replica.is_healthy());
        let replica = index.map(|index| match &replicas[index] {
            Replica::Existing(pod, _) => (to_i32(index), Some(*pod)),
            _ => (to_i32(index), None),
        });
        let unhealthy = replica.or_else(|| {
            condemned.iter().find(|member| !is_healthy(member.pod)).map(|member| (member.ordinal, Some(member.pod)))
        });
        let (ordinal, pod) = unhealthy?;
        self.decide(Decision::at(Rule::FirstUnhealthy, ordinal));
        pod
    }

    /// Ascending: each ordinal in range is made, made again, waited for, or put right.
    fn scan_replicas(&mut self, plan: &mut Plan<'_>) -> Result<Flow, SyncError> {
        let mut in_order_from = 0;
        for index in 0..plan.replicas.len() {
            if self.is_in_order(plan, index) {
                continue;
            }
            self.decide_in_order(in_order_from, index);
            in_order_from = index + 1;
            if self.scan_replica(plan, index)?.is_break() {
                return Ok(Break(()));
            }
        }
        self.decide_in_order(in_order_from, plan.replicas.len());
        Ok(Continue(()))
    }

    fn decide_in_order(&mut self, from: usize, end: usize) {
        if from < end {
            let facts = Facts::Span { from: to_i32(from), to: to_i32(end - 1) };
            self.decide(Decision::new(Rule::ReplicasInOrder).with(facts));
        }
    }

    /// Whether the scan has nothing to do and nothing to wait for at this ordinal.
    fn is_in_order(&self, plan: &Plan<'_>, index: usize) -> bool {
        let Replica::Existing(pod, healthy) = &plan.replicas[index] else { return false };
        let (set, ordinal) = (self.set(), to_i32(index));
        // A healthy pod is Running; of the others, Parallel passes those that have neither failed nor are yet to be made.
        let passed = *healthy || (!plan.monotonic && is_created(pod) && !is_failed(pod));
        passed && member_identity_matches(set, pod, ordinal) && member_storage_matches(set, pod, ordinal)
    }

    fn scan_replica(&mut self, plan: &mut Plan<'_>, index: usize) -> Result<Flow, SyncError> {
        let ordinal = to_i32(index);
        if let Some(failed) = plan.replicas[index].pod().filter(|pod| is_failed(pod)) {
            let revision = revision_of(failed).to_owned();
            self.delete_failed(failed, ordinal)?;
            count(&mut plan.status, &revision, -1);
            plan.status.replicas -= 1;
            plan.replicas[index] = Replica::Missing;
        }
        let pod = match &plan.replicas[index] {
            Replica::Existing(pod, _) if is_created(pod) => *pod,
            Replica::Existing(pod, _) => {
                let pod = (***pod).clone();
                return self.create_replica(plan, index, pod);
            }
            _ => {
                let pod = self.new_versioned_pod(plan.revisions, ordinal)?;
                return self.create_replica(plan, index, pod);
            }
        };
        if plan.monotonic && is_terminating(pod) {
            self.decide(Decision::at(Rule::ReplicaTerminating, ordinal));
            return Ok(Break(()));
        }
        if plan.monotonic && !is_running_and_ready(pod) {
            self.decide(Decision::at(Rule::ReplicaNotReady, ordinal));
            return Ok(Break(()));
        }
        let updated = self.update_stateful_pod(pod);
        self.decide_outcome(&updated, Rule::ReplicaUpdated, Rule::ReplicaUpdateRefused, ordinal);
        updated.map(|()| Continue(()))
    }

    /// A failed pod is deleted, and its ordinal created again in the same sync.
    fn delete_failed(&mut self, pod: &Pod, ordinal: i32) -> Result<(), SyncError> {
        let set = &self.set().metadata;
        let message =
            format!("StatefulSet {}/{} is recreating failed Pod {}", set.namespace, set.name, pod.metadata.name);
        self.record(EventType::Warning, "RecreatingFailedPod", message);
        let deleted = self.delete_stateful_pod(pod);
        self.decide_outcome(&deleted, Rule::ReplicaFailed, Rule::ReplicaFailedRefused, ordinal);
        deleted
    }

    fn create_replica(&mut self, plan: &mut Plan<'_>, index: usize, pod: Pod) -> Result<Flow, SyncError> {
        let revision = revision_of(&pod).to_owned();
        let created = self.create_stateful_pod(pod.clone());
        self.decide_outcome(&created, Rule::ReplicaCreated, Rule::ReplicaCreateRefused, to_i32(index));
        created?;
        plan.status.replicas += 1;
        count(&mut plan.status, &revision, 1);
        plan.replicas[index] = Replica::New(Box::new(pod));
        Ok(if plan.monotonic { Break(()) } else { Continue(()) })
    }

    /// A pod for the ordinal at the current or at the update revision.
    fn new_versioned_pod(&self, revisions: &Revisions, ordinal: i32) -> Result<Pod, SyncError> {
        let set = self.set();
        let owner = self.controller_reference();
        if revisions.current.metadata.name != revisions.update.metadata.name && stays_current(set, ordinal) {
            let template = revisions.current.data.template().map_err(|error| SyncError(error.to_string()))?;
            return Ok(new_pod(set, template, owner, &revisions.current.metadata.name, ordinal));
        }
        Ok(new_pod(set, &set.spec.template, owner, &revisions.update.metadata.name, ordinal))
    }

    /// Descending: pods out of range go, one at a time and in order where the policy asks for it.
    fn delete_condemned(&mut self, plan: &mut Plan<'_>) -> Result<Flow, SyncError> {
        for &Member { pod, ordinal } in plan.condemned.iter().rev() {
            if is_terminating(pod) {
                if plan.monotonic {
                    self.decide(Decision::at(Rule::CondemnedTerminating, ordinal));
                    return Ok(Break(()));
                }
                self.decide(Decision::at(Rule::CondemnedPassed, ordinal));
                continue;
            }
            let is_first_unhealthy = plan.first_unhealthy.is_some_and(|first| Rc::ptr_eq(first, pod));
            if plan.monotonic && !is_running_and_ready(pod) && !is_first_unhealthy {
                self.decide(Decision::at(Rule::CondemnedNotReady, ordinal));
                return Ok(Break(()));
            }
            let deleted = self.delete_stateful_pod(pod);
            self.decide_outcome(&deleted, Rule::CondemnedDeleted, Rule::CondemnedDeleteRefused, ordinal);
            deleted?;
            count(&mut plan.status, revision_of(pod), -1);
            if plan.monotonic {
                return Ok(Break(()));
            }
        }
        Ok(Continue(()))
    }

    /// Descending to the partition: the first pod at another revision is deleted, the first unhealthy one waited for.
    fn roll(&mut self, plan: &mut Plan<'_>) -> Result<(), SyncError> {
        let strategy = &self.set().spec.update_strategy;
        if strategy.strategy_type == UpdateStrategyType::OnDelete {
            self.decide(Decision::new(Rule::UpdateOnDelete));
            return Ok(());
        }
        let partition = strategy.rolling_update.as_ref().and_then(|rolling| rolling.partition).unwrap_or(0);
        let lowest = usize::try_from(partition).unwrap_or(0);
        let update = &plan.revisions.update.metadata.name;
        for index in (lowest..plan.replicas.len()).rev() {
            let Some(pod) = plan.replicas[index].pod() else { continue };
            if revision_of(pod) != &**update && !is_terminating(pod) {
                let deleted = self.delete_stateful_pod(pod);
                self.decide_outcome(&deleted, Rule::UpdateDeleted, Rule::UpdateDeleteRefused, to_i32(index));
                plan.status.current_replicas -= 1;
                return deleted;
            }
            if !plan.replicas[index].is_healthy() {
                self.decide(Decision::at(Rule::UpdateNotHealthy, to_i32(index)));
                return Ok(());
            }
        }
        self.decide(Decision::new(Rule::UpdateDone).with(Facts::Count(partition)));
        Ok(())
    }

    fn decide_outcome(&mut self, outcome: &Result<(), SyncError>, done: Rule, refused: Rule, ordinal: i32) {
        self.decide(Decision::at(if outcome.is_ok() { done } else { refused }, ordinal));
    }
}

/// Whether a new pod of this ordinal is made at the current revision: below the partition, or, where no
/// `rollingUpdate` is given at all, below the number of pods that still have it.
fn stays_current(set: &StatefulSet, ordinal: i32) -> bool {
    let strategy = &set.spec.update_strategy;
    match &strategy.rolling_update {
        None => strategy.strategy_type == UpdateStrategyType::RollingUpdate && ordinal < set.status.current_replicas,
        Some(rolling) => ordinal < rolling.partition.unwrap_or(0),
    }
}

/// Counts a pod of `revision` in or out of the status; both counters where the revisions are one.
fn count(status: &mut StatefulSetStatus, revision: &str, by: i32) {
    if revision == &*status.current_revision {
        status.current_replicas += by;
    }
    if revision == &*status.update_revision {
        status.updated_replicas += by;
    }
}

fn to_i32(number: usize) -> i32 {
    i32::try_from(number).unwrap_or(i32::MAX)
}
