//! Where a workload's controller stands: the decision that its last sync ended at.

use super::sync_records::telling;
use crate::objects::{Object, ObjectRef};
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

/// The last of the weightiest decisions.
pub fn deciding(decisions: &[Decision]) -> Option<&Decision> {
    decisions.iter().max_by_key(|decision| decision.rule.weight())
}

impl Standing {
    /// Of the object's controller.
    pub fn of(cluster: &Cluster, object: &Object) -> Self {
        let sync = telling(cluster, object).cloned();
        let decision = sync.as_ref().and_then(|sync| deciding(&sync.decisions)).cloned();
        let pod = decision.as_ref().and_then(|decision| match &decision.subject {
            Subject::Pod(name) => Some(Rc::clone(name)),
            Subject::Ordinal(ordinal) => Some(format!("{}-{ordinal}", object.metadata().name).into()),
            Subject::Object | Subject::ReplicaSet(_) => None,
        });
        Self { sync, decision, pod }
    }
}

/// Where the controller of a workload stands; nowhere if it is not there.
pub fn standing(session: &Session, workload: &ObjectRef) -> Standing {
    let cluster = session.cluster();
    cluster.get(workload).map_or_else(|_| Standing::default(), |object| Standing::of(cluster, object))
}
