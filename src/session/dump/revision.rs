//! Revisions of sets, where the text has none: without them every pod would seem to be made from another template.

use super::assume::{About, Assumed};
use crate::objects::{ControllerRevision, Object, ObjectMeta, OwnerReference, StatefulSet};
use crate::reconcile::template_patch;
use crate::releases::Release;
use crate::sim::START;
use std::rc::Rc;

/// For each StatefulSet whose controller has seen its template, the revision that its status names.
pub(super) fn missing(objects: &[Object], release: Release, assumed: &mut Assumed<'_>) -> Vec<Object> {
    if objects.iter().any(|object| matches!(object, Object::Revision(_))) {
        return Vec::new();
    }
    let mut made = Vec::new();
    for object in objects {
        let Object::StatefulSet(set) = object else { continue };
        let (status, metadata) = (&set.status, &set.metadata);
        if status.update_revision.is_empty() || status.observed_generation != metadata.generation {
            continue;
        }
        let text = text!(
            "The template of {} is that of revision {}: the text has no revisions, and its status names this one.",
            metadata.name,
            status.update_revision
        );
        let about = About::Revision(object.reference());
        let is_denied = assumed.options.denied.contains(&about);
        assumed.note(about, text, is_denied);
        if !is_denied {
            made.push(Object::Revision(Rc::new(revision(set, release))));
        }
    }
    made
}

fn revision(set: &StatefulSet, release: Release) -> ControllerRevision {
    let owner = OwnerReference {
        api_version: "apps/v1".into(),
        kind: "StatefulSet".into(),
        name: Rc::clone(&set.metadata.name),
        uid: Rc::clone(&set.metadata.uid),
        controller: Some(true),
        block_owner_deletion: Some(true),
    };
    let metadata = ObjectMeta {
        name: Rc::clone(&set.status.update_revision),
        namespace: Rc::clone(&set.metadata.namespace),
        labels: set.spec.template.metadata.labels.clone(),
        creation_timestamp: set.metadata.creation_timestamp.or(Some(START)),
        owner_references: vec![owner].into(),
        ..ObjectMeta::default()
    };
    let data = template_patch(&release.gates(), &set.spec.template);
    ControllerRevision { metadata, data, revision: 1, extra: Default::default() }
}
