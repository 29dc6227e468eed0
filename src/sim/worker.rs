//! The controller's worker: it takes a key off the queue, hands the sync what the cache holds, and records what came of it.

use super::cluster::Cluster;
use super::event_queue::ScheduledEvent;
use super::informer::Namespace;
use super::store::Store;
use super::trace::{Outcome, SyncRecord, TraceEvent, Verb, Write};
use crate::objects::{ApiError, Event, Kind, Object, ObjectRef, StatefulSet, StatefulSetStatus, Time};
use crate::reconcile::stateful_set::{Observed, sync};
use crate::reconcile::{Api, Gates, OwnerPatch, SyncError};
use std::rc::Rc;
use std::time::Duration;

/// The API server for the length of one sync: the store, and a record of what was asked of it.
pub(super) struct Recorder<'a> {
    store: &'a mut Store,
    now: Time,
    pub(super) writes: Vec<Write>,
    pub(super) events: Vec<Event>,
    status: Option<StatefulSetStatus>,
    /// After how many changes of the store the last pod was written.
    pub(super) pod_written_at: Option<u64>,
}

impl<'a> Recorder<'a> {
    pub(super) fn new(store: &'a mut Store, now: Time) -> Self {
        Self { store, now, writes: Vec::new(), events: Vec::new(), status: None, pod_written_at: None }
    }

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
        if let Ok(Object::StatefulSet(set)) = &result {
            self.status = Some(set.status.clone());
        }
        result
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
    /// One key off the queue, one sync.
    pub(super) fn work(&mut self, kind: Kind) {
        let Some(key) = self.queue_of(kind).take() else { return };
        self.sync_key(key);
        if !self.queue_of(kind).is_empty() {
            self.event_queue.put(self.now, ScheduledEvent::Work(kind));
        }
    }

    fn sync_key(&mut self, key: ObjectRef) {
        if key.kind != Kind::StatefulSet {
            return self.sync_workload(&key);
        }
        let namespace = self.informer.namespace(&key.namespace);
        let set = namespace.and_then(|namespace| namespace.sets.get(&key.name)).cloned();
        let (record, events, again, error) = match (namespace, set) {
            (Some(namespace), Some(set)) => {
                let mut recorder = Recorder::new(&mut self.store, self.now);
                sync_once(&self.controller, &key, namespace, &set, &mut recorder)
            }
            // The set is gone: there is nothing to do.
            _ => (empty_record(&key, self.now), Vec::new(), None, None),
        };
        if let Some(again) = again {
            let after = i64::try_from(again.as_millis()).unwrap_or(i64::MAX);
            self.event_queue.put(Time(self.now.0.saturating_add(after)), ScheduledEvent::Requeue(record.set.clone()));
        }
        self.finish(record, events, error);
    }

    pub(super) fn finish(&mut self, mut record: SyncRecord, events: Vec<Event>, error: Option<SyncError>) {
        let key = record.set.clone();
        record.number = u64::try_from(self.trace.syncs.len()).unwrap_or(u64::MAX) + 1;
        self.happened(TraceEvent::Synced(record.number));
        self.trace.syncs.push(Rc::new(record));
        for event in events {
            self.event(&key, event.event_type, event.reason, event.message.to_string(), component(key.kind));
        }
        if error.is_some() {
            let now = self.now;
            let at = self.queue_of(key.kind).fail(&key, now);
            self.event_queue.put(at, ScheduledEvent::Requeue(key));
        } else {
            self.queue_of(key.kind).forget(&key);
        }
    }
}

/// Who says what it says in events.
fn component(kind: Kind) -> &'static str {
    match kind {
        Kind::CloneSet => "cloneset-controller",
        Kind::ReplicaSet => "replicaset-controller",
        Kind::Deployment => "deployment-controller",
        Kind::DaemonSet => "daemonset-controller",
        _ => "statefulset-controller",
    }
}

pub(super) fn empty_record(key: &ObjectRef, now: Time) -> SyncRecord {
    SyncRecord {
        number: 0,
        at: now,
        set: key.clone(),
        found: false,
        decisions: Vec::new(),
        writes: Vec::new(),
        error: None,
        status: Default::default(),
    }
}

fn sync_once(
    gates: &Gates,
    key: &ObjectRef,
    namespace: &Namespace,
    set: &Rc<StatefulSet>,
    recorder: &mut Recorder<'_>,
) -> (SyncRecord, Vec<Event>, Option<Duration>, Option<SyncError>) {
    let observed = Observed {
        now: recorder.now,
        set,
        pods: &namespace.pods,
        revisions: &namespace.revisions,
        claims: &namespace.claims,
    };
    let mut decisions = Vec::new();
    let (again, error) = match sync(gates, &observed, recorder, &mut decisions) {
        Ok(again) => (again, None),
        Err(error) => (None, Some(error)),
    };
    let before = set.status.clone();
    let after = recorder.status.take().unwrap_or_else(|| before.clone());
    let record = SyncRecord {
        found: true,
        decisions,
        writes: std::mem::take(&mut recorder.writes),
        error: error.as_ref().map(|error| error.0.as_str().into()),
        status: (before, after),
        ..empty_record(key, recorder.now)
    };
    (record, std::mem::take(&mut recorder.events), again, error)
}
