//! What is said of every workload of a run at one moment.

use super::alike::{gist_of, once};
use super::case::{Case, Told};
use super::conditions::{Condition, Finding, Gravity, findings};
use super::next;
use super::remedies::{Trial, remedies};
use super::unsettled::unsettled;
use crate::objects::{Object, ObjectRef};
use crate::session::Session;
use crate::text::Text;
use crate::trial::{NoNode, without_node};
use crate::verdict::{Ends, Outlook, Standing, Verdict, Why, run_with, standing};
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
}

/// One workload.
#[derive(Clone, Debug)]
pub struct Diagnosis {
    /// Which one.
    pub workload: ObjectRef,
    /// Where it stands, and what becomes of it if nobody does anything.
    pub verdict: Verdict,
    /// Where the sync stops; none if it went to its end.
    pub stop: Option<Stop>,
    /// What its next sync does to its pods, if the workload goes on by itself; empty if nothing.
    pub first: Text,
    /// What the controller would do next if that cleared; empty if nothing, or if nothing stops it.
    pub next: Text,
    /// What it will never do by itself.
    pub never: Vec<Text>,
    /// What the controller would do first after a change of the template; empty unless nothing is wrong.
    pub on_edit: Text,
    /// Conditions that hold, the gravest first.
    pub findings: Vec<Finding>,
    /// Which of them are told, and the other pods of which the same is said.
    told: Vec<(usize, Vec<String>)>,
    /// Why pods of it have no node, and what would make them fit.
    pub without_node: Vec<NoNode>,
    /// What would tell more than the text does.
    pub unsettled: Vec<Text>,
}

impl Diagnosis {
    /// What keeps it from being as it was asked to be, where that is known and does not end by itself.
    pub fn cause(&self) -> Option<&Finding> {
        let is_held = |finding: &&Finding| finding.gravity == Gravity::Stuck && !self.verdict.is_well();
        self.findings.iter().find(is_held)
    }

    /// The findings as they are told: what is said alike of several pods once, with the names of the others.
    pub fn told_once(&self) -> impl Iterator<Item = (&Finding, &[String])> {
        self.told.iter().filter_map(|(at, others)| Some((self.findings.get(*at)?, &**others)))
    }

    /// The fields that its findings rest on.
    pub fn fields(&self) -> impl Iterator<Item = (&ObjectRef, &str)> {
        let all = self.findings.iter().flat_map(|finding| &finding.evidence);
        all.map(|evidence| (&evidence.object, &*evidence.path))
    }
}

fn stop(session: &Session, standing: &Standing) -> Option<Stop> {
    let decision = standing.decision.as_ref()?;
    let source = decision.rule.source(session.release());
    let (pod, check) = (standing.pod.clone(), decision.rule.says());
    Some(Stop { pod, check, function: source.function, file: source.file })
}

/// The run once every controller has synced each of its objects.
pub fn at_rest(session: &Session) -> Session {
    let mut session = session.clone();
    session.advance(FIRST_SYNCS_MS);
    session
}

/// What can be done about a workload, each to be tried from the run's moment; nothing if it is not there. Nobody is told to do
/// something to a pod that was not there at the moment that was asked about.
pub fn ways_out(session: &Session, before: &Session, workload: &ObjectRef, told: Told<'_>) -> Vec<Trial> {
    let session = run_with(session, before, workload);
    let Ok(object) = session.cluster().get(workload) else { return Vec::new() };
    let standing = standing(session, workload);
    let case = Case::new(session, object, &standing, told).observed_at(before);
    remedies(&case).into_iter().map(|remedy| Trial::new(&case, remedy)).collect()
}

/// Every workload of a run at its moment, those that are stuck first; a Deployment's ReplicaSets are told with it. Controllers
/// that have not synced yet, as at the start of a run, do so first. `conditions` are those that are looked for.
pub fn diagnose<'a>(session: &Session, told: impl Into<Told<'a>>, conditions: &'static [Condition]) -> Vec<Diagnosis> {
    diagnose_with_run(session, told, conditions).0
}

/// The same, with the run once every controller has synced each of its objects.
pub fn diagnose_with_run<'a>(
    session: &Session,
    told: impl Into<Told<'a>>,
    conditions: &'static [Condition],
) -> (Vec<Diagnosis>, Session) {
    let told = told.into();
    let mut diagnosing = Diagnosing::new(session.clone(), told, conditions);
    while diagnosing.advance(told) {}
    diagnosing.finish()
}

/// A diagnosis on its way: what becomes of all workloads, then one after the other.
pub struct Diagnosing {
    before: Session,
    conditions: &'static [Condition],
    stage: Stage,
    /// Events that are left for trying what would come next.
    events: u64,
    all: Vec<Diagnosis>,
}

enum Stage {
    Follow(Box<Outlook>),
    Tell(Box<Session>, IntoIter<Verdict>),
    End,
}

/// Events that may be spent on what would come next, over all workloads.
const NEXT_EVENTS: u64 = 50_000;
/// Events of a run between two looks at the clock.
const EVENTS: u64 = 4;

impl Diagnosing {
    /// Nothing is said yet of any workload.
    pub fn new<'a>(before: Session, told: impl Into<Told<'a>>, conditions: &'static [Condition]) -> Self {
        let told = told.into();
        let outlook = Outlook::new(&before, told.events, told.holds);
        Self { before, conditions, stage: Stage::Follow(Box::new(outlook)), events: NEXT_EVENTS, all: Vec::new() }
    }

    /// Takes one step: towards what becomes of the workloads, or says what is to be said of the next one. False if there is none
    /// left.
    pub fn advance<'a>(&mut self, told: impl Into<Told<'a>>) -> bool {
        let told = told.into();
        match &mut self.stage {
            Stage::Follow(outlook) => {
                if !outlook.advance(EVENTS)
                    && let Stage::Follow(outlook) = std::mem::replace(&mut self.stage, Stage::End)
                {
                    let judged = outlook.finish();
                    self.stage = Stage::Tell(Box::new(judged.rest), judged.verdicts.into_iter());
                }
                true
            }
            Stage::Tell(session, verdicts) => {
                let Some(verdict) = verdicts.next() else { return false };
                let verdict = told.bound(verdict);
                let session = run_with(session, &self.before, &verdict.workload);
                if let Ok(object) = session.cluster().get(&verdict.workload) {
                    let one =
                        one(&self.before, session, object, verdict.clone(), told, (self.conditions, &mut self.events));
                    self.all.push(one);
                }
                true
            }
            Stage::End => false,
        }
    }

    /// How many workloads are diagnosed, and how many there are.
    pub fn progress(&self) -> (usize, usize) {
        match &self.stage {
            Stage::Follow(outlook) => {
                let (done, all) = outlook.progress();
                (done, 2 * all + 1)
            }
            Stage::Tell(_, verdicts) => {
                let all = self.all.len() + verdicts.len();
                (all + self.all.len(), 2 * all + 1)
            }
            Stage::End => (1, 1),
        }
    }

    /// What is said of those that were diagnosed, the worst first; and the run, once every controller has synced each of its
    /// objects.
    pub fn finish(mut self) -> (Vec<Diagnosis>, Session) {
        let rank = |diagnosis: &Diagnosis| match (&diagnosis.verdict.ends, diagnosis.verdict.available_after) {
            (Ends::NotKnown(_), _) => 1,
            (Ends::Never | Ends::When(_) | Ends::ByPerson(_), None) => 0,
            (Ends::Never | Ends::When(_) | Ends::ByPerson(_), Some(_)) => 2,
            (Ends::ByItself { .. }, _) if !diagnosis.verdict.is_well() => 3,
            (Ends::ByItself { .. }, _) => 4,
        };
        self.all.sort_by_key(rank);
        let session = match self.stage {
            Stage::Tell(session, _) => *session,
            Stage::Follow(_) | Stage::End => self.before,
        };
        (self.all, session)
    }
}

/// What is said of a workload of which is known what becomes of it.
fn one(
    before: &Session,
    session: &Session,
    object: &Object,
    verdict: Verdict,
    told: Told<'_>,
    (conditions, events): (&'static [Condition], &mut u64),
) -> Diagnosis {
    let workload = object.reference();
    let mut case = Case::new(session, object, &verdict.stop, told.of(&verdict)).observed_at(before);
    case.stuck = verdict.is_open();
    let is_stopped = !verdict.is_well();
    // What the run does with pods that it has made itself says nothing of those that the text leaves out.
    let is_seen = is_stopped && verdict.ends != Ends::NotKnown(Why::Unlisted);
    let findings = findings(&case, &verdict, conditions);
    let is_well = !is_stopped && findings.is_empty();
    let numbered: Vec<(usize, &Finding)> = findings.iter().enumerate().collect();
    let told_once = once(&numbered, |(_, finding)| gist_of(finding));
    Diagnosis {
        told: told_once.into_iter().map(|((at, _), others)| (*at, others)).collect(),
        stop: stop(session, &verdict.stop).filter(|_| is_seen),
        first: if is_stopped && !verdict.is_open() { next::at_once(&verdict) } else { Text::default() },
        next: if is_seen { next::after_that(&case, &verdict, events).unwrap_or_default() } else { Text::default() },
        never: if verdict.needs_help() { next::never(&verdict) } else { Vec::new() },
        on_edit: if is_well { next::after_edit(&case).unwrap_or_default() } else { Text::default() },
        without_node: if told.has_nodes() { without_node(before, case.observed) } else { Vec::new() },
        unsettled: unsettled(&case, &verdict, &findings),
        findings,
        workload,
        verdict,
    }
}
