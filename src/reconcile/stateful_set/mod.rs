//! The StatefulSet controller.
//!
//! A worked example: `web` wants 3 replicas, OrderedReady; web-0 is Ready, web-1 is Running but not Ready, web-3 is left
//! from before. One sync claims the three pods, finds the template's revision unchanged, splits them into replicas
//! (web-0, web-1, and web-2 which does not exist yet) and condemned (web-3), passes web-0, and stops at web-1: neither
//! web-2 is created nor web-3 deleted before web-1 is Ready. Status is written all the same.

mod claim;
mod control;
mod history;
mod identity;
mod pod_control;
mod process;
mod retention;
mod roll;
mod rules;
mod scan;
mod status;

pub use rules::Rule;

use super::cache::{Cache, WatchEvent};
use super::controller::{Context, Controller, Observed, Outcome};
use super::enqueue::{self, Orphans};
use super::{Api, Decision, Gates, SyncError, check_own_writes};
use crate::objects::{ClaimDeletion, Kind, Object, ObjectRef, OwnerReference, StatefulSet};
use std::time::Duration;

pub(super) const CONTROLLER: Controller = Controller {
    kind: Kind::StatefulSet,
    name: "statefulset-controller",
    waits_for_own_writes: false,
    enqueue: keys_of,
    sync: sync_key,
};

fn keys_of(cache: &Cache, event: &WatchEvent) -> Vec<ObjectRef> {
    let of_pod = enqueue::of_pod(cache, event, Orphans::Adopted(|set: &StatefulSet| &set.spec.selector));
    enqueue::own::<StatefulSet>(event).into_iter().chain(of_pod).collect()
}

fn sync_key(context: &mut Context<'_>, key: &ObjectRef) -> Outcome {
    let is_on = context.gates.waits_for_own_writes;
    let behind = check_own_writes(is_on, context.own_writes, Rule::CacheBehindOwnWrites.into(), context.decisions);
    if let Err(error) = behind {
        return Outcome { requeue_after: None, error: Some(error) };
    }
    let Some(observed) = Observed::of(context, key) else { return Outcome::default() };
    sync(context.gates, &observed, context.api, context.decisions)
}

/// One sync and what it carries along: the cache, the API, the decisions so far.
struct Sync<'a> {
    gates: &'a Gates,
    observed: &'a Observed<'a, StatefulSet>,
    api: &'a mut dyn Api,
    decisions: &'a mut Vec<Decision>,
    /// The first ordinal in range.
    start: i32,
    claim_deletion: ClaimDeletion,
    /// Whether no claim of the cache has an owner, once it is known.
    claims_unowned: Option<bool>,
}

impl<'a> Sync<'a> {
    /// The set, at the lifetime of the cache rather than of this borrow.
    fn set(&self) -> &'a StatefulSet {
        self.observed.set
    }

    fn decide(&mut self, decision: Decision) {
        self.decisions.push(decision);
    }
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
    let claim_deletion = observed.set.claim_deletion();
    let mut sync = Sync { gates, observed, api, decisions, start, claim_deletion, claims_unowned: None };
    sync.reconcile().into()
}

impl Sync<'_> {
    fn reconcile(&mut self) -> Result<Option<Duration>, SyncError> {
        self.adopt_orphan_revisions()?;
        let pods = self.claim_pods()?;
        self.update_stateful_set(&pods)
    }

    /// The owner reference that makes the set a controller.
    fn controller_reference(&self) -> OwnerReference {
        let metadata = &self.set().metadata;
        OwnerReference {
            api_version: self.gates.owner_version.into(),
            kind: "StatefulSet".into(),
            name: metadata.name.clone(),
            uid: metadata.uid.clone(),
            controller: Some(true),
            block_owner_deletion: Some(true),
        }
    }

    /// The set as the API server holds it, which must be the same one.
    fn fresh_set(&mut self) -> Result<Object, String> {
        let cached = &self.set().metadata;
        let (namespace, name) = (&cached.namespace, &cached.name);
        let fresh = self.api.get(Kind::StatefulSet, namespace, name).map_err(|error| error.message)?;
        let uid = &fresh.metadata().uid;
        if *uid != cached.uid {
            let wanted = &cached.uid;
            return Err(format!("original StatefulSet {namespace}/{name} is gone: got uid {uid}, wanted {wanted}"));
        }
        Ok(fresh)
    }

    /// The uncached look before the first adoption: the set must be the same and must not be going.
    fn can_adopt(&mut self) -> Result<(), String> {
        let fresh = self.fresh_set().map_err(|error| format!("can't recheck DeletionTimestamp: {error}"))?;
        let (namespace, name) = (&self.set().metadata.namespace, &self.set().metadata.name);
        let fresh = fresh.metadata();
        match fresh.deletion_timestamp {
            Some(since) => Err(format!("{namespace}/{name} has just been deleted at {}", since.go_string())),
            None => Ok(()),
        }
    }
}
