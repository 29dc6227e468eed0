//! The rolling update: old pods are changed in place, or deleted to come back at the update revision.
//! Models rollingUpdateStatefulsetPods, handleSpecifiedDeletedPods and inPlaceUpdatePod of stateful_set_control.go.

use super::control::{Plan, Replica};
use super::order::in_order_of_update;
use super::pods::{Availability, availability, is_healthy};
use super::process::Deletion;
use super::{Rule, Sync};
use crate::objects::clone_set::PodUpdatePolicy;
use crate::objects::{ControllerRevision, Pod};
use crate::reconcile::in_place::{SPECIFIED_DELETE_LABEL, in_place_update_spec, is_complete, state_of};
use crate::reconcile::ordinals::to_i32;
use crate::reconcile::pods::revision_of;
use crate::reconcile::sync_cache::CachedPod;
use crate::reconcile::{Decision, Facts, SyncError};
use std::collections::BTreeSet;
use std::rc::Rc;

/// The longest `minReadySeconds`, in milliseconds.
const LONGEST_WAIT: i64 = 300_000;

type Revision = Rc<ControllerRevision>;

/// Names of pods that are unavailable, and how many may be.
struct Budget {
    allowed: usize,
    unavailable: BTreeSet<Rc<str>>,
}

impl Budget {
    /// Whether nothing more may be done to an available pod. What is unavailable already costs nothing.
    fn blocks(&self, pod: &Pod) -> bool {
        self.unavailable.len() >= self.allowed && !self.unavailable.contains(&pod.metadata.name)
    }

    fn use_up(&mut self, pod: &Pod) {
        self.unavailable.insert(Rc::clone(&pod.metadata.name));
    }
}

impl Sync<'_> {
    pub(super) fn update(&mut self, plan: &mut Plan<'_>, history: &[&Revision]) -> Result<(), SyncError> {
        // Upstream remembers which pods it has changed in place; here the cache must show every own write to a pod.
        if !self.up_to_date {
            return Ok(());
        }
        let target = Rc::clone(&plan.revisions.update);
        let mut moved = false;
        let is_moving = |pod: &&&CachedPod| !(pod.is_at_rest && pod.is_quiet);
        for moving in plan.pods.iter().filter(is_moving) {
            moved |= self.in_place().refresh(&moving.pod, &target.metadata.name, true)?;
        }
        if moved {
            self.steps.decide(Decision::new(Rule::RefreshFirst));
            return Ok(());
        }
        if self.set.rolling_update().is_some_and(|rolling| rolling.paused) {
            self.steps.decide(Decision::new(Rule::Paused));
            return Ok(());
        }
        self.make_missing(plan);
        let mut budget = self.budget(plan);
        let deleted = self.delete_specified(plan, &mut budget)?;
        let (mut waits, mut changed) = (false, false);
        let places: Vec<Option<&Pod>> = plan.replicas.iter().map(|it| it.pod().map(|pod| &*pod.pod)).collect();
        let order = in_order_of_update(self.set, self.gates, &target.metadata.name, &places);
        for index in order {
            let Some(pod) = plan.replicas[index].pod().map(|pod| Rc::clone(&pod.pod)) else { continue };
            if *revision_of(&pod) == *target.metadata.name {
                continue;
            }
            if budget.blocks(&pod) {
                self.decide_limited(&budget, index);
                return Ok(());
            }
            if deleted.contains(&pod.metadata.name) || pod.is_terminating() {
                waits = true;
                continue;
            }
            changed = true;
            let counts_out = self.update_in_place(&pod, &target, history)?
                || self.delete(&pod, Rule::UpdateDeleted)? == Deletion::Done;
            budget.use_up(&pod);
            if counts_out && *revision_of(&pod) == *plan.revisions.current.metadata.name {
                plan.status.current_replicas -= 1;
            }
        }
        if !waits && !changed {
            self.steps.decide(Decision::new(Rule::UpdateDone).with(Facts::Count(self.set.partition())));
        }
        Ok(())
    }

    /// The budget lets nothing be done to the pod at this place.
    fn decide_limited(&mut self, budget: &Budget, index: usize) {
        let (unavailable, allowed) = (to_i32(budget.unavailable.len()), to_i32(budget.allowed));
        let facts = Facts::Unavailable { unavailable, allowed };
        self.steps.decide(Decision::at(Rule::UpdateLimited, to_i32(index)).with(facts));
    }

    /// Pods in range that are not healthy, not complete or not yet available use the budget up.
    fn budget(&mut self, plan: &Plan<'_>) -> Budget {
        let allowed = usize::try_from(self.set.max_unavailable()).unwrap_or(1);
        let mut budget = Budget { allowed, unavailable: BTreeSet::new() };
        let seconds = self.set.min_ready_seconds();
        for pod in plan.replicas.iter().filter_map(Replica::pod) {
            let availability = availability(pod, seconds, self.steps.now);
            if !is_healthy(pod) || !(pod.is_quiet || is_complete(&pod.pod)) {
                budget.use_up(&pod.pod);
            } else if availability != Availability::Now {
                budget.use_up(&pod.pod);
                if let Availability::In(left) = availability
                    && left <= LONGEST_WAIT
                {
                    self.ask_again(left);
                }
            }
        }
        budget
    }

    /// Deletes pods that people asked to be deleted, wherever the partition is, as far as the budget goes; from the highest
    /// ordinal down. A pod for which it does not suffice is passed. Gives the names of the others.
    fn delete_specified(&mut self, plan: &mut Plan<'_>, budget: &mut Budget) -> Result<BTreeSet<Rc<str>>, SyncError> {
        let mut deleted = BTreeSet::new();
        for index in (0..plan.replicas.len()).rev() {
            let Some(pod) = plan.replicas[index].pod().map(|pod| Rc::clone(&pod.pod)) else { continue };
            if pod.metadata.labels.get(SPECIFIED_DELETE_LABEL).is_none() {
                continue;
            }
            if budget.blocks(&pod) {
                self.decide_limited(budget, index);
                continue;
            }
            deleted.insert(Rc::clone(&pod.metadata.name));
            if self.delete(&pod, Rule::SpecifiedDeleted)? == Deletion::Done {
                let (revision, status) = (revision_of(&pod), &mut plan.status);
                if *revision == *plan.revisions.current.metadata.name {
                    status.current_replicas -= 1;
                } else if *revision == *plan.revisions.update.metadata.name {
                    status.updated_replicas -= 1;
                }
            }
            budget.use_up(&pod);
        }
        Ok(deleted)
    }

    /// Changes a pod in place if the policy asks for it and the change allows it; else the pod is to be deleted.
    fn update_in_place(&mut self, pod: &Rc<Pod>, target: &Revision, history: &[&Revision]) -> Result<bool, SyncError> {
        let Some(rolling) = self.set.rolling_update() else { return Ok(false) };
        if rolling.pod_update_policy == PodUpdatePolicy::ReCreate {
            return Ok(false);
        }
        let grace = rolling.in_place_update_strategy.as_ref().map_or(0, |strategy| strategy.grace_period_seconds);
        let old = history.iter().find(|revision| *revision.metadata.name == *revision_of(pod));
        let spec = old.and_then(|old| in_place_update_spec(old, target, grace, self.gates.env_from_metadata));
        if let Some(spec) = spec {
            let moves = !state_of(pod).is_empty();
            self.in_place().update(pod, &spec, moves)?;
            return Ok(true);
        }
        if rolling.pod_update_policy == PodUpdatePolicy::InPlaceOnly {
            self.decide_at(Rule::InPlaceImpossible, pod);
            let name = &pod.metadata.name;
            return Err(SyncError(format!("find strategy is InPlaceOnly but Pod {name} can not update in-place")));
        }
        Ok(false)
    }
}
