//! Why images cannot be pulled, as the kubelet's events say: what the registry answered, and pull secrets that are missing.

use super::held::{AfterDelete, ClearedBy, Held};
use super::node::pods;
use super::read::Event;
use crate::objects::{Kind, Object, Pod};
use crate::sim::{Fault, Hold, Subject, What, owner_of, revision_of_template};
use std::collections::BTreeMap;
use std::rc::Rc;

/// Reasons why a container waits for its image.
const PULLS: [&str; 4] = ["ErrImagePull", "ImagePullBackOff", "RegistryUnavailable", "ErrImageNeverPull"];

/// Whether a container waits for its image.
pub(super) fn is_pull(reason: &str) -> bool {
    PULLS.contains(&reason)
}

/// The volume of a pod whose image the kubelet speaks of, and that image: a container waits for it as for its own.
pub(crate) fn volume_of<'p>(pod: &'p Pod, message: &str) -> Option<(&'p Rc<str>, &'p str)> {
    let mut all = pod.spec.volumes.iter();
    all.find_map(|volume| {
        let reference = volume.extra.get("image")?.get("reference")?.as_str()?;
        message.contains(&format!("image \"{reference}\"")).then_some((&volume.name, reference))
    })
}

/// By namespace and name of the pod, the last event of those that tell.
fn by_pod(events: &[Event], tells: impl Fn(&&Event) -> bool) -> BTreeMap<[&str; 2], &Event> {
    let of_pods = events.iter().filter(|event| &*event.kind == "Pod").filter(tells);
    of_pods.map(|event| ([&*event.namespace, &*event.name], event)).collect()
}

/// Adds to what is held of containers whose images cannot be pulled what the registry said, and names the secret.
pub(super) fn tell(objects: &[Object], events: &[Event], holds: &mut Vec<Held>) {
    let secrets = by_pod(events, |event| &*event.reason == "FailedToRetrieveImagePullSecret");
    let said = by_pod(events, |event| &*event.reason == "Failed" && event.message.starts_with("Failed to pull image"));
    let mut more = Vec::new();
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
        if let ClearedBy::Image(node) = &held.cleared_by
            && held.message.contains(NO_SPACE)
        {
            held.cleared_by = ClearedBy::Repair(Rc::clone(node));
        }
        if NO_BUILD.iter().any(|words| held.message.contains(words)) {
            more.extend(not_built(objects, held));
        }
        let Some(event) = secrets.get(&pod) else { continue };
        // Of several it names all, and does not tell which is missing.
        let name =
            event.message.split_once('(').and_then(|(_, rest)| rest.split_once(')')).map_or("", |(name, _)| name);
        held.cleared_by = ClearedBy::Named { kind: "Secret".into(), name: name.into() };
        held.event = Some(Event::clone(event));
    }
    holds.extend(more);
}

/// What the runtime of a node says whose disk is full: its registry gave the image.
const NO_SPACE: &str = "no space left on device";

/// What is said of an image that has no build for a node's system or processor.
const NO_BUILD: [&str; 2] = ["no match for platform", "no matching manifest for"];

/// No pod of this revision starts on this node: its image has no build for it. A daemon's next pod is for the same node.
fn not_built(objects: &[Object], held: &mut Held) -> Option<Held> {
    let about = held.object().clone();
    let is_it = |pod: &&Rc<Pod>| pod.metadata.name == about.name && pod.metadata.namespace == about.namespace;
    let pod = pods(objects).find(is_it)?;
    let owner = owner_of(pod)?;
    let is_daemon = owner.kind == Kind::DaemonSet;
    held.cleared_by = ClearedBy::AnotherNode;
    held.after_delete = if is_daemon { AfterDelete::StaysHeld } else { AfterDelete::Unknown };
    let node = Some(Rc::clone(&pod.spec.node_name));
    let subject = Subject::Revision { owner, revision: revision_of_template(pod).into(), node };
    Some(Held { hold: Hold { subject, what: held.hold.what.clone() }, ..held.clone() })
}
