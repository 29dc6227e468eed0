//! The controllers' workers: a key comes off its controller's queue, the sync reads the cache, and what came of it is recorded.

use super::event_queue::ScheduledEvent;
use super::hold::Holds;
use super::names;
use super::queue::WorkQueue;
use super::rng::Rng;
use super::store::Store;
use super::trace::{Outcome, SyncRecord, TraceEvent, Verb, Write};
use super::world::World;
use crate::objects::{ApiError, Event, Kind, Object, ObjectRef, Time};
use crate::reconcile::{
    self, Api, BackOff, CONTROLLERS, Cache, Context, Controller, OwnWrite, OwnerPatch, RATE_LIMITED, SyncCache,
    WatchEvent,
};
use crate::releases::Gates;
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;
use std::time::Duration;

/// What the controllers share, and keep between syncs.
#[derive(Clone)]
pub(super) struct Workers {
    /// What they do, feature gates as they are set.
    pub(super) gates: Gates,
    /// The objects as they see them, which the API server's are ahead of.
    pub(super) cache: Cache,
    queues: BTreeMap<Kind, WorkQueue>,
    /// The chance from which controllers make up names and ids.
    chance: Rng,
    /// For each object for which its controller wrote pods: after how many changes the cache shows it. These are upstream's
    /// expectations.
    written: BTreeMap<ObjectRef, u64>,
    /// For each object: the resource version of its controller's last write to each kind, until the cache shows it.
    own_writes: BTreeMap<ObjectRef, BTreeMap<Kind, Rc<str>>>,
    back_off: BackOff,
    sync_caches: BTreeMap<ObjectRef, RefCell<SyncCache>>,
}

impl Workers {
    pub(super) fn new(gates: Gates, seed: u64) -> Self {
        Self {
            gates,
            cache: Cache::default(),
            queues: BTreeMap::new(),
            chance: Rng::new(!seed),
            written: BTreeMap::new(),
            own_writes: BTreeMap::new(),
            back_off: BackOff::default(),
            sync_caches: BTreeMap::new(),
        }
    }

    /// The work queue of a kind's controller.
    pub(super) fn queue(&mut self, kind: Kind) -> &mut WorkQueue {
        self.queues.entry(kind).or_default()
    }

    /// Whether no key waits.
    pub(super) fn are_idle(&self) -> bool {
        self.queues.values().all(WorkQueue::is_empty)
    }

    /// Whether this is the key's delayed entry.
    pub(super) fn holds(&self, key: &ObjectRef, at: Time) -> bool {
        self.queues.get(&key.kind).is_some_and(|queue| queue.holds(key, at))
    }

    /// What is delayed for a while only is due soon. For the model check.
    pub(super) fn make_due(&mut self, soon: Time, within: Time) {
        self.queues.values_mut().for_each(|queue| queue.make_due(soon, within));
    }

    /// When a key that failed is due again, and how often it has failed.
    pub(super) fn retry_of(&self, key: &ObjectRef) -> Option<(Time, u32)> {
        self.queues.get(&key.kind)?.retry_of(key)
    }
}

/// The API server for the length of one sync: the store, and a record of what was asked of it.
struct Recorder<'a> {
    store: &'a mut Store,
    holds: &'a mut Holds,
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
    /// The resource version of the last write to each kind; deletions and revisions are not remembered.
    own_writes: BTreeMap<Kind, Rc<str>>,
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

    fn remember(&mut self, written: Result<&Object, &ApiError>) {
        if let Ok(object) = written
            && object.kind() != Kind::ControllerRevision
        {
            self.own_writes.insert(object.kind(), Rc::clone(&object.metadata().resource_version));
        }
    }
}

impl Api for Recorder<'_> {
    fn get(&mut self, kind: Kind, namespace: &str, name: &str) -> Result<Object, ApiError> {
        self.store.get(&ObjectRef { kind, namespace: namespace.into(), name: name.into() }).cloned()
    }

    fn create(&mut self, object: Object) -> Result<Object, ApiError> {
        let key = object.reference();
        let result = self.store.create(object, self.now, self.holds);
        self.record(Verb::Create, &key, &result);
        self.remember(result.as_ref());
        result
    }

    fn update(&mut self, object: Object) -> Result<Object, ApiError> {
        let key = object.reference();
        let result = self.store.update(object);
        self.record(Verb::Update, &key, &result);
        self.remember(result.as_ref());
        result
    }

    fn update_status(&mut self, object: Object) -> Result<Object, ApiError> {
        let key = object.reference();
        let result = self.store.update_status(object);
        self.record(Verb::UpdateStatus, &key, &result);
        self.remember(result.as_ref());
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
        if result.is_ok() && matches!(patch, OwnerPatch::Adopt { .. }) {
            let patched = self.store.get(target).cloned();
            self.remember(patched.as_ref());
        }
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

impl Workers {
    pub(super) fn deliver(&mut self, world: &mut World, change: &WatchEvent) {
        world.happened(TraceEvent::Delivered(change.object().reference()));
        self.cache.apply(change);
        for controller in &CONTROLLERS {
            for key in (controller.enqueue)(&self.gates, &self.cache, change) {
                self.enqueue(world, key);
            }
        }
    }

    pub(super) fn enqueue(&mut self, world: &mut World, key: ObjectRef) {
        let kind = key.kind;
        let queue = self.queue(kind);
        let was_empty = queue.is_empty();
        if queue.add(key) && was_empty {
            world.event_queue.put(world.now, ScheduledEvent::Work(kind));
        }
    }

    /// The object's controller has failed so often in a row, and tries again after so many milliseconds.
    pub(super) fn set_failures(&mut self, world: &mut World, object: &ObjectRef, times: u32, milliseconds: i64) {
        let due = Time(world.now.0 + milliseconds.max(1));
        self.queue(object.kind).set_failures(object, times, due);
        world.event_queue.put(due, ScheduledEvent::Requeue(object.clone()));
    }

    /// The object's controller looks at it again after so many milliseconds, unless it does so earlier.
    pub(super) fn sync_after(&mut self, world: &mut World, object: &ObjectRef, milliseconds: i64) {
        let delay = Duration::from_millis(u64::try_from(milliseconds).unwrap_or(0));
        if let Some(at) = self.queue(object.kind).add_after(object, delay, world.now) {
            world.event_queue.put(at, ScheduledEvent::Requeue(object.clone()));
        }
    }

    /// A key that was delayed is queued again, unless an earlier requeue has replaced this one.
    pub(super) fn requeued(&mut self, world: &mut World, key: ObjectRef) {
        if self.queue(key.kind).comes_back(&key, world.now) {
            world.happened(TraceEvent::Requeued(key.clone()));
            self.enqueue(world, key);
        }
    }

    /// One key off the queue of a kind's controller, one sync.
    pub(super) fn work(&mut self, world: &mut World, kind: Kind) {
        let Some(controller) = Controller::of(kind) else { return };
        let Some(key) = self.queue(kind).take() else { return };
        self.sync(world, controller, &key);
        if !self.queue(kind).is_empty() {
            world.event_queue.put(world.now, ScheduledEvent::Work(kind));
        }
    }

    fn sync(&mut self, world: &mut World, controller: &Controller, key: &ObjectRef) {
        let up_to_date = self.written.get(key).is_none_or(|written| *written <= self.cache.arrived);
        let before = self.cache.get(key);
        if before.is_none() {
            self.written.remove(key);
            self.own_writes.remove(key);
            self.sync_caches.remove(key);
        } else if controller.waits_for_own_writes && !up_to_date {
            return;
        }
        let own_writes = self.own_writes_of(key);
        let Self { gates, cache, chance, back_off, sync_caches, .. } = self;
        let of_nothing = RefCell::default();
        let sync_cache = if before.is_some() { &*sync_caches.entry(key.clone()).or_default() } else { &of_nothing };
        let (now, cache_lag) = (world.now, world.settings.cache_lag);
        let (store, holds) = (&mut world.store, &mut world.settings.holds);
        let (writes, events) = (Vec::new(), Vec::new());
        let mut api = Recorder {
            store,
            holds,
            now,
            cache_lag,
            subject: key,
            writes,
            events,
            after: None,
            pod_written_at: None,
            own_writes: BTreeMap::new(),
        };
        let of_namespace = cache.namespace(&key.namespace).zip(before.as_ref());
        let pods = of_namespace.map_or(0, |(all, object)| all.pods.claimable_count(&object.metadata().uid));
        // Every node may be to have a daemon. A sync goes through nodes and daemons to place them, to count and to find what is to be
        // rolled out, and for the status, and each look takes as long as two of a ReplicaSet at its pods.
        let looks = if key.kind == Kind::DaemonSet { 8 * (pods + cache.nodes().len()) } else { pods };
        world.looks.add(looks);
        let mut decisions = Vec::new();
        let mut context = Context {
            now,
            gates,
            cache,
            up_to_date,
            own_writes: &own_writes,
            sync_cache,
            api: &mut api,
            new_suffix: &mut || names::suffix(chance),
            back_off,
            decisions: &mut decisions,
        };
        let outcome = (controller.sync)(&mut context, key);
        let decisions = match world.trace.syncs.last() {
            Some(last) if *last.decisions == *decisions => Rc::clone(&last.decisions),
            _ => decisions.into(),
        };
        let Recorder { mut writes, events, after, pod_written_at, own_writes, .. } = api;
        writes.shrink_to_fit();
        if !own_writes.is_empty() {
            self.own_writes.entry(key.clone()).or_default().extend(own_writes);
        }
        if let Some(written) = pod_written_at {
            self.written.insert(key.clone(), written);
        }
        let number = u64::try_from(world.trace.syncs.len()).unwrap_or(u64::MAX) + 1;
        world.happened(TraceEvent::Synced(number));
        world.trace.syncs.push(Rc::new(SyncRecord {
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
            world.event(key, event.event_type, event.reason, event.message, controller.name);
        }
        self.requeue(world, key, &outcome);
    }

    /// What the controller wrote for an object. What the cache shows by now is forgotten.
    fn own_writes_of(&mut self, key: &ObjectRef) -> Vec<OwnWrite> {
        let Some(versions) = self.own_writes.remove(key) else { return Vec::new() };
        let own_write = |(kind, written)| {
            let read = self.cache.version(kind).cloned().unwrap_or_default();
            OwnWrite { kind, written, read }
        };
        let ahead: Vec<OwnWrite> = versions.into_iter().map(own_write).filter(OwnWrite::is_ahead_of_cache).collect();
        if !ahead.is_empty() {
            let versions = ahead.iter().map(|write| (write.kind, Rc::clone(&write.written))).collect();
            self.own_writes.insert(key.clone(), versions);
        }
        ahead
    }

    /// Puts the key back as the sync asked for it: after a failure with back-off, else after the delay it named.
    fn requeue(&mut self, world: &mut World, key: &ObjectRef, outcome: &reconcile::Outcome) {
        let now = world.now;
        let queue = self.queue(key.kind);
        let at = if outcome.error.is_some() {
            queue.fail(key, now)
        } else {
            queue.forget(key);
            match outcome.requeue_after {
                Some(delay) if delay == RATE_LIMITED => queue.add_rate_limited(key, now),
                delay => {
                    queue.rests(key);
                    delay.and_then(|delay| queue.add_after(key, delay, now))
                }
            }
        };
        if let Some(at) = at {
            world.event_queue.put(at, ScheduledEvent::Requeue(key.clone()));
        }
    }
}
