//! Moving pods on through their life, and bringing them to another revision without replacing them.
//! Models refreshPodState and the update in place of pkg/controller/cloneset/sync/cloneset_update.go and
//! pkg/controller/statefulset/stateful_set_control.go of openkruise/kruise, which do this alike.

use super::lifecycle::{is_all_hooked, is_hooked, marks_not_ready};
use super::pods::{life, state_of};
use super::progress::is_complete;
use super::{InPlace, Step, UpdateSpec};
use crate::objects::{EventType, Pod};
use crate::reconcile::SyncError;
use std::rc::Rc;

impl InPlace<'_> {
    /// Moves an update in place and the pod's state on. `is_settled` is whether a pod without a hook for its start may be
    /// Normal. Says whether the state was changed.
    pub(in crate::reconcile) fn refresh(
        &mut self,
        pod: &Rc<Pod>,
        update: &str,
        is_settled: bool,
    ) -> Result<bool, SyncError> {
        let delay = self.go_on(pod)?;
        let mut moved = false;
        if let Some(next) = self.next_state(pod, update, is_settled) {
            moved = self.move_to(pod, next, marks_not_ready(self.update_hook()))?;
            self.decide(if next == life::NORMAL { Step::Normal } else { Step::Updated }, pod);
        }
        if let Some(delay) = delay {
            self.ask_again(delay);
        }
        Ok(moved)
    }

    /// The state that the pod is to be put into, if it can leave its own.
    fn next_state(&self, pod: &Pod, update: &str, is_settled: bool) -> Option<&'static str> {
        let (lifecycle, hook) = (self.lifecycle, self.update_hook());
        // A lifecycle without this hook counts as one whose hook is not back yet: one more sync in Updated.
        let after = || if lifecycle.is_none() || is_all_hooked(hook, pod) { life::NORMAL } else { life::UPDATED };
        match state_of(pod) {
            life::PREPARING_NORMAL => {
                let is_ready = match lifecycle.and_then(|lifecycle| lifecycle.pre_normal.as_ref()) {
                    None => is_settled,
                    hook => is_all_hooked(hook, pod),
                };
                is_ready.then_some(life::NORMAL)
            }
            life::PREPARING_UPDATE => self.labels.is_at(pod, update).then(after),
            life::UPDATING => is_complete(pod).then(after),
            life::UPDATED => (hook.is_none() || is_all_hooked(hook, pod)).then_some(life::NORMAL),
            _ => None,
        }
    }

    /// Brings a pod to a revision by changing it, once its hook lets go of it. `moves` is whether the pod is to be in state
    /// Updating then.
    pub(in crate::reconcile) fn update(
        &mut self,
        pod: &Rc<Pod>,
        spec: &UpdateSpec,
        moves: bool,
    ) -> Result<(), SyncError> {
        let hook = self.update_hook();
        match state_of(pod) {
            "" | life::PREPARING_NORMAL | life::NORMAL if is_hooked(hook, pod) => {
                self.move_to(pod, life::PREPARING_UPDATE, marks_not_ready(hook))?;
                self.decide(Step::Prepared, pod);
                return Ok(());
            }
            "" | life::PREPARING_NORMAL | life::NORMAL | life::UPDATING => {}
            life::PREPARING_UPDATE if is_hooked(hook, pod) => {
                self.decide(Step::Hooked, pod);
                return Ok(());
            }
            life::PREPARING_UPDATE => {}
            life::UPDATED => {
                if let Some(hook) = hook {
                    self.prepare_again(pod, hook)?;
                    self.decide(Step::PreparedAgain, pod);
                }
                return Ok(());
            }
            other => {
                let error = format!("not allowed to in-place update pod {} in state {other}", pod.metadata.name);
                return Err(SyncError(error));
            }
        }
        let (name, revision) = (&pod.metadata.name, &spec.revision);
        if let Err(error) = self.start(pod, spec, moves) {
            let message = format!("failed to update pod {name} in-place(revision {revision}): {error}");
            self.record(EventType::Warning, "FailedUpdatePodInPlace", message);
            self.decide(Step::Refused, pod);
            return Err(error);
        }
        let message = format!("successfully update pod {name} in-place(revision {revision})");
        self.record(EventType::Normal, "SuccessfulUpdatePodInPlace", message);
        self.decide(Step::Changed, pod);
        if spec.grace_seconds > 0 {
            self.ask_again(i64::from(spec.grace_seconds) * 1000);
        }
        Ok(())
    }
}
