//! Which syncs are about a workload.

use crate::objects::Object;
use crate::sim::{Cluster, START, SyncRecord};
use std::rc::Rc;

/// The workload's syncs, newest first; a Deployment's with those of its ReplicaSets. Those of one of its name that it was made in
/// the place of are none of its own.
pub fn syncs<'a>(cluster: &'a Cluster, object: &Object) -> impl Iterator<Item = &'a Rc<SyncRecord>> + use<'a> {
    let made = object.metadata().creation_timestamp;
    let is_own = move |at| made.is_none_or(|made| made <= START || at > made);
    let mut own = vec![object.reference()];
    own.extend(cluster.replica_sets_of(object).iter().map(|set| Object::ReplicaSet(Rc::clone(set)).reference()));
    let syncs = cluster.trace().syncs.iter().rev();
    syncs.filter(move |sync| sync.is_found() && own.contains(&sync.subject) && is_own(sync.at))
}

/// The last sync of the workload itself.
fn last<'a>(cluster: &'a Cluster, object: &Object) -> Option<&'a Rc<SyncRecord>> {
    let key = object.reference();
    syncs(cluster, object).find(|sync| sync.subject == key)
}

/// The sync that says where the controllers stand: one of a ReplicaSet that fails goes before the Deployment's own.
pub(crate) fn telling<'a>(cluster: &'a Cluster, object: &Object) -> Option<&'a Rc<SyncRecord>> {
    for set in cluster.replica_sets_of(object) {
        let key = Object::ReplicaSet(Rc::clone(set)).reference();
        let own = syncs(cluster, object).find(|sync| sync.subject == key).filter(|sync| sync.error.is_some());
        if own.is_some() {
            return own;
        }
    }
    last(cluster, object)
}
