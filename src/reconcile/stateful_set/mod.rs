//! The StatefulSet controller.
//!
//! A worked example: `web` wants 3 replicas, OrderedReady; web-0 is Ready, web-1 is Running but not Ready, web-3 is left
//! from before. One sync claims the three pods, finds the template's revision unchanged, splits them into replicas
//! (web-0, web-1, and web-2 which does not exist yet) and condemned (web-3), passes web-0, and stops at web-1: neither
//! web-2 is created nor web-3 deleted before web-1 is Ready. Status is written all the same.

mod control;
mod process;
mod replicas;
mod roll;
mod rules;
mod scan;
mod status;

pub use rules::Rule;

use super::cache::{Cache, WatchEvent};
use super::controller::{Context, Controller, Observed, Outcome};
use super::enqueue::{self, Orphans};
use super::ordinals::{Ordinals, SetView, Steps, with_roster};
use super::roster::Availability;
use super::{Api, Decision, Gates, SyncError};
use crate::objects::{Kind, ObjectRef, StatefulSet};
use std::rc::Rc;
use std::time::Duration;

pub(super) const CONTROLLER: Controller = Controller {
    kind: Kind::StatefulSet,
    name: "statefulset-controller",
    waits_for_own_writes: false,
    enqueue: keys_of,
    sync: sync_key,
};

fn keys_of(_: &Gates, cache: &Cache, event: &WatchEvent) -> Vec<ObjectRef> {
    let of_pod = enqueue::of_pod(cache, event, Orphans::Adopted(|set: &StatefulSet| &set.spec.selector));
    enqueue::own::<StatefulSet>(event).into_iter().chain(of_pod).collect()
}

fn sync_key(context: &mut Context<'_>, key: &ObjectRef) -> Outcome {
    let is_on = context.gates.waits_for_own_writes;
    if let Some(deferred) = context.check_own_writes(is_on, Rule::CacheBehindOwnWrites.into()) {
        return deferred;
    }
    let Some(observed) = Observed::of(context, key) else { return Outcome::default() };
    sync(context.gates, &observed, context.api, context.decisions)
}

/// One sync of one set.
struct Sync<'a> {
    set: &'a Rc<StatefulSet>,
    steps: Steps<'a>,
}

/// One sync of one set, which is run again after a while if a pod is yet to become available.
/// Models `sync` of pkg/controller/statefulset/stateful_set.go.
pub fn sync(
    gates: &Gates,
    observed: &Observed<'_, StatefulSet>,
    api: &mut dyn Api,
    decisions: &mut Vec<Decision>,
) -> Outcome {
    // The API server refuses such a selector; upstream reports one that is there all the same, and does not retry.
    if observed.set.spec.selector.check().is_err() {
        return Outcome::default();
    }
    let start = if gates.start_ordinal { observed.set.start_ordinal() } else { 0 };
    let range = Ordinals::from_start(start, observed.set.replicas());
    let rule = |step| Some(Rule::of_step(step).into());
    let seconds = if gates.min_ready_seconds { observed.set.spec.min_ready_seconds } else { 0 };
    let in_time = gates.available_at_exact_deadline;
    let set = view(observed.set, Availability { seconds, in_time, now: observed.now });
    with_roster(observed, (&set, &range), |known| {
        let steps = Steps::new(gates, observed, (set, range.clone()), rule, known, (api, decisions));
        Sync { set: observed.set, steps }.reconcile().into()
    })
}

/// The set as the steps that it shares see it.
fn view(set: &StatefulSet, availability: Availability) -> SetView<'_> {
    SetView {
        kind: Kind::StatefulSet,
        metadata: &set.metadata,
        selector: &set.spec.selector,
        template: &set.spec.template,
        claim_templates: &set.spec.volume_claim_templates,
        claim_deletion: set.claim_deletion(),
        service_name: &set.spec.service_name,
        history_limit: set.spec.revision_history_limit,
        collision_count: set.status.collision_count,
        current_revision: &set.status.current_revision,
        availability,
    }
}

impl Sync<'_> {
    fn reconcile(&mut self) -> Result<Option<Duration>, SyncError> {
        self.steps.adopt_orphan_revisions()?;
        let pods = self.steps.claim_pods()?;
        self.update_stateful_set(&pods)
    }
}
