//! What wakes a controller: the event handlers that several controllers have in common.

use super::cache::{Cache, Listed, WatchEvent};
use super::controller::key_of;
use crate::objects::{LabelSelector, Object, ObjectMeta, ObjectRef, Pod, Typed};
use std::rc::Rc;

/// What a controller does about a pod that nobody owns.
#[derive(Clone, Copy)]
pub(super) enum Orphans<T> {
    /// Every object that selects it is looked at.
    Adopted(fn(&T) -> &LabelSelector),
    /// Nothing.
    Ignored,
}

/// The object itself, if the change is one of its kind.
pub(super) fn own<T: Typed>(event: &WatchEvent) -> Option<ObjectRef> {
    T::of(event.object()).map(|object| key_of(&**object))
}

/// The object of this type that controls another, if the cache holds it under the same uid.
pub(super) fn controller_of<'a, T: Listed>(cache: &'a Cache, metadata: &ObjectMeta) -> Option<&'a Rc<T>> {
    let owner = metadata.controller_of().filter(|owner| &*owner.kind == T::KIND.as_str())?;
    let stored = T::list(cache.namespace(&metadata.namespace)?).get(&owner.name)?;
    (stored.metadata().uid == owner.uid).then_some(stored)
}

/// Its controller, or, for an orphan, every object that selects it.
pub(super) fn of_dependent<T: Listed>(cache: &Cache, metadata: &ObjectMeta, orphans: Orphans<T>) -> Vec<ObjectRef> {
    if metadata.controller_of().is_some() {
        return controller_of::<T>(cache, metadata).map(|set| key_of(&**set)).into_iter().collect();
    }
    let (Orphans::Adopted(selector), Some(namespace)) = (orphans, cache.namespace(&metadata.namespace)) else {
        return Vec::new();
    };
    let selects = |set: &&Rc<T>| selector(set).matches(&metadata.labels);
    T::list(namespace).iter().filter(selects).map(|set| key_of(&**set)).collect()
}

/// The objects that a change of a pod concerns: its controller, a controller it has just lost, and, for an orphan, every
/// object that selects it. Of a pod that is gone, its controller.
/// Models the event handlers of pkg/controller/statefulset/stateful_set.go, v1.20.
pub(super) fn of_pod<T: Listed>(cache: &Cache, event: &WatchEvent, orphans: Orphans<T>) -> Vec<ObjectRef> {
    match event {
        WatchEvent::Put { old, new: Object::Pod(pod) } => {
            let uid = |pod: &Pod| pod.metadata.controller_of().map(|owner| Rc::clone(&owner.uid));
            let lost = old.as_ref().and_then(Pod::of).filter(|old| uid(old) != uid(pod));
            let lost = lost.and_then(|old| controller_of::<T>(cache, &old.metadata)).map(|set| key_of(&**set));
            lost.into_iter().chain(of_dependent(cache, &pod.metadata, orphans)).collect()
        }
        WatchEvent::Gone(Object::Pod(pod)) => of_dependent(cache, &pod.metadata, Orphans::<T>::Ignored),
        _ => Vec::new(),
    }
}
