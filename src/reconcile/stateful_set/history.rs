//! The set's revisions: which is current, which is to be rolled out, which are too old to keep.
//! Models getStatefulSetRevisions and truncateHistory of stateful_set_control.go, and controller_history.go, v1.20.

use super::Sync;
use super::claim::Member;
use crate::objects::{ControllerRevision, Kind, Labels, Object, ObjectMeta, ObjectRef, Reason, RevisionData};
use crate::reconcile::pods::revision_of;
use crate::reconcile::revisions::{self, HASH_LABEL, equal, hash_revision_data, revision_name, template_patch};
use crate::reconcile::{Decision, Facts, Rule, SyncError};
use std::collections::BTreeSet;
use std::rc::Rc;

/// How often an update that met a conflict is tried in all (client-go's DefaultBackoff).
pub(super) const UPDATE_TRIES: usize = 4;

/// The two revisions of a set.
pub(super) struct Revisions {
    pub(super) current: Rc<ControllerRevision>,
    pub(super) update: Rc<ControllerRevision>,
    pub(super) collision_count: i32,
}

impl<'a> Sync<'a> {
    /// The revisions that match the selector and are the set's own or nobody's, oldest first.
    pub(super) fn list_revisions(&self) -> Vec<&'a Rc<ControllerRevision>> {
        let set = self.set();
        let mut own: Vec<_> = self
            .observed
            .revisions
            .iter()
            .filter(|revision| {
                set.spec.selector.matches(&revision.metadata.labels)
                    && revision.metadata.controller_of().is_none_or(|owner| owner.uid == set.metadata.uid)
            })
            .collect();
        revisions::sort(&mut own);
        own
    }

    /// The current and the update revision; a template not seen before is stored first.
    pub(super) fn revisions(&mut self, history: &[&Rc<ControllerRevision>]) -> Result<Revisions, SyncError> {
        let set = self.set();
        let mut collision_count = set.status.collision_count.unwrap_or(0);
        let data = template_patch(&set.spec.template);
        let hash = hash_revision_data(&data, collision_count);
        let next = history.last().map_or(1, |newest| newest.revision + 1);
        let same = history.iter().rev().find(|revision| equal(Some(&hash), &data, revision));
        let update = match (same, history.last()) {
            (Some(same), Some(newest)) if same_revision(newest, same) => {
                self.decide(Decision::new(Rule::RevisionUnchanged));
                Rc::clone(newest)
            }
            (Some(same), _) => self.raise_revision(same, next)?,
            _ => self.create_revision(&hash, data.into(), next, &mut collision_count)?,
        };
        let current = history.iter().rev().find(|revision| revision.metadata.name == set.status.current_revision);
        let current = current.map_or_else(|| Rc::clone(&update), |current| Rc::clone(current));
        Ok(Revisions { current, update, collision_count })
    }

    /// A rollback: the older revision with this template becomes the newest.
    fn raise_revision(
        &mut self,
        older: &Rc<ControllerRevision>,
        revision: i64,
    ) -> Result<Rc<ControllerRevision>, SyncError> {
        let mut raised = (**older).clone();
        raised.revision = revision;
        for attempt in 1.. {
            match self.api.update(Object::Revision(Rc::new(raised.clone()))) {
                Ok(_) => break,
                // The cache has not moved, so the same update is sent again.
                Err(refusal) if refusal.reason == Reason::Conflict && attempt < UPDATE_TRIES => {}
                Err(refusal) => {
                    self.decide(Decision::new(Rule::RevisionRefused));
                    return Err(refusal.into());
                }
            }
        }
        self.decide(Decision::new(Rule::RevisionReused));
        Ok(Rc::new(raised))
    }

    fn create_revision(
        &mut self,
        hash: &str,
        data: Rc<str>,
        revision: i64,
        collision_count: &mut i32,
    ) -> Result<Rc<ControllerRevision>, SyncError> {
        let set = self.set();
        let mut labels: Labels = set.spec.template.metadata.labels.clone();
        labels.insert(HASH_LABEL, hash);
        let mut wanted = ControllerRevision {
            metadata: ObjectMeta {
                labels,
                annotations: set.metadata.annotations.clone(),
                owner_references: vec![self.controller_reference()],
                namespace: set.metadata.namespace.clone(),
                ..ObjectMeta::default()
            },
            data: RevisionData::new(Rc::clone(&data), Rc::new(set.spec.template.clone())),
            revision,
            rest: serde_json::Map::new(),
        };
        loop {
            let hash = hash_revision_data(&data, *collision_count);
            wanted.metadata.name = revision_name(&set.metadata.name, &hash).into();
            let refusal = match self.api.create(Object::Revision(Rc::new(wanted.clone()))) {
                Ok(_) => {
                    self.decide(Decision::new(Rule::RevisionCreated));
                    return Ok(Rc::new(wanted));
                }
                Err(refusal) => refusal,
            };
            let taken_by = match refusal.reason {
                Reason::AlreadyExists => {
                    self.api.get(Kind::ControllerRevision, &set.metadata.namespace, &wanted.metadata.name)
                }
                _ => Err(refusal),
            };
            match taken_by {
                Ok(Object::Revision(existing)) if *existing.data.text() == data => {
                    self.decide(Decision::new(Rule::RevisionCreated));
                    return Ok(existing);
                }
                Ok(_) => {
                    self.decide(Decision::new(Rule::RevisionNameTaken));
                    *collision_count += 1;
                }
                Err(refusal) => {
                    self.decide(Decision::new(Rule::RevisionRefused));
                    return Err(refusal.into());
                }
            }
        }
    }

    /// Deletes the oldest revisions that nothing uses and that are beyond the limit.
    pub(super) fn truncate_history(
        &mut self,
        pods: &[Member<'_>],
        history: &[&Rc<ControllerRevision>],
        revisions: Option<&Revisions>,
    ) -> Result<(), SyncError> {
        let limit = usize::try_from(self.set().spec.revision_history_limit.unwrap_or(10)).unwrap_or(0);
        if history.len() > limit {
            let mut live: BTreeSet<&str> = pods.iter().map(|member| revision_of(member.pod)).collect();
            if let Some(revisions) = revisions {
                live.extend([&*revisions.current.metadata.name, &*revisions.update.metadata.name]);
            }
            let unused: Vec<_> =
                history.iter().map(|revision| &revision.metadata).filter(|it| !live.contains(&*it.name)).collect();
            let surplus = &unused[..unused.len().saturating_sub(limit)];
            for metadata in surplus {
                let target = ObjectRef {
                    kind: Kind::ControllerRevision,
                    namespace: metadata.namespace.clone(),
                    name: metadata.name.clone(),
                };
                if let Err(refusal) = self.api.delete(&target) {
                    self.decide(Decision::new(Rule::HistoryRefused));
                    return Err(refusal.into());
                }
            }
            if !surplus.is_empty() {
                let count = i32::try_from(surplus.len()).unwrap_or(i32::MAX);
                self.decide(Decision::new(Rule::HistoryTruncated).with(Facts::Count(count)));
                return Ok(());
            }
        }
        self.decide(Decision::new(Rule::HistoryKept));
        Ok(())
    }
}

fn same_revision(a: &ControllerRevision, b: &ControllerRevision) -> bool {
    equal(a.metadata.labels.get(HASH_LABEL).map(|label| &**label), a.data.text(), b)
}
