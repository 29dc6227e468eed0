//! VolumeBinding, VolumeRestrictions, NodeVolumeLimits and VolumeZone: where the pod's claims can be used.

use super::snapshot::{Host, Incoming};
use super::{Misfit, Unschedulable};
use crate::objects::{Kind, Object, ObjectRef, PersistentVolumeClaim, Pod};
use crate::sim::store::Store;
use crate::sim::volume::{is_for_one_pod, reaches};
use std::collections::{BTreeMap, BTreeSet};
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
    let too_many = too_many(incoming, host);
    if !too_many.is_empty() {
        return too_many;
    }
    if store.has_volumes_for(&waiting, host.node) { Vec::new() } else { vec![Misfit::NoVolume] }
}

/// Drivers of which the node can attach fewer volumes than its pods and this one use. Models NodeVolumeLimits, nodevolumelimits/csi.go.
fn too_many(incoming: &Incoming<'_>, host: &Host<'_>) -> Vec<Misfit> {
    let store = incoming.snapshot.store;
    if store.attach_limits.is_empty() {
        return Vec::new();
    }
    let mut there: BTreeMap<Rc<str>, BTreeSet<Rc<str>>> = BTreeMap::new();
    for pod in host.unfinished() {
        for claim in claims(store, pod).unwrap_or_default() {
            if let Some(driver) = store.driver_of(claim) {
                there.entry(driver).or_default().insert(Rc::clone(&claim.metadata.uid));
            }
        }
    }
    let mut asked = there.clone();
    for claim in &incoming.claims {
        if let Some(driver) = store.driver_of(claim) {
            asked.entry(driver).or_default().insert(Rc::clone(&claim.metadata.uid));
        }
    }
    let misfit = |(driver, volumes): (Rc<str>, BTreeSet<Rc<str>>)| {
        let most = *store.attach_limits.get(&(Rc::clone(&host.node.metadata.name), Rc::clone(&driver)))?;
        let attached = there.get(&driver).map_or(0, BTreeSet::len);
        (volumes.len() > attached && volumes.len() > most).then_some(Misfit::TooManyVolumes { driver, attached, most })
    };
    asked.into_iter().filter_map(misfit).collect()
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
            Ok(Object::Claim(stored)) if stored.is_lost() => {
                let volume = stored.spec.volume_name.clone().unwrap_or_default();
                return Err(Unschedulable::ClaimLost(Rc::clone(claim), volume));
            }
            Ok(Object::Claim(stored))
                if &*stored.status.phase == "Bound"
                    || store.class_of(stored).is_some_and(|class| class.waits_for_consumer) =>
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
