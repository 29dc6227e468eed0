//! The set's revisions. Models constructHistory and cleanupHistory of pkg/controller/daemon/update.go.

use super::Rule;
use super::Sync;
use crate::objects::{ControllerRevision, Kind, Object, ObjectMeta, ObjectRef, Pod};
use crate::reconcile::pods::{REVISION_LABEL, revision_of};
use crate::reconcile::revisions::{self, revision_name, template_patch};
use crate::reconcile::{Facts, SyncError, hash_revision_data};
use std::rc::Rc;

/// The revision of the template as it is, and the others, oldest first.
pub(super) struct History {
    current: Rc<ControllerRevision>,
    old: Vec<Rc<ControllerRevision>>,
}

impl History {
    /// The hash by which pods are marked.
    pub(super) fn hash(&self) -> Rc<str> {
        self.current.metadata.labels.get(REVISION_LABEL).cloned().unwrap_or_default()
    }

    pub(super) fn is_current(&self, pod: &Pod) -> bool {
        *revision_of(pod) == *self.hash()
    }
}

impl Sync<'_> {
    pub(super) fn history(&mut self) -> Result<History, SyncError> {
        let set = self.observed.set;
        let is_own = |revision: &&Rc<ControllerRevision>| {
            set.spec.selector.matches(&revision.metadata.labels)
                && revision.metadata.controller_of().is_some_and(|owner| owner.uid == set.metadata.uid)
        };
        let mut own: Vec<&Rc<ControllerRevision>> = self.observed.revisions.iter().filter(is_own).collect();
        revisions::sort(&mut own);
        let data = template_patch(&self.work.gates, &set.spec.template);
        let same = own.iter().rposition(|revision| revision.data == data);
        let mut old: Vec<Rc<ControllerRevision>> = own.into_iter().cloned().collect();
        let found = same.map(|at| old.remove(at));
        let number = old.last().map_or(1, |newest| newest.revision + 1);
        let current = match found {
            Some(found) if found.revision >= number => {
                self.work.decide(Rule::DaemonRevisionUnchanged, Facts::None);
                found
            }
            Some(found) => {
                let raised = ControllerRevision { revision: number, ..(*found).clone() };
                let stored = self.work.api.update(Object::Revision(Rc::new(raised)))?;
                self.work.decide(Rule::DaemonRevisionReused, Facts::None);
                if let Object::Revision(stored) = stored { stored } else { found }
            }
            None => {
                let hash = hash_revision_data(data.text(), set.status.collision_count.unwrap_or(0));
                let mut labels = set.spec.template.metadata.labels.clone();
                labels.insert(REVISION_LABEL, hash.as_str());
                let metadata = ObjectMeta {
                    name: revision_name(&set.metadata.name, &hash).into(),
                    namespace: set.metadata.namespace.clone(),
                    labels,
                    annotations: set.metadata.annotations.clone(),
                    owner_references: vec![self.work.controller_reference()],
                    ..ObjectMeta::default()
                };
                self.create_revision(ControllerRevision { metadata, data, revision: number, ..Default::default() })?
            }
        };
        Ok(History { current, old })
    }

    fn create_revision(&mut self, wanted: ControllerRevision) -> Result<Rc<ControllerRevision>, SyncError> {
        let wanted = Rc::new(wanted);
        let metadata = &wanted.metadata;
        let created = match self.work.api.create(Object::Revision(Rc::clone(&wanted))) {
            Err(refusal) => {
                // It may be this very revision, which the cache does not show yet.
                let held = self.work.api.get(Kind::ControllerRevision, &metadata.namespace, &metadata.name);
                match held {
                    Ok(Object::Revision(held)) if held.data == wanted.data => return Ok(held),
                    _ => Err(refusal),
                }
            }
            created => created,
        };
        let rule = if created.is_ok() { Rule::DaemonRevisionCreated } else { Rule::DaemonRevisionRefused };
        self.work.decide(rule, Facts::None);
        Ok(if let Object::Revision(stored) = created? { stored } else { wanted })
    }

    /// Deletes the oldest revisions that no pod is at, beyond the limit.
    pub(super) fn clean_up(&mut self, history: &History, pods: &[Rc<Pod>]) -> Result<(), SyncError> {
        let limit = usize::try_from(self.observed.set.spec.revision_history_limit.unwrap_or(10)).unwrap_or(0);
        let is_used = |revision: &&Rc<ControllerRevision>| {
            let hash = revision.metadata.labels.get(REVISION_LABEL).map_or("", |hash| hash);
            pods.iter().any(|pod| revision_of(pod) == hash)
        };
        let surplus = history.old.len().saturating_sub(limit);
        let doomed: Vec<&Rc<ControllerRevision>> =
            history.old.iter().filter(|revision| !is_used(revision)).take(surplus).collect();
        let deleted = i32::try_from(doomed.len()).unwrap_or(i32::MAX);
        for revision in doomed {
            let (namespace, name) = (revision.metadata.namespace.clone(), revision.metadata.name.clone());
            self.work.api.delete(&ObjectRef { kind: Kind::ControllerRevision, namespace, name })?;
        }
        if deleted > 0 {
            self.work.decide(Rule::DaemonHistoryTruncated, Facts::Count(deleted));
        }
        Ok(())
    }
}
