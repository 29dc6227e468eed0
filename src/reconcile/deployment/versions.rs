//! The ReplicaSet of the template as it is: found again or made, with its revision.
//! Models getAllReplicaSetsAndSyncRevision and getNewReplicaSet of pkg/controller/deployment/sync.go.

use super::Rule;
use super::{REVISION, Sets, Sync, annotations, numbers};
use crate::objects::replica_set::ReplicaSetSpec;
use crate::objects::{ApiError, EventType, LabelSelector, Labels, Object, ObjectMeta, Reason, ReplicaSet};
use crate::reconcile::TEMPLATE_HASH_LABEL;
use crate::reconcile::workload::template_text;
use crate::reconcile::{Facts, SyncError, template_hash};
use crate::releases::ScalingMessage;
use std::rc::Rc;

/// The longest name of an object.
const LONGEST_NAME: usize = 253;

impl Sync<'_> {
    /// The new ReplicaSet and the old ones. A template not seen before gets a set if `makes` says so.
    pub(super) fn get_all_replica_sets_and_sync_revision(
        &mut self,
        sets: &[Rc<ReplicaSet>],
        makes: bool,
    ) -> Result<Sets, SyncError> {
        let template = template_text(&self.set.spec.template);
        let found = sets.iter().position(|set| template_text(&set.spec.template) == template);
        let mut old = sets.to_vec();
        let new = found.map(|at| old.remove(at));
        let highest = old.iter().filter_map(|set| annotations::revision(set)).max().unwrap_or(0).max(0);
        let revision = highest.wrapping_add(1);
        let new = match new {
            Some(new) => Some(self.take_up(&new, revision)?),
            None if makes => Some(self.make(&template, &old, revision)?),
            None => None,
        };
        Ok(Sets { new, old })
    }

    /// The set of the template is there: its annotations are put right, or else what the Deployment says of it.
    fn take_up(&mut self, existing: &Rc<ReplicaSet>, revision: i64) -> Result<Rc<ReplicaSet>, SyncError> {
        let mut new = (**existing).clone();
        let annotated = self.set_new_replica_set_annotations(&mut new.metadata.annotations, revision);
        self.work.decide(Rule::NewReplicaSetFound, Facts::Count(new.replicas()));
        if annotated || new.spec.min_ready_seconds != self.set.spec.min_ready_seconds {
            Rc::make_mut(&mut new.spec).min_ready_seconds = self.set.spec.min_ready_seconds;
            let sent = self.work.api.update(Object::ReplicaSet(Rc::new(new)))?;
            return Ok(if let Object::ReplicaSet(stored) = sent { stored } else { Rc::clone(existing) });
        }
        let own = new.metadata.annotations.get(REVISION).cloned().unwrap_or_default();
        let mut news = self.note_revision(&own);
        if self.deadline().is_some() && self.progressing().is_none() {
            let message = format!("Found new replica set \"{}\"", new.metadata.name);
            self.set_progressing("True", "FoundNewReplicaSet", message);
            news = true;
        }
        if news {
            self.send_status()?;
        }
        Ok(Rc::new(new))
    }

    fn make(&mut self, template: &str, old: &[Rc<ReplicaSet>], revision: i64) -> Result<Rc<ReplicaSet>, SyncError> {
        let types = self.gates.workloads.template_types;
        let hash = template_hash(types, &self.set.spec.template, self.set.status.collision_count);
        let wanted = self.new_replica_set(&hash, numbers::wanted(old), revision);
        let (name, replicas) = (wanted.metadata.name.clone(), wanted.replicas());
        let made = match self.work.api.create(Object::ReplicaSet(Rc::new(wanted))) {
            Ok(Object::ReplicaSet(made)) => made,
            Ok(_) => return Err(SyncError("another kind was made".to_owned())),
            Err(refusal) if refusal.reason == Reason::AlreadyExists => {
                let existing = self.take_taken(&name, template, refusal)?;
                if self.note_revision(&revision.to_string()) {
                    self.send_status()?;
                }
                return Ok(existing);
            }
            Err(refusal) => {
                self.work.decide(Rule::NewReplicaSetRefused, Facts::None);
                if !refusal.is_namespace_terminating() {
                    self.record_refusal(&name, &refusal);
                }
                return Err(refusal.into());
            }
        };
        self.work.decide(Rule::NewReplicaSetCreated, Facts::Count(replicas));
        if replicas > 0 {
            let says_former = self.gates.workloads.scaling_message == ScalingMessage::FromTo;
            let from = if says_former { "from 0 " } else { "" };
            let message = format!("Scaled up replica set {name} {from}to {replicas}");
            self.record(EventType::Normal, "ScalingReplicaSet", message);
        }
        let mut news = self.note_revision(&revision.to_string());
        if self.deadline().is_some() {
            self.set_progressing("True", "NewReplicaSetCreated", format!("Created new replica set \"{name}\""));
            news = true;
        }
        if news {
            self.send_status()?;
        }
        Ok(made)
    }

    fn record_refusal(&mut self, name: &str, refusal: &ApiError) {
        let message = format!("Failed to create new replica set \"{name}\": {refusal}");
        if self.deadline().is_some() {
            self.set_progressing("False", "ReplicaSetCreateError", message.clone());
            // Upstream does not look at what came of it.
            let _ = self.send_status();
        }
        self.record(EventType::Warning, "ReplicaSetCreateError", message);
    }

    /// The name is taken: by this very template's set, which was not listed, or by another, for which the collision count
    /// goes up and the next sync makes another name. Upstream asks its cache which.
    fn take_taken(&mut self, name: &str, template: &str, taken: ApiError) -> Result<Rc<ReplicaSet>, SyncError> {
        let Some(existing) = self.observed.replica_sets.iter().find(|set| *set.metadata.name == *name) else {
            // A lister names the resource in the singular (client-go/listers/apps/v1/replicaset.go).
            return Err(ApiError::not_found("replicaset.apps", name).into());
        };
        let owner = existing.metadata.controller_of();
        let is_own = owner.is_some_and(|owner| owner.uid == self.set.metadata.uid);
        if is_own && template_text(&existing.spec.template) == template {
            return Ok(Rc::clone(existing));
        }
        self.work.decide(Rule::NewReplicaSetNameTaken, Facts::None);
        self.set.status.collision_count = Some(self.set.status.collision_count.unwrap_or(0).wrapping_add(1));
        // Upstream does not look at what came of it.
        let _ = self.send_status();
        Err(taken.into())
    }

    /// Models generateReplicaSetName.
    fn generate_replica_set_name(&self, hash: &str) -> String {
        let own = &self.set.metadata.name;
        let room = LONGEST_NAME.saturating_sub(1 + hash.len());
        let end = if self.gates.workloads.cuts_long_names { room.min(own.len()) } else { own.len() };
        format!("{}-{hash}", own.get(..end).unwrap_or(own))
    }

    fn new_replica_set(&self, hash: &str, others: i32, revision: i64) -> ReplicaSet {
        let own = &self.set.metadata;
        let mut template = self.set.spec.template.clone();
        template.metadata.labels.insert(TEMPLATE_HASH_LABEL, hash);
        let mut match_labels = self.set.spec.selector.match_labels.clone();
        match_labels.insert(TEMPLATE_HASH_LABEL, hash);
        let selector = LabelSelector { match_labels, ..self.set.spec.selector.clone() };
        let mut annotations = Labels::default();
        self.set_new_replica_set_annotations(&mut annotations, revision);
        annotations::note_replicas(&mut annotations, &self.set);
        ReplicaSet {
            metadata: ObjectMeta {
                name: self.generate_replica_set_name(hash).into(),
                namespace: own.namespace.clone(),
                labels: template.metadata.labels.clone(),
                annotations,
                owner_references: vec![self.work.controller_reference()].into(),
                ..ObjectMeta::default()
            },
            spec: Rc::new(ReplicaSetSpec {
                replicas: Some(numbers::new_size(&self.set, others, 0)),
                min_ready_seconds: self.set.spec.min_ready_seconds,
                selector,
                template,
                ..ReplicaSetSpec::default()
            }),
            ..ReplicaSet::default()
        }
    }

    /// Writes the revision into the Deployment's own annotations. Whether it is news.
    fn note_revision(&mut self, revision: &str) -> bool {
        let annotations = &mut self.set.metadata.annotations;
        let news = annotations.get(REVISION).is_none_or(|existing| **existing != *revision);
        if news {
            annotations.insert(REVISION, revision);
        }
        news
    }
}
