//! What a sync did to pods.

use crate::objects::{Kind, ObjectRef};
use crate::reconcile::Rule;
use crate::reconcile::advanced_stateful_set::Rule as AdvancedStatefulSet;
use crate::reconcile::clone_set::Rule as CloneSet;
use crate::sim::{Outcome, SyncRecord, Verb};
use std::rc::Rc;

/// What a sync does to pods.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Does {
    /// It makes them.
    Creates,
    /// It deletes them.
    Deletes,
    /// It changes them where they are.
    Updates,
}

/// Pods that one sync created, deleted or updated in place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Acts {
    /// Whose sync it was.
    pub owner: ObjectRef,
    /// What it did to them.
    pub does: Does,
    /// Their names; empty for one that the API server makes up.
    pub pods: Vec<Rc<str>>,
}

impl Acts {
    /// What the sync deleted, or else what it created, or else what it updated in place; nothing if nothing.
    pub(crate) fn of(sync: &SyncRecord) -> Option<Self> {
        let of = |verb: Verb| -> Vec<Rc<str>> {
            let is_done = |kind, outcome: &Outcome| kind == Kind::Pod && *outcome == Outcome::Done;
            let writes = sync.writes.iter().filter(|write| write.verb == verb && is_done(write.kind, &write.outcome));
            writes.map(|write| Rc::clone(&write.name)).collect()
        };
        let in_place: [Rule; 2] = [CloneSet::UpdatedInPlace.into(), AdvancedStatefulSet::UpdatedInPlace.into()];
        let is_in_place = sync.decisions.iter().any(|decision| in_place.contains(&decision.rule));
        let all = [
            (Does::Deletes, of(Verb::Delete)),
            (Does::Creates, of(Verb::Create)),
            (Does::Updates, if is_in_place { of(Verb::Update) } else { Vec::new() }),
        ];
        let (does, pods) = all.into_iter().find(|(_, pods)| !pods.is_empty())?;
        Some(Self { owner: sync.subject.clone(), does, pods })
    }
}
