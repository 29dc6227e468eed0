//! Deleting pods with their claims, or announcing it to their hook.
//! Models deletePods of pkg/controller/cloneset/sync/cloneset_scale.go of openkruise/kruise.

use super::Rule;
use super::pods::instance_of;
use super::scale::Done;
use super::{Sync, reference};
use crate::objects::{EventType, Kind, ObjectMeta, PersistentVolumeClaim, Pod};
use crate::reconcile::SyncError;
use crate::reconcile::in_place::{is_hooked, life, marks_not_ready};
use std::rc::Rc;

impl Sync<'_> {
    pub(super) fn delete_pods(&mut self, pods: &[&Rc<Pod>], claims: &[&Rc<PersistentVolumeClaim>]) -> Done {
        let mut done = Done::ok(false);
        for pod in pods {
            let hook = self.set().spec.lifecycle.as_ref().and_then(|lifecycle| lifecycle.pre_delete.as_ref());
            if is_hooked(hook, pod) {
                match self.in_place().move_to(pod, life::PREPARING_DELETE, marks_not_ready(hook)) {
                    Ok(moved) => done.changed |= moved,
                    // Upstream forgets what it did before here.
                    Err(error) => return Done { changed: false, result: Err(error) },
                }
                self.decide_at(Rule::DeletionPrepared, pod);
                continue;
            }
            done.result = self.delete_pod(pod, claims, &mut done.changed);
            if done.result.is_err() {
                break;
            }
        }
        done
    }

    fn delete_pod(
        &mut self,
        pod: &Rc<Pod>,
        claims: &[&Rc<PersistentVolumeClaim>],
        changed: &mut bool,
    ) -> Result<(), SyncError> {
        self.delete(Kind::Pod, "pod", &pod.metadata)?;
        *changed = true;
        let message = format!("succeed to delete pod {}", pod.metadata.name);
        self.record(EventType::Normal, "SuccessfulDelete", message);
        self.decide_at(Rule::CloneDeleted, pod);
        let instance = instance_of(&pod.metadata.labels);
        for claim in claims.iter().filter(|claim| instance_of(&claim.metadata.labels) == instance) {
            self.delete(Kind::PersistentVolumeClaim, "pvc", &claim.metadata)?;
        }
        Ok(())
    }

    fn delete(&mut self, kind: Kind, word: &str, metadata: &ObjectMeta) -> Result<(), SyncError> {
        let result = self.api.delete(&reference(kind, metadata));
        if let Err(refusal) = &result {
            let message = format!("failed to delete {word} {}: {refusal}", metadata.name);
            self.record(EventType::Warning, "FailedDelete", message);
        }
        Ok(result?)
    }
}
