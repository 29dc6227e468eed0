//! What every object carries: its name, its owner, its labels, its life.

use super::json::fields;
use super::{Extra, Labels, Time};
use std::rc::Rc;

/// `metadata` of any object.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ObjectMeta {
    /// Unique among the living objects of its kind and namespace.
    pub name: Rc<str>,
    /// Prefix from which the API server would make a name.
    pub generate_name: Option<Rc<str>>,
    /// Empty for cluster-scoped kinds.
    pub namespace: Rc<str>,
    /// Unique for ever: a recreated pod has the same name and another uid.
    pub uid: Rc<str>,
    /// The store's counter at the last write; empty before the first.
    pub resource_version: Rc<str>,
    /// Counts changes of the spec.
    pub generation: i64,
    /// When the API server stored it first.
    pub creation_timestamp: Option<Time>,
    /// Set while the object is being deleted gracefully: the moment at which its grace ends.
    pub deletion_timestamp: Option<Time>,
    /// Seconds of grace the deletion was given.
    pub deletion_grace_period_seconds: Option<i64>,
    /// Keys that select.
    pub labels: Labels,
    /// Keys that do not select.
    pub annotations: Labels,
    /// Objects that this one depends on; at most one of them controls it.
    pub owner_references: Vec<OwnerReference>,
    /// What must be done before a deleted object may go.
    pub finalizers: Vec<Rc<str>>,
    /// Everything else.
    pub extra: Extra,
}

fields!(ObjectMeta {
    "name": name, "generateName": generate_name, "namespace": namespace, "uid": uid,
    "resourceVersion": resource_version, "generation": generation, "creationTimestamp": creation_timestamp,
    "deletionTimestamp": deletion_timestamp, "deletionGracePeriodSeconds": deletion_grace_period_seconds,
    "labels": labels, "annotations": annotations, "ownerReferences": owner_references, "finalizers": finalizers,
    ..extra
});

impl ObjectMeta {
    /// The owner reference of the controller, if there is one.
    pub fn controller_of(&self) -> Option<&OwnerReference> {
        self.owner_references.iter().find(|owner| owner.controller == Some(true))
    }
}

/// One entry of `metadata.ownerReferences`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct OwnerReference {
    /// Group and version of the owner.
    pub api_version: Rc<str>,
    /// Whether deleting the owner in the foreground waits for this object.
    pub block_owner_deletion: Option<bool>,
    /// Whether the owner manages this object.
    pub controller: Option<bool>,
    /// Kind of the owner.
    pub kind: Rc<str>,
    /// Name of the owner.
    pub name: Rc<str>,
    /// Uid of the owner.
    pub uid: Rc<str>,
}

fields!(OwnerReference {
    "apiVersion": api_version always, "blockOwnerDeletion": block_owner_deletion, "controller": controller,
    "kind": kind always, "name": name always, "uid": uid always
});
