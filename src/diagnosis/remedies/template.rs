//! Another template: the one before, or the same with an image that is known to get ready.

use super::Remedy;
use super::forward::lacks_new;
use super::pods::{key, unready};
use crate::diagnosis::case::Case;
use crate::diagnosis::conditions::holds_of;
use crate::kubectl::Command;
use crate::objects::{Kind, Object, Pod};
use crate::session::dump::{Held, is_image_assumed};
use crate::sim::{Fault, What};
use std::rc::Rc;

fn has_history(case: &Case<'_>) -> bool {
    let uid = &case.object.metadata().uid;
    let of = if case.object.kind() == Kind::Deployment { Kind::ReplicaSet } else { Kind::ControllerRevision };
    case.cluster().controlled_by(uid, of).count() > 1
}

/// Whether the container cannot be created for another reason than its image: what another image comes to with those settings nobody has
/// seen.
fn fails_for_settings(case: &Case<'_>, unready: &[&Rc<Pod>], container: &Rc<str>) -> bool {
    let is_it = |held: &Held| {
        matches!(&held.hold.what, What::Container { name, fault: Fault::CannotStart, reason }
            if name == container && matches!(&**reason, "CreateContainerConfigError" | "CreateContainerError" | "RunContainerError"))
    };
    unready.iter().any(|pod| holds_of(case, pod).any(is_it))
}

pub(super) fn remedies(case: &Case<'_>) -> Vec<Remedy> {
    let set = case.object.reference();
    let unready = unready(case);
    let sets = case.cluster().replica_sets_of(case.object);
    let mut makers = vec![set.clone()];
    makers.extend(sets.iter().map(|set| Object::ReplicaSet(Rc::clone(set)).reference()));
    let is_refusal = |held: &&Held| matches!(held.hold.what, What::Refused { .. }) && makers.contains(held.object());
    let is_refused = case.holds.iter().any(|held| is_refusal(&held));
    if !set.kind.rolls_out() || unready.is_empty() && !is_refused && !lacks_new(case) {
        return Vec::new();
    }
    let mut all = Vec::new();
    let delete = |pods: &[&Rc<Pod>]| {
        pods.iter().map(|pod| Command::DeletePod { pod: key(pod), grace: None }).collect::<Vec<_>>()
    };
    if has_history(case) {
        let undo = Command::RollBack { set: set.clone(), to: 0 };
        all.push(Remedy::new("undo", text!("Roll back"), vec![undo.clone()]));
        if unready.is_empty() {
            return all;
        }
        let commands = std::iter::once(undo.clone()).chain(delete(&unready)).collect();
        let title = text!("Roll back, then delete the pods that are not ready");
        all.push(Remedy::new("undo-then-delete", title, commands));
        let commands = delete(&unready).into_iter().chain([undo]).collect();
        let title = text!("Delete the pods that are not ready, then roll back");
        all.push(Remedy::new("delete-then-undo", title, commands));
    }
    // An image that a Ready pod of the workload runs under the same container's name.
    let Some(template) = case.object.template() else { return all };
    for container in &template.spec.containers {
        let of_pod = |pod: &&Rc<Pod>| {
            let mut own = pod.spec.containers.iter();
            own.find(|own| own.name == container.name).map(|own| Rc::clone(&own.image))
        };
        let images = case.pods.iter().filter(|pod| pod.is_ready()).filter_map(of_pod);
        let Some(image) = images.into_iter().find(|image| *image != container.image) else { continue };
        if is_image_assumed(&image) {
            continue;
        }
        let runs_it = |pod: &&&Rc<Pod>| pod.spec.containers.iter().any(|own| own.image == container.image);
        if !unready.iter().any(|pod| runs_it(&pod)) || fails_for_settings(case, &unready, &container.name) {
            continue;
        }
        let name = Rc::clone(&container.name);
        let fix = Command::SetImage { set: set.clone(), container: name, image: Rc::clone(&image) };
        let title = text!("Set the image back to {}", image);
        all.push(Remedy::new("fix-image", title, vec![fix.clone()]));
        let commands = std::iter::once(fix).chain(delete(&unready)).collect();
        let title = text!("Set the image back to {}, then delete the pods that are not ready", image);
        all.push(Remedy::new("fix-image-then-delete", title, commands));
    }
    all
}
