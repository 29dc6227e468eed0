//! Changes of claims, as the API server takes them.
//! Models ValidatePersistentVolumeClaimUpdate (pkg/apis/core/validation/validation.go) and the admission plugin
//! PersistentVolumeClaimResize (plugin/pkg/admission/storage/persistentvolume/resize).

use crate::objects::{
    ApiError, ClaimSpec, ErrorKind, FieldError, Object, ObjectRef, PersistentVolumeClaim, Reason, Server, slot,
};
use crate::sim::Cluster;
use serde_json::Value;
use std::rc::Rc;

const ATTRIBUTES_CLASS: &str = "volumeAttributesClassName";

/// Sends a claim in the place of the one that is stored.
///
/// # Errors
/// The server's refusal.
pub(super) fn update(
    cluster: &mut Cluster,
    stored: &Rc<PersistentVolumeClaim>,
    mut claim: PersistentVolumeClaim,
) -> Result<(), ApiError> {
    claim.status = stored.status.clone();
    let server = cluster.server();
    if !server.attributes_classes {
        // The field of a gate that is off is dropped.
        keep(&mut claim.spec, &stored.spec, ATTRIBUTES_CLASS);
    }
    if let Some(error) = refused(stored, &claim, &server) {
        return Err(ApiError::invalid("PersistentVolumeClaim", &claim.metadata.name, vec![error]));
    }
    if claim.requested_size() > stored.requested_size() && cluster.may_expand(stored) == Some(false) {
        let message = format!(
            "persistentvolumeclaims \"{}\" is forbidden: only dynamically provisioned pvc can be resized and the storageclass that provisions the pvc must support resize",
            claim.metadata.name
        );
        return Err(ApiError::new(Reason::Forbidden, message));
    }
    let key: ObjectRef = Object::Claim(Rc::clone(stored)).reference();
    let is_changed = claim.spec != stored.spec;
    cluster.update(Object::Claim(Rc::new(claim)))?;
    if is_changed {
        cluster.grow_claim(&key, stored);
    }
    Ok(())
}

fn keep(spec: &mut ClaimSpec, stored: &ClaimSpec, name: &str) {
    match stored.extra.get(name) {
        Some(value) => spec.extra.insert(name.to_owned(), value.clone()),
        None => spec.extra.remove(name),
    };
}

fn refused(stored: &PersistentVolumeClaim, claim: &PersistentVolumeClaim, server: &Server) -> Option<FieldError> {
    let mut same = claim.spec.clone();
    if &*stored.status.phase == "Bound" {
        keep(&mut same, &stored.spec, ATTRIBUTES_CLASS);
        if let (Some(resources), Some(size)) = (same.extra.get_mut("resources"), stored.requested("storage")) {
            *slot(resources, "requests.storage") = size.clone();
        }
    }
    if same != stored.spec {
        let also = if server.tells_attributes_classes { " and volumeAttributesClassName" } else { "" };
        let detail = format!("spec is immutable after creation except resources.requests{also} for bound claims");
        return Some(FieldError::new(ErrorKind::Forbidden, "spec", "", &detail));
    }
    let may_shrink =
        || server.claims_may_shrink && stored.capacity_size().is_some_and(|has| claim.requested_size() > has);
    if claim.requested_size() < stored.requested_size() && !may_shrink() {
        let than = if server.claims_may_shrink { "status.capacity" } else { "previous value" };
        let detail = format!("field can not be less than {than}");
        return Some(FieldError::new(ErrorKind::Forbidden, "spec.resources.requests.storage", "", &detail));
    }
    let [old, new] = [stored, claim].map(|claim| claim.spec.extra.get(ATTRIBUTES_CLASS).and_then(Value::as_str));
    let detail = "update from non-nil value to nil is forbidden";
    let is_dropped = old.is_some() && new.is_none();
    is_dropped.then(|| FieldError::new(ErrorKind::Forbidden, "spec.volumeAttributesClassName", "", detail))
}
