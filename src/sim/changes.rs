//! What became of the objects since another moment, found without looking at those that are the same.

use super::map::Map;
use super::store::Store;
use crate::objects::{Object, ObjectRef};
use imbl::ordmap::DiffItem;

/// All objects as the API server held them at a moment. Keeping it is cheap.
#[derive(Clone, Default)]
pub(crate) struct ObjectsThen(Map<ObjectRef, Object>);

/// An object that is not as it was.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ObjectChange<'a> {
    /// As it was; none if it was not there.
    pub old: Option<&'a Object>,
    /// As it is; none if it is gone.
    pub new: Option<&'a Object>,
}

impl ObjectsThen {
    /// As they are now.
    pub(super) fn of(store: &Store) -> Self {
        Self(store.objects().clone())
    }

    /// Those that differ in another store of the same or of another branch, earlier or later.
    pub(super) fn changes<'a>(&'a self, store: &'a Store) -> impl Iterator<Item = ObjectChange<'a>> {
        self.0.diff(store.objects()).map(|item| match item {
            DiffItem::Add(_, new) => ObjectChange { old: None, new: Some(new) },
            DiffItem::Update { old: (_, old), new: (_, new) } => ObjectChange { old: Some(old), new: Some(new) },
            DiffItem::Remove(_, old) => ObjectChange { old: Some(old), new: None },
        })
    }
}
