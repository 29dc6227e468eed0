//! The set's revisions. Models constructHistory and cleanupHistory of pkg/controller/daemon/update.go.

use super::{Rule, Sync};
use crate::objects::{ControllerRevision, Kind, Object, ObjectMeta, ObjectRef, Reason, RevisionData};
use crate::reconcile::pods::{REVISION_LABEL, revision_of};
use crate::reconcile::revisions::template_patch;
use crate::reconcile::{Facts, MetadataPatch, SyncError, template_hash};
use std::rc::Rc;

/// The revision of the current template, and the others as the cache lists them.
pub(super) struct History {
    current: Rc<ControllerRevision>,
    old: Vec<Rc<ControllerRevision>>,
}

impl History {
    /// The hash by which pods are marked.
    pub(super) fn hash(&self) -> Rc<str> {
        hash_of(&self.current)
    }
}

fn hash_of(revision: &ControllerRevision) -> Rc<str> {
    revision.metadata.labels.get(REVISION_LABEL).cloned().unwrap_or_default()
}

fn key_of(revision: &ControllerRevision) -> ObjectRef {
    let ObjectMeta { namespace, name, .. } = &revision.metadata;
    ObjectRef { kind: Kind::ControllerRevision, namespace: namespace.clone(), name: name.clone() }
}

impl Sync<'_> {
    pub(super) fn construct_history(&mut self) -> Result<History, SyncError> {
        let data = self.template_patch();
        let (mut current, mut old) = (Vec::new(), Vec::new());
        for mut revision in self.work.claim(self.observed.revisions.iter(), None)? {
            if revision.metadata.labels.get(REVISION_LABEL).is_none() {
                revision = self.label_by_name(revision)?;
            }
            let is_current = revision.data == data;
            if is_current { &mut current } else { &mut old }.push(revision);
        }
        let number = old.iter().map(|revision| revision.revision).max().unwrap_or(0).max(0).wrapping_add(1);
        let current = match self.dedup_cur_histories(current)? {
            None => self.snapshot(number)?,
            Some(found) => {
                if found.revision < number {
                    let raised = ControllerRevision { revision: number, ..(*found).clone() };
                    self.work.api.update(Object::Revision(Rc::new(raised)))?;
                    self.work.decide(Rule::DaemonRevisionReused, Facts::None);
                } else {
                    self.work.decide(Rule::DaemonRevisionUnchanged, Facts::None);
                }
                found
            }
        };
        Ok(History { current, old })
    }

    /// The hash in a revision's name is another one.
    fn template_patch(&self) -> RevisionData {
        template_patch(&self.work.gates, &self.observed.set.spec.template)
    }

    /// A revision without a hash is marked by its name.
    fn label_by_name(&mut self, revision: Rc<ControllerRevision>) -> Result<Rc<ControllerRevision>, SyncError> {
        let mut marked = (*revision).clone();
        marked.metadata.labels.insert(REVISION_LABEL, Rc::clone(&revision.metadata.name));
        let stored = self.work.api.update(Object::Revision(Rc::new(marked)))?;
        Ok(if let Object::Revision(stored) = stored { stored } else { revision })
    }

    /// Of several revisions of one template the last of the highest number stays, and the pods are marked by it. Models
    /// dedupCurHistories.
    fn dedup_cur_histories(
        &mut self,
        twins: Vec<Rc<ControllerRevision>>,
    ) -> Result<Option<Rc<ControllerRevision>>, SyncError> {
        let Some(kept) = twins.iter().max_by_key(|revision| revision.revision).cloned() else { return Ok(None) };
        let mut is_marked = twins.len() == 1;
        for twin in twins.iter().filter(|twin| twin.metadata.name != kept.metadata.name) {
            if !is_marked {
                self.mark_pods(&hash_of(&kept))?;
                is_marked = self.work.gates.workloads.relabels_daemons_once;
            }
            self.work.api.delete(&key_of(twin))?;
        }
        Ok(Some(kept))
    }

    fn mark_pods(&mut self, hash: &Rc<str>) -> Result<(), SyncError> {
        for pod in self.get_daemon_pods()?.iter().filter(|pod| *revision_of(pod) != **hash) {
            if self.work.gates.workloads.relabels_daemons_by_patch {
                let (namespace, name) = (pod.metadata.namespace.clone(), pod.metadata.name.clone());
                let labels = [(REVISION_LABEL, Rc::clone(hash))].into_iter().collect();
                let patch = MetadataPatch { labels, ..MetadataPatch::default() };
                self.work.api.patch_metadata(&ObjectRef { kind: Kind::Pod, namespace, name }, &patch)?;
            } else {
                let mut marked = (**pod).clone();
                marked.metadata.labels.insert(REVISION_LABEL, Rc::clone(hash));
                self.work.api.update(Object::Pod(Rc::new(marked)))?;
            }
        }
        Ok(())
    }

    /// Models snapshot.
    fn snapshot(&mut self, number: i64) -> Result<Rc<ControllerRevision>, SyncError> {
        let set = self.observed.set;
        let types = self.work.gates.workloads.template_types;
        let hash = template_hash(types, &set.spec.template, set.status.collision_count);
        let mut labels = set.spec.template.metadata.labels.clone();
        labels.insert(REVISION_LABEL, hash.as_str());
        let metadata = ObjectMeta {
            name: format!("{}-{hash}", set.metadata.name).into(),
            namespace: set.metadata.namespace.clone(),
            labels,
            annotations: set.metadata.annotations.clone(),
            owner_references: vec![self.work.controller_reference()].into(),
            ..ObjectMeta::default()
        };
        let data = self.template_patch();
        let desired = Rc::new(ControllerRevision { metadata, data, revision: number, ..Default::default() });
        match self.work.api.create(Object::Revision(Rc::clone(&desired))) {
            Ok(stored) => {
                self.work.decide(Rule::DaemonRevisionCreated, Facts::None);
                Ok(if let Object::Revision(stored) = stored { stored } else { desired })
            }
            Err(refusal) if refusal.reason == Reason::AlreadyExists => self.take_taken(&desired, refusal.into()),
            Err(refusal) => {
                self.work.decide(Rule::DaemonRevisionRefused, Facts::None);
                Err(refusal.into())
            }
        }
    }

    /// The name is taken: by this very revision, which the cache does not show yet, or by another template, for which the
    /// collision count goes up and the next sync makes another name.
    fn take_taken(
        &mut self,
        desired: &ControllerRevision,
        taken: SyncError,
    ) -> Result<Rc<ControllerRevision>, SyncError> {
        self.work.decide(Rule::DaemonRevisionRefused, Facts::None);
        let ObjectMeta { namespace, name, .. } = &desired.metadata;
        let existing = self.work.api.get(Kind::ControllerRevision, namespace, name)?;
        if let Object::Revision(existing) = existing
            && existing.data == desired.data
        {
            return Ok(existing);
        }
        let set = self.observed.set;
        let fresh = self.work.api.get(Kind::DaemonSet, namespace, &set.metadata.name)?;
        let Object::DaemonSet(mut fresh) = fresh else { return Err(taken) };
        let (found, expected) = (set.status.collision_count, fresh.status.collision_count);
        if found != expected {
            let [found, expected] = [found, expected].map(|count| count.unwrap_or(0));
            let name = &set.metadata.name;
            return Err(SyncError(format!(
                "found a stale collision count ({found}, expected {expected}) of DaemonSet \"{name}\" while processing; \
                 will retry until it is updated"
            )));
        }
        let status = &mut Rc::make_mut(&mut fresh).status;
        status.collision_count = Some(expected.unwrap_or(0).wrapping_add(1));
        self.work.api.update_status(Object::DaemonSet(fresh))?;
        Err(taken)
    }

    /// Deletes the oldest revisions that no pod is at, beyond the limit.
    pub(super) fn cleanup_history(&mut self, history: &History) -> Result<(), SyncError> {
        let node_pods = self.get_nodes_to_daemon_pods(true)?;
        let limit = usize::try_from(self.observed.set.spec.revision_history_limit.unwrap_or(10)).unwrap_or(0);
        let mut old = history.old.clone();
        old.sort_by_key(|revision| revision.revision);
        let is_used = |revision: &&Rc<ControllerRevision>| {
            let hash = hash_of(revision);
            !hash.is_empty() && node_pods.values().flatten().any(|pod| *revision_of(pod) == *hash)
        };
        let surplus = old.len().saturating_sub(limit);
        let doomed: Vec<&Rc<ControllerRevision>> =
            old.iter().filter(|revision| !is_used(revision)).take(surplus).collect();
        let deleted = i32::try_from(doomed.len()).unwrap_or(i32::MAX);
        for revision in doomed {
            self.work.api.delete(&key_of(revision))?;
        }
        if deleted > 0 {
            self.work.decide(Rule::DaemonHistoryTruncated, Facts::Count(deleted));
        }
        Ok(())
    }
}
