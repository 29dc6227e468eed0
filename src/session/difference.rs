//! Where two runs of one scenario first differ: in a decision, else in a pod, in a moment or in what is written.

use super::session::{Branch, Logged, Session};
use crate::objects::{Object, Pod, StatefulSetStatus};
use crate::reconcile::{Decision, Rule, Stage, stateful_set};
use crate::sim::{Cluster, Log, ObjectVersion, START, SyncRecord};
use std::rc::Rc;

/// A retry, a second write of the status or the scheduler's next try for a new claim puts a sync off by less.
const APART_MS: u64 = 1_500;

/// What first differs.
#[derive(Clone, Debug, PartialEq)]
pub enum Divergence {
    /// The decisions of a sync, but for whether the status was written.
    Decision([Option<Rc<SyncRecord>>; 2]),
    /// The labels or conditions of a pod.
    Pod([Rc<Pod>; 2]),
    /// When a sync ran that decides something new: both are there.
    Time([Option<Rc<SyncRecord>>; 2]),
    /// What a sync wrote.
    Written([Rc<SyncRecord>; 2]),
}

impl Session {
    /// Where this run first differs from another branch, in milliseconds since the start. What is decided comes first, as it
    /// is what the rest follows from. Runs of different releases or feature gates are compared as far as both are known and
    /// were given the same commands, other branches as far as either is known: they differ by their commands.
    pub fn divergence_from(&self, other: &Branch) -> Option<(i64, Divergence)> {
        let until = self.compared_until(other)?;
        let (own, other) = (self.latest().trace(), other.end()?.trace());
        if let Some(parting) = first_step(&own.syncs, &other.syncs, until) {
            let (Divergence::Decision(syncs) | Divergence::Time(syncs)) = &parting else { return None };
            let at = syncs.iter().flatten().map(|sync| sync.at.0 - START.0).min()?;
            return Some((at, parting));
        }
        if let Some((at, pods)) = first_pod(&own.history, &other.history, until) {
            return Some((at, Divergence::Pod(pods)));
        }
        let mut pairs = known(&own.syncs, until).zip(known(&other.syncs, until));
        let (own, other) =
            pairs.find(|(own, other)| own.writes != other.writes || status_after(own) != status_after(other))?;
        Some((own.at.0.min(other.at.0) - START.0, Divergence::Written([Rc::clone(own), Rc::clone(other)])))
    }

    /// Of runs that differ in their release, the last moment that both know and before which this one was given nothing that
    /// the other was not. A command that only the other has was refused here, which is a difference.
    fn compared_until(&self, other: &Branch) -> Option<i64> {
        let (own, beside) = (self.scenario(), &other.scenario);
        if (own.release, &own.gates) == (beside.release, &beside.gates) {
            return Some(i64::MAX);
        }
        let known = |run: &Cluster| if run.next_event_at().is_some() { run.now().0 } else { i64::MAX };
        let ends = [known(self.latest()), known(other.end()?)];
        let given = &other.scenario.commands;
        let is_new = |own: &&Logged| !given.iter().any(|one| one.at == own.at && one.command == own.command);
        let new = self.scenario().commands.iter().find(is_new).map(|own| START.0 + own.at);
        ends.into_iter().chain(new).min()
    }
}

fn known(syncs: &Log<Rc<SyncRecord>>, until: i64) -> impl Iterator<Item = &Rc<SyncRecord>> {
    syncs.iter().take_while(move |sync| sync.at.0 <= until)
}

fn status_after(sync: &SyncRecord) -> Option<&StatefulSetStatus> {
    sync.stateful_set_status().map(|[_, after]| after)
}

/// The decisions that say what the controller does: the status is counted and written in other syncs by many releases.
pub fn relevant(sync: &SyncRecord) -> impl Iterator<Item = &Decision> {
    let is_status =
        |rule: Rule| rule == stateful_set::Rule::StatusWritten || rule == stateful_set::Rule::StatusUnchanged;
    sync.decisions.iter().filter(move |decision| !is_status(decision.rule))
}

/// The decision that the sync ended at.
pub fn outcome(sync: &SyncRecord) -> Option<&Decision> {
    relevant(sync).filter(|decision| decision.rule.stage() < Stage::Status).last()
}

/// The first two syncs that decide differently, or a second apart. One that decides as the one before is left out.
fn first_step(own: &Log<Rc<SyncRecord>>, other: &Log<Rc<SyncRecord>>, until: i64) -> Option<Divergence> {
    let (mut own, mut other) = (steps(own, until), steps(other, until));
    loop {
        match (own.next(), other.next()) {
            (Some(own), Some(other)) if decide_alike(own, other) => {
                if own.at.0.abs_diff(other.at.0) >= APART_MS {
                    return Some(Divergence::Time([Some(Rc::clone(own)), Some(Rc::clone(other))]));
                }
            }
            (None, None) => return None,
            (own, other) => return Some(Divergence::Decision([own.cloned(), other.cloned()])),
        }
    }
}

fn steps(syncs: &Log<Rc<SyncRecord>>, until: i64) -> impl Iterator<Item = &Rc<SyncRecord>> {
    let mut last: Option<&Rc<SyncRecord>> = None;
    known(syncs, until).filter(move |sync| last.replace(sync).is_none_or(|last| !decide_alike(last, sync)))
}

fn decide_alike(one: &SyncRecord, other: &SyncRecord) -> bool {
    one.subject == other.subject && relevant(one).eq(relevant(other))
}

/// The first states of a pod whose labels or conditions go by other names.
fn first_pod(own: &Log<ObjectVersion>, other: &Log<ObjectVersion>, until: i64) -> Option<(i64, [Rc<Pod>; 2])> {
    fn pods(history: &Log<ObjectVersion>, until: i64) -> impl Iterator<Item = (i64, &Rc<Pod>)> {
        let known = history.iter().take_while(move |moment| moment.at.0 <= until);
        known.filter_map(|moment| match &moment.object {
            Object::Pod(pod) => Some((moment.at.0 - START.0, pod)),
            _ => None,
        })
    }
    let mut pairs = pods(own, until).zip(pods(other, until));
    let ((at, own), (_, other)) =
        pairs.find(|((_, own), (_, other))| own.metadata.name == other.metadata.name && names(own) != names(other))?;
    Some((at, [Rc::clone(own), Rc::clone(other)]))
}

/// The keys of the pod's labels and the types of its conditions.
pub fn names(pod: &Pod) -> Vec<&str> {
    let labels = pod.metadata.labels.iter().map(|(key, _)| &**key);
    labels.chain(pod.status.conditions.iter().map(|condition| &*condition.condition_type)).collect()
}
