//! The types behind `Object`, for what keeps or claims objects of one kind.

use super::{
    CloneSet, ControllerRevision, DaemonSet, Deployment, Kind, Node, Object, ObjectMeta, PersistentVolumeClaim, Pod,
    ReplicaSet, StatefulSet,
};
use std::rc::Rc;

/// A type of the API that is stored under one kind.
pub trait Typed: Sized {
    /// Its kind.
    const KIND: Kind;

    /// Its metadata.
    fn metadata(&self) -> &ObjectMeta;

    /// The object as this type; none if it is of another kind.
    fn of(object: &Object) -> Option<&Rc<Self>>;
}

macro_rules! typed {
    ($($Type:ident: $Variant:ident;)*) => {
        $(impl Typed for $Type {
            const KIND: Kind = Kind::$Type;

            fn metadata(&self) -> &ObjectMeta {
                &self.metadata
            }

            fn of(object: &Object) -> Option<&Rc<Self>> {
                if let Object::$Variant(object) = object { Some(object) } else { None }
            }
        })*
    };
}

typed! {
    StatefulSet: StatefulSet;
    Pod: Pod;
    PersistentVolumeClaim: Claim;
    ControllerRevision: Revision;
    Node: Node;
    CloneSet: CloneSet;
    ReplicaSet: ReplicaSet;
    Deployment: Deployment;
    DaemonSet: DaemonSet;
}
