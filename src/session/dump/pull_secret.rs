//! Images that cannot be pulled for want of a pull secret, as the kubelet says.

use super::held::{ClearedBy, Held};
use super::read::Event;
use crate::sim::{Fault, What};
use std::collections::BTreeMap;
use std::rc::Rc;

/// Names the secret in what is held of a container whose image cannot be pulled.
pub(super) fn name(events: &[Event], holds: &mut [Held]) {
    let tells = |event: &&Event| &*event.kind == "Pod" && &*event.reason == "FailedToRetrieveImagePullSecret";
    let mut said: BTreeMap<(Rc<str>, Rc<str>), &Event> = BTreeMap::new();
    for event in events.iter().filter(tells) {
        said.insert((Rc::clone(&event.namespace), Rc::clone(&event.name)), event);
    }
    for held in holds.iter_mut().filter(|held| held.event.is_none()) {
        let What::Container { fault: Fault::CannotStart, reason, .. } = &held.hold.what else { continue };
        if !matches!(&**reason, "ErrImagePull" | "ImagePullBackOff") {
            continue;
        }
        let about = held.object();
        let Some(event) = said.get(&(Rc::clone(&about.namespace), Rc::clone(&about.name))) else { continue };
        // Of several it names all, and does not tell which is missing.
        let name =
            event.message.split_once('(').and_then(|(_, rest)| rest.split_once(')')).map_or("", |(name, _)| name);
        held.cleared_by = ClearedBy::Named { kind: "Secret".into(), name: name.into() };
        held.event = Some(Event::clone(event));
    }
}
