//! What people can do to a pod, each with its kubectl command and what it risks.

use super::status_word::{is_unreachable, look};
use super::{Act, PodAppearance};
use crate::kubectl::command_line;
use crate::objects::{Kind, ObjectRef, Pod};
use crate::session::Command;
use crate::sim::{Cluster, NodeHealth};
use crate::text::Text;
use std::rc::Rc;

/// What can be done to any pod.
pub(super) fn acts_of(cluster: &Cluster, pod: &Pod) -> Vec<Act> {
    let look = look(cluster, pod);
    let key = ObjectRef { kind: Kind::Pod, namespace: pod.metadata.namespace.clone(), name: pod.metadata.name.clone() };
    let mut acts = Vec::new();
    if look != PodAppearance::Terminating && !pod.is_terminating() {
        acts.push(act(text!("Delete"), Command::DeletePod { pod: key.clone(), grace: None }, Text::default()));
    }
    let risk = force_risk(cluster, pod);
    acts.push(act(text!("Force delete"), Command::DeletePod { pod: key.clone(), grace: Some(0) }, risk));
    let answers = cluster.node_health(&pod.spec.node_name) == NodeHealth::Running;
    if answers && matches!(look, PodAppearance::Ready | PodAppearance::Starting) {
        acts.push(act(text!("Crash its container"), Command::CrashPod { pod: key.clone() }, Text::default()));
        acts.push(act(text!("Evict under pressure"), Command::EvictPod { pod: key }, Text::default()));
    }
    acts
}

/// What force deletion of the pod risks; nothing before it has a node.
pub(super) fn force_risk(cluster: &Cluster, pod: &Pod) -> Text {
    let (name, node) = (&pod.metadata.name, &pod.spec.node_name);
    if node.is_empty() {
        return Text::default();
    }
    let volumes = pod.spec.volumes.iter().filter_map(|volume| volume.persistent_volume_claim.as_ref());
    let claims = names(volumes.map(|claim| &claim.claim_name));
    let health = cluster.node_health(node);
    if matches!(health, NodeHealth::Failed { failure, .. } if failure.is_off()) {
        return Text::sentences([
            text!("Nothing runs on {}: no second {} while it is off.", node, name),
            if claims.is_empty() {
                text!("Were it only cut off, two would live.")
            } else {
                text!("Were it only cut off, two would live, both writing to {}.", claims)
            },
        ]);
    }
    let silent = health != NodeHealth::Running;
    if silent || is_unreachable(cluster, pod) {
        return if claims.is_empty() {
            text!("If {} is only cut off, its container runs on: two live {}.", node, name)
        } else {
            text!("If {} is only cut off, its container runs on: two live {}, both writing to {}.", node, name, claims)
        };
    }
    text!("The name is free at once, before the kubelet confirms that the old {} has stopped.", name)
}

/// `www-web-0 and data-web-0`.
pub(super) fn names<'a>(names: impl IntoIterator<Item = &'a Rc<str>>) -> Text {
    Text::list(" and ", names.into_iter().map(Text::verbatim))
}

/// A button with its kubectl command.
pub(super) fn act(label: Text, command: Command, risk: Text) -> Act {
    Act { label, kubectl: command_line(&command), command, risk }
}

/// What stands behind the last `:` of an image, if that is a tag.
pub(super) fn tag(image: &str) -> &str {
    match image.rsplit_once(':') {
        Some((_, tag)) if !tag.contains('/') => tag,
        _ => "latest",
    }
}
