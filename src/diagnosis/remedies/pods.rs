//! Deleting pods.

use super::Remedy;
use crate::diagnosis::case::Case;
use crate::diagnosis::conditions::holds_of;
use crate::kubectl::Command;
use crate::objects::{Object, ObjectRef, Pod};
use crate::session::dump::AfterDelete;
use crate::text::Text;
use std::rc::Rc;

pub(super) fn key(pod: &Rc<Pod>) -> ObjectRef {
    Object::Pod(Rc::clone(pod)).reference()
}

fn delete(pod: &Rc<Pod>) -> Command {
    Command::DeletePod { pod: key(pod), grace: None }
}

pub(super) fn remedies(case: &Case<'_>) -> Vec<Remedy> {
    let mut all = Vec::new();
    let unready: Vec<&Rc<Pod>> =
        case.pods.iter().copied().filter(|pod| !pod.is_ready() && !pod.is_terminating()).collect();
    // Pods at which nothing stands are deleted one by one too: of two condemned pods, say, only one is the right one.
    for pod in &unready {
        let remedy = Remedy::new("delete-pod", text!("Delete {}", pod.metadata.name), vec![delete(pod)]);
        let is_open = holds_of(case, pod).any(|held| held.after_delete == AfterDelete::Unknown);
        all.push(if is_open {
            remedy.assuming(text!(
                "Whether the next pod starts is not known: what holds {} may go with it, or be its data, its volume or its node.",
                pod.metadata.name
            ))
        } else {
            remedy
        });
    }
    if unready.len() > 1 {
        let names = unready.iter().map(|pod| Text::verbatim(&*pod.metadata.name));
        let title = text!("Delete every pod that is not ready: {}", Text::list(", ", names));
        all.push(Remedy::new("delete-unready-pods", title, unready.iter().map(|pod| delete(pod)).collect()));
    }
    for pod in case.pods.iter().filter(|pod| pod.is_terminating()) {
        let is_lost = case.node_of(pod).is_none_or(|node| !node.is_ready());
        let command = Command::DeletePod { pod: key(pod), grace: Some(0) };
        let remedy = Remedy::new("force-delete", text!("Force delete {}", pod.metadata.name), vec![command]);
        all.push(if is_lost {
            remedy.with_risk(text!("Two copies may run at once, and both may write to one volume.")).assuming(text!(
                "{} no longer runs on {}: the machine is off, or fenced.",
                pod.metadata.name,
                pod.spec.node_name
            ))
        } else {
            remedy.with_risk(text!("The kubelet has not confirmed that {} has ended.", pod.metadata.name))
        });
    }
    all
}
