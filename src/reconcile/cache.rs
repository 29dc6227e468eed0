//! What the controllers' informers keep: the API store as it was a moment ago, typed by kind, so that a sync can read it
//! without copying.

use crate::objects::{
    AdvancedStatefulSet, CloneSet, ControllerRevision, DaemonSet, Deployment, Kind, Node, Object, ObjectRef,
    PersistentVolumeClaim, Pod, ReplicaSet, StatefulSet, Typed,
};
use std::collections::BTreeMap;
use std::ops::Deref;
use std::rc::Rc;

/// A change of the store, as a watch reports it.
#[derive(Clone, Debug)]
pub enum WatchEvent {
    /// The object as it is now, and as it was before if it was there.
    Put {
        /// Before.
        old: Option<Object>,
        /// Now.
        new: Object,
    },
    /// The object as it was when it went.
    Gone(Object),
}

impl WatchEvent {
    /// The object as it is now, or as it was when it went.
    pub fn object(&self) -> &Object {
        let (Self::Put { new: object, .. } | Self::Gone(object)) = self;
        object
    }
}

/// Objects of one kind in one namespace, by name.
#[derive(Clone, Debug)]
pub struct List<T> {
    objects: Vec<Rc<T>>,
    /// How many have an owner.
    owned: usize,
}

impl<T> List<T> {
    /// An empty list.
    pub const fn new() -> Self {
        Self { objects: Vec::new(), owned: 0 }
    }
}

impl<T: Typed> List<T> {
    fn place(&self, name: &str) -> Result<usize, usize> {
        self.objects.binary_search_by(|stored| (*stored.metadata().name).cmp(name))
    }

    /// The object of this name.
    pub fn get(&self, name: &str) -> Option<&Rc<T>> {
        self.place(name).ok().map(|place| &self.objects[place])
    }

    /// Whether any has an owner.
    pub fn has_owned(&self) -> bool {
        self.owned > 0
    }

    fn put(&mut self, object: &Rc<T>) {
        self.owned += is_owned(object);
        match self.place(&object.metadata().name) {
            Ok(place) => {
                let old = std::mem::replace(&mut self.objects[place], Rc::clone(object));
                self.owned -= is_owned(&old);
            }
            Err(place) => self.objects.insert(place, Rc::clone(object)),
        }
    }

    fn remove(&mut self, name: &str) {
        if let Ok(place) = self.place(name) {
            self.owned -= is_owned(&self.objects.remove(place));
        }
    }
}

fn is_owned<T: Typed>(object: &Rc<T>) -> usize {
    usize::from(!object.metadata().owner_references.is_empty())
}

impl<T> Default for List<T> {
    fn default() -> Self {
        Self::new()
    }
}

impl<T> Deref for List<T> {
    type Target = [Rc<T>];

    fn deref(&self) -> &[Rc<T>] {
        &self.objects
    }
}

impl<T: Typed> FromIterator<Rc<T>> for List<T> {
    fn from_iter<I: IntoIterator<Item = Rc<T>>>(objects: I) -> Self {
        let mut list = Self::new();
        objects.into_iter().for_each(|object| list.put(&object));
        list
    }
}

// A row: the list, its type and its variant of `Object`.
macro_rules! namespace {
    ($($list:ident: $Type:ident, $Variant:ident;)*) => {
        /// What is cached of one namespace. Nodes are in the namespace without a name.
        #[derive(Clone, Debug, Default)]
        pub struct Namespace {
            $(#[doc = concat!("Each ", stringify!($Type), ".")] pub $list: List<$Type>,)*
        }

        impl Namespace {
            fn put(&mut self, object: &Object) {
                match object {
                    $(Object::$Variant(object) => self.$list.put(object),)*
                }
            }

            fn remove(&mut self, object: &Object) {
                match object {
                    $(Object::$Variant(object) => self.$list.remove(&object.metadata.name),)*
                }
            }

            /// The object of this kind and name.
            pub fn get(&self, kind: Kind, name: &str) -> Option<Object> {
                match kind {
                    $(Kind::$Type => self.$list.get(name).cloned().map(Object::$Variant),)*
                }
            }
        }

        $(impl Listed for $Type {
            fn list(namespace: &Namespace) -> &List<Self> {
                &namespace.$list
            }
        })*
    };
}

/// A type that the cache keeps a list of.
pub trait Listed: Typed {
    /// The list.
    fn list(namespace: &Namespace) -> &List<Self>;
}

namespace! {
    pods: Pod, Pod;
    revisions: ControllerRevision, Revision;
    claims: PersistentVolumeClaim, Claim;
    nodes: Node, Node;
    stateful_sets: StatefulSet, StatefulSet;
    clone_sets: CloneSet, CloneSet;
    advanced_stateful_sets: AdvancedStatefulSet, AdvancedStatefulSet;
    replica_sets: ReplicaSet, ReplicaSet;
    deployments: Deployment, Deployment;
    daemon_sets: DaemonSet, DaemonSet;
}

/// The cache that every controller reads.
#[derive(Clone, Debug, Default)]
pub struct Cache {
    /// Shared with snapshots; a changed namespace is copied once.
    namespaces: BTreeMap<Rc<str>, Rc<Namespace>>,
    /// How many changes have arrived.
    pub arrived: u64,
    /// The resource version of the last object of a kind that arrived.
    versions: BTreeMap<Kind, Rc<str>>,
}

impl Cache {
    /// What it holds of a namespace.
    pub fn namespace(&self, name: &str) -> Option<&Namespace> {
        self.namespaces.get(name).map(|namespace| &**namespace)
    }

    /// Every namespace, by name.
    pub fn namespaces(&self) -> impl Iterator<Item = &Namespace> {
        self.namespaces.values().map(|namespace| &**namespace)
    }

    /// The nodes, by name.
    pub fn nodes(&self) -> &[Rc<Node>] {
        self.namespace("").map_or(&[], |namespace| &namespace.nodes)
    }

    /// The object, if it holds it.
    pub fn get(&self, key: &ObjectRef) -> Option<Object> {
        self.namespace(&key.namespace)?.get(key.kind, &key.name)
    }

    /// The object as its type, if it holds it.
    pub fn typed<T: Listed>(&self, key: &ObjectRef) -> Option<&Rc<T>> {
        T::list(self.namespace(&key.namespace)?).get(&key.name)
    }

    /// The resource version of the last object of a kind that arrived; none if none has.
    pub fn version(&self, kind: Kind) -> Option<&Rc<str>> {
        self.versions.get(&kind)
    }

    /// Takes a change in.
    pub fn apply(&mut self, event: &WatchEvent) {
        self.arrived += 1;
        if let WatchEvent::Put { new, .. } = event {
            self.versions.insert(new.kind(), Rc::clone(&new.metadata().resource_version));
        }
        let name = &event.object().metadata().namespace;
        let namespace = Rc::make_mut(self.namespaces.entry(Rc::clone(name)).or_default());
        match event {
            WatchEvent::Put { new, .. } => namespace.put(new),
            WatchEvent::Gone(object) => namespace.remove(object),
        }
    }
}
