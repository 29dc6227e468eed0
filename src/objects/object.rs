//! One value for an object of any kind that the simulation stores.

use super::{AdvancedStatefulSet, CloneSet, Controlled, DaemonSet, Deployment, ReplicaSet};
use super::{
    ControllerRevision, LabelSelector, Node, ObjectMeta, PersistentVolumeClaim, Pod, PodTemplateSpec, StatefulSet,
};
use std::cmp::Ordering;
use std::rc::Rc;

// A row: the kind, its name in the API where that is another kind's too, its resource, its resource with its group, its group
// and version, the name that lines are written with, and the names that kubectl takes for it, its own first.
macro_rules! kinds {
    (@name $Kind:ident) => { stringify!($Kind) };
    (@name $Kind:ident $name:literal) => { $name };
    ($($Kind:ident $(as $api:literal)?: $resource:literal, $qualified:literal, $version:literal, $short:literal,
        $singular:literal $(| $name:literal)+;)*) => {
        /// The kinds that are simulated.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, serde::Serialize)]
        pub enum Kind { $(#[doc = $version] $Kind,)* }

        impl Kind {
            /// Every kind, in the order in which kubectl looks a short name up.
            pub const ALL: &'static [Self] = &[$(Self::$Kind,)*];

            /// The kind's name in the API. Kinds of different groups may share one.
            pub fn as_str(self) -> &'static str {
                match self { $(Self::$Kind => kinds!(@name $Kind $($api)?),)* }
            }

            /// The kind's name as kubectl writes it.
            pub fn singular(self) -> &'static str {
                match self { $(Self::$Kind => $singular,)* }
            }

            /// The kind's name in a line that people type: kubectl's short name where it has one that is well known.
            pub(crate) fn short_name(self) -> &'static str {
                match self { $(Self::$Kind => $short,)* }
            }

            /// The resource in paths and in most messages.
            pub fn resource(self) -> &'static str {
                match self { $(Self::$Kind => $resource,)* }
            }

            /// The resource as refusals name it: with its group where it has one.
            pub fn qualified_resource(self) -> &'static str {
                match self { $(Self::$Kind => $qualified,)* }
            }

            /// Group and version.
            pub fn api_version(self) -> &'static str {
                match self { $(Self::$Kind => $version,)* }
            }

            /// The names by which kubectl knows the kind.
            fn names(self) -> &'static [&'static str] {
                match self { $(Self::$Kind => &[$singular $(, $name)+],)* }
            }
        }
    };
}

kinds! {
    StatefulSet: "statefulsets", "statefulsets.apps", "apps/v1", "sts", "statefulset" | "sts" | "statefulsets";
    Pod: "pods", "pods", "v1", "pod", "pod" | "po" | "pods";
    PersistentVolumeClaim: "persistentvolumeclaims", "persistentvolumeclaims", "v1", "pvc",
        "persistentvolumeclaim" | "pvc" | "persistentvolumeclaims";
    ControllerRevision: "controllerrevisions", "controllerrevisions.apps", "apps/v1", "controllerrevision",
        "controllerrevision" | "controllerrevisions";
    Node: "nodes", "nodes", "v1", "node", "node" | "no" | "nodes";
    CloneSet: "clonesets", "clonesets.apps.kruise.io", "apps.kruise.io/v1beta1", "cloneset",
        "cloneset" | "clone" | "clonesets";
    AdvancedStatefulSet as "StatefulSet": "statefulsets", "statefulsets.apps.kruise.io", "apps.kruise.io/v1beta1", "asts",
        "statefulset" | "asts" | "sts" | "statefulsets";
    ReplicaSet: "replicasets", "replicasets.apps", "apps/v1", "rs", "replicaset" | "rs" | "replicasets";
    Deployment: "deployments", "deployments.apps", "apps/v1", "deploy", "deployment" | "deploy" | "deployments";
    DaemonSet: "daemonsets", "daemonsets.apps", "apps/v1", "ds", "daemonset" | "ds" | "daemonsets";
}

impl Kind {
    /// The kind's name where people tell kinds apart: no other kind has it.
    pub fn title(self) -> &'static str {
        match self {
            Self::AdvancedStatefulSet => "Advanced StatefulSet",
            other => other.as_str(),
        }
    }

    /// The API group; empty for the core's.
    pub(crate) fn group(self) -> &'static str {
        group_of(self.api_version())
    }

    /// The kind of this name in the group of an `apiVersion`; none if it is not simulated.
    pub fn named(api_version: &str, name: &str) -> Option<Self> {
        let is_meant = |kind: &Self| {
            kind.as_str() == name && (kind.api_version() == api_version || kind.group() == group_of(api_version))
        };
        Self::ALL.iter().copied().find(is_meant)
    }

    /// The kind that kubectl knows by this name or short name, which may end in the group: `sts`, `sts.apps.kruise.io`.
    pub fn of_resource(resource: &str) -> Option<Self> {
        let (name, group) = resource.split_once('.').unwrap_or((resource, ""));
        // A version may come before the group.
        let is_in_group =
            |kind: &Self| group.is_empty() || format!(".{group}").ends_with(&format!(".{}", kind.group()));
        Self::ALL.iter().copied().filter(|kind| kind.names().contains(&name)).find(is_in_group)
    }

    /// Whether the pods of a workload of this kind have ordinals, and their names with them.
    pub fn has_ordinals(self) -> bool {
        match self {
            Self::StatefulSet | Self::AdvancedStatefulSet => true,
            Self::CloneSet | Self::ReplicaSet | Self::Deployment | Self::DaemonSet => false,
            Self::Pod | Self::PersistentVolumeClaim | Self::ControllerRevision | Self::Node => false,
        }
    }

    /// Whether a workload of this kind makes claims for its pods.
    pub(crate) fn makes_claims(self) -> bool {
        match self {
            Self::StatefulSet | Self::AdvancedStatefulSet | Self::CloneSet => true,
            Self::ReplicaSet | Self::Deployment | Self::DaemonSet => false,
            Self::Pod | Self::PersistentVolumeClaim | Self::ControllerRevision | Self::Node => false,
        }
    }

    /// Whether an update may change pods of it where they are.
    pub(crate) fn updates_in_place(self) -> bool {
        self.is_custom_resource()
    }

    /// Whether a changed template reaches the pods that are there, by itself or once they are deleted.
    pub(crate) fn rolls_out(self) -> bool {
        self.is_workload() && self != Self::ReplicaSet
    }

    /// Whether it is a custom resource: OpenKruise's, which patches plainly and has a program beside kubectl.
    pub(crate) fn is_custom_resource(self) -> bool {
        self.api_version().starts_with("apps.kruise.io/")
    }
}

/// `apps` of `apps/v1`.
fn group_of(api_version: &str) -> &str {
    api_version.split_once('/').map_or("", |(group, _)| group)
}

/// Kind, namespace and name: what identifies a living object.
#[derive(Clone, Debug, Eq, serde::Serialize)]
pub struct ObjectRef {
    /// The kind.
    pub kind: Kind,
    /// Empty for nodes.
    pub namespace: Rc<str>,
    /// The name.
    pub name: Rc<str>,
}

/// By kind, namespace and name. Most have one namespace in common, which the pointer tells.
impl Ord for ObjectRef {
    fn cmp(&self, other: &Self) -> Ordering {
        let Self { kind, namespace, name } = self;
        let by_namespace = || match Rc::ptr_eq(namespace, &other.namespace) {
            true => Ordering::Equal,
            false => namespace.cmp(&other.namespace),
        };
        kind.cmp(&other.kind).then_with(by_namespace).then_with(|| name.cmp(&other.name))
    }
}

impl PartialOrd for ObjectRef {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for ObjectRef {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

// The table of the types behind `Object`, handed to a macro. A row: the type, which has the name of its kind, as its variant of
// `Object`; its list in a cache; of a workload, its module in `objects`, `reconcile` and `view`. Workloads stand in the order in which
// a change is handed to their controllers.
macro_rules! workloads {
    ($each:ident $($others:tt)*) => {
        $each! {
            $($others)*
            StatefulSet as StatefulSet: stateful_sets, stateful_set;
            CloneSet as CloneSet: clone_sets, clone_set;
            AdvancedStatefulSet as AdvancedStatefulSet: advanced_stateful_sets, advanced_stateful_set;
            ReplicaSet as ReplicaSet: replica_sets, replica_set;
            Deployment as Deployment: deployments, deployment;
            DaemonSet as DaemonSet: daemon_sets, daemon_set;
        }
    };
}
macro_rules! objects {
    ($each:ident) => {
        $crate::objects::workloads! {
            $each
            Pod as Pod: pods;
            ControllerRevision as Revision: revisions;
            PersistentVolumeClaim as Claim: claims;
            Node as Node: nodes;
        }
    };
}
pub(crate) use {objects, workloads};

macro_rules! of_any_kind {
    ($($Type:ident as $Variant:ident: $list:ident $(, $module:ident)?;)*) => {
        /// An object of any simulated kind; never changed once stored.
        #[derive(Clone, Debug, PartialEq)]
        pub enum Object {
            $(#[doc = concat!("A ", stringify!($Type), ".")] $Variant(Rc<$Type>),)*
        }

        impl Object {
            /// Its kind.
            pub fn kind(&self) -> Kind {
                match self { $(Self::$Variant(_) => Kind::$Type,)* }
            }

            /// Its metadata.
            pub fn metadata(&self) -> &ObjectMeta {
                match self { $(Self::$Variant(object) => &object.metadata,)* }
            }

            /// Its metadata, to be changed before it is stored (a shared object is copied first).
            pub fn metadata_mut(&mut self) -> &mut ObjectMeta {
                match self { $(Self::$Variant(object) => &mut Rc::make_mut(object).metadata,)* }
            }
        }
    };
}
objects!(of_any_kind);

macro_rules! of_workloads {
    ($($Kind:ident as $Variant:ident: $list:ident, $module:ident;)*) => {
        impl Kind {
            /// Whether its objects have a pod template and a controller that keeps pods of it.
            pub(crate) fn is_workload(self) -> bool {
                matches!(self, $(Self::$Kind)|*)
            }
        }

        impl Object {
            /// The object as a workload; none if it is not one.
            pub(crate) fn controlled(&self) -> Option<&dyn Controlled> {
                match self {
                    $(Self::$Variant(set) => Some(&**set),)*
                    _ => None,
                }
            }

            /// The object as a workload, to be changed before it is stored.
            fn controlled_mut(&mut self) -> Option<&mut dyn Controlled> {
                match self {
                    $(Self::$Variant(set) => Some(&mut *Rc::<$Kind>::make_mut(set)),)*
                    _ => None,
                }
            }
        }
    };
}
workloads!(of_workloads);

impl Object {
    /// Which pods a workload selects; none for what is no workload.
    pub(crate) fn selector(&self) -> Option<&LabelSelector> {
        self.controlled().map(Controlled::selector)
    }

    /// What its pods are made from; none for what is no workload.
    pub fn template(&self) -> Option<&PodTemplateSpec> {
        self.controlled().map(Controlled::template)
    }

    /// What its pods' claims are made from.
    pub(crate) fn claim_templates(&self) -> &[PersistentVolumeClaim] {
        self.controlled().map_or(&[], Controlled::claim_templates)
    }

    /// How many pods are asked for; none where no number is given.
    pub fn replicas(&self) -> Option<i32> {
        self.controlled()?.replicas()
    }

    /// Asks for so many pods; does nothing to what takes no number.
    pub(crate) fn set_replicas(&mut self, replicas: i32) {
        if let Some(set) = self.controlled_mut() {
            set.set_replicas(replicas);
        }
    }

    /// For how many seconds a pod has to be Ready before it counts as available.
    pub fn min_ready_seconds(&self) -> i32 {
        self.controlled().map_or(0, Controlled::min_ready_seconds)
    }

    /// How many pods there should be: a DaemonSet has one for each node that its pods fit on.
    pub fn desired(&self) -> i32 {
        match self {
            Self::DaemonSet(set) => set.status.desired_number_scheduled,
            _ => self.replicas().unwrap_or(0),
        }
    }

    /// How many pods a workload has by its status.
    pub(crate) fn pods_by_status(&self) -> i32 {
        self.controlled().map_or(0, Controlled::counted)
    }

    /// The generation of the spec that its controller has seen, by its status; none before it has written one.
    pub fn observed_generation(&self) -> Option<i64> {
        self.controlled().map(Controlled::observed_generation).filter(|seen| *seen != 0)
    }

    /// What identifies it.
    pub fn reference(&self) -> ObjectRef {
        let metadata = self.metadata();
        ObjectRef { kind: self.kind(), namespace: metadata.namespace.clone(), name: metadata.name.clone() }
    }
}
