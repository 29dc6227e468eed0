//! Claims that go, and whether their data goes with them: the reclaim policy of the volume decides.

use crate::objects::{Kind, Object, ObjectMeta, ObjectRef, PersistentVolumeClaim};
use crate::sim::Cluster;
use std::rc::Rc;

/// Claims that go, by name.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LostClaims {
    /// Those whose volumes go too.
    pub with_data: Vec<Rc<str>>,
    /// Those whose volumes stay, Released and with their data.
    pub retained: Vec<Rc<str>>,
    /// Those of whose volumes nothing is known.
    pub not_known: Vec<Rc<str>>,
}

impl LostClaims {
    /// Claims of a cluster that are not in a later one any more, or that somebody asked to go meanwhile. One that was being deleted before
    /// and still is has nothing new to tell.
    pub fn between<'a>(
        before: &Cluster,
        after: &Cluster,
        claims: impl IntoIterator<Item = &'a Rc<PersistentVolumeClaim>>,
    ) -> Self {
        let is_kept = |claim: &PersistentVolumeClaim| {
            let ObjectMeta { namespace, name, uid, .. } = &claim.metadata;
            let kind = Kind::PersistentVolumeClaim;
            let key = ObjectRef { kind, namespace: Rc::clone(namespace), name: Rc::clone(name) };
            let there = after.get(&key).map(Object::metadata);
            let was_asked = claim.metadata.deletion_timestamp.is_some();
            there.is_ok_and(|other| other.uid == *uid && (was_asked || other.deletion_timestamp.is_none()))
        };
        let mut lost = Self::default();
        for claim in claims.into_iter().filter(|claim| !is_kept(claim)) {
            let of = match before.loses_data(claim) {
                Some(true) => &mut lost.with_data,
                Some(false) => &mut lost.retained,
                None => &mut lost.not_known,
            };
            of.push(Rc::clone(&claim.metadata.name));
        }
        lost
    }

    /// All of them, by name.
    pub fn all(&self) -> Vec<Rc<str>> {
        let mut all: Vec<Rc<str>> =
            self.with_data.iter().chain(&self.retained).chain(&self.not_known).cloned().collect();
        all.sort();
        all
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        [&self.with_data, &self.retained, &self.not_known].into_iter().all(Vec::is_empty)
    }
}
