//! What OpenKruise's workloads offer for a pod: the hooks of its life, and the label that has it replaced.

use crate::objects::clone_set::Lifecycle;
use crate::objects::{Kind, ObjectRef, Pod};
use crate::session::Command;
use crate::text::Text;
use crate::view::Act;
use crate::view::act::act;
use crate::view::model::Hook;
use std::rc::Rc;

const LIFECYCLE_STATE: &str = "lifecycle.apps.kruise.io/state";
const DOOMED: &str = "apps.kruise.io/specified-delete";

/// What a hook's labels are to be for the pod to go on.
pub(super) fn hooked(lifecycle: Option<&Lifecycle>, pod: &Pod) -> Vec<(Hook, Act)> {
    let Some(lifecycle) = lifecycle else { return Vec::new() };
    let state = pod.metadata.labels.get(LIFECYCLE_STATE).map_or("", |state| state);
    let (hook, stays) = match state {
        "PreparingNormal" => (&lifecycle.pre_normal, true),
        "PreparingUpdate" => (&lifecycle.in_place_update, false),
        "Updated" => (&lifecycle.in_place_update, true),
        "PreparingDelete" => (&lifecycle.pre_delete, false),
        _ => return Vec::new(),
    };
    let labels = hook.iter().flat_map(|hook| hook.labels_handler.iter());
    let wrong = labels.filter(|(key, value)| (pod.metadata.labels.get(key) == Some(*value)) != stays);
    let object =
        ObjectRef { kind: Kind::Pod, namespace: pod.metadata.namespace.clone(), name: pod.metadata.name.clone() };
    let one = |(key, value): (&Rc<str>, &Rc<str>)| {
        let (name, value) = (format!("{key}={value}"), stays.then(|| value.clone()));
        let (hook, text) = if stays {
            (Hook::PutOn(name.clone()), text!("Hook: put on {}", name))
        } else {
            (Hook::TakeOff(name.clone()), text!("Hook: take off {}", name))
        };
        (hook, act(text, Command::label(object.clone(), key.clone(), value), Text::default()))
    };
    wrong.map(one).collect()
}

/// The label that has the pod replaced, unless it has it.
pub(super) fn replaced(pod: &Pod) -> Option<Act> {
    if pod.metadata.labels.get(DOOMED).is_some() {
        return None;
    }
    let (namespace, name) = (pod.metadata.namespace.clone(), pod.metadata.name.clone());
    let object = ObjectRef { kind: Kind::Pod, namespace, name };
    let command = Command::label(object, DOOMED.into(), Some("true".into()));
    Some(act(text!("Let the controller replace it"), command, Text::default()))
}
