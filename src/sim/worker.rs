//! The controller's worker: it takes a key off the queue, hands the sync what the cache holds, and records what came of it.

use super::agenda::Due;
use super::cluster::Cluster;
use super::informer::Namespace;
use super::store::Store;
use super::trace::{Happening, Outcome, SyncRecord, Verb, Write};
use crate::objects::{ApiError, Event, Kind, Object, ObjectRef, StatefulSet, StatefulSetStatus, Time};
use crate::reconcile::stateful_set::{Observed, sync};
use crate::reconcile::{Api, Gates, OwnerPatch, SyncError};
use std::rc::Rc;

/// The API server for the length of one sync: the store, and a record of what was asked of it.
struct Recorder<'a> {
    store: &'a mut Store,
    now: Time,
    writes: Vec<Write>,
    events: Vec<Event>,
    status: Option<StatefulSetStatus>,
}

impl Recorder<'_> {
    fn record<T>(&mut self, verb: Verb, key: &ObjectRef, result: &Result<T, ApiError>) {
        let outcome = match result {
            Ok(_) => Outcome::Done,
            Err(error) => Outcome::Refused(error.reason, error.message.as_str().into()),
        };
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
    pub(super) fn work(&mut self) {
        let Some(key) = self.queue.take() else { return };
        let namespace = self.informer.namespace(&key.namespace);
        let set = namespace.and_then(|namespace| namespace.sets.get(&key.name)).cloned();
        let (record, events, again, error) = match (namespace, set) {
            (Some(namespace), Some(set)) => {
                let mut recorder = Recorder {
                    store: &mut self.store,
                    now: self.now,
                    writes: Vec::new(),
                    events: Vec::new(),
                    status: None,
                };
                sync_once(&self.release.gates(), &key, namespace, &set, &mut recorder)
            }
            // The set is gone: there is nothing to do.
            _ => (empty_record(&key, self.now), Vec::new(), None, None),
        };
        if let Some(seconds) = again {
            self.agenda.put(self.now.plus_seconds(seconds.into()), Due::Requeue(record.set.clone()));
        }
        self.finish(record, events, error);
        if !self.queue.is_empty() {
            self.agenda.put(self.now, Due::Work);
        }
    }

    fn finish(&mut self, mut record: SyncRecord, events: Vec<Event>, error: Option<SyncError>) {
        let key = record.set.clone();
        record.number = u64::try_from(self.trace.syncs.len()).unwrap_or(u64::MAX) + 1;
        self.happened(Happening::Synced(record.number));
        self.trace.syncs.push(Rc::new(record));
        for event in events {
            self.event(&key, event.event_type, event.reason, event.message.to_string(), "statefulset-controller");
        }
        if error.is_some() {
            let at = self.queue.fail(&key, self.now);
            self.agenda.put(at, Due::Requeue(key));
        } else {
            self.queue.forget(&key);
        }
    }
}

fn empty_record(key: &ObjectRef, now: Time) -> SyncRecord {
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
) -> (SyncRecord, Vec<Event>, Option<i32>, Option<SyncError>) {
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
