//! Where a workload's controller stands, for who needs the decision beside the words.

use super::build::in_context;
use super::kinds::{RuleText, Weight, deciding};
use super::sync_records::telling;
use super::{Explanation, build, explain};
use crate::objects::ObjectRef;
use crate::reconcile::{Decision, Subject};
use crate::session::Session;
use crate::sim::{Cluster, SyncRecord};
use std::rc::Rc;

/// Where a controller stands with one workload.
#[derive(Clone, Debug)]
pub struct Standing {
    /// In words.
    pub explanation: Rc<Explanation>,
    /// The last sync that tells, if there was one.
    pub sync: Option<Rc<SyncRecord>>,
    /// The decision that says where it stands.
    pub decision: Option<Decision>,
    /// The pod that the decision is about.
    pub pod: Option<Rc<str>>,
    /// The line that this decision leaves in the controller manager's log, where the release logs one.
    pub log: Option<String>,
}

/// Where the controller of a workload stands.
pub fn standing(session: &Session, workload: &ObjectRef) -> Standing {
    let cluster = session.cluster();
    // The rest of the view is left out where it is large.
    let explanation = match in_context(session, Some(workload)) {
        Some(context) => Rc::new(explain::explain(&context)),
        None => build(session, Some(workload)).explanation,
    };
    let sync = cluster.get(workload).ok().and_then(|object| telling(cluster, object)).cloned();
    let decision = sync.as_ref().and_then(|sync| deciding(&sync.decisions)).cloned();
    let pod = decision.as_ref().and_then(|decision| match &decision.subject {
        Subject::Pod(name) => Some(Rc::clone(name)),
        Subject::Ordinal(ordinal) => Some(format!("{}-{ordinal}", workload.name).into()),
        Subject::Object | Subject::ReplicaSet(_) => None,
    });
    let log = sync.as_ref().zip(decision.as_ref()).and_then(|(sync, decision)| line_of(cluster, sync, decision));
    Standing { explanation, sync, decision, pod, log }
}

/// What the deciding call itself logs: other lines of the sync say nothing of where it stands. An error ends what a call logs.
fn line_of(cluster: &Cluster, sync: &SyncRecord, decision: &Decision) -> Option<String> {
    let says_where = decision.rule.weight() > Weight::Passed;
    decision.rule.log(cluster, sync, decision).lines.pop().filter(|_| says_where)
}
