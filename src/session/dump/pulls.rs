//! Why images cannot be pulled, as the kubelet's events say: what the registry answered, and pull secrets that are missing.

use super::held::{ClearedBy, Held};
use super::read::Event;
use crate::sim::{Fault, What};
use std::collections::BTreeMap;
use std::rc::Rc;

/// Reasons why a container waits for its image.
const PULLS: [&str; 4] = ["ErrImagePull", "ImagePullBackOff", "RegistryUnavailable", "ErrImageNeverPull"];

/// Whether a container waits for its image.
pub(super) fn is_pull(reason: &str) -> bool {
    PULLS.contains(&reason)
}

/// By namespace and name of the pod, the last event of those that tell.
fn by_pod(events: &[Event], tells: impl Fn(&&Event) -> bool) -> BTreeMap<[&str; 2], &Event> {
    let of_pods = events.iter().filter(|event| &*event.kind == "Pod").filter(tells);
    of_pods.map(|event| ([&*event.namespace, &*event.name], event)).collect()
}

/// Adds to what is held of containers whose images cannot be pulled what the registry said, and names the secret.
pub(super) fn tell(events: &[Event], holds: &mut [Held]) {
    let secrets = by_pod(events, |event| &*event.reason == "FailedToRetrieveImagePullSecret");
    let said = by_pod(events, |event| &*event.reason == "Failed" && event.message.starts_with("Failed to pull image"));
    for held in holds.iter_mut().filter(|held| held.event.is_none()) {
        let What::Container { fault: Fault::CannotStart, reason, .. } = &held.hold.what else { continue };
        if !is_pull(reason) {
            continue;
        }
        let about = held.object().clone();
        let pod = [&*about.namespace, &*about.name];
        // The status has it too, from 1.31 on, behind the words of the back-off.
        let tells_why =
            |message: &str| message.contains("Err") || message.contains("rpc error") || message.contains("failed to");
        if let Some(event) = said.get(&pod).filter(|_| !tells_why(&held.message)) {
            held.message = Rc::clone(&event.message);
        }
        let Some(event) = secrets.get(&pod) else { continue };
        // Of several it names all, and does not tell which is missing.
        let name =
            event.message.split_once('(').and_then(|(_, rest)| rest.split_once(')')).map_or("", |(name, _)| name);
        held.cleared_by = ClearedBy::Named { kind: "Secret".into(), name: name.into() };
        held.event = Some(Event::clone(event));
    }
}
