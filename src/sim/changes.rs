//! What became of the objects since another moment, found without looking at those that are the same.

use super::cluster::Cluster;
use super::map::Map;
use crate::objects::{Object, ObjectRef};
use imbl::ordmap::DiffItem;

/// All objects as the API server held them at a moment. Keeping it is cheap.
#[derive(Clone, Default)]
pub struct ObjectsThen(Map<ObjectRef, Object>);

/// An object that is not as it was.
#[derive(Clone, Copy, Debug)]
pub struct ObjectChange<'a> {
    /// As it was; none if it was not there.
    pub old: Option<&'a Object>,
    /// As it is; none if it is gone.
    pub new: Option<&'a Object>,
}

impl Cluster {
    /// All objects as they are now.
    pub fn objects_now(&self) -> ObjectsThen {
        ObjectsThen(self.store.objects().clone())
    }

    /// The objects that differ from those of another moment, earlier or later, of this branch or another.
    pub fn changed_since<'a>(&'a self, then: &'a ObjectsThen) -> impl Iterator<Item = ObjectChange<'a>> {
        then.0.diff(self.store.objects()).map(|item| match item {
            DiffItem::Add(_, new) => ObjectChange { old: None, new: Some(new) },
            DiffItem::Update { old: (_, old), new: (_, new) } => ObjectChange { old: Some(old), new: Some(new) },
            DiffItem::Remove(_, old) => ObjectChange { old: Some(old), new: None },
        })
    }
}
