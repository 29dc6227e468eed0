//! What the controllers' informers keep: the API store as it was a moment ago, typed by kind, so that a sync can read it
//! without copying.

use crate::objects::{self, Kind, Node, Object, ObjectRef, Typed, objects};
use std::borrow::Cow;
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
    pub(crate) fn object(&self) -> &Object {
        let (Self::Put { new: object, .. } | Self::Gone(object)) = self;
        object
    }
}

/// Objects of one kind in one namespace, by name.
#[derive(Clone, Debug)]
pub struct List<T> {
    objects: Vec<Rc<T>>,
    /// The same by the uid of each owner, and those that nobody controls under none.
    by_owner: BTreeMap<Rc<str>, Rc<Vec<Rc<T>>>>,
}

impl<T> List<T> {
    /// An empty list.
    pub(crate) const fn new() -> Self {
        Self { objects: Vec::new(), by_owner: BTreeMap::new() }
    }
}

impl<T: Typed> List<T> {
    /// The object of this name.
    pub fn get(&self, name: &str) -> Option<&Rc<T>> {
        place(&self.objects, name).ok().map(|place| &self.objects[place])
    }

    /// Whether any has an owner.
    pub(crate) fn has_owned(&self) -> bool {
        self.by_owner.keys().any(|uid| !uid.is_empty())
    }

    /// What the object of this uid owns, and what nobody controls: nothing else can be claimed for it. Models FilterPodsByOwner of
    /// pkg/controller/controller_utils.go.
    pub(crate) fn claimable(&self, uid: &str) -> Cow<'_, [Rc<T>]> {
        let of = |uid| self.by_owner.get(uid).map_or(&[][..], |own| own);
        let (own, orphans) = (of(uid), of(""));
        if orphans.is_empty() {
            return Cow::Borrowed(own);
        }
        let mut both = [own, orphans].concat();
        both.sort_by(|one, other| one.metadata().name.cmp(&other.metadata().name));
        // What has an owner that is no controller is in both.
        both.dedup_by(|one, other| Rc::ptr_eq(one, other));
        Cow::Owned(both)
    }

    /// How many these are; what has an owner that is no controller counts twice.
    pub(crate) fn claimable_count(&self, uid: &str) -> usize {
        [uid, ""].iter().filter_map(|uid| self.by_owner.get(*uid)).map(|own| own.len()).sum()
    }

    fn put(&mut self, object: &Rc<T>) {
        if let Some(old) = put(&mut self.objects, object).filter(|old| !owners(old).eq(owners(object))) {
            self.disown(&old);
        }
        for uid in owners(object) {
            put(Rc::make_mut(self.by_owner.entry(uid).or_default()), object);
        }
    }

    fn remove(&mut self, name: &str) {
        if let Ok(place) = place(&self.objects, name) {
            let old = self.objects.remove(place);
            self.disown(&old);
        }
    }

    fn disown(&mut self, object: &Rc<T>) {
        for uid in owners(object) {
            let Some(own) = self.by_owner.get_mut(&uid).map(Rc::make_mut) else { continue };
            own.retain(|one| one.metadata().name != object.metadata().name);
            if own.is_empty() {
                self.by_owner.remove(&uid);
            }
        }
    }
}

fn place<T: Typed>(objects: &[Rc<T>], name: &str) -> Result<usize, usize> {
    objects.binary_search_by(|stored| (*stored.metadata().name).cmp(name))
}

/// Puts an object to its place, and gives the one that had it.
fn put<T: Typed>(objects: &mut Vec<Rc<T>>, object: &Rc<T>) -> Option<Rc<T>> {
    match place(objects, &object.metadata().name) {
        Ok(place) => Some(std::mem::replace(&mut objects[place], Rc::clone(object))),
        Err(place) => {
            objects.insert(place, Rc::clone(object));
            None
        }
    }
}

/// The uids under which an object is found.
fn owners<T: Typed>(object: &Rc<T>) -> impl Iterator<Item = Rc<str>> {
    let metadata = object.metadata();
    let orphan = metadata.controller_of().is_none().then(Rc::default);
    metadata.owner_references.iter().map(|owner| Rc::clone(&owner.uid)).chain(orphan)
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

macro_rules! namespace {
    ($($Type:ident as $Variant:ident: $list:ident $(, $module:ident)?;)*) => {
        /// What is cached of one namespace. Nodes are in the namespace without a name.
        #[derive(Clone, Debug, Default)]
        pub struct Namespace {
            $(#[doc = concat!("Each ", stringify!($Type), ".")] pub $list: List<objects::$Type>,)*
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
            pub(crate) fn get(&self, kind: Kind, name: &str) -> Option<Object> {
                match kind {
                    $(Kind::$Type => self.$list.get(name).cloned().map(Object::$Variant),)*
                }
            }
        }

        $(impl Listed for objects::$Type {
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

objects!(namespace);

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
    pub(crate) fn namespaces(&self) -> impl Iterator<Item = &Namespace> {
        self.namespaces.values().map(|namespace| &**namespace)
    }

    /// The nodes, by name.
    pub(crate) fn nodes(&self) -> &[Rc<Node>] {
        self.namespace("").map_or(&[], |namespace| &namespace.nodes)
    }

    /// The object, if it holds it.
    pub(crate) fn get(&self, key: &ObjectRef) -> Option<Object> {
        self.namespace(&key.namespace)?.get(key.kind, &key.name)
    }

    /// The object as its type, if it holds it.
    pub(crate) fn typed<T: Listed>(&self, key: &ObjectRef) -> Option<&Rc<T>> {
        T::list(self.namespace(&key.namespace)?).get(&key.name)
    }

    /// The resource version of the last object of a kind that arrived; none if none has.
    pub(crate) fn version(&self, kind: Kind) -> Option<&Rc<str>> {
        self.versions.get(&kind)
    }

    /// Takes a change in.
    pub(crate) fn apply(&mut self, event: &WatchEvent) {
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
