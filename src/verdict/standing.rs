//! Where a workload's controller stands: the decision that its last sync ended at.

use super::sync_records::telling;
use crate::objects::{Kind, Object, ObjectRef};
use crate::reconcile::{Decision, Subject};
use crate::session::Session;
use crate::sim::{Cluster, SyncRecord};
use std::rc::Rc;

/// Where a controller stands with one workload.
#[derive(Clone, Debug, Default)]
pub struct Standing {
    /// The last sync that tells, if there was one.
    pub sync: Option<Rc<SyncRecord>>,
    /// The decision that says where it stands.
    pub decision: Option<Decision>,
    /// The pod that the decision is about.
    pub pod: Option<Rc<str>>,
}

/// The run at rest, or as it was before where that has let the workload go at once.
pub(crate) fn run_with<'a>(rest: &'a Session, before: &'a Session, workload: &ObjectRef) -> &'a Session {
    if rest.cluster().get(workload).is_ok() { rest } else { before }
}

/// The last of the weightiest decisions.
pub(crate) fn deciding(decisions: &[Decision]) -> Option<&Decision> {
    decisions.iter().max_by_key(|decision| decision.rule.weight())
}

impl Standing {
    /// Of the object's controller.
    pub(crate) fn of(cluster: &Cluster, object: &Object) -> Self {
        Self::in_sync(telling(cluster, object).cloned(), object)
    }

    /// The same where the last sync is about a pod that a run has made meanwhile: of its first sync after so many.
    fn before_it_was_made(self, cluster: &Cluster, found: &Cluster, object: &Object) -> Self {
        let namespace = &object.metadata().namespace;
        let pod =
            |name: &Rc<str>| ObjectRef { kind: Kind::Pod, namespace: Rc::clone(namespace), name: Rc::clone(name) };
        let is_there = |name: &Rc<str>| found.get(&pod(name)).is_ok();
        if self.pod.as_ref().is_none_or(is_there) {
            return self;
        }
        let key = object.reference();
        let mut since = cluster.trace().syncs.since(found.trace().syncs.len());
        let first = since.find(|sync| sync.is_found() && sync.subject == key).cloned();
        if first.is_some() { Self::in_sync(first, object) } else { self }
    }

    fn in_sync(sync: Option<Rc<SyncRecord>>, object: &Object) -> Self {
        let decision = sync.as_ref().and_then(|sync| deciding(&sync.decisions)).cloned();
        let pod = decision.as_ref().and_then(|decision| match &decision.subject {
            Subject::Pod(name) => Some(Rc::clone(name)),
            Subject::Ordinal(ordinal) => Some(format!("{}-{ordinal}", object.metadata().name).into()),
            Subject::Object | Subject::ReplicaSet(_) => None,
        });
        Self { sync, decision, pod }
    }
}

/// Where the controller of a workload stands, of which a run has gone on since it was found: nobody is told of a pod that was not there.
pub(super) fn standing_as_found(session: &Session, found: &Session, workload: &ObjectRef) -> Standing {
    let (cluster, found) = (session.cluster(), found.cluster());
    let of = |object| Standing::of(cluster, object).before_it_was_made(cluster, found, object);
    cluster.get(workload).map_or_else(|_| Standing::default(), of)
}

/// Where the controller of a workload stands; nowhere if it is not there.
pub fn standing(session: &Session, workload: &ObjectRef) -> Standing {
    let cluster = session.cluster();
    cluster.get(workload).map_or_else(|_| Standing::default(), |object| Standing::of(cluster, object))
}
