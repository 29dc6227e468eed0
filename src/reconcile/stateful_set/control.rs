//! The heart of the sync: pods are split by ordinal, replicas go up, condemned down, old revisions last.
//! Models UpdateStatefulSet and updateStatefulSet of stateful_set_control.go.

use super::replicas::{Order, Replica, Replicas};
use super::{Rule, Sync};
use crate::objects::{Pod, PodManagementPolicy, StatefulSet, StatefulSetStatus, UpdateStrategyType};
use crate::reconcile::ordinals::{Revisions, to_i32};
use crate::reconcile::pods::is_available;
use crate::reconcile::roster::{Look, Member, Roster};
use crate::reconcile::{Decision, Facts, Gates, SyncError};
use std::cmp::Reverse;
use std::rc::Rc;
use std::time::Duration;

/// Pods by what the sync does with them, and the status counted on the way.
pub(super) struct Plan<'a> {
    pub(super) replicas: Replicas<'a>,
    /// In the order in which they go: by ordinal, descending. Only the first where no other is looked at.
    pub(super) condemned: Vec<Member<'a>>,
    pub(super) first_unhealthy: Option<&'a Rc<Pod>>,
    pub(super) monotonic: bool,
    pub(super) revisions: &'a Revisions,
    pub(super) status: StatefulSetStatus,
    /// Pods in `status` that are in neither part, or in a part no longer.
    pub(super) dropped: Vec<Member<'a>>,
    /// The first index after those that are decided.
    pub(super) decided_to: usize,
}

impl Plan<'_> {
    pub(super) fn ordinal(&self, index: usize) -> i32 {
        self.replicas.ordinal(index)
    }
}

/// What a sync returns: after which time it asks to be run again, if it does.
pub(super) type Again = Option<Duration>;

impl Sync<'_> {
    pub(super) fn update_stateful_set(&mut self, pods: &Roster) -> Result<Again, SyncError> {
        let history = self.steps.list_revisions();
        let revisions = self.steps.revisions(&history);
        let outcome = match &revisions {
            Ok(revisions) => self.perform_update(pods, revisions),
            Err(error) => Err(error.clone()),
        };
        self.steps.finish(outcome, pods, &history, revisions.ok().as_ref())
    }

    /// Scales, updates and writes status. In releases to 1.20 a refusal on the way leaves the status unwritten.
    fn perform_update(&mut self, pods: &Roster, revisions: &Revisions) -> Result<Again, SyncError> {
        let set = self.set;
        let mut plan = self.split(pods, revisions);
        let outcome = if set.metadata.deletion_timestamp.is_some() {
            self.steps.decide(Decision::new(Rule::SetTerminating));
            Ok(())
        } else {
            self.scale_and_update(&mut plan)
        };
        let gates = self.steps.gates;
        if !gates.processes_pods_apart && !gates.writes_status_after_failure {
            outcome.clone()?;
        }
        let (ready, available) = (plan.status.ready_replicas, plan.status.available_replicas);
        let written = self.update_status(plan.status);
        outcome.and(written)?;
        let expected = if self.steps.gates.exact_requeue { ready } else { set.replicas() };
        let unsettled = available.is_some_and(|available| available != expected);
        let seconds = u64::try_from(self.min_ready_seconds()).unwrap_or(0);
        if seconds == 0 || !unsettled {
            return Ok(None);
        }
        let next = if self.steps.gates.exact_requeue { self.next_availability(pods) } else { None };
        Ok(Some(next.unwrap_or(Duration::from_secs(seconds))))
    }

    /// How long until the next of the set's Ready pods becomes available; none if no such moment lies ahead.
    /// Models FindMinNextPodAvailabilityCheck of pkg/controller/controller_utils.go, v1.35.
    fn next_availability(&self, pods: &Roster) -> Option<Duration> {
        let left = pods.next_available()?.0 - self.steps.now.0;
        u64::try_from(left).ok().map(Duration::from_millis)
    }

    fn scale_and_update(&mut self, plan: &mut Plan<'_>) -> Result<(), SyncError> {
        let flow = if self.steps.gates.processes_pods_apart { self.process(plan) } else { self.scan(plan) };
        if flow?.is_continue() {
            self.roll(plan)?;
        }
        Ok(())
    }

    /// `spec.minReadySeconds` where the release reads it.
    pub(super) fn min_ready_seconds(&self) -> i32 {
        if self.steps.gates.min_ready_seconds { self.set.spec.min_ready_seconds } else { 0 }
    }

    /// Whether a pod that is Ready has been so for long enough.
    pub(super) fn is_available(&self, pod: &Pod) -> bool {
        let seconds = self.min_ready_seconds();
        seconds == 0 || is_available(pod, seconds, self.steps.gates.available_at_exact_deadline, self.steps.now)
    }

    fn split<'p>(&mut self, pods: &'p Roster, revisions: &'p Revisions) -> Plan<'p> {
        let set = self.set;
        let replicas = Replicas::new(pods, self.steps.ordinals.start(), set.replicas());
        #[cfg(feature = "seeded-faults")]
        let replicas = replicas.without_terminating(self.steps.gates.has(crate::releases::Mutation::TerminatingIsGone));
        let mut status = self.empty_status(revisions);
        for (look, group) in pods.groups() {
            self.count_pods(&mut status, look, to_i32(group.len()));
        }
        for member in pods.doubles() {
            self.count_pods(&mut status, member.look, 1);
        }
        let dropped = replicas.doubles().collect();
        let monotonic = set.spec.pod_management_policy == PodManagementPolicy::OrderedReady;
        let is_only_first = monotonic && !self.keeps_condemned_claims() && replicas.are_single();
        let (condemned, count) = if is_only_first {
            (replicas.last_condemned().into_iter().collect(), replicas.condemned_of(|_| true).1)
        } else {
            let all = self.in_order_of_going(replicas.condemned());
            let count = all.len();
            (all, count)
        };
        let facts = Facts::Split { replicas: set.replicas(), condemned: to_i32(count) };
        self.steps.decide(Decision::new(Rule::PodsSplit).with(facts));
        let (other, others) = if is_only_first {
            replicas.condemned_of(|look| !self.are_healthy(look))
        } else {
            let mut others = condemned.iter().rev().filter(|member| !self.are_healthy(member.look));
            let other = others.next().copied();
            (other, usize::from(other.is_some()) + others.count())
        };
        let first_unhealthy = self.first_unhealthy(&replicas, other, others);
        Plan { replicas, condemned, first_unhealthy, monotonic, revisions, status, dropped, decided_to: 0 }
    }

    /// Whether the claims of every condemned pod are looked at before the first goes.
    pub(super) fn keeps_condemned_claims(&self) -> bool {
        let gates = self.steps.gates;
        gates.processes_pods_apart && gates.auto_delete_claims && !self.set.spec.volume_claim_templates.is_empty()
    }

    fn empty_status(&self, revisions: &Revisions) -> StatefulSetStatus {
        StatefulSetStatus {
            observed_generation: self.set.metadata.generation,
            current_revision: revisions.current.metadata.name.clone(),
            update_revision: revisions.update.metadata.name.clone(),
            collision_count: Some(revisions.collision_count),
            available_replicas: self.steps.gates.min_ready_seconds.then_some(0),
            ..StatefulSetStatus::default()
        }
    }

    /// Counts so many pods of the cache that look alike in or, below 0, out.
    pub(super) fn count_pods(&self, status: &mut StatefulSetStatus, look: &Look, count: i32) {
        if look.is_created || !self.steps.gates.processes_pods_apart {
            status.replicas += count;
        }
        if look.is_ready {
            status.ready_replicas += count;
            if let Some(available) = status.available_replicas.as_mut().filter(|_| look.is_available) {
                *available += count;
            }
        }
        if look.is_created && !look.is_terminating {
            RevisionPlace::of(status, &look.revision).count(self.steps.gates, status, count);
        }
    }

    /// Whether pods that look like this are healthy.
    pub(super) fn are_healthy(&self, look: &Look) -> bool {
        let may_be = look.is_available || !self.steps.gates.unavailable_is_unhealthy;
        may_be && look.is_ready && !look.is_terminating
    }

    /// A pod that exists only in memory is not.
    pub(super) fn is_healthy_replica(&self, replica: &Replica<'_>) -> bool {
        matches!(replica, Replica::Existing(member) if self.are_healthy(member.look))
    }

    /// How many places have no pod, or one that is not healthy.
    pub(super) fn count_unhealthy(&self, replicas: &Replicas<'_>) -> usize {
        replicas.count_unless(|look| self.are_healthy(look))
    }

    /// By ordinal, descending. Of equal ordinals, as of `web-1` and `web-01`, older releases take the last one first.
    fn in_order_of_going<'p>(&self, mut condemned: Vec<Member<'p>>) -> Vec<Member<'p>> {
        if self.steps.gates.processes_pods_apart {
            condemned.sort_by_key(|member| Reverse(member.ordinal));
        } else {
            condemned.sort_by_key(|member| member.ordinal);
            condemned.reverse();
        }
        condemned
    }

    /// The lowest ordinal in range that is not healthy, else the lowest condemned one; counted with the others that are
    /// not. None where it is an ordinal without a pod.
    fn first_unhealthy<'p>(
        &mut self,
        replicas: &Replicas<'p>,
        condemned: Option<Member<'p>>,
        others: usize,
    ) -> Option<&'p Rc<Pod>> {
        let mut places = replicas.places(Order::Ascending, 0, |look| !self.are_healthy(look));
        let index = places.find(|index| !self.is_healthy_replica(&replicas.get(*index)));
        let replica = index.map(|index| match replicas.get(index) {
            Replica::Existing(member) => (member.ordinal, Some(member.pod)),
            _ => (replicas.ordinal(index), None),
        });
        let count = self.count_unhealthy(replicas) + others;
        let other = condemned.map(|member| (member.ordinal, Some(member.pod)));
        let (ordinal, pod) = replica.or(other)?;
        let facts = Facts::Count(to_i32(count));
        self.steps.decide(Decision::at(Rule::FirstUnhealthy, ordinal).with(facts));
        pod
    }

    /// Records that the ordinals not decided on yet are in order, up to the one at `end`, which is not.
    pub(super) fn decide_in_order(&mut self, plan: &mut Plan<'_>, end: usize) {
        if plan.decided_to < end {
            let facts = Facts::Span { from: plan.ordinal(plan.decided_to), to: plan.ordinal(end - 1) };
            self.steps.decide(Decision::new(Rule::ReplicasInOrder).with(facts));
        }
        plan.decided_to = end + 1;
    }

    /// A pod for the ordinal at the current or at the update revision.
    pub(super) fn new_versioned_pod(&self, plan: &Plan<'_>, index: usize) -> Result<Pod, SyncError> {
        let (revisions, ordinal) = (plan.revisions, plan.ordinal(index));
        let set = self.set;
        if revisions.current.metadata.name != revisions.update.metadata.name && stays_current(set, to_i32(index)) {
            let data = &revisions.current.data;
            let alone = self.steps.gates.restores_template_alone;
            let template = if alone { data.template() } else { data.template_over(&set.spec.template) };
            let template = template.map_err(|error| SyncError(error.to_string()))?;
            return Ok(self.steps.new_pod(&template, &revisions.current.metadata.name, ordinal));
        }
        let update = &revisions.update;
        // An equivalent revision's template may leave out what is a default.
        let stored = if self.steps.gates.semantic_revision_comparison { update.data.template().ok() } else { None };
        let template = stored.as_ref().unwrap_or(&set.spec.template);
        Ok(self.steps.new_pod(template, &update.metadata.name, ordinal))
    }

    pub(super) fn decide_outcome(&mut self, outcome: &Result<(), SyncError>, done: Rule, refused: Rule, ordinal: i32) {
        self.steps.decide(Decision::at(if outcome.is_ok() { done } else { refused }, ordinal));
    }
}

/// Whether a new pod at this place in the range is made at the current revision: below the partition, or, where no
/// `rollingUpdate` is given at all, below the number of pods that still have it.
fn stays_current(set: &StatefulSet, index: i32) -> bool {
    let strategy = &set.spec.update_strategy;
    match &strategy.rolling_update {
        None => strategy.strategy_type == UpdateStrategyType::RollingUpdate && index < set.status.current_replicas,
        Some(rolling) => index < rolling.partition.unwrap_or(0),
    }
}

/// Which of the status's revisions a pod is at.
#[derive(Clone, Copy)]
pub(super) struct RevisionPlace {
    is_current: bool,
    is_update: bool,
}

impl RevisionPlace {
    pub(super) fn of(status: &StatefulSetStatus, revision: &str) -> Self {
        Self { is_current: *revision == *status.current_revision, is_update: *revision == *status.update_revision }
    }

    /// Counts a pod in or out of the status.
    pub(super) fn count(self, gates: &Gates, status: &mut StatefulSetStatus, by: i32) {
        if self.is_current {
            status.current_replicas += by;
        }
        if (gates.counts_pod_twice || !self.is_current) && self.is_update {
            status.updated_replicas += by;
        }
    }
}
