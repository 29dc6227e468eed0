//! The Advanced StatefulSet controller of OpenKruise, as its master branch had it on 2 July 2026 (commit 07169cfac7b9).
//!
//! A worked example: `web` wants 4 replicas, ordinal 1 is reserved, Parallel, maxUnavailable 2, and its image changes. Pods
//! are web-0, web-2, web-3 and web-4. The first sync makes a revision of the template, finds every ordinal in order, refreshes
//! what is known of updates in place, counts no pod as unavailable, and updates web-4 and web-3, in place if it may. web-2
//! and web-0 wait: two pods are unavailable until the kubelet has restarted them.
//!
//! What has to do with ordinals, claims and revisions is StatefulSet's too (`ordinals`), and what has to do with updates in
//! place is CloneSet's too (`in_place`).

mod control;
mod order;
mod pods;
mod process;
mod rules;
mod status;
mod update;

pub(crate) use order::in_order_of_update;
pub use rules::Rule;

use super::cache::{Cache, WatchEvent};
use super::controller::{Context, Controller, Observed, Outcome};
use super::enqueue::{self, Orphans};
use super::in_place::{InPlace, RevisionLabels};
use super::ordinals::{Ordinals, SetView, Steps, with_cached_pods};
use super::{Api, Decision, parent_and_ordinal};
use crate::objects::{AdvancedStatefulSet, Kind, ObjectRef, Pod};
use crate::releases::ADVANCED_STATEFUL_SET;
use std::rc::Rc;
use std::time::Duration;

pub(super) const CONTROLLER: Controller = Controller {
    kind: Kind::AdvancedStatefulSet,
    name: "statefulset-controller",
    waits_for_own_writes: false,
    revisions: Some(|_| ADVANCED_STATEFUL_SET),
    enqueue: keys_of,
    sync: sync_key,
};

/// Pods without an owner wake nobody.
fn keys_of(_: &super::Gates, cache: &Cache, event: &WatchEvent) -> Vec<ObjectRef> {
    let of_pod = enqueue::of_pod::<AdvancedStatefulSet>(cache, event, Orphans::Ignored);
    enqueue::own::<AdvancedStatefulSet>(event).into_iter().chain(of_pod).collect()
}

fn sync_key(context: &mut Context<'_>, key: &ObjectRef) -> Outcome {
    let Some(observed) = Observed::of(context, key) else { return Outcome::default() };
    sync(Gates::default(), &observed, context.api, context.decisions)
}

/// OpenKruise's feature gates that change this controller.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Gates {
    /// `PreparingUpdateAsUpdate`: pods about to be updated count as updated.
    pub preparing_update_as_update: bool,
    /// `InPlaceUpdateEnvFromMetadata`: labels and annotations that containers read are changed batch by batch.
    pub env_from_metadata: bool,
}

impl Default for Gates {
    fn default() -> Self {
        Self { preparing_update_as_update: false, env_from_metadata: true }
    }
}

/// One sync of one set.
struct Sync<'a> {
    gates: Gates,
    set: &'a Rc<AdvancedStatefulSet>,
    steps: Steps<'a>,
    /// Whether the cache shows the pods as the controller last wrote them.
    up_to_date: bool,
    /// Milliseconds.
    again: Option<i64>,
}

/// One sync of one set; a delay asked for is rounded up to whole seconds.
/// Models Reconcile of pkg/controller/statefulset/statefulset_controller.go.
pub fn sync(
    gates: Gates,
    observed: &Observed<'_, AdvancedStatefulSet>,
    api: &mut dyn Api,
    decisions: &mut Vec<Decision>,
) -> Outcome {
    let set = observed.set;
    if set.spec.selector.check().is_err() {
        return Outcome::default();
    }
    let range = Ordinals::without(set.reserved_ordinals(), set.replicas());
    with_cached_pods(observed, &view(set), |pods| {
        let rule = Rule::of_step;
        let mut steps = Steps::new(&ADVANCED_STATEFUL_SET, observed, (view(set), range), rule, pods, (api, decisions));
        steps.looks_claims_up = true;
        let mut sync = Sync { gates, set, steps, up_to_date: observed.up_to_date, again: None };
        let error = sync.reconcile().err();
        let seconds = sync.again.and_then(|milliseconds| u64::try_from((milliseconds + 999) / 1000).ok());
        Outcome { requeue_after: seconds.map(Duration::from_secs), error }
    })
}

/// The set as the steps that it shares see it.
fn view(set: &AdvancedStatefulSet) -> SetView<'_> {
    SetView {
        kind: Kind::AdvancedStatefulSet,
        metadata: &set.metadata,
        selector: &set.spec.selector,
        template: &set.spec.template,
        claim_templates: &set.spec.volume_claim_templates,
        claim_deletion: set.claim_deletion(),
        service_name: &set.spec.service_name,
        history_limit: set.spec.revision_history_limit,
        collision_count: set.status.collision_count,
        current_revision: &set.status.current_revision,
    }
}

impl Sync<'_> {
    /// The shortest delay asked for wins.
    fn ask_again(&mut self, milliseconds: i64) {
        self.again = Some(self.again.map_or(milliseconds, |earlier| earlier.min(milliseconds)));
    }

    fn decide_at(&mut self, rule: Rule, pod: &Pod) {
        self.steps.decide(at_pod(rule, pod));
    }

    /// What changes pods in place in this sync.
    fn in_place(&mut self) -> InPlace<'_> {
        InPlace {
            now: self.steps.now,
            lifecycle: self.set.spec.lifecycle.as_ref(),
            labels: RevisionLabels::Name,
            decision: |step, pod| at_pod(Rule::of_in_place(step), pod),
            api: self.steps.api,
            decisions: self.steps.decisions,
            again: &mut self.again,
        }
    }
}

fn at_pod(rule: Rule, pod: &Pod) -> Decision {
    let ordinal = parent_and_ordinal(&pod.metadata.name).map(|(_, ordinal)| ordinal);
    ordinal.map_or_else(|| Decision::new(rule), |ordinal| Decision::at(rule, ordinal))
}
