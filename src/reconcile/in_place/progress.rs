//! Changing a running pod: the gate is closed, the grace waited out, images and metadata changed batch by batch, and the
//! gate opened when the kubelet has caught up.
//! Models pkg/util/inplaceupdate of openkruise/kruise. Completion by kruise-daemon's container hashes is not ported: there
//! is no kruise-daemon, so a change that environment variables read never completes.

use super::batch::apply_spec;
use super::lifecycle::{TIMESTAMP_ANNOTATION, set_condition, set_ready_condition};
use super::pods::{IN_PLACE_READY, STATE_LABEL, has_gate, life};
use super::state::{GRACE_ANNOTATION, InPlaceState, LastStatus, STATE_ANNOTATION, read, written};
use super::{InPlace, Step, UpdateSpec};
use crate::objects::{Container, Object, Pod, PodCondition, Time};
use crate::reconcile::SyncError;
use std::borrow::Cow;
use std::cell::Cell;
use std::rc::Rc;

/// The annotations as old releases wrote them, which are still read.
const OLD_STATE_ANNOTATION: &str = "inplace-update-state";
const OLD_GRACE_ANNOTATION: &str = "inplace-update-grace";

fn annotation<'a>(pod: &'a Pod, key: &str, old_key: &str) -> Option<&'a Rc<str>> {
    pod.metadata.annotations.get(key).or_else(|| pod.metadata.annotations.get(old_key))
}

fn state_text(pod: &Pod) -> Option<&Rc<str>> {
    annotation(pod, STATE_ANNOTATION, OLD_STATE_ANNOTATION)
}

fn grace_text(pod: &Pod) -> Option<&Rc<str>> {
    annotation(pod, GRACE_ANNOTATION, OLD_GRACE_ANNOTATION)
}

fn remove_grace(pod: &mut Pod) {
    pod.metadata.annotations.remove(GRACE_ANNOTATION);
    pod.metadata.annotations.remove(OLD_GRACE_ANNOTATION);
}

/// Whether the gate of a pod is closed by an update in place that is not over: its controller opens it.
pub(crate) fn is_gate_of_update(pod: &Pod, gate: &str) -> bool {
    gate == IN_PLACE_READY && state_text(pod).is_some()
}

/// Whether the pod waits out its grace.
pub(crate) fn is_in_grace(pod: &Pod) -> bool {
    grace_text(pod).is_some_and(|grace| !grace.is_empty())
}

/// Whether nothing of an update in place is left to be done or waited for.
pub(in crate::reconcile) fn is_complete(pod: &Pod) -> bool {
    if grace_text(pod).is_some() {
        return false;
    }
    let Some(text) = state_text(pod) else { return true };
    read(text).is_some_and(|state: InPlaceState| !state.has_next() && are_containers_complete(pod, &state))
}

/// Whether an update in place has nothing to do at a pod, and nothing to wait for there.
pub(in crate::reconcile) fn is_quiet(pod: &Pod) -> bool {
    is_complete(pod) && (!has_gate(pod, IN_PLACE_READY) || is_gate_set(pod, "True", ""))
}

/// Whether the kubelet has restarted every changed container: another image id, or the wanted image under the same id.
fn are_containers_complete(pod: &Pod, state: &InPlaceState) -> bool {
    let is_changed = |(name, last): (&Rc<str>, &LastStatus)| {
        let status = pod.status.container_statuses.iter().find(|status| status.name == *name);
        status.is_some_and(|status| {
            let image = pod.spec.containers.iter().find(|container| container.name == *name).map(tagged_image);
            status.image_id != last.image_id || image.is_some_and(|image| image == *status.image)
        })
    };
    !state.update_env_from_metadata && state.last_container_statuses.iter().flatten().all(is_changed)
}

fn tagged_image(container: &Container) -> Cow<'_, str> {
    let image = &container.image;
    if image.contains(':') { Cow::Borrowed(image) } else { Cow::Owned(format!("{image}:latest")) }
}

impl InPlace<'_> {
    /// Moves an update in place on, and says after how many milliseconds it is to be looked at again.
    /// Models Refresh of inplace_update.go.
    pub(super) fn go_on(&mut self, pod: &Rc<Pod>) -> Result<Option<i64>, SyncError> {
        if is_in_grace(pod) {
            return self.finish_grace(pod);
        }
        if let Some(text) = state_text(pod) {
            let state: InPlaceState = read(text).ok_or_else(|| SyncError("invalid in-place update state".into()))?;
            let is_ready = |name: &Rc<str>| {
                pod.status.container_statuses.iter().any(|status| status.name == *name && status.ready)
            };
            let may_go_on =
                || state.pre_check_before_next.iter().flat_map(|check| &check.containers_required_ready).all(is_ready);
            if !are_containers_complete(pod, &state) || (state.has_next() && !may_go_on()) {
                self.decide(Step::Incomplete, pod);
                return Ok(None);
            }
            if state.has_next() {
                self.update_next_batch(pod, &state)?;
                return Ok(None);
            }
        }
        if !is_gate_set(pod, "True", "") && has_gate(pod, IN_PLACE_READY) {
            let mut changed = (**pod).clone();
            set_gate(&mut changed, "True", "", self.now);
            // Upstream writes this once, on the version it looked at: a conflict ends the sync.
            self.api.update_status(Object::Pod(Rc::new(changed)))?;
            self.decide(Step::GateOpened, pod);
        }
        Ok(None)
    }

    /// Models finishGracePeriod of inplace_update.go, which looks at the pod as the server has it.
    fn finish_grace(&mut self, pod: &Rc<Pod>) -> Result<Option<i64>, SyncError> {
        let (now, labels) = (self.now, self.labels);
        let (wait, lacks_state) = (Cell::new(None), Cell::new(false));
        let change = |pod: &mut Pod| {
            let Some(spec) = grace_text(pod).and_then(|text| read::<UpdateSpec>(text)) else { return false };
            let Some(state) = state_text(pod) else {
                lacks_state.set(true);
                return false;
            };
            let Some(mut state) = read::<InPlaceState>(state) else { return false };
            if labels.is_at(pod, &spec.revision) {
                let left = state.update_timestamp.plus_seconds(i64::from(spec.grace_seconds)).0 - now.0;
                if left > 0 {
                    wait.set(Some((left + 999) / 1000 * 1000));
                    return false;
                }
                apply_spec(pod, &spec, &mut state, now);
            }
            // At another revision by now: the change is dropped, and the pod is updated anew.
            remove_grace(pod);
            true
        };
        self.change_pod(pod, &change)?;
        if lacks_state.get() {
            return Err(SyncError(format!("pod has {GRACE_ANNOTATION} but {STATE_ANNOTATION} not found")));
        }
        self.decide(if wait.get().is_some() { Step::GraceWaits } else { Step::GraceFinished }, pod);
        Ok(wait.get())
    }

    fn update_next_batch(&mut self, pod: &Rc<Pod>, state: &InPlaceState) -> Result<(), SyncError> {
        let now = self.now;
        let spec = UpdateSpec {
            container_images: state.next_container_images.clone(),
            container_ref_metadata: state.next_container_ref_metadata.clone(),
            update_env_from_metadata: state.update_env_from_metadata,
            ..UpdateSpec::default()
        };
        let change = |pod: &mut Pod| {
            apply_spec(pod, &spec, &mut state.clone(), now);
            true
        };
        self.change_pod(pod, &change)?;
        self.decide(Step::NextBatchUpdated, pod);
        Ok(())
    }

    /// Starts an update in place: closes the gate, then changes the pod, or holds the change until its grace is over.
    pub(super) fn start(&mut self, pod: &Rc<Pod>, spec: &UpdateSpec, moves: bool) -> Result<(), SyncError> {
        let (now, labels) = (self.now, self.labels);
        if has_gate(pod, IN_PLACE_READY) {
            // Written even if the gate is closed already.
            let close = |pod: &mut Pod| {
                set_gate(pod, "False", "StartInPlaceUpdate", now);
                set_ready_condition(pod);
                true
            };
            self.change_status(pod, &close)?;
        }
        let change = |pod: &mut Pod| {
            let metadata = &mut pod.metadata;
            labels.write(&mut metadata.labels, &spec.revision);
            if moves {
                metadata.labels.insert(STATE_LABEL, life::UPDATING);
                metadata.annotations.insert(TIMESTAMP_ANNOTATION, now.to_string());
            }
            metadata.annotations.remove(OLD_STATE_ANNOTATION);
            let mut state = InPlaceState {
                revision: spec.revision.clone(),
                update_timestamp: now,
                update_env_from_metadata: spec.update_env_from_metadata,
                update_images: !spec.container_images.is_empty(),
                ..InPlaceState::default()
            };
            if spec.grace_seconds > 0 {
                metadata.annotations.insert(STATE_ANNOTATION, written(&state));
                metadata.annotations.insert(GRACE_ANNOTATION, written(spec));
            } else {
                apply_spec(pod, spec, &mut state, now);
                remove_grace(pod);
            }
            true
        };
        self.change_pod(pod, &change)
    }
}

/// Whether the gate's condition says so already.
fn is_gate_set(pod: &Pod, status: &str, reason: &str) -> bool {
    let is_so = |old: &PodCondition| &*old.status == status && &*old.reason == reason && old.message.is_empty();
    pod.condition(IN_PLACE_READY).is_some_and(is_so)
}

/// Sets the gate's condition, unless it is so already.
fn set_gate(pod: &mut Pod, status: &str, reason: &str, now: Time) {
    if is_gate_set(pod, status, reason) {
        return;
    }
    let condition = PodCondition {
        condition_type: IN_PLACE_READY.into(),
        status: status.into(),
        reason: reason.into(),
        last_transition_time: Some(now),
        ..PodCondition::default()
    };
    set_condition(pod, condition);
}
