//! What a sync did to pods.

use crate::objects::{Kind, ObjectRef};
use crate::sim::{Outcome, SyncRecord, Verb};
use std::rc::Rc;

/// Pods that one sync created or deleted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Acts {
    /// Whose sync it was.
    pub owner: ObjectRef,
    /// Whether it deleted them, and did not create them.
    pub deletes: bool,
    /// Their names; empty for one that the API server makes up.
    pub pods: Vec<Rc<str>>,
}

impl Acts {
    /// What the sync deleted, or else what it created; nothing if neither.
    pub fn of(sync: &SyncRecord) -> Option<Self> {
        let of = |verb: Verb| -> Vec<Rc<str>> {
            let is_done = |kind, outcome: &Outcome| kind == Kind::Pod && *outcome == Outcome::Done;
            let writes = sync.writes.iter().filter(|write| write.verb == verb && is_done(write.kind, &write.outcome));
            writes.map(|write| Rc::clone(&write.name)).collect()
        };
        let (deleted, created) = (of(Verb::Delete), of(Verb::Create));
        let deletes = !deleted.is_empty();
        let pods = if deletes { deleted } else { created };
        (!pods.is_empty()).then(|| Self { owner: sync.subject.clone(), deletes, pods })
    }
}
