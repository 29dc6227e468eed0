//! What a person says that containers of an image do.

use super::assume::{About, Assumed};
use crate::kubectl::Command;
use crate::sim::Behavior;
use crate::text::Text;
use std::rc::Rc;

/// Images whose behavior a person has chosen: nothing is assumed of their containers.
pub(super) fn chosen(assumed: &mut Assumed<'_>) {
    for (image, behavior) in &assumed.options.images {
        let text = match behavior {
            Behavior::Healthy => text!("Containers with image {} start and become ready.", image),
            Behavior::NeedsPeer => text!("Containers with image {} become ready once a second of them runs.", image),
            Behavior::NeverReady => text!("Containers with image {} run and never become ready.", image),
            Behavior::Crashes => text!("Containers with image {} crash again each time they are started.", image),
            Behavior::CannotBePulled => text!("Containers with image {} cannot be started, now and later.", image),
            Behavior::Rejected => text!("Pods with image {} are rejected by the kubelet.", image),
        };
        note(assumed, image, text);
    }
    let chosen = assumed.options.images.iter().filter(|(_, behavior)| **behavior != Behavior::Healthy);
    let commands =
        chosen.map(|(image, behavior)| Command::SetBehavior { image: Rc::clone(image), behavior: *behavior });
    assumed.commands.extend(commands);
}

fn note(assumed: &mut Assumed<'_>, image: &Rc<str>, text: Text) {
    assumed.note(About::Image(Rc::clone(image)), text, false);
}
