//! The CloneSet controller of OpenKruise, as its master branch had it on 2 July 2026 (commit 07169cfac7b9).
//!
//! A worked example: `web` wants 3 pods, maxUnavailable 1, and its image changes. The first sync makes a revision of the
//! template, works out that three pods are to be updated and that one may be unavailable, and changes one pod in place:
//! its gate is closed and its image written. Later syncs wait until the kubelet runs the new image, open the gate, and go
//! on with the next pod. A sync that created, deleted or moved on pods leaves updates to the next one.

mod claims;
mod create;
mod delete;
mod diff;
mod gates;
mod history;
mod order;
mod pods;
mod rank;
mod read;
mod rules;
mod scale;
mod status;
mod update;

pub use diff::{Purpose, Situation, calculate_diffs, partition_replicas};
pub use gates::Gates;
use history::Revisions;
pub use order::{limit_waiting, sort_waiting};
pub use rank::choose_pods_to_delete;

pub(crate) use pods::INSTANCE_LABEL;
pub use rules::Rule;

use super::cache::{Cache, WatchEvent};
use super::controller::{Context, Controller, Observed, Outcome};
use super::enqueue::{self, Orphans};
use super::in_place::{InPlace, RevisionLabels};
use super::sync_cache::{CachedClone, CachedClones};
use super::{Api, Decision, Facts, MetadataPatch, Subject, SyncError};
use crate::objects::{
    CloneSet, ControllerRevision, Event, EventType, Kind, ObjectMeta, ObjectRef, OwnerReference, PersistentVolumeClaim,
    Pod,
};
use crate::releases::CLONE_SET;
use std::rc::Rc;
use std::time::Duration;

pub(super) const CONTROLLER: Controller = Controller {
    kind: Kind::CloneSet,
    name: "cloneset-controller",
    waits_for_own_writes: true,
    revisions: Some(|_| CLONE_SET),
    enqueue: keys_of,
    sync: sync_key,
};

/// CloneSets list only pods that they own.
fn keys_of(_: &super::Gates, cache: &Cache, event: &WatchEvent) -> Vec<ObjectRef> {
    let of_pod = enqueue::of_pod::<CloneSet>(cache, event, Orphans::Ignored);
    enqueue::own::<CloneSet>(event).into_iter().chain(of_pod).collect()
}

fn sync_key(context: &mut Context<'_>, key: &ObjectRef) -> Outcome {
    let Some(observed) = Observed::of(context, key) else { return Outcome::default() };
    sync(Gates::default(), &observed, context.api, context.new_suffix, context.decisions)
}

/// One sync and what it carries along: the cache, the API, chance, the decisions so far.
struct Sync<'a> {
    gates: Gates,
    observed: &'a Observed<'a, CloneSet>,
    api: &'a mut dyn Api,
    new_instance: &'a mut dyn FnMut() -> Rc<str>,
    decisions: &'a mut Vec<Decision>,
    /// Milliseconds.
    requeue_after: Option<i64>,
}

/// One sync of one set; a delay asked for is rounded up to whole seconds. `new_instance` makes up five characters for a new pod.
/// Models doReconcile of pkg/controller/cloneset/cloneset_controller.go.
pub fn sync(
    gates: Gates,
    observed: &Observed<'_, CloneSet>,
    api: &mut dyn Api,
    new_instance: &mut dyn FnMut() -> Rc<str>,
    decisions: &mut Vec<Decision>,
) -> Outcome {
    if observed.set.spec.selector.check().is_err() {
        return Outcome::default();
    }
    let mut sync = Sync { gates, observed, api, new_instance, decisions, requeue_after: None };
    let error = sync.reconcile().err();
    let seconds = sync.requeue_after.and_then(|milliseconds| u64::try_from((milliseconds + 999) / 1000).ok());
    Outcome { requeue_after: seconds.map(Duration::from_secs), error }
}

impl<'a> Sync<'a> {
    fn reconcile(&mut self) -> Result<(), SyncError> {
        let (set, sync_cache) = (&self.set().metadata, self.observed.sync_cache);
        let kept = sync_cache.and_then(|sync_cache| sync_cache.borrow_mut().clones.take());
        let known_update = kept.as_ref().map(|kept| Rc::clone(&kept.update));
        let (active, inactive) = CachedClones::own_pods(kept, set, &self.observed.pods, pods::is_active);
        let claims = self.clean_up_claims(&active, &inactive)?;
        let pods = self.claim_pods(active)?;
        let history = self.list_revisions();
        let revisions = self.revisions(&history)?;
        let situation = self.situation(&revisions);
        let update = &revisions.update.metadata.name;
        let mut pods = situation.read_all(pods, known_update.as_ref() == Some(update));
        let result = self.act(&revisions, &history, &mut pods, &claims);
        if let Some(sync_cache) = sync_cache {
            let (uid, generation, update) = (Rc::clone(&set.uid), set.generation, Rc::clone(update));
            sync_cache.borrow_mut().clones = Some(CachedClones { uid, generation, update, pods });
        }
        result
    }

    /// Scales and updates, and tells of it in the status.
    fn act(
        &mut self,
        revisions: &Revisions,
        history: &[&Rc<ControllerRevision>],
        pods: &mut [CachedClone],
        claims: &[&Rc<PersistentVolumeClaim>],
    ) -> Result<(), SyncError> {
        let mut status = self.new_status(revisions);
        let synced = self.scale_and_update(&mut status, revisions, history, pods, claims);
        let unsettled = match self.update_status(status, pods) {
            Ok(unsettled) => unsettled,
            Err(error) => {
                // Upstream leaves without the delay here.
                self.requeue_after = None;
                return Err(error);
            }
        };
        self.truncate_pods_to_delete(pods);
        self.truncate_history(pods, history, revisions);
        let min_ready_seconds = self.set().spec.min_ready_seconds;
        if synced.is_ok() && min_ready_seconds > 0 && unsettled {
            self.requeue(i64::from(min_ready_seconds) * 1000);
        }
        synced
    }

    /// The set, at the lifetime of the cache rather than of this borrow.
    fn set(&self) -> &'a CloneSet {
        self.observed.set
    }

    fn owns(&self, metadata: &ObjectMeta) -> bool {
        metadata.owner_references.iter().any(|owner| owner.uid == self.set().metadata.uid)
    }

    fn decide(&mut self, rule: Rule, facts: Facts) {
        self.decisions.push(Decision::new(rule).with(facts));
    }

    fn decide_at(&mut self, rule: Rule, pod: &Pod) {
        self.decisions.push(at_pod(rule, pod));
    }

    /// What changes pods in place in this sync.
    fn in_place(&mut self) -> InPlace<'_> {
        let set = self.set();
        InPlace {
            now: self.observed.now,
            lifecycle: set.spec.lifecycle.as_ref(),
            labels: self.labels(),
            decision: |step, pod| at_pod(Rule::of_step(step), pod),
            api: self.api,
            decisions: self.decisions,
            again: &mut self.requeue_after,
        }
    }

    fn labels(&self) -> RevisionLabels {
        RevisionLabels::NameOrHash { short: self.gates.short_hash }
    }

    fn record(&mut self, event_type: EventType, reason: &'static str, message: String) {
        self.api.record(Event { event_type, reason, message: message.into() });
    }

    /// The shortest delay asked for wins; one that is over asks for nothing.
    /// Models Duration.Update of pkg/util/requeueduration.
    fn requeue(&mut self, milliseconds: i64) {
        if milliseconds > 0 {
            self.requeue_after = Some(self.requeue_after.map_or(milliseconds, |earlier| earlier.min(milliseconds)));
        }
    }

    /// The owner reference that makes the set a controller.
    fn controller_reference(&self) -> OwnerReference {
        self.set().metadata.controller_reference("apps.kruise.io/v1beta1", "CloneSet")
    }

    fn patch(&mut self, pod: &Pod, patch: &MetadataPatch) -> Result<(), SyncError> {
        self.api.patch_metadata(&reference(Kind::Pod, &pod.metadata), patch)?;
        Ok(())
    }
}

fn at_pod(rule: Rule, pod: &Pod) -> Decision {
    Decision::about(rule, Subject::Pod(Rc::clone(&pod.metadata.name)))
}

fn reference(kind: Kind, metadata: &ObjectMeta) -> ObjectRef {
    ObjectRef { kind, namespace: metadata.namespace.clone(), name: metadata.name.clone() }
}
