//! One value for an object of any kind that the simulation stores.

use super::{CloneSet, ControllerRevision, Node, ObjectMeta, PersistentVolumeClaim, Pod, StatefulSet};
use std::rc::Rc;

/// The kinds that are simulated.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    /// apps/v1.
    StatefulSet,
    /// v1.
    Pod,
    /// v1.
    PersistentVolumeClaim,
    /// apps/v1.
    ControllerRevision,
    /// v1, cluster-scoped.
    Node,
    /// apps.kruise.io/v1beta1.
    CloneSet,
}

impl Kind {
    /// The resource in paths and in most messages.
    pub fn resource(self) -> &'static str {
        match self {
            Self::StatefulSet => "statefulsets",
            Self::Pod => "pods",
            Self::PersistentVolumeClaim => "persistentvolumeclaims",
            Self::ControllerRevision => "controllerrevisions",
            Self::Node => "nodes",
            Self::CloneSet => "clonesets",
        }
    }

    /// The resource as refusals name it: with its group where it has one.
    pub fn qualified_resource(self) -> &'static str {
        match self {
            Self::StatefulSet => "statefulsets.apps",
            Self::ControllerRevision => "controllerrevisions.apps",
            Self::CloneSet => "clonesets.apps.kruise.io",
            other => other.resource(),
        }
    }
}

/// Kind, namespace and name: what identifies a living object.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct ObjectRef {
    /// The kind.
    pub kind: Kind,
    /// Empty for nodes.
    pub namespace: Rc<str>,
    /// The name.
    pub name: Rc<str>,
}

/// An object of any simulated kind; never changed once stored.
#[derive(Clone, Debug, PartialEq)]
pub enum Object {
    /// A StatefulSet.
    StatefulSet(Rc<StatefulSet>),
    /// A pod.
    Pod(Rc<Pod>),
    /// A claim.
    Claim(Rc<PersistentVolumeClaim>),
    /// A revision.
    Revision(Rc<ControllerRevision>),
    /// A node.
    Node(Rc<Node>),
    /// A CloneSet.
    CloneSet(Rc<CloneSet>),
}

impl Object {
    /// Its kind.
    pub fn kind(&self) -> Kind {
        match self {
            Self::StatefulSet(_) => Kind::StatefulSet,
            Self::Pod(_) => Kind::Pod,
            Self::Claim(_) => Kind::PersistentVolumeClaim,
            Self::Revision(_) => Kind::ControllerRevision,
            Self::Node(_) => Kind::Node,
            Self::CloneSet(_) => Kind::CloneSet,
        }
    }

    /// Its metadata.
    pub fn metadata(&self) -> &ObjectMeta {
        match self {
            Self::StatefulSet(object) => &object.metadata,
            Self::Pod(object) => &object.metadata,
            Self::Claim(object) => &object.metadata,
            Self::Revision(object) => &object.metadata,
            Self::Node(object) => &object.metadata,
            Self::CloneSet(object) => &object.metadata,
        }
    }

    /// Its metadata, to be changed before it is stored (a shared object is copied first).
    pub fn metadata_mut(&mut self) -> &mut ObjectMeta {
        match self {
            Self::StatefulSet(object) => &mut Rc::make_mut(object).metadata,
            Self::Pod(object) => &mut Rc::make_mut(object).metadata,
            Self::Claim(object) => &mut Rc::make_mut(object).metadata,
            Self::Revision(object) => &mut Rc::make_mut(object).metadata,
            Self::Node(object) => &mut Rc::make_mut(object).metadata,
            Self::CloneSet(object) => &mut Rc::make_mut(object).metadata,
        }
    }

    /// What identifies it.
    pub fn reference(&self) -> ObjectRef {
        let metadata = self.metadata();
        ObjectRef { kind: self.kind(), namespace: metadata.namespace.clone(), name: metadata.name.clone() }
    }
}
