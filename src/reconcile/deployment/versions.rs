//! The ReplicaSet of the template as it is: found again or made, with its revision.
//! Models getAllReplicaSetsAndSyncRevision and getNewReplicaSet of pkg/controller/deployment/sync.go.

use super::Rule;
use super::{REVISION, REVISION_HISTORY, Sets, Sync, TEMPLATE_HASH_LABEL, numbers};
use crate::objects::workload::ReplicaSetSpec;
use crate::objects::{EventType, LabelSelector, Labels, Object, ObjectMeta, Reason, ReplicaSet};
use crate::reconcile::workload::template_text;
use crate::reconcile::{Facts, SyncError, hash_revision_data};
use std::rc::Rc;

/// Annotations of a Deployment that are not passed on to its ReplicaSets.
const OWN_ANNOTATIONS: [&str; 3] = ["kubectl.kubernetes.io/last-applied-configuration", REVISION, REVISION_HISTORY];

impl Sync<'_> {
    /// The new ReplicaSet and the old ones. A template not seen before gets a set if `makes` says so.
    pub(super) fn versions(&mut self, sets: Vec<Rc<ReplicaSet>>, makes: bool) -> Result<Sets, SyncError> {
        let template = template_text(&self.set.spec.template);
        let found = sets.iter().position(|set| template_text(&set.spec.template) == template);
        let mut old = sets;
        let new = found.map(|at| old.remove(at));
        let revision = old.iter().map(|set| numbers::revision_of_replica_set(set)).max().unwrap_or(0) + 1;
        let new = match new {
            Some(new) => Some(self.take_up(&new, revision)?),
            None if makes => Some(self.make(&template, &old, revision)?),
            None => None,
        };
        Ok(Sets { new, old })
    }

    /// The set of the template is there: its annotations are put right.
    fn take_up(&mut self, held: &Rc<ReplicaSet>, revision: i64) -> Result<Rc<ReplicaSet>, SyncError> {
        let mut new = (**held).clone();
        let mut changed = self.annotate(&mut new.metadata.annotations, revision, true);
        if new.spec.min_ready_seconds != self.set.spec.min_ready_seconds {
            Rc::make_mut(&mut new.spec).min_ready_seconds = self.set.spec.min_ready_seconds;
            changed = true;
        }
        self.work.decide(Rule::NewReplicaSetFound, Facts::Count(new.replicas()));
        if changed {
            let sent = self.work.api.update(Object::ReplicaSet(Rc::new(new)))?;
            let Object::ReplicaSet(stored) = sent else { return Ok(Rc::clone(held)) };
            new = (*stored).clone();
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
        let collisions = self.set.status.collision_count.unwrap_or(0);
        let hash = hash_revision_data(template, collisions);
        let wanted = self.new_replica_set(&hash, numbers::wanted(old), revision);
        let (name, replicas) = (wanted.metadata.name.clone(), wanted.replicas());
        let made = match self.work.api.create(Object::ReplicaSet(Rc::new(wanted))) {
            Ok(Object::ReplicaSet(made)) => made,
            Ok(_) => return Err(SyncError("another kind was made".to_owned())),
            Err(refusal) if refusal.reason == Reason::AlreadyExists => {
                return self.take_taken(&name, template, refusal.into());
            }
            Err(refusal) => {
                let message = format!("Failed to create new replica set \"{name}\": {refusal}");
                self.work.decide(Rule::NewReplicaSetRefused, Facts::None);
                self.set_progressing("False", "ReplicaSetCreateError", message.clone());
                self.send_status()?;
                self.record(EventType::Warning, "ReplicaSetCreateError", message);
                return Err(refusal.into());
            }
        };
        self.work.decide(Rule::NewReplicaSetCreated, Facts::Count(replicas));
        if replicas > 0 {
            let message = format!("Scaled up replica set {name} from 0 to {replicas}");
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

    /// The name is taken: by this very set, which the cache does not show yet, or by another template, for which the
    /// collision count goes up and the next sync makes another name.
    fn take_taken(&mut self, name: &str, template: &str, taken: SyncError) -> Result<Rc<ReplicaSet>, SyncError> {
        let namespace = self.set.metadata.namespace.clone();
        let held = self.work.api.get(crate::objects::Kind::ReplicaSet, &namespace, name)?;
        if let Object::ReplicaSet(held) = held
            && held.metadata.controller_of().is_some_and(|owner| owner.uid == self.set.metadata.uid)
            && template_text(&held.spec.template) == template
        {
            return Ok(held);
        }
        self.work.decide(Rule::NewReplicaSetNameTaken, Facts::None);
        self.set.status.collision_count = Some(self.set.status.collision_count.unwrap_or(0) + 1);
        self.send_status()?;
        Err(taken)
    }

    fn new_replica_set(&self, hash: &str, others: i32, revision: i64) -> ReplicaSet {
        let own = &self.set.metadata;
        let mut template = self.set.spec.template.clone();
        template.metadata.labels.insert(TEMPLATE_HASH_LABEL, hash);
        let mut match_labels = self.set.spec.selector.match_labels.clone();
        match_labels.insert(TEMPLATE_HASH_LABEL, hash);
        let selector = LabelSelector { match_labels, ..self.set.spec.selector.clone() };
        let mut annotations = Labels::default();
        self.annotate(&mut annotations, revision, false);
        numbers::note_replicas(&mut annotations, &self.set);
        ReplicaSet {
            metadata: ObjectMeta {
                name: format!("{}-{hash}", own.name).into(),
                namespace: own.namespace.clone(),
                labels: template.metadata.labels.clone(),
                annotations,
                owner_references: vec![self.work.controller_reference()],
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

    /// Passes the Deployment's annotations on, and notes the revision if it is a later one. Whether that changed anything.
    /// Models SetNewReplicaSetAnnotations.
    fn annotate(&self, annotations: &mut Labels, revision: i64, exists: bool) -> bool {
        let mut changed = false;
        for (key, value) in self.set.metadata.annotations.iter() {
            if !OWN_ANNOTATIONS.contains(&&**key) && annotations.get(key) != Some(value) {
                annotations.insert(Rc::clone(key), Rc::clone(value));
                changed = true;
            }
        }
        let held = annotations.get(REVISION).cloned();
        if held.as_ref().and_then(|held| held.parse().ok()).unwrap_or(0) < revision {
            annotations.insert(REVISION, revision.to_string());
            changed = true;
            if let Some(held) = held.filter(|_| exists) {
                let earlier = annotations.get(REVISION_HISTORY).filter(|earlier| !earlier.is_empty());
                let history = earlier.map_or_else(|| held.to_string(), |earlier| format!("{earlier},{held}"));
                annotations.insert(REVISION_HISTORY, history);
            }
        }
        changed
    }

    /// Writes the revision into the Deployment's own annotations. Whether it is news.
    fn note_revision(&mut self, revision: &str) -> bool {
        let annotations = &mut self.set.metadata.annotations;
        let news = annotations.get(REVISION).is_none_or(|held| **held != *revision);
        if news {
            annotations.insert(REVISION, revision);
        }
        news
    }
}
