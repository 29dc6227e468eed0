//! The controllers' workers: a key comes off its controller's queue, the sync reads the cache, and what came of it is recorded.

use super::cluster::Cluster;
use super::event_queue::ScheduledEvent;
use super::names;
use super::queue::WorkQueue;
use super::rng::Rng;
use super::store::Store;
use super::trace::{Outcome, SyncRecord, TraceEvent, Verb, Write};
use crate::objects::{ApiError, Event, Kind, Object, ObjectRef, Time};
use crate::reconcile::{self, Api, Context, Controller, OwnerPatch};
use std::collections::BTreeMap;
use std::rc::Rc;

/// What the controllers keep between syncs.
#[derive(Clone, Debug)]
pub(super) struct Workers {
    queues: BTreeMap<Kind, WorkQueue>,
    /// The chance from which controllers make up names and ids.
    chance: Rng,
    /// For each object for which its controller wrote pods: after how many changes the cache shows it. These are upstream's
    /// expectations.
    written: BTreeMap<ObjectRef, u64>,
}

impl Workers {
    pub(super) fn new(seed: u64) -> Self {
        Self { queues: BTreeMap::new(), chance: Rng::new(!seed), written: BTreeMap::new() }
    }

    /// The work queue of a kind's controller.
    pub(super) fn queue(&mut self, kind: Kind) -> &mut WorkQueue {
        self.queues.entry(kind).or_default()
    }

    /// Whether no key waits.
    pub(super) fn are_idle(&self) -> bool {
        self.queues.values().all(WorkQueue::is_empty)
    }

    /// When a key that failed is due again, and how often it has failed.
    pub(super) fn retry_of(&self, key: &ObjectRef) -> Option<(Time, u32)> {
        self.queues.get(&key.kind)?.retry_of(key)
    }
}

/// The API server for the length of one sync: the store, and a record of what was asked of it.
struct Recorder<'a> {
    store: &'a mut Store,
    now: Time,
    /// Milliseconds from a write to the controllers' cache.
    cache_lag: i64,
    subject: &'a ObjectRef,
    writes: Vec<Write>,
    events: Vec<Event>,
    /// The subject as its status was last written.
    after: Option<Object>,
    /// After how many changes of the store the last pod was written.
    pod_written_at: Option<u64>,
}

impl Recorder<'_> {
    fn record<T>(&mut self, verb: Verb, key: &ObjectRef, result: &Result<T, ApiError>) {
        let outcome = match result {
            Ok(_) => Outcome::Done,
            Err(error) => Outcome::Refused(error.reason, error.message.as_str().into()),
        };
        if key.kind == Kind::Pod && result.is_ok() {
            self.pod_written_at = Some(self.store.changed);
        }
        self.writes.push(Write { verb, kind: key.kind, name: Rc::clone(&key.name), outcome });
    }
}

impl Api for Recorder<'_> {
    fn get(&mut self, kind: Kind, namespace: &str, name: &str) -> Result<Object, ApiError> {
        self.store.get(&ObjectRef { kind, namespace: namespace.into(), name: name.into() }).cloned()
    }

    fn create(&mut self, object: Object) -> Result<Object, ApiError> {
        let key = object.reference();
        let result = self.store.create(object, self.now);
        self.record(Verb::Create, &key, &result);
        result
    }

    fn update(&mut self, object: Object) -> Result<Object, ApiError> {
        let key = object.reference();
        let result = self.store.update(object);
        self.record(Verb::Update, &key, &result);
        result
    }

    fn update_status(&mut self, object: Object) -> Result<Object, ApiError> {
        let key = object.reference();
        let result = self.store.update_status(object);
        self.record(Verb::UpdateStatus, &key, &result);
        if key == *self.subject
            && let Ok(stored) = &result
        {
            self.after = Some(stored.clone());
        }
        result
    }

    fn cached_after(&mut self, key: &ObjectRef, milliseconds: i64) -> Option<Object> {
        // By then every write so far has reached the cache.
        (milliseconds >= self.cache_lag).then(|| self.store.get(key).ok().cloned()).flatten()
    }

    fn patch_owner(&mut self, target: &ObjectRef, patch: &OwnerPatch) -> Result<(), ApiError> {
        let result = self.store.patch_owner(target, patch);
        self.record(Verb::Patch, target, &result);
        result
    }

    fn delete(&mut self, target: &ObjectRef) -> Result<(), ApiError> {
        let result = self.store.delete(target, None, self.now);
        self.record(Verb::Delete, target, &result);
        result
    }

    fn record(&mut self, event: Event) {
        self.events.push(event);
    }
}

impl Cluster {
    /// One key off the queue of a kind's controller, one sync.
    pub(super) fn work(&mut self, kind: Kind) {
        let Some(controller) = Controller::of(kind) else { return };
        let Some(key) = self.workers.queue(kind).take() else { return };
        self.sync(controller, &key);
        if !self.workers.queue(kind).is_empty() {
            self.event_queue.put(self.now, ScheduledEvent::Work(kind));
        }
    }

    fn sync(&mut self, controller: &Controller, key: &ObjectRef) {
        let up_to_date = self.workers.written.get(key).is_none_or(|written| *written <= self.cache.arrived);
        let before = self.cache.get(key);
        if before.is_none() {
            self.workers.written.remove(key);
        } else if controller.waits_for_own_writes && !up_to_date {
            return;
        }
        let (now, cache_lag, chance) = (self.now, self.settings.cache_lag, &mut self.workers.chance);
        let store = &mut self.store;
        let (writes, events) = (Vec::new(), Vec::new());
        let mut api =
            Recorder { store, now, cache_lag, subject: key, writes, events, after: None, pod_written_at: None };
        let mut decisions = Vec::new();
        let mut context = Context {
            now,
            gates: &self.controller,
            cache: &self.cache,
            up_to_date,
            api: &mut api,
            new_suffix: &mut || names::suffix(chance),
            decisions: &mut decisions,
        };
        let outcome = (controller.sync)(&mut context, key);
        let Recorder { writes, events, after, pod_written_at, .. } = api;
        if let Some(written) = pod_written_at {
            self.workers.written.insert(key.clone(), written);
        }
        let number = u64::try_from(self.trace.syncs.len()).unwrap_or(u64::MAX) + 1;
        self.happened(TraceEvent::Synced(number));
        self.trace.syncs.push(Rc::new(SyncRecord {
            number,
            at: now,
            subject: key.clone(),
            after: after.or_else(|| before.clone()),
            before,
            decisions,
            writes,
            error: outcome.error.as_ref().map(|error| error.0.as_str().into()),
        }));
        for event in events {
            self.event(key, event.event_type, event.reason, event.message.to_string(), controller.name);
        }
        self.requeue(key, &outcome);
    }

    /// Puts the key back as the sync asked for it: after a failure with back-off, else after the delay it named.
    fn requeue(&mut self, key: &ObjectRef, outcome: &reconcile::Outcome) {
        let now = self.now;
        let queue = self.workers.queue(key.kind);
        let at = if outcome.error.is_some() {
            queue.fail(key, now)
        } else {
            queue.forget(key);
            outcome.requeue_after.and_then(|delay| queue.add_after(key, delay, now))
        };
        if let Some(at) = at {
            self.event_queue.put(at, ScheduledEvent::Requeue(key.clone()));
        }
    }
}
