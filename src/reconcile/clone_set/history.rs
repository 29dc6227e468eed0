//! The set's revisions: which is current, which is to be rolled out, which are too old to keep.
//! Models getActiveRevisions and truncateHistory of cloneset_controller.go and pkg/controller/cloneset/revision of
//! openkruise/kruise.

use super::Rule;
use super::diff::count;
use super::{CachedClone, Sync, reference};
use crate::objects::{ControllerRevision, Json, Kind, Labels, Object, ObjectMeta, Reason, json_text};
use crate::reconcile::api::UPDATE_TRIES;
use crate::reconcile::in_place::short_hash;
use crate::reconcile::pods::revision_of;
use crate::reconcile::revisions::{self, HASH_LABEL, equal, hash_revision_data, revision_name, template_patch};
use crate::reconcile::{Facts, SyncError};
use crate::releases::CLONE_SET;
use serde_json::Value;
use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::rc::Rc;

/// The annotation that holds the hash of the claim templates a revision was made beside.
pub(super) const CLAIMS_ANNOTATION: &str = "kruise.io/cloneset-volumeclaimtemplate-hash";

type Revision = Rc<ControllerRevision>;

/// The two revisions of a set.
pub(super) struct Revisions {
    pub(super) current: Revision,
    pub(super) update: Revision,
    pub(super) collision_count: i32,
}

impl<'a> Sync<'a> {
    /// The revisions that match the selector and are the set's own or nobody's, oldest first.
    pub(super) fn list_revisions(&self) -> Vec<&'a Revision> {
        let set = self.set();
        let is_own = |revision: &&Revision| {
            set.spec.selector.matches(&revision.metadata.labels)
                && revision.metadata.controller_of().is_none_or(|owner| owner.uid == set.metadata.uid)
        };
        let mut own: Vec<&Revision> = self.observed.revisions.iter().filter(is_own).collect();
        revisions::sort(&mut own);
        own
    }

    /// The current and the update revision; a template not seen before is stored first.
    pub(super) fn revisions(&mut self, history: &[&Revision]) -> Result<Revisions, SyncError> {
        let set = self.set();
        let mut collision_count = set.status.collision_count.unwrap_or(0);
        let desired =
            self.new_revision(history.last().map_or(1, |newest| newest.revision.wrapping_add(1)), collision_count);
        let label = |revision: &ControllerRevision| revision.metadata.labels.get(HASH_LABEL).cloned();
        let is_same = |one: &ControllerRevision, other: &Revision| equal(label(one).as_deref(), one.data.text(), other);
        let same = history.iter().rev().find(|revision| is_same(&desired, revision));
        let update = match (same, history.last()) {
            (Some(same), Some(newest)) if is_same(newest, same) => {
                self.decide(Rule::CloneRevisionUnchanged, Facts::None);
                Rc::clone(newest)
            }
            (Some(same), _) => {
                let raised = self.raise_revision(same, &desired);
                self.decide_written(Rule::CloneRevisionReused, raised)?
            }
            _ => {
                let created = self.create_revision(desired, &mut collision_count);
                self.decide_written(Rule::CloneRevisionCreated, created)?
            }
        };
        let current = history.iter().find(|revision| revision.metadata.name == set.status.current_revision);
        let current = current.map_or_else(|| Rc::clone(&update), |current| Rc::clone(current));
        Ok(Revisions { current, update, collision_count })
    }

    fn decide_written(&mut self, rule: Rule, written: Result<Revision, SyncError>) -> Result<Revision, SyncError> {
        self.decide(if written.is_ok() { rule } else { Rule::CloneRevisionRefused }, Facts::None);
        written
    }

    /// The template as a revision, with everything the set's annotations say.
    fn new_revision(&self, revision: i64, collision_count: i32) -> ControllerRevision {
        let set = self.set();
        let data = template_patch(&CLONE_SET, &set.spec.template);
        let hash = hash_revision_data(data.text(), collision_count);
        let mut labels: Labels = set.spec.template.metadata.labels.clone();
        labels.insert(HASH_LABEL, hash.as_str());
        let mut annotations = set.metadata.annotations.clone();
        annotations.insert(CLAIMS_ANNOTATION, self.claims_hash());
        ControllerRevision {
            metadata: ObjectMeta {
                name: revision_name(&set.metadata.name, &hash).into(),
                namespace: set.metadata.namespace.clone(),
                labels,
                annotations,
                owner_references: vec![self.controller_reference()].into(),
                ..ObjectMeta::default()
            },
            data,
            revision,
            extra: serde_json::Map::new(),
        }
    }

    /// A rollback: the older revision with this template becomes the newest.
    fn raise_revision(&mut self, older: &Revision, desired: &ControllerRevision) -> Result<Revision, SyncError> {
        let mut raised = (**older).clone();
        if let Some(hash) = desired.metadata.annotations.get(CLAIMS_ANNOTATION) {
            raised.metadata.annotations.insert(CLAIMS_ANNOTATION, Rc::clone(hash));
        }
        for attempt in 1.. {
            if raised.revision == desired.revision {
                break;
            }
            raised.revision = desired.revision;
            match self.api.update(Object::Revision(Rc::new(raised.clone()))) {
                Err(refusal) if refusal.reason == Reason::Conflict && attempt < UPDATE_TRIES => {}
                Err(refusal) => return Err(refusal.into()),
                Ok(_) => break,
            }
            // The next try starts from what the server has, without the annotation.
            let metadata = &older.metadata;
            if let Ok(Object::Revision(live)) =
                self.api.get(Kind::ControllerRevision, &metadata.namespace, &metadata.name)
            {
                raised = (*live).clone();
            }
        }
        Ok(Rc::new(raised))
    }

    fn create_revision(
        &mut self,
        mut desired: ControllerRevision,
        collision_count: &mut i32,
    ) -> Result<Revision, SyncError> {
        let set = &self.set().metadata;
        loop {
            let refusal = match self.api.create(Object::Revision(Rc::new(desired.clone()))) {
                Ok(_) => return Ok(Rc::new(desired)),
                Err(refusal) => refusal,
            };
            if refusal.reason != Reason::AlreadyExists {
                return Err(refusal.into());
            }
            match self.api.get(Kind::ControllerRevision, &set.namespace, &desired.metadata.name)? {
                Object::Revision(existing) if existing.data == desired.data => return Ok(existing),
                _ => *collision_count = collision_count.wrapping_add(1),
            }
            let hash = hash_revision_data(desired.data.text(), *collision_count);
            desired.metadata.name = revision_name(&set.name, &hash).into();
        }
    }

    /// The hash of the claim templates: empty without any, else 32-bit FNV-1a over their JSON's bytes as Go prints a list
    /// of numbers.
    fn claims_hash(&self) -> String {
        let mut templates: Vec<_> = self.set().spec.volume_claim_templates.iter().collect();
        if templates.is_empty() {
            return String::new();
        }
        templates.sort_by(|a, b| a.metadata.name.cmp(&b.metadata.name));
        let claim = |template: &&crate::objects::PersistentVolumeClaim| {
            let name = json_text(&template.metadata.name.to_json());
            let spec = spec_json(&template.spec.to_json());
            format!("{{\"metadata\":{{\"name\":{name},\"creationTimestamp\":null}},\"spec\":{spec},\"status\":{{}}}}")
        };
        let claims: Vec<String> = templates.iter().map(claim).collect();
        let mut printed = String::from("([]uint8)[");
        for (index, byte) in format!("[{}]", claims.join(",")).bytes().enumerate() {
            let _ = write!(printed, "{}{byte}", if index == 0 { "" } else { " " });
        }
        printed.push(']');
        let hash =
            printed.bytes().fold(0x811c_9dc5_u32, |hash, byte| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193));
        hash.to_string()
    }

    /// Deletes the oldest revisions that nothing uses and that are beyond the limit. A refusal is left to a later sync.
    pub(super) fn truncate_history(&mut self, pods: &[CachedClone], history: &[&Revision], revisions: &Revisions) {
        let limit = usize::try_from(self.set().spec.revision_history_limit.unwrap_or(10)).unwrap_or(0);
        if history.len() <= limit {
            return self.decide(Rule::CloneHistoryKept, Facts::None);
        }
        let mut live: BTreeSet<&str> = pods.iter().map(|seen| short_hash(revision_of(&seen.pod))).collect();
        live.extend([&revisions.current, &revisions.update].map(|it| short_hash(&it.metadata.name)));
        let is_unused = |revision: &&&Revision| !live.contains(short_hash(&revision.metadata.name));
        let unused: Vec<_> = history.iter().filter(is_unused).collect();
        let surplus = &unused[..unused.len().saturating_sub(limit)];
        if surplus.is_empty() {
            return self.decide(Rule::CloneHistoryKept, Facts::None);
        }
        for revision in surplus {
            if self.api.delete(&reference(Kind::ControllerRevision, &revision.metadata)).is_err() {
                break;
            }
        }
        self.decide(Rule::CloneHistoryTruncated, Facts::Count(count(surplus.len())));
    }
}

/// The spec of a claim with its fields in Go's order.
fn spec_json(spec: &Value) -> String {
    const ORDER: [&str; 9] = [
        "accessModes",
        "selector",
        "resources",
        "volumeName",
        "storageClassName",
        "volumeMode",
        "dataSource",
        "dataSourceRef",
        "volumeAttributesClassName",
    ];
    let fields = ORDER.iter().filter_map(|name| Some(format!("\"{name}\":{}", json_text(spec.get(*name)?))));
    format!("{{{}}}", fields.collect::<Vec<String>>().join(","))
}
