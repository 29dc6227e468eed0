//! A remedy tried in a branch, in slices: whoever draws a page between them stays responsive.

use super::Remedy;
use crate::diagnosis::case::Case;
use crate::kubectl::Refusal;
use crate::objects::{Object, ObjectMeta, ObjectRef};
use crate::session::Session;
use crate::sim::TraceEvent;
use crate::verdict::{EVENTS, HORIZON_MS, Tally, pods};
use crate::view::{Explanation, explanation};
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

/// Where a trial ended.
#[derive(Clone, Debug, PartialEq)]
pub enum End {
    /// The workload was as it was asked to be, after so many milliseconds.
    Well(i64),
    /// It stood still again, or still.
    Stuck(Rc<Explanation>),
    /// The API server or kubectl refused a command.
    Refused(Refusal),
}

/// What a remedy led to.
#[derive(Clone, Debug)]
pub struct Tried {
    /// The remedy.
    pub remedy: Remedy,
    /// Where it ended.
    pub end: End,
    /// The most pods that were not ready at one moment.
    pub most_unavailable: i32,
    /// The names of pods that are other ones now.
    pub pods_recreated: Vec<Rc<str>>,
    /// The names of claims that are other ones now, or gone: their data is lost.
    pub claims_recreated: Vec<Rc<str>>,
    /// Whether two copies of a pod ran at once.
    pub two_copies: bool,
    /// The branch, at its end.
    pub branch: Session,
}

/// A remedy that is being tried.
pub struct Trial {
    remedy: Remedy,
    workload: ObjectRef,
    is_deleted: bool,
    start: Session,
    run: Session,
    refusal: Option<Refusal>,
    tally: Tally,
    most_unavailable: i32,
}

impl Trial {
    /// Begins a trial at the case's moment.
    pub fn new(case: &Case<'_>, remedy: Remedy) -> Self {
        let mut run = case.session.clone();
        let refusal = remedy.commands.iter().find_map(|command| run.command(command.clone()).err());
        let workload = case.object.reference();
        let is_deleted = case.object.metadata().deletion_timestamp.is_some();
        let (start, tally) = (case.session.clone(), Tally::default());
        Self { remedy, workload, is_deleted, start, run, refusal, tally, most_unavailable: 0 }
    }

    /// The remedy's name.
    pub fn name(&self) -> &'static str {
        self.remedy.name
    }

    fn is_well(&mut self) -> bool {
        let cluster = self.run.cluster();
        let Ok(object) = cluster.get(&self.workload) else { return self.is_deleted };
        let left = self.tally.shortfall(cluster, object);
        self.most_unavailable = self.most_unavailable.max(left.unavailable);
        !self.is_deleted && left.is_none()
    }

    /// Goes on for so many events, or parts of events that change much; the result once it has ended.
    pub fn advance(&mut self, events: u64) -> Option<Tried> {
        if let Some(refusal) = self.refusal.clone() {
            return Some(self.ended(End::Refused(refusal)));
        }
        let began = self.start.cluster().now().0;
        for _ in 0..events {
            if self.is_well() {
                return Some(self.ended(End::Well(self.run.cluster().now().0 - began)));
            }
            let due = self.run.cluster().next_event_at().is_some_and(|at| at.0 <= began + HORIZON_MS);
            if !due || self.run.position().0 > self.start.position().0 + EVENTS {
                let explanation = explanation(&self.run, &self.workload);
                return Some(self.ended(End::Stuck(explanation)));
            }
            self.run.step_in_parts(|| false);
        }
        None
    }

    /// Tries it to its end.
    pub fn to_the_end(mut self) -> Tried {
        loop {
            if let Some(tried) = self.advance(1_000) {
                return tried;
            }
        }
    }

    fn ended(&self, end: End) -> Tried {
        let (before, after) = (self.start.cluster(), self.run.cluster());
        let workload = before.get(&self.workload).ok();
        let uid = |metadata: &ObjectMeta| (Rc::clone(&metadata.name), Rc::clone(&metadata.uid));
        let of_pods = |cluster, object: &Object| -> BTreeMap<_, _> {
            pods(cluster, object).iter().map(|pod| uid(&pod.metadata)).collect()
        };
        let old = workload.map(|object| of_pods(before, object)).unwrap_or_default();
        let new = after.get(&self.workload).ok().map(|object| of_pods(after, object)).unwrap_or_default();
        let is_other = |(name, uid): &(&Rc<str>, &Rc<str>)| new.get(*name).is_some_and(|new| new != *uid);
        let claims: BTreeSet<_> = after.claims().map(|claim| uid(&claim.metadata)).collect();
        let copies = after.trace().happenings.since(before.trace().happenings.len());
        Tried {
            remedy: self.remedy.clone(),
            end,
            most_unavailable: self.most_unavailable,
            pods_recreated: old.iter().filter(is_other).map(|(name, _)| Rc::clone(name)).collect(),
            claims_recreated: before
                .claims()
                .filter(|claim| claim.metadata.namespace == self.workload.namespace)
                .map(|claim| uid(&claim.metadata))
                .filter(|claim| !claims.contains(claim))
                .map(|(name, _)| name)
                .collect(),
            two_copies: copies.into_iter().any(|(_, event)| matches!(event, TraceEvent::SecondStarted { .. })),
            branch: self.run.clone(),
        }
    }
}

impl Tried {
    /// Orders results: what helps first; of these what risks least, then what is fastest.
    pub fn rank(&self) -> (bool, bool, usize, bool, i64, usize) {
        let after = if let End::Well(after) = self.end { after } else { i64::MAX };
        let is_help = matches!(self.end, End::Well(_));
        (
            !is_help,
            self.two_copies,
            self.claims_recreated.len(),
            !self.remedy.risk.is_empty(),
            after,
            self.pods_recreated.len(),
        )
    }
}
