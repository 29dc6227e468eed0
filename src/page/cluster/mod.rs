//! A real cluster, opened: what was read, what was assumed, what stands still and why, and what would help.

mod opening;
mod report;
mod trials;

use super::problems::problems_text;
use super::run::Clock;
use crate::diagnosis::{Diagnosis, Gravity, Told, what_ends};
use crate::kubectl::manifest;
use crate::objects::{Object, ObjectRef};
use crate::session::dump::{Dump, Options, Places};
use crate::session::scenario::About;
use crate::session::{Refusal, Session, Start};
use crate::sim::START;
use crate::text::Text;
use crate::verdict::{Ends, Why};
use crate::view::{Explanation, Severity, Stands, View, bound};
pub use opening::OpeningCluster;
pub use report::Report;
use serde_json::{Value, json};
use std::rc::Rc;
pub use trials::Trials;

/// What was opened.
pub struct Opened {
    /// What the text says, and what was assumed.
    pub dump: Dump,
    /// What a person says instead.
    pub options: Options,
    /// Every workload, those that are stuck first.
    pub workloads: Vec<Diagnosis>,
    /// Where the controllers of these stand.
    pub stands: Vec<Stands>,
    /// Where the text has the fields that findings rest on.
    pub places: Places,
    /// The run, once every controller has synced each of its objects.
    pub session: Session,
}

impl Opened {
    /// Whether the text has a workload, and nothing is wrong, nor unknown, with any that it has, nor with a node.
    pub fn is_well(&self) -> bool {
        let is_quiet = |one: &Diagnosis| one.findings.iter().all(|finding| finding.gravity == Gravity::Notice);
        let is_known = !self.dump.leaves_out() && !self.workloads.is_empty() && self.unready_nodes().next().is_none();
        is_known && self.workloads.iter().all(|one| one.verdict.is_well() && is_quiet(one))
    }

    /// The names of the nodes that are not Ready.
    pub fn unready_nodes(&self) -> impl Iterator<Item = &Rc<str>> {
        let nodes = self.session.cluster().nodes();
        nodes.filter(|node| !node.is_ready()).map(|node| &node.metadata.name)
    }

    /// What the text says of one workload.
    fn told(&self, workload: &ObjectRef) -> Told<'_> {
        let told = Told::from(&self.dump);
        let known = self.workloads.iter().find(|one| one.workload == *workload);
        known.map_or(told, |one| told.of(&one.verdict))
    }
}

/// What was on the stage before a cluster was: the run's branch and moment, its workload and its description.
pub(super) struct Before {
    pub(super) place: (usize, i64),
    pub(super) chosen: Option<ObjectRef>,
    pub(super) about: About,
}

/// The state of a cluster that was opened.
#[derive(Default)]
pub struct ClusterState {
    text: Rc<str>,
    /// What was opened last.
    pub opened: Option<Rc<Opened>>,
    /// What is being opened.
    pub opening: Option<OpeningCluster>,
    /// Why a text was not opened; what was open before stays.
    pub problem: Text,
    /// What is tried.
    pub trials: Trials,
    /// The text for a report of a problem.
    pub report: Report,
    /// Whether that text was written from the objects that the run on the stage began with.
    pub is_again: bool,
    /// What was on the stage before.
    pub(super) before: Option<Before>,
    /// Whether the run on the stage is that of what was opened, or began as it.
    pub(super) is_shown: bool,
}

impl ClusterState {
    /// What is being opened again, with other options.
    fn again(&self) -> Option<&OpeningCluster> {
        self.opening.as_ref().filter(|opening| Rc::ptr_eq(&opening.text, &self.text))
    }

    /// What was opened; nothing while another text is being opened, whose diagnosis it could be taken for.
    pub fn shown(&self) -> Option<&Rc<Opened>> {
        let is_other = self.opening.is_some() && self.again().is_none();
        self.opened.as_ref().filter(|_| !is_other)
    }

    /// What a person has said of the text that is open, even where it is being opened again for it.
    pub fn options(&self) -> Options {
        let shown = self.opened.as_ref().map(|opened| &opened.options);
        self.again().map(|opening| &opening.options).or(shown).cloned().unwrap_or_default()
    }

    /// Begins to open a text that was pasted, dropped or read from a file.
    pub(super) fn open(&mut self, text: Rc<str>) {
        self.is_again = false;
        self.begin(text, Options::default());
    }

    /// Begins to open the text again, with something else said of it.
    pub(super) fn open_with(&mut self, say: impl FnOnce(&mut Options)) {
        let mut options = self.options();
        say(&mut options);
        self.begin(Rc::clone(&self.text), options);
    }

    /// Begins to open a text of the objects that a run began with, where it began with some.
    pub(super) fn open_objects(&mut self, session: &Session) {
        let Start::Objects(objects) = &session.scenario().start else { return };
        let items: Vec<Value> = objects.iter().map(Object::to_value).collect();
        let text = manifest::write(&json!({"apiVersion": "v1", "kind": "List", "items": items}));
        self.is_again = true;
        let release = Some(session.release());
        self.begin(text.into(), Options { release, taken_at: Some(START), ..Options::default() });
    }

    fn begin(&mut self, text: Rc<str>, options: Options) {
        self.problem = Text::default();
        self.opening = Some(OpeningCluster::new(text, options));
    }

    /// Begins to try what could be done about this workload.
    pub(super) fn try_ways_out(&mut self, workload: ObjectRef) {
        let Some(opened) = &self.opened else { return };
        self.trials = Trials::begin(&opened.session, workload.clone(), opened.told(&workload));
    }

    /// Begins with the text for a report of a problem.
    pub(super) fn begin_report(&mut self) {
        self.report = Report::begin(&self.text);
    }

    /// Goes on with what is being opened until this time, and at least one step.
    pub(super) fn go_on(&mut self, until: f64, clock: &Clock) {
        while let Some(opening) = &mut self.opening {
            if let Some(opened) = opening.advance() {
                let text = Rc::clone(&opening.text);
                self.opening = None;
                self.end(text, opened);
            }
            if clock() >= until {
                return;
            }
        }
    }

    fn end(&mut self, text: Rc<str>, opened: Result<Opened, Refusal>) {
        match opened {
            Ok(opened) => {
                self.text = text;
                self.is_shown = false;
                self.opened = Some(Rc::new(opened));
                self.trials = Trials::default();
                self.report = Report::default();
                self.problem = Text::default();
            }
            Err(refusal) => self.problem = text!("The text was not opened: {}", problems_text(&refusal)),
        }
    }

    /// Whether something is being opened, tried or reported.
    pub(super) fn is_running(&self) -> bool {
        self.opening.is_some() || self.report.percent().is_some() || self.trials.is_running()
    }

    /// How many commands the run on the stage began with, which are nobody's.
    pub fn began_with(&self, session: &Session) -> usize {
        let shown = self.opened.as_ref().filter(|_| self.is_shown && session.is_of_text());
        shown.map_or(1, |opened| opened.session.commands_given())
    }

    /// What was opened, while its run is on the stage.
    pub(super) fn on_stage(&self, session: &Session) -> Option<&Rc<Opened>> {
        self.opened.as_ref().filter(|_| session.is_of_text())
    }

    /// What is known of a workload on the stage: what was opened is there, and nobody has done anything since.
    fn known(&self, session: &Session, workload: &ObjectRef) -> Option<(&Rc<Opened>, &Diagnosis)> {
        let opened = self.on_stage(session)?;
        let is_untouched = self.is_shown && session.is_untouched_since(&opened.session);
        let one = opened.workloads.iter().find(|one| is_untouched && one.workload == *workload)?;
        Some((opened, one))
    }

    /// What the text says of a workload on the stage, where anything is known of it.
    fn told_on_stage(&self, session: &Session, workload: &ObjectRef) -> Told<'_> {
        self.known(session, workload).map_or_else(Told::default, |(opened, _)| opened.told(workload))
    }

    /// Whether what is known of a workload on the stage ends by itself; of what nobody opened nothing else is known.
    pub(super) fn ends_by_itself(&self, session: &Session, workload: Option<&ObjectRef>) -> bool {
        let known = workload.and_then(|workload| self.known(session, workload));
        known.is_none_or(|(_, one)| matches!(one.verdict.ends, Ends::ByItself { .. }))
    }

    /// The picture of an opened run says of its workload what its diagnosis says.
    pub(super) fn bound(&self, session: &Session, view: View) -> View {
        let known = view.controls.as_ref().and_then(|controls| self.known(session, &controls.set));
        let Some((opened, one)) = known else { return view };
        let passed = session.cluster().now().0 - opened.session.cluster().now().0;
        let explanation = bound(view.explanation, &one.verdict, passed, what_ends(&one.verdict));
        // The cause is the headline; that the controller waits for what it causes is seen, and told in Why.
        let is_open = matches!(explanation.severity, Severity::Stuck | Severity::NotKnown) && one.cause().is_some();
        let told = one.told_once().find(|(finding, _)| is_open && finding.gravity == Gravity::Stuck);
        let explanation = match told {
            None if one.verdict.ends == Ends::NotKnown(Why::Unlisted) => by_status(opened, one, &explanation),
            Some((cause, others)) => {
                let reason =
                    if others.is_empty() { Text::default() } else { text!("Likewise: {}", Text::names(others)) };
                let headline = cause.text.clone();
                Rc::new(Explanation { headline, reason, ..(*explanation).clone() })
            }
            None => explanation,
        };
        View { explanation, ..view }
    }
}

/// What the status of a workload says, of whose pods the text has none: those on the stage the run has made.
fn by_status(opened: &Opened, one: &Diagnosis, explanation: &Explanation) -> Rc<Explanation> {
    let mut all = opened.workloads.iter().zip(&opened.stands);
    let Some((_, stands)) = all.find(|(other, _)| other.workload == one.workload) else {
        return Rc::new(explanation.clone());
    };
    let Explanation { headline, reason, .. } = (*stands.explanation).clone();
    let reason = Text::sentences([reason, text!("The pods that are drawn are made by the simulation.")]);
    Rc::new(Explanation { headline, reason, ..explanation.clone() })
}
