//! What controllers share whose pods have ordinals (StatefulSet, and OpenKruise's Advanced StatefulSet): which revisions and
//! pods are the set's own, its history, what makes a pod the pod of its ordinal, its claims, and writing its status.
//!
//! A kind shows its set as a `SetView`, says by `Gates` how these steps go and by `rule` what a step is called in its own
//! table of rules, and keeps to itself in what order pods are created, deleted and updated.

mod claim;
mod history;
mod identity;
mod pod_control;
mod range;
mod retention;
mod status;
mod step;

pub(super) use history::Revisions;
pub(super) use range::Ordinals;
pub(super) use step::Step;

use super::controller::Observed;
use super::sync_cache::CachedPod;
use super::{Api, Decision, Facts, Gates, List, Rule, Subject, SyncError};
use crate::objects::{
    ClaimDeletion, ControllerRevision, Event, EventType, Kind, LabelSelector, ObjectMeta, OwnerReference,
    PersistentVolumeClaim, PodTemplateSpec, Shared, Time,
};
use std::cell::{OnceCell, RefCell};
use std::ops::ControlFlow;
use std::rc::Rc;

/// How a phase ended: go on to the next, or end the sync here.
pub(super) type Flow = ControlFlow<()>;

/// The largest batch.
const BATCH: usize = 500;

/// A set of either kind.
#[derive(Clone, Copy)]
pub(super) struct SetView<'a> {
    pub(super) kind: Kind,
    pub(super) metadata: &'a ObjectMeta,
    pub(super) selector: &'a LabelSelector,
    pub(super) template: &'a PodTemplateSpec,
    pub(super) claim_templates: &'a [PersistentVolumeClaim],
    pub(super) claim_deletion: ClaimDeletion,
    pub(super) service_name: &'a Rc<str>,
    pub(super) history_limit: Option<i32>,
    /// As its status says.
    pub(super) collision_count: Option<i32>,
    /// As its status says.
    pub(super) current_revision: &'a str,
}

/// The shared steps of one sync, and what they carry along: the cache, the API, the decisions so far.
pub(super) struct Steps<'a> {
    pub(super) gates: &'a Gates,
    pub(super) set: SetView<'a>,
    /// Those in range.
    pub(super) ordinals: Ordinals,
    /// What a step is called in the rules of the set's kind; none if it has no name there.
    pub(super) rule: fn(Step) -> Option<Rule>,
    pub(super) now: Time,
    /// Those of the set's namespace, in the order in which the cache lists them.
    pods: &'a [CachedPod],
    pub(super) revisions: &'a [Rc<ControllerRevision>],
    pub(super) claims: &'a List<PersistentVolumeClaim>,
    /// Claims are looked up each time: the cache may show by then what this sync has written.
    pub(super) looks_claims_up: bool,
    pub(super) api: &'a mut dyn Api,
    pub(super) decisions: &'a mut Vec<Decision>,
    /// `ownerReferences` and `generateName` of the set's new pods.
    new_pods_share: OnceCell<(Shared<Vec<OwnerReference>>, Rc<str>)>,
}

impl<'a> Steps<'a> {
    pub(super) fn new<T>(
        gates: &'a Gates,
        observed: &'a Observed<'a, T>,
        (set, ordinals): (SetView<'a>, Ordinals),
        rule: fn(Step) -> Option<Rule>,
        pods: &'a [CachedPod],
        (api, decisions): (&'a mut dyn Api, &'a mut Vec<Decision>),
    ) -> Self {
        let Observed { now, revisions, claims, .. } = observed;
        Self {
            gates,
            set,
            ordinals,
            rule,
            now: *now,
            pods,
            revisions,
            claims,
            looks_claims_up: false,
            api,
            decisions,
            new_pods_share: OnceCell::new(),
        }
    }

    pub(super) fn decide(&mut self, decision: Decision) {
        self.decisions.push(decision);
    }

    /// The same for a step that every kind has, under the kind's own rule.
    fn decide_step(&mut self, step: Step, ordinal: Option<i32>, facts: Facts) {
        if let Some(rule) = (self.rule)(step) {
            self.decide(Decision { rule, subject: ordinal.map_or(Subject::Object, Subject::Ordinal), facts });
        }
    }

    fn decided(&mut self, step: Step) {
        self.decide_step(step, None, Facts::None);
    }

    pub(super) fn record(&mut self, event_type: EventType, reason: &'static str, message: String) {
        self.api.record(Event { event_type, reason, message: message.into() });
    }

    /// The owner reference that makes the set a controller.
    pub(super) fn controller_reference(&self) -> OwnerReference {
        self.set.metadata.controller_reference(self.gates.owner_version, self.set.kind.as_str())
    }
}

/// Runs a sync with the pods that may be the set's, of which only those are read that have changed since the last one.
pub(super) fn with_cached_pods<T, R>(
    observed: &Observed<'_, T>,
    set: &SetView<'_>,
    sync: impl FnOnce(&[CachedPod]) -> R,
) -> R {
    let mut cache = observed.sync_cache.map(RefCell::take).unwrap_or_default();
    cache.by_ordinal.read(set.metadata, &observed.pods, |pod| set.read(pod));
    let outcome = sync(cache.by_ordinal.pods());
    if let Some(kept) = observed.sync_cache {
        kept.replace(cache);
    }
    outcome
}

/// Does something for each of `count` pods. OrderedReady stops at the first one that asks for it. Parallel goes on past it in
/// batches of 1, 2, 4 and so on, and stops after a batch in which something was refused.
/// Models runForAll of stateful_set_control.go, v1.28.
pub(super) fn run_for_all(
    count: usize,
    monotonic: bool,
    mut process: impl FnMut(usize) -> Result<Flow, SyncError>,
) -> Result<Flow, SyncError> {
    if monotonic {
        for index in 0..count {
            if process(index)?.is_break() {
                return Ok(ControlFlow::Break(()));
            }
        }
        return Ok(ControlFlow::Continue(()));
    }
    let (mut from, mut batch) = (0, 1);
    while from < count {
        let end = count.min(from + batch);
        let refusals = (from..end).filter_map(|index| process(index).err()).collect();
        SyncError::aggregate(refusals)?;
        (from, batch) = (end, BATCH.min(2 * batch));
    }
    Ok(ControlFlow::Continue(()))
}

pub(super) fn to_i32(number: usize) -> i32 {
    i32::try_from(number).unwrap_or(i32::MAX)
}
