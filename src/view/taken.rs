//! A decision that was taken in a stretch of a run, told.

use super::Step;
use super::kinds::RuleText;
use super::why::step_of;
use crate::objects::ObjectRef;
use crate::reconcile::{Decision, Subject, parent_and_ordinal};
use crate::session::Session;
use crate::sim::{START, SyncRecord};
use std::rc::Rc;

/// The first decision by the rule of this name, about this pod if one is named, that was taken from a moment to another one,
/// in milliseconds since the start; or that stood at the first of them, since no sync of its subject came later.
pub fn taken(session: &Session, rule: &str, pod: Option<&str>, from: i64, to: i64) -> Option<Step> {
    let cluster = session.cluster();
    let is_about = |sync: &SyncRecord, decision: &Decision| match (pod, &decision.subject) {
        (None, _) => true,
        (Some(pod), Subject::Ordinal(ordinal)) => parent_and_ordinal(pod) == Some((&*sync.subject.name, *ordinal)),
        (Some(pod), Subject::Pod(name)) => **name == *pod,
        (Some(_), Subject::Object | Subject::ReplicaSet(_)) => false,
    };
    let decided = |sync: &Rc<SyncRecord>| {
        let mut decisions = sync.decisions.iter();
        let decision = decisions.find(|decision| decision.rule.name() == rule && is_about(sync, decision))?;
        let log = decision.rule.log(cluster, sync, decision);
        Some(Step { decides: true, log, ..step_of(sync, decision, cluster.release()) })
    };
    let at = |sync: &Rc<SyncRecord>| sync.at.0 - START.0;
    let syncs = || cluster.trace().syncs.iter();
    let standing = || {
        let mut passed: Vec<&ObjectRef> = Vec::new();
        syncs().rev().filter(|sync| at(sync) < from).find_map(|sync| {
            let is_last = !passed.contains(&&sync.subject);
            passed.push(&sync.subject);
            is_last.then(|| decided(sync)).flatten()
        })
    };
    syncs().filter(|sync| (from..=to).contains(&at(sync))).find_map(decided).or_else(standing)
}
