//! The versions of a workload's template, its revisions or its ReplicaSets, and which of them a pod is of.

use super::{Revision, text};
use crate::objects::{ControllerRevision, Object, Pod, shared};
use crate::sim::Cluster;
use std::rc::Rc;

/// What tells an object from its siblings: the end of its name.
pub(super) fn short(name: &str) -> &str {
    name.rsplit('-').next().unwrap_or(name)
}

/// The names of the workload's versions, oldest first: its ReplicaSets, or else its revisions.
pub(super) fn versions(cluster: &Cluster, object: &Object) -> Vec<Rc<str>> {
    let replica_sets = cluster.replica_sets_of(object);
    if !replica_sets.is_empty() {
        return replica_sets.iter().map(|set| set.metadata.name.clone()).collect();
    }
    revisions_of(cluster, object).iter().map(|revision| revision.metadata.name.clone()).collect()
}

/// The workload's ControllerRevisions in the order they were made, those included that it would adopt.
pub(super) fn revisions_of<'a>(cluster: &'a Cluster, object: &Object) -> Vec<&'a Rc<ControllerRevision>> {
    let (metadata, selector) = (object.metadata(), object.selector());
    let is_own = |revision: &&Rc<ControllerRevision>| match revision.metadata.controller_of() {
        Some(owner) => owner.uid == metadata.uid,
        None => {
            object.kind().has_ordinals()
                && revision.metadata.namespace == metadata.namespace
                && selector.is_some_and(|selector| selector.matches(&revision.metadata.labels))
        }
    };
    let mut own: Vec<_> = cluster.revisions().filter(is_own).collect();
    own.sort_by_key(|revision| (revision.metadata.creation_timestamp, revision.metadata.name.clone()));
    own
}

/// The pod's version: its place among them.
pub(super) fn version_of(pod: &Pod, versions: &[Rc<str>]) -> Option<usize> {
    let label = |key: &str| pod.metadata.labels.get(key).map_or("", |value| value);
    let mark = match label("pod-template-hash") {
        "" => label("controller-revision-hash"),
        hash => hash,
    };
    versions.iter().position(|version| short(version) == short(mark))
}

/// The version at a place.
pub(super) fn version(versions: &[Rc<str>], at: Option<usize>) -> Revision {
    Revision {
        name: at.map_or_else(|| shared(""), |at| Rc::clone(&versions[at])),
        letter: at.map_or_else(|| shared("?"), text::letter),
        hue: at.unwrap_or(0),
    }
}
