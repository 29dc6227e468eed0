//! The containers a machine has, by pod.

use super::life::Containers;
use super::map::Map;
use crate::objects::ObjectRef;
use std::rc::Rc;

/// Containers by the uid of their pod. Cloning it is cheap.
#[derive(Clone, Debug, Default)]
pub(super) struct Held {
    of_uid: Map<Rc<str>, Rc<Containers>>,
}

impl Held {
    pub(super) fn get(&self, uid: &str) -> Option<&Containers> {
        self.of_uid.get(uid).map(|containers| &**containers)
    }

    pub(super) fn get_mut(&mut self, uid: &str) -> Option<&mut Containers> {
        self.of_uid.get_mut(uid).map(Rc::make_mut)
    }

    pub(super) fn insert(&mut self, containers: Containers) {
        let uid = Rc::clone(&containers.pod.metadata.uid);
        self.of_uid.insert(uid, Rc::new(containers));
    }

    pub(super) fn remove(&mut self, uid: &str) -> Option<Containers> {
        let containers = self.of_uid.remove(uid)?;
        Some(Rc::unwrap_or_clone(containers))
    }

    /// By uid.
    pub(super) fn iter(&self) -> impl Iterator<Item = &Containers> {
        self.of_uid.values().map(|containers| &**containers)
    }

    /// Those of every pod of a name, which may be several, by uid.
    pub(super) fn named(&self, name: ObjectRef) -> impl Iterator<Item = &Containers> {
        self.iter().filter(move |containers| {
            let metadata = &containers.pod.metadata;
            (&metadata.name, &metadata.namespace) == (&name.name, &name.namespace)
        })
    }

    /// Changes each of them.
    pub(super) fn change_all(&mut self, change: impl Fn(&mut Containers)) {
        let uids: Vec<Rc<str>> = self.of_uid.keys().cloned().collect();
        for uid in uids {
            self.get_mut(&uid).into_iter().for_each(&change);
        }
    }

    /// Keeps those of which this is true.
    pub(super) fn retain(&mut self, keep: impl Fn(&Containers) -> bool) {
        let gone: Vec<Rc<str>> =
            self.iter().filter(|containers| !keep(containers)).map(|it| Rc::clone(&it.pod.metadata.uid)).collect();
        for uid in &gone {
            self.remove(uid);
        }
    }
}
