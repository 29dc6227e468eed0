//! What lets pods be made that a webhook keeps away because nobody answers for it: often they are those that would.

use super::Remedy;
use crate::diagnosis::case::Case;
use crate::kubectl::Command;
use crate::objects::{Object, ObjectRef};
use crate::session::dump::{ClearedBy, Held};
use crate::sim::What;
use std::rc::Rc;

/// The webhook whose call failed, and not one that answered and refused.
fn uncalled(held: &Held) -> Option<&Rc<str>> {
    let is_answer = held.message.contains("denied the request");
    match (&held.hold.what, &held.cleared_by) {
        (What::Refused { .. }, ClearedBy::Named { kind, name }) if &**kind == "Webhook" && !is_answer => Some(name),
        _ => None,
    }
}

pub(super) fn remedies(case: &Case<'_>) -> Vec<Remedy> {
    let object = case.object.reference();
    let sets = case.cluster().replica_sets_of(case.object);
    let is_own = |key: &ObjectRef| {
        *key == object || sets.iter().any(|set| Object::ReplicaSet(Rc::clone(set)).reference() == *key)
    };
    let Some(name) = case.holds.iter().filter(|held| is_own(held.object())).find_map(uncalled) else {
        return Vec::new();
    };
    let title =
        text!("Let webhook {} fail without harm: set its failurePolicy to Ignore, or delete its configuration", name);
    let assumes = text!(
        "It is found with: kubectl get validatingwebhookconfigurations,mutatingwebhookconfigurations -o yaml. If its own pods put it back, they do so once they run."
    );
    let risk = text!("Until it is as it was, nothing checks or changes what is sent to it.");
    let remedy = Remedy::new("ignore-webhook", title, vec![Command::Lift { object }]);
    vec![remedy.assuming(assumes).with_risk(risk)]
}
