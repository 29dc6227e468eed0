//! What is said of every workload of a run at one moment.

use super::case::{Case, Told};
use super::conditions::{Condition, Finding, findings};
use super::health::{Health, Outlook};
use super::next;
use super::remedies::{Trial, remedies};
use super::shortfall::{Shortfall, shortfall};
use super::unsettled::unsettled;
use crate::objects::{Kind, Object, ObjectRef};
use crate::order::Order;
use crate::session::Session;
use crate::session::dump::Event;
use crate::text::Text;
use crate::view::{Explanation, Standing, standing};
use std::rc::Rc;
use std::vec::IntoIter;

/// Virtual milliseconds in which every controller syncs each of its objects once.
const FIRST_SYNCS_MS: i64 = 100;

/// Where a sync stops.
#[derive(Clone, Debug, PartialEq)]
pub struct Stop {
    /// The pod, if the check is about one.
    pub pod: Option<Rc<str>>,
    /// The check, in one sentence.
    pub check: &'static str,
    /// The upstream function that makes it.
    pub function: &'static str,
    /// The file of that function.
    pub file: &'static str,
    /// The line to look for in the controller manager's log, where it logs any.
    pub log: Option<String>,
}

/// One workload.
#[derive(Clone, Debug)]
pub struct Diagnosis {
    /// Which one.
    pub workload: ObjectRef,
    /// What becomes of it if nobody does anything.
    pub health: Health,
    /// How far it is from what it was asked to be.
    pub shortfall: Shortfall,
    /// Where its controller stands, in words.
    pub explanation: Rc<Explanation>,
    /// Where the sync stops; none if it went to its end.
    pub stop: Option<Stop>,
    /// What the controller would do next if that cleared; empty if nothing, or if nothing stops it.
    pub next: Text,
    /// What it will never do by itself.
    pub never: Vec<Text>,
    /// What the controller would do first after a change of the template; empty unless nothing is wrong.
    pub on_edit: Text,
    /// Conditions that hold, the gravest first.
    pub findings: Vec<Finding>,
    /// What would tell more than the text does.
    pub unsettled: Vec<Text>,
}

impl Diagnosis {
    /// The fields that its findings rest on.
    pub fn fields(&self) -> impl Iterator<Item = (&ObjectRef, &str)> {
        let all = self.findings.iter().flat_map(|finding| &finding.evidence);
        all.map(|evidence| (&evidence.object, &*evidence.path))
    }
}

fn stop(session: &Session, standing: &Standing) -> Option<Stop> {
    let decision = standing.decision.as_ref()?;
    let source = decision.rule.source(session.release());
    Some(Stop {
        pod: standing.pod.clone(),
        check: decision.rule.says(),
        function: source.function,
        file: source.file,
        log: standing.log.clone(),
    })
}

/// The run once every controller has synced each of its objects.
pub fn at_rest(session: &Session) -> Session {
    let mut session = session.clone();
    session.advance(FIRST_SYNCS_MS);
    session
}

/// What can be done about a workload, each to be tried from the run's moment; nothing if it is not there.
pub fn ways_out(session: &Session, workload: &ObjectRef, events: &[Event]) -> Vec<Trial> {
    let Ok(object) = session.cluster().get(workload) else { return Vec::new() };
    let standing = standing(session, workload);
    let case = Case::new(session, object, &standing, events);
    remedies(&case).into_iter().map(|remedy| Trial::new(&case, remedy)).collect()
}

/// Every workload of a run at its moment, those that are stuck first; a Deployment's ReplicaSets are told with it. Controllers
/// that have not synced yet, as at the start of a run, do so first. `conditions` are those that are looked for.
pub fn diagnose<'a>(session: &Session, told: impl Into<Told<'a>>, conditions: &'static [Condition]) -> Vec<Diagnosis> {
    let told = told.into();
    let mut diagnosing = Diagnosing::new(session.clone(), conditions);
    while diagnosing.advance(told) {}
    diagnosing.finish().0
}

/// A diagnosis on its way, one workload after the other.
pub struct Diagnosing {
    before: Session,
    session: Session,
    conditions: &'static [Condition],
    /// Every workload, once each has been synced.
    workloads: Option<IntoIter<ObjectRef>>,
    /// What becomes of the present one.
    outlook: Option<Outlook>,
    all: Vec<Diagnosis>,
}

/// Events of a run between two looks at the clock.
const EVENTS: u64 = 4;

impl Diagnosing {
    /// Nothing is said yet of any workload.
    pub fn new(before: Session, conditions: &'static [Condition]) -> Self {
        let session = before.clone();
        Self { before, session, conditions, workloads: None, outlook: None, all: Vec::new() }
    }

    /// Takes one step: towards the first syncs, or towards what becomes of the present workload. False if there is none left.
    pub fn advance<'a>(&mut self, told: impl Into<Told<'a>>) -> bool {
        let Some(workloads) = &mut self.workloads else {
            self.sync_first();
            return true;
        };
        if let Some(outlook) = &mut self.outlook {
            let Some(health) = outlook.advance(EVENTS) else { return true };
            if let Some(Outlook { workload, run, .. }) = self.outlook.take()
                && let Ok(object) = self.session.cluster().get(&workload)
            {
                self.all.push(one(&self.before, &self.session, object, (health, run), told.into(), self.conditions));
            }
            return true;
        }
        let Some(workload) = workloads.next() else { return false };
        self.outlook = Some(Outlook::new(&self.session, &workload));
        true
    }

    /// Lets some more of the first syncs happen, and then sees which workloads there are.
    fn sync_first(&mut self) {
        let until = self.before.cluster().now().0 + FIRST_SYNCS_MS;
        for _ in 0..EVENTS {
            if self.session.cluster().next_event_at().is_none_or(|at| at.0 > until) {
                self.session.advance(until - self.session.cluster().now().0);
                self.workloads = Some(workloads(&self.session).into_iter());
                return;
            }
            self.session.step();
        }
    }

    /// How many workloads are diagnosed, and how many there are.
    pub fn progress(&self) -> (usize, usize) {
        let left = self.workloads.as_ref().map_or(1, IntoIter::len) + usize::from(self.outlook.is_some());
        (self.all.len(), self.all.len() + left)
    }

    /// What is said of those that were diagnosed, the worst first; and the run, once every controller has synced each of its
    /// objects.
    pub fn finish(mut self) -> (Vec<Diagnosis>, Session) {
        let rank = |diagnosis: &Diagnosis| match diagnosis.health {
            Health::Stuck => 0,
            Health::Lingers(_) => 1,
            Health::Recovers(_) => 2,
            Health::Well => 3,
        };
        self.all.order_by_key(rank);
        (self.all, self.session)
    }
}

/// What is told of: every workload but the ReplicaSets of Deployments.
fn workloads(session: &Session) -> Vec<ObjectRef> {
    let is_told = |object: &&Object| match object {
        Object::ReplicaSet(set) => set.metadata.controller_of().is_none(),
        object => object.is_workload(),
    };
    let objects = Kind::ALL.iter().flat_map(|kind| session.cluster().objects(*kind));
    objects.filter(is_told).map(Object::reference).collect()
}

/// What is said of a workload of which is known what becomes of it, and in which run.
fn one(
    before: &Session,
    session: &Session,
    object: &Object,
    (health, end): (Health, Session),
    told: Told<'_>,
    conditions: &'static [Condition],
) -> Diagnosis {
    let workload = object.reference();
    let standing = standing(session, &workload);
    let mut case = Case::new(session, object, &standing, told).asked_at(before);
    case.stuck |= health.needs_help();
    let is_stopped = health != Health::Well;
    let findings = findings(&case, health, conditions);
    let is_well = !is_stopped && findings.is_empty();
    Diagnosis {
        shortfall: shortfall(session.cluster(), object),
        explanation: Rc::clone(&standing.explanation),
        stop: stop(session, &standing).filter(|_| is_stopped),
        next: if is_stopped { next::after_that(&case).unwrap_or_default() } else { Text::default() },
        never: if health.needs_help() { next::never(&end, &workload) } else { Vec::new() },
        on_edit: if is_well { next::after_edit(&case).unwrap_or_default() } else { Text::default() },
        unsettled: unsettled(&case, health, &findings),
        findings,
        workload,
        health,
    }
}
