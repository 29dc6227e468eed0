//! What OpenKruise's workloads share: changing a running pod in place, and the hooks that hold a pod between two steps of
//! its life. Models pkg/util/inplaceupdate and pkg/util/lifecycle of openkruise/kruise, and what its controllers do alike
//! with them.

mod batch;
mod lifecycle;
mod pods;
mod priority;
mod progress;
mod spec;
mod state;
mod step;
mod update;

pub(crate) use lifecycle::AtHook;
pub(crate) use progress::{is_gate_of_update, is_in_grace};
pub use spec::{RefMetadata, UpdateSpec, in_place_update_spec};
pub(crate) use state::updated_at;

pub(super) use lifecycle::{TIMESTAMP_ANNOTATION, is_all_hooked, is_hooked, marks_not_ready};
pub(super) use pods::{
    IN_PLACE_READY, RevisionLabels, SPECIFIED_DELETE_LABEL, STATE_LABEL, TEMPLATE_HASH_LABEL, has_gate, is_at_rest,
    life, short_hash, state_of,
};
pub(super) use priority::by_priority;
pub(super) use progress::{is_complete, is_quiet};
pub(super) use step::Step;

use super::api::UPDATE_TRIES;
use super::{Api, Decision, MetadataPatch, SyncError};
use crate::objects::clone_set::{Lifecycle, LifecycleHook};
use crate::objects::{ApiError, Event, EventType, Kind, Object, ObjectRef, Pod, Reason, Time};
use std::rc::Rc;

/// What changes the pods of one set in place, for the length of a sync.
pub(super) struct InPlace<'s> {
    pub(super) now: Time,
    /// The set's hooks.
    pub(super) lifecycle: Option<&'s Lifecycle>,
    /// How its pods name their revision.
    pub(super) labels: RevisionLabels,
    /// What a step is called in the rules of the set's kind.
    pub(super) decision: fn(Step, &Pod) -> Decision,
    pub(super) api: &'s mut dyn Api,
    pub(super) decisions: &'s mut Vec<Decision>,
    /// The milliseconds after which the sync is to be run again.
    pub(super) again: &'s mut Option<i64>,
}

impl<'s> InPlace<'s> {
    fn decide(&mut self, step: Step, pod: &Pod) {
        self.decisions.push((self.decision)(step, pod));
    }

    fn record(&mut self, event_type: EventType, reason: &'static str, message: String) {
        self.api.record(Event { event_type, reason, message: message.into() });
    }

    /// The shortest delay asked for wins.
    fn ask_again(&mut self, milliseconds: i64) {
        *self.again = Some(self.again.map_or(milliseconds, |earlier| earlier.min(milliseconds)));
    }

    fn update_hook(&self) -> Option<&'s LifecycleHook> {
        self.lifecycle?.in_place_update.as_ref()
    }

    /// Sets labels and annotations of a pod.
    pub(super) fn patch(&mut self, pod: &Pod, patch: &MetadataPatch) -> Result<(), SyncError> {
        self.api.patch_metadata(&reference(pod), patch)?;
        Ok(())
    }

    /// Changes the pod as the server has it, again after a conflict. `change` says whether there is anything to write.
    fn change_pod(&mut self, pod: &Pod, change: &dyn Fn(&mut Pod) -> bool) -> Result<(), SyncError> {
        Ok(change_live(self.api, pod, change, |api, object| api.update(object))?)
    }

    /// The same for the pod's status.
    fn change_status(&mut self, pod: &Pod, change: &dyn Fn(&mut Pod) -> bool) -> Result<(), SyncError> {
        Ok(change_live(self.api, pod, change, |api, object| api.update_status(object))?)
    }
}

fn reference(pod: &Pod) -> ObjectRef {
    ObjectRef { kind: Kind::Pod, namespace: pod.metadata.namespace.clone(), name: pod.metadata.name.clone() }
}

fn change_live(
    api: &mut dyn Api,
    pod: &Pod,
    change: &dyn Fn(&mut Pod) -> bool,
    write: fn(&mut dyn Api, Object) -> Result<Object, ApiError>,
) -> Result<(), ApiError> {
    let mut attempt = 1;
    loop {
        let Object::Pod(mut live) = api.get(Kind::Pod, &pod.metadata.namespace, &pod.metadata.name)? else {
            return Ok(());
        };
        if !change(Rc::make_mut(&mut live)) {
            return Ok(());
        }
        match write(api, Object::Pod(live)) {
            Ok(_) => return Ok(()),
            Err(refusal) if refusal.reason == Reason::Conflict && attempt < UPDATE_TRIES => attempt += 1,
            Err(refusal) => return Err(refusal),
        }
    }
}
