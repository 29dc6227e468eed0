//! The set's revisions: which is current, which is to be rolled out, which are too old to keep.
//! Models getStatefulSetRevisions and truncateHistory of stateful_set_control.go, and controller_history.go, v1.20.

use super::{Step, Steps, to_i32};
use crate::objects::{
    ControllerRevision, Kind, LabelSelector, Labels, Object, ObjectMeta, ObjectRef, Reason, RevisionData, defaults,
};
use crate::reconcile::api::UPDATE_TRIES;
use crate::reconcile::revisions::{
    self, HASH_LABEL, decimal_hash, equal, hash_in_letters, hash_revision_data, revision_name, template_patch,
};
use crate::reconcile::sync_cache::CachedPod;
use crate::reconcile::{Facts, SyncError};
use std::rc::Rc;

/// The two revisions of a set.
pub(in crate::reconcile) struct Revisions {
    pub(in crate::reconcile) current: Rc<ControllerRevision>,
    pub(in crate::reconcile) update: Rc<ControllerRevision>,
    pub(in crate::reconcile) collision_count: i32,
}

impl<'a> Steps<'a> {
    /// The revisions that match the selector and are the set's own or nobody's, oldest first.
    pub(in crate::reconcile) fn list_revisions(&self) -> Vec<&'a Rc<ControllerRevision>> {
        let listed = self.revisions.iter();
        let mut own: Vec<&Rc<ControllerRevision>> =
            listed.filter(|revision| self.is_own_or_orphan(&revision.metadata)).collect();
        if self.gates.orders_equal_revisions {
            revisions::sort(&mut own);
        } else {
            own.sort_by_key(|revision| revision.revision);
        }
        own
    }

    /// The current and the update revision; a template not seen before is stored first.
    pub(in crate::reconcile) fn get_stateful_set_revisions(
        &mut self,
        history: &[&Rc<ControllerRevision>],
    ) -> Result<Revisions, SyncError> {
        let set = self.set;
        let labels = if self.gates.labels_revision_by_selector {
            labels_of_selector(set.selector).map_err(SyncError)
        } else {
            Ok(set.template.metadata.labels.clone())
        };
        let labels = labels.inspect_err(|_| self.decided(Step::RevisionRefused))?;
        let mut collision_count = set.collision_count.unwrap_or(0);
        let data = template_patch(self.gates, set.template);
        let hash = self.hash_label(decimal_hash(data.text(), collision_count));
        let next = history.last().map_or(1, |newest| newest.revision.wrapping_add(1));
        let same = history.iter().rev().find(|revision| equal(Some(&hash), data.text(), revision));
        let update = match (same, history.last()) {
            (Some(same), Some(newest)) if same_revision(newest, same) => {
                self.decided(Step::RevisionUnchanged);
                Rc::clone(newest)
            }
            (Some(same), _) => self.raise_revision(same, next)?,
            (None, Some(newest)) if self.is_equivalent(newest, &data) => {
                self.decided(Step::RevisionEquivalent);
                Rc::clone(newest)
            }
            _ => self.create_revision(labels, &hash, data, next, &mut collision_count)?,
        };
        let current = history.iter().rev().find(|revision| *revision.metadata.name == *set.current_revision);
        let current = current.map_or_else(|| Rc::clone(&update), |current| Rc::clone(current));
        Ok(Revisions { current, update, collision_count })
    }

    /// Whether a stored revision, decoded and defaulted as the API server does today, holds this template.
    /// Models getStatefulSetRevisions of stateful_set_control.go, v1.35.
    fn is_equivalent(&self, stored: &ControllerRevision, data: &RevisionData) -> bool {
        self.gates.semantic_revision_comparison
            && stored.data.template().is_ok_and(|template| {
                let filled = defaults::filled_template(&template);
                filled.is_ok_and(|template| template_patch(self.gates, &template) == *data)
            })
    }

    /// What the hash label says.
    fn hash_label(&self, decimal_hash: String) -> String {
        if self.gates.decimal_hash_label { decimal_hash } else { hash_in_letters(&decimal_hash) }
    }

    /// A rollback: the older revision with this template becomes the newest.
    fn raise_revision(
        &mut self,
        older: &Rc<ControllerRevision>,
        revision: i64,
    ) -> Result<Rc<ControllerRevision>, SyncError> {
        let mut raised = (**older).clone();
        raised.revision = revision;
        let mut sent = raised.clone();
        for attempt in 1.. {
            match self.api.update(Object::Revision(Rc::new(sent.clone()))) {
                Ok(_) => break,
                Err(refusal) if refusal.reason == Reason::Conflict && attempt < UPDATE_TRIES => {
                    // The cache has not moved, so the same update is sent again; some releases send the empty answer.
                    if self.gates.forgets_conflicting_revision {
                        sent = ControllerRevision { revision, ..ControllerRevision::default() };
                    }
                }
                Err(refusal) => {
                    self.decided(Step::RevisionRefused);
                    return Err(refusal.into());
                }
            }
        }
        self.decided(Step::RevisionReused);
        Ok(Rc::new(raised))
    }

    fn create_revision(
        &mut self,
        mut labels: Labels,
        hash: &str,
        data: RevisionData,
        revision: i64,
        collision_count: &mut i32,
    ) -> Result<Rc<ControllerRevision>, SyncError> {
        let set = self.set;
        labels.insert(HASH_LABEL, hash);
        let mut desired = ControllerRevision {
            metadata: ObjectMeta {
                labels,
                annotations: set.metadata.annotations.clone(),
                owner_references: vec![self.controller_reference()].into(),
                namespace: set.metadata.namespace.clone(),
                ..ObjectMeta::default()
            },
            data,
            revision,
            extra: serde_json::Map::new(),
        };
        loop {
            let hash = hash_revision_data(desired.data.text(), *collision_count);
            desired.metadata.name = revision_name(&set.metadata.name, &hash).into();
            let refusal = match self.api.create(Object::Revision(Rc::new(desired.clone()))) {
                Ok(_) => {
                    self.decided(Step::RevisionCreated);
                    return Ok(Rc::new(desired));
                }
                Err(refusal) => refusal,
            };
            let taken_by = match refusal.reason {
                Reason::AlreadyExists if !self.gates.reuses_taken_revision => {
                    self.decided(Step::RevisionNameTaken);
                    *collision_count = collision_count.wrapping_add(1);
                    continue;
                }
                Reason::AlreadyExists => {
                    self.api.get(Kind::ControllerRevision, &set.metadata.namespace, &desired.metadata.name)
                }
                _ => Err(refusal),
            };
            match taken_by {
                Ok(Object::Revision(existing)) if existing.data == desired.data => {
                    self.decided(Step::RevisionCreated);
                    return Ok(existing);
                }
                Ok(_) => {
                    self.decided(Step::RevisionNameTaken);
                    *collision_count = collision_count.wrapping_add(1);
                }
                Err(refusal) => {
                    self.decided(Step::RevisionRefused);
                    return Err(refusal.into());
                }
            }
        }
    }

    /// The end of a sync: the history is truncated after a failure too, where the release does so.
    pub(in crate::reconcile) fn finish<T>(
        &mut self,
        outcome: Result<T, SyncError>,
        pods: &[&CachedPod],
        history: &[&Rc<ControllerRevision>],
        revisions: Option<&Revisions>,
    ) -> Result<T, SyncError> {
        if outcome.is_err() && !self.gates.truncates_after_failure {
            return outcome;
        }
        let truncated = self.truncate_history(pods, history, revisions);
        match (outcome, truncated) {
            (Ok(again), Ok(())) => Ok(again),
            (Err(error), Ok(())) | (Ok(_), Err(error)) => Err(error),
            (Err(SyncError(error)), Err(SyncError(other))) => {
                Err(SyncError(if error == other { error } else { format!("[{error}, {other}]") }))
            }
        }
    }

    /// Deletes the oldest revisions that nothing uses and that are beyond the limit.
    fn truncate_history(
        &mut self,
        pods: &[&CachedPod],
        history: &[&Rc<ControllerRevision>],
        revisions: Option<&Revisions>,
    ) -> Result<(), SyncError> {
        let limit = usize::try_from(self.set.history_limit.unwrap_or(10)).unwrap_or(0);
        if history.len() > limit {
            let is_live = |name: &str| {
                pods.iter().any(|pod| *pod.revision == *name)
                    || revisions
                        .is_some_and(|it| *name == *it.current.metadata.name || *name == *it.update.metadata.name)
            };
            let unused: Vec<_> =
                history.iter().map(|revision| &revision.metadata).filter(|it| !is_live(&it.name)).collect();
            let surplus = &unused[..unused.len().saturating_sub(limit)];
            for metadata in surplus {
                let target = ObjectRef {
                    kind: Kind::ControllerRevision,
                    namespace: metadata.namespace.clone(),
                    name: metadata.name.clone(),
                };
                if let Err(refusal) = self.api.delete(&target) {
                    self.decided(Step::HistoryRefused);
                    return Err(refusal.into());
                }
            }
            if !surplus.is_empty() {
                self.decide_step(Step::HistoryTruncated, None, Facts::Count(to_i32(surplus.len())));
                return Ok(());
            }
        }
        self.decided(Step::HistoryKept);
        Ok(())
    }
}

/// The labels that a selector's text reads as: its requirements by key, split at every comma, each `key=value`.
fn labels_of_selector(selector: &LabelSelector) -> Result<Labels, String> {
    let labels = selector.match_labels.iter().map(|(key, value)| (key, format!("{key}={value}")));
    let expressions = selector.match_expressions.iter().map(|it| {
        let (key, values) = (&it.key, it.values.join(","));
        let text = match &*it.operator {
            "In" => format!("{key} in ({values})"),
            "NotIn" => format!("{key} notin ({values})"),
            "DoesNotExist" => format!("!{key}"),
            _ => key.to_string(),
        };
        (key, text)
    });
    let mut requirements: Vec<(&Rc<str>, String)> = labels.chain(expressions).collect();
    requirements.sort_by(|a, b| a.0.cmp(b.0));
    let text = requirements.into_iter().map(|(_, text)| text).collect::<Vec<_>>().join(",");
    let parts = text.split(',').filter(|part| !part.is_empty());
    parts.map(|part| part.split_once('=').ok_or_else(|| format!("invalid selector: [{part}]"))).collect()
}

fn same_revision(a: &ControllerRevision, b: &ControllerRevision) -> bool {
    equal(a.metadata.labels.get(HASH_LABEL).map(|label| &**label), a.data.text(), b)
}
