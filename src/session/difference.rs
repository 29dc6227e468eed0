//! Where two runs of one scenario first differ: in a decision, else in a pod, in a moment or in what is written.

use super::session::{Branch, Session};
use crate::objects::{Object, Pod};
use crate::reconcile::{Decision, Rule, Stage};
use crate::sim::{Log, Moment, START, SyncRecord};
use std::rc::Rc;

/// A retry or a second write of the status puts a sync off by less.
const APART_MS: u64 = 1_000;

/// What first differs.
#[derive(Clone, Debug, PartialEq)]
pub enum Parting {
    /// The decisions of a sync, but for whether the status was written.
    Decision([Option<Rc<SyncRecord>>; 2]),
    /// The labels or conditions of a pod.
    Pod([Rc<Pod>; 2]),
    /// When a sync ran that decides something new: both are there.
    Moment([Option<Rc<SyncRecord>>; 2]),
    /// What a sync wrote.
    Written([Rc<SyncRecord>; 2]),
}

impl Session {
    /// Where this run, as far as it is known, first differs from another branch, in milliseconds since the start. What is
    /// decided comes first, as it is what the rest follows from.
    #[inline(never)]
    pub fn parting_from(&self, other: &Branch) -> Option<(i64, Parting)> {
        let (own, other) = (self.latest().trace(), other.end()?.trace());
        if let Some(parting) = first_step(&own.syncs, &other.syncs) {
            let (Parting::Decision(syncs) | Parting::Moment(syncs)) = &parting else { return None };
            let at = syncs.iter().flatten().map(|sync| sync.at.0 - START.0).min()?;
            return Some((at, parting));
        }
        if let Some((at, pods)) = first_pod(&own.history, &other.history) {
            return Some((at, Parting::Pod(pods)));
        }
        let mut pairs = own.syncs.iter().zip(other.syncs.iter());
        let (own, other) = pairs.find(|(own, other)| own.writes != other.writes || own.status.1 != other.status.1)?;
        Some((own.at.0.min(other.at.0) - START.0, Parting::Written([Rc::clone(own), Rc::clone(other)])))
    }
}

/// The decisions that say what the controller does: the status is counted and written in other syncs by many releases.
pub fn weighty(sync: &SyncRecord) -> impl Iterator<Item = &Decision> {
    let is_status = |rule| matches!(rule, Rule::StatusWritten | Rule::StatusUnchanged);
    sync.decisions.iter().filter(move |decision| !is_status(decision.rule))
}

/// The decision that the sync ended at.
pub fn decisive(sync: &SyncRecord) -> Option<&Decision> {
    weighty(sync).filter(|decision| decision.rule.stage() < Stage::Status).last()
}

/// The first two syncs that decide differently, or a second apart. One that decides as the one before is left out.
fn first_step(own: &Log<Rc<SyncRecord>>, other: &Log<Rc<SyncRecord>>) -> Option<Parting> {
    let (mut own, mut other) = (steps(own), steps(other));
    loop {
        match (own.next(), other.next()) {
            (Some(own), Some(other)) if decide_alike(own, other) => {
                if own.at.0.abs_diff(other.at.0) >= APART_MS {
                    return Some(Parting::Moment([Some(Rc::clone(own)), Some(Rc::clone(other))]));
                }
            }
            (None, None) => return None,
            (own, other) => return Some(Parting::Decision([own.cloned(), other.cloned()])),
        }
    }
}

fn steps(syncs: &Log<Rc<SyncRecord>>) -> impl Iterator<Item = &Rc<SyncRecord>> {
    let mut last: Option<&Rc<SyncRecord>> = None;
    syncs.iter().filter(move |sync| last.replace(sync).is_none_or(|last| !decide_alike(last, sync)))
}

fn decide_alike(one: &SyncRecord, other: &SyncRecord) -> bool {
    one.set == other.set && weighty(one).eq(weighty(other))
}

/// The first states of a pod whose labels or conditions go by other names.
fn first_pod(own: &Log<Moment>, other: &Log<Moment>) -> Option<(i64, [Rc<Pod>; 2])> {
    fn pods(history: &Log<Moment>) -> impl Iterator<Item = (i64, &Rc<Pod>)> {
        history.iter().filter_map(|moment| match &moment.object {
            Object::Pod(pod) => Some((moment.at.0 - START.0, pod)),
            _ => None,
        })
    }
    let mut pairs = pods(own).zip(pods(other));
    let ((at, own), (_, other)) =
        pairs.find(|((_, own), (_, other))| own.metadata.name == other.metadata.name && names(own) != names(other))?;
    Some((at, [Rc::clone(own), Rc::clone(other)]))
}

/// The keys of the pod's labels and the types of its conditions.
pub fn names(pod: &Pod) -> Vec<&str> {
    let labels = pod.metadata.labels.iter().map(|(key, _)| &**key);
    labels.chain(pod.status.conditions.iter().map(|condition| &*condition.condition_type)).collect()
}
