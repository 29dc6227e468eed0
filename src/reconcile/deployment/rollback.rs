//! The rollback that clients of extensions/v1beta1 asked for, which lives on as an annotation.
//! Models pkg/controller/deployment/rollback.go.

use super::annotations::{restored, revision};
use super::{ROLLBACK_TO, Sync};
use crate::objects::{EventType, Object, ReplicaSet};
use crate::reconcile::SyncError;
use crate::reconcile::TEMPLATE_HASH_LABEL;
use crate::reconcile::workload::template_text;
use std::rc::Rc;

impl Sync<'_> {
    /// The revision asked for; 0 for the last one.
    pub(super) fn rollback_to(&self) -> Option<i64> {
        self.set.metadata.annotations.get(ROLLBACK_TO)?.parse().ok()
    }

    /// Takes the template of that revision over, if there is one, and removes the annotation.
    pub(super) fn rollback(&mut self, sets: &[Rc<ReplicaSet>], asked: i64) -> Result<(), SyncError> {
        let sets = self.get_all_replica_sets_and_sync_revision(sets, true)?;
        let all: Vec<Rc<ReplicaSet>> = sets.all().cloned().collect();
        let desired = if asked == 0 { last_revision(&all) } else { asked };
        if desired == 0 {
            return self.finish_rollback(Some(("DeploymentRollbackRevisionNotFound", "Unable to find last revision.")));
        }
        let Some(found) = all.iter().find(|set| revision(set) == Some(desired)) else {
            let message = "Unable to find the revision to rollback to.";
            return self.finish_rollback(Some(("DeploymentRollbackRevisionNotFound", message)));
        };
        let name = self.set.metadata.name.clone();
        if template_text(&self.set.spec.template) == template_text(&found.spec.template) {
            let message = format!("The rollback revision contains the same template as current deployment \"{name}\"");
            return self.finish_rollback(Some(("DeploymentRollbackTemplateUnchanged", &message)));
        }
        let mut template = found.spec.template.clone();
        template.metadata.labels.remove(TEMPLATE_HASH_LABEL);
        Rc::make_mut(&mut self.set.spec).template = template;
        self.set.metadata.annotations = restored(&self.set.metadata.annotations, &found.metadata.annotations);
        self.finish_rollback(None)?;
        let message = format!("Rolled back deployment \"{name}\" to revision {desired}");
        self.record(EventType::Normal, "DeploymentRollback", message);
        Ok(())
    }

    fn finish_rollback(&mut self, warning: Option<(&'static str, &str)>) -> Result<(), SyncError> {
        if let Some((reason, message)) = warning {
            self.record(EventType::Warning, reason, message.to_owned());
        }
        self.set.metadata.annotations.remove(ROLLBACK_TO);
        self.work.api.update(Object::Deployment(Rc::new(self.set.clone())))?;
        Ok(())
    }
}

/// The second highest revision. Models LastRevision.
fn last_revision(sets: &[Rc<ReplicaSet>]) -> i64 {
    let (mut highest, mut second) = (0, 0);
    for revision in sets.iter().filter_map(|set| revision(set)) {
        if revision >= highest {
            (second, highest) = (highest, revision);
        } else if revision > second {
            second = revision;
        }
    }
    second
}
