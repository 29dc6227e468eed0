//! The heart of the sync: pods are split by ordinal, replicas go up, condemned down, old revisions last.
//! Models UpdateStatefulSet, performUpdate and updateStatefulSet of stateful_set_control.go.

use super::{Rule, Sync};
use crate::objects::{Pod, PodManagementPolicy, StatefulSet, StatefulSetStatus, UpdateStrategyType};
use crate::reconcile::ordinals::{Revisions, to_i32};
use crate::reconcile::sync_cache::CachedPod;
use crate::reconcile::{Decision, Facts, SyncError};
use std::borrow::Cow;
use std::cmp::Reverse;
use std::rc::Rc;

/// A pod of the cache, or one made in memory: sent in this sync, or to be sent in a later one.
pub(super) type Replica<'a> = Cow<'a, CachedPod>;

/// What upstream's updateStatefulSet holds in its local variables.
pub(super) struct Plan<'a> {
    pub(super) revisions: &'a Revisions,
    pub(super) status: StatefulSetStatus,
    /// By place in the range. Upstream makes every missing pod at once; here it is made when it is looked at.
    pub(super) replicas: Vec<Option<Replica<'a>>>,
    /// In the order in which they go: by ordinal, descending.
    pub(super) condemned: Vec<&'a CachedPod>,
    /// None where it is still missing, too.
    pub(super) first_unhealthy_pod: Option<Rc<Pod>>,
    pub(super) monotonic: bool,
    /// The first ordinal in range.
    start: i32,
    /// The first place after those that decisions tell of.
    decided_to: usize,
}

impl Plan<'_> {
    pub(super) fn ordinal(&self, index: usize) -> i32 {
        self.start.saturating_add(to_i32(index))
    }
}

impl<'a> Sync<'a> {
    /// Models UpdateStatefulSet.
    pub(super) fn update_stateful_set(&mut self, pods: &[&'a CachedPod]) -> Result<StatefulSetStatus, SyncError> {
        let history = self.steps.list_revisions();
        let revisions = self.steps.get_stateful_set_revisions(&history);
        let outcome = match &revisions {
            Ok(revisions) => self.perform_update(pods, revisions),
            Err(error) => Err(error.clone()),
        };
        self.steps.finish(outcome, pods, &history, revisions.ok().as_ref())
    }

    /// Scales, updates and writes status. In releases to 1.20 a refusal on the way leaves the status unwritten.
    /// Models performUpdate.
    fn perform_update(
        &mut self,
        pods: &[&'a CachedPod],
        revisions: &Revisions,
    ) -> Result<StatefulSetStatus, SyncError> {
        let mut plan = self.plan(pods, revisions);
        let updated = self.update_pods(&mut plan);
        let gates = self.steps.gates;
        if !gates.processes_pods_apart && !gates.writes_status_after_failure {
            updated.clone()?;
        }
        let written = self.update_stateful_set_status(plan.status.clone());
        updated.and(written)?;
        Ok(plan.status)
    }

    /// The first half of updateStatefulSet: the pods are counted and split by ordinal.
    fn plan<'p>(&mut self, pods: &[&'p CachedPod], revisions: &'p Revisions) -> Plan<'p> {
        let set = self.set;
        let mut status = self.new_status(revisions);
        self.update_status(&mut status, pods.iter().copied());
        let start = self.steps.ordinals.start();
        let mut replicas: Vec<Option<Replica<'p>>> = vec![None; usize::try_from(set.replicas()).unwrap_or(0)];
        let mut condemned = Vec::new();
        for pod in pods {
            #[cfg(feature = "seeded-faults")]
            if self.steps.gates.has(crate::releases::Mutation::TerminatingIsGone) && pod.is_terminating {
                continue;
            }
            match usize::try_from(pod.ordinal - start) {
                // Of several pods with one ordinal, as `web-01` and `web-1`, the last one counts.
                Ok(index) if self.steps.ordinals.contains(pod.ordinal) => replicas[index] = Some(Cow::Borrowed(*pod)),
                // An ordinal that does not fit 32 bits is in neither part.
                _ if pod.ordinal >= 0 => condemned.push(*pod),
                _ => {}
            }
        }
        self.sort_descending(&mut condemned);
        let facts = Facts::Split { replicas: set.replicas(), condemned: to_i32(condemned.len()) };
        self.steps.decide(Decision::new(Rule::PodsSplit).with(facts));
        let monotonic = set.spec.pod_management_policy == PodManagementPolicy::OrderedReady;
        let (first_unhealthy_pod, decided_to) = (None, 0);
        let mut plan =
            Plan { revisions, status, replicas, condemned, first_unhealthy_pod, monotonic, start, decided_to };
        self.find_first_unhealthy(&mut plan);
        plan
    }

    /// The second half of updateStatefulSet: replicas up, condemned down, then the rolling update.
    fn update_pods(&mut self, plan: &mut Plan<'_>) -> Result<(), SyncError> {
        if self.set.metadata.deletion_timestamp.is_some() {
            self.steps.decide(Decision::new(Rule::SetTerminating));
            return Ok(());
        }
        if self.recreates() && self.recreate(plan)?.is_break() {
            return Ok(());
        }
        let flow = if self.steps.gates.processes_pods_apart {
            let flow = self.process(plan);
            self.count_again(plan);
            flow?
        } else {
            self.scan(plan)?
        };
        if flow.is_break() {
            return Ok(());
        }
        if self.set.spec.update_strategy.strategy_type == UpdateStrategyType::OnDelete {
            self.steps.decide(Decision::new(Rule::UpdateOnDelete));
            return Ok(());
        }
        if self.recreates() {
            self.decide_done(plan, 0);
            return Ok(());
        }
        if self.steps.gates.max_unavailable {
            self.update_stateful_set_after_invariant_established(plan)
        } else {
            self.delete_next_outdated(plan)
        }
    }

    fn new_status(&self, revisions: &Revisions) -> StatefulSetStatus {
        StatefulSetStatus {
            observed_generation: self.set.metadata.generation,
            current_revision: revisions.current.metadata.name.clone(),
            update_revision: revisions.update.metadata.name.clone(),
            collision_count: Some(revisions.collision_count),
            ..StatefulSetStatus::default()
        }
    }

    /// Models updateStatus, v1.28; older releases count so at the beginning only.
    fn update_status<'p>(&self, status: &mut StatefulSetStatus, pods: impl Iterator<Item = &'p CachedPod>) {
        let gates = self.steps.gates;
        (status.replicas, status.ready_replicas, status.current_replicas, status.updated_replicas) = (0, 0, 0, 0);
        let mut available = 0;
        for pod in pods {
            if pod.is_created() || !gates.processes_pods_apart {
                status.replicas += 1;
            }
            if pod.is_ready {
                status.ready_replicas += 1;
                available += i32::from(self.is_available(pod));
            }
            if pod.is_created() && !pod.is_terminating {
                self.count_revision(status, &pod.revision, 1);
            }
        }
        status.available_replicas = gates.counts_available.then_some(available);
    }

    /// The status of the pods that are in either part by now.
    fn count_again(&self, plan: &mut Plan<'_>) {
        let Plan { status, replicas, condemned, .. } = plan;
        let pods = replicas.iter().flatten().map(|replica| &**replica).chain(condemned.iter().copied());
        self.update_status(status, pods);
    }

    /// Counts a pod of this revision in or out.
    pub(super) fn count_revision(&self, status: &mut StatefulSetStatus, revision: &str, by: i32) {
        let is_current = *revision == *status.current_revision;
        if is_current {
            status.current_replicas += by;
        }
        if (self.steps.gates.counts_pod_twice || !is_current) && *revision == *status.update_revision {
            status.updated_replicas += by;
        }
    }

    /// By ordinal, descending. Of equal ordinals, as of `web-1` and `web-01`, older releases take the last one first.
    fn sort_descending(&self, condemned: &mut [&CachedPod]) {
        if self.steps.gates.processes_pods_apart {
            condemned.sort_by_key(|pod| Reverse(pod.ordinal));
        } else {
            condemned.sort_by_key(|pod| pod.ordinal);
            condemned.reverse();
        }
    }

    /// The lowest ordinal in range that is not healthy, else the lowest condemned one; counted with the others that are not.
    fn find_first_unhealthy(&mut self, plan: &mut Plan<'_>) {
        let is_unhealthy = |replica: &Option<Replica<'_>>| !replica.as_ref().is_some_and(|pod| self.is_healthy(pod));
        let mut replicas = (0..plan.replicas.len()).filter(|index| is_unhealthy(&plan.replicas[*index]));
        let mut condemned = plan.condemned.iter().rev().filter(|pod| !self.is_healthy(pod));
        let (replica, other) = (replicas.next(), condemned.next());
        let unhealthy =
            replicas.count() + condemned.count() + usize::from(replica.is_some()) + usize::from(other.is_some());
        let (ordinal, pod) = match (replica, other) {
            (Some(index), _) => (plan.ordinal(index), plan.replicas[index].as_deref()),
            (None, Some(pod)) => (pod.ordinal, Some(*pod)),
            (None, None) => return,
        };
        plan.first_unhealthy_pod = pod.map(|pod| Rc::clone(&pod.pod));
        self.steps.decide(Decision::at(Rule::FirstUnhealthy, ordinal).with(Facts::Count(to_i32(unhealthy))));
    }

    /// `spec.minReadySeconds` where the release reads it.
    pub(super) fn min_ready_seconds(&self) -> i32 {
        if self.steps.gates.min_ready_seconds { self.set.spec.min_ready_seconds } else { 0 }
    }

    /// Whether a pod that is Ready has been so for long enough. Models isRunningAndAvailable of stateful_set_utils.go.
    pub(super) fn is_available(&self, pod: &CachedPod) -> bool {
        let (seconds, now) = (self.min_ready_seconds(), self.steps.now);
        let due = pod.ready_since.map(|since| since.plus_seconds(seconds.into()));
        seconds == 0 || due.is_some_and(|due| due < now || (self.steps.gates.available_at_exact_deadline && due == now))
    }

    /// Models isHealthy, and from 1.35 isUnavailable, of stateful_set_utils.go.
    pub(super) fn is_healthy(&self, pod: &CachedPod) -> bool {
        let waits = self.steps.gates.unavailable_is_unhealthy && !self.is_available(pod);
        pod.is_ready && !pod.is_terminating && !waits
    }

    /// The pod at a place in the range; one that is missing is made, at the current or at the update revision.
    pub(super) fn replica<'p>(&self, plan: &mut Plan<'p>, index: usize) -> Result<Replica<'p>, SyncError> {
        if let Some(replica) = &plan.replicas[index] {
            return Ok(replica.clone());
        }
        let pod = Rc::new(self.new_versioned_pod(plan, index)?);
        let replica: Replica<'p> = Cow::Owned(self.steps.set.read(&pod));
        plan.replicas[index] = Some(replica.clone());
        Ok(replica)
    }

    /// Models newVersionedStatefulSetPod of stateful_set_utils.go.
    fn new_versioned_pod(&self, plan: &Plan<'_>, index: usize) -> Result<Pod, SyncError> {
        let (revisions, ordinal) = (plan.revisions, plan.ordinal(index));
        let set = self.set;
        if revisions.current.metadata.name != revisions.update.metadata.name && is_current_expected(set, to_i32(index))
        {
            let data = &revisions.current.data;
            let alone = self.steps.gates.restores_template_alone;
            let template = if alone { data.template() } else { data.template_over(&set.spec.template) };
            let template = template.map_err(|error| SyncError(error.to_string()))?;
            return Ok(self.steps.new_stateful_set_pod(&template, &revisions.current.metadata.name, ordinal));
        }
        let update = &revisions.update;
        // An equivalent revision's template may leave out what is a default.
        let stored = if self.steps.gates.semantic_revision_comparison { update.data.template().ok() } else { None };
        let template = stored.as_ref().unwrap_or(&set.spec.template);
        Ok(self.steps.new_stateful_set_pod(template, &update.metadata.name, ordinal))
    }

    /// Records that the ordinals not decided on yet are in order, up to the one at `end`, which is not.
    pub(super) fn decide_in_order(&mut self, plan: &mut Plan<'_>, end: usize) {
        if plan.decided_to < end {
            let facts = Facts::Span { from: plan.ordinal(plan.decided_to), to: plan.ordinal(end - 1) };
            self.steps.decide(Decision::new(Rule::ReplicasInOrder).with(facts));
        }
        plan.decided_to = end + 1;
    }

    pub(super) fn decide_outcome(&mut self, outcome: &Result<(), SyncError>, done: Rule, refused: Rule, ordinal: i32) {
        self.steps.decide(Decision::at(if outcome.is_ok() { done } else { refused }, ordinal));
    }
}

/// Whether a new pod at this place in the range is made at the current revision: below the partition, or, where no
/// `rollingUpdate` is given at all, below the number of pods that still have it.
fn is_current_expected(set: &StatefulSet, index: i32) -> bool {
    let strategy = &set.spec.update_strategy;
    match &strategy.rolling_update {
        None => strategy.strategy_type == UpdateStrategyType::RollingUpdate && index < set.status.current_replicas,
        Some(rolling) => index < rolling.partition.unwrap_or(0),
    }
}
