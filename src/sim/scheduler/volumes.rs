//! VolumeBinding, VolumeRestrictions and VolumeZone: where the pod's claims can be used.

use super::snapshot::{Host, Incoming};
use super::{Misfit, Unschedulable};
use crate::objects::{Kind, Object, ObjectRef, PersistentVolumeClaim, Pod};
use crate::sim::store::Store;
use crate::sim::volume::{is_for_one_pod, reaches};
use std::rc::Rc;

pub(super) fn misfits(incoming: &Incoming<'_>, host: &Host<'_>) -> Vec<Misfit> {
    if incoming.claims.iter().any(|claim| is_for_one_pod(claim) && is_taken(incoming, claim)) {
        return vec![Misfit::ClaimInUse];
    }
    let store = incoming.snapshot.store;
    let (bound, waiting): (Vec<_>, Vec<_>) = incoming.claims.iter().partition(|claim| &*claim.status.phase == "Bound");
    let is_out_of_reach = |claim: &&Rc<PersistentVolumeClaim>| {
        !reaches(host.node, claim) || store.is_volume_out_of_reach(claim, host.node)
    };
    if bound.iter().any(is_out_of_reach) {
        return vec![Misfit::VolumeAffinity];
    }
    if store.has_volumes_for(&waiting, host.node) { Vec::new() } else { vec![Misfit::NoVolume] }
}

/// The claims of a pod, bound or waiting for it to be placed.
///
/// # Errors
/// One that is not bound, or not there.
pub(super) fn claims<'s>(store: &'s Store, pod: &Pod) -> Result<Vec<&'s Rc<PersistentVolumeClaim>>, Unschedulable> {
    let mut claims = Vec::new();
    for claim in pod.claim_names() {
        let key = ObjectRef {
            kind: Kind::PersistentVolumeClaim,
            namespace: pod.metadata.namespace.clone(),
            name: Rc::clone(claim),
        };
        match store.get(&key) {
            Ok(Object::Claim(stored)) if stored.metadata.deletion_timestamp.is_some() => {
                return Err(Unschedulable::ClaimDeleted(Rc::clone(claim)));
            }
            Ok(Object::Claim(stored))
                if &*stored.status.phase == "Bound"
                    || &*stored.status.phase != "Lost"
                        && store.class_of(stored).is_some_and(|class| class.waits_for_consumer) =>
            {
                claims.push(stored);
            }
            Ok(_) => return Err(Unschedulable::ClaimUnbound(Rc::clone(claim))),
            Err(_) => return Err(Unschedulable::ClaimNotFound(Rc::clone(claim))),
        }
    }
    Ok(claims)
}

fn is_taken(incoming: &Incoming<'_>, claim: &Rc<PersistentVolumeClaim>) -> bool {
    let key = Object::Claim(Rc::clone(claim)).reference();
    let is_known = |node: &Rc<str>| incoming.snapshot.host(node).is_some();
    incoming.snapshot.store.users_of(&key).any(|other| is_known(&other.spec.node_name) && !other.has_ended())
}
