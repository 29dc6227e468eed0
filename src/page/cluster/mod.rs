//! A real cluster, opened: what was read, what was assumed, what stands still and why, and what would help.

mod opening;
mod report;

use super::effect::Effect;
use super::message::{ClusterMsg, Dialog, Origin};
use super::problems::problems_text;
use super::run::Clock;
use super::state::State;
use crate::diagnosis::{Diagnosis, End, Gravity, Told, Trial, Tried, add_tried, ways_out, what_ends};
use crate::kubectl::manifest;
use crate::objects::{Object, ObjectRef, Time};
use crate::session::dump::{Dump, Options, Places};
use crate::session::first;
use crate::session::scenario::About;
use crate::session::{Refusal, Session, Start};
use crate::sim::START;
use crate::text::Text;
use crate::verdict::Ends;
use crate::view::{Explanation, Severity, Stands, View, bound};
pub use opening::OpeningCluster;
pub use report::Report;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::rc::Rc;

/// Real milliseconds of opening or trying between two drawings.
const SLICE_MS: f64 = 8.0;
/// Events between two looks at the clock.
const EVENTS: u64 = 4;

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

/// What is being tried of one workload.
#[derive(Default)]
pub struct Trials {
    /// The workload.
    pub workload: Option<ObjectRef>,
    /// What has come of it, what helps first.
    pub tried: Rc<Vec<Rc<Tried>>>,
    /// How many have come to their end: more than have come of it where some are needless.
    pub ended: usize,
    /// How many are tried in all.
    pub count: usize,
    waiting: Vec<Trial>,
    /// The moment that it is tried from, on the stage.
    moment: Option<((u64, u64), Rc<Explanation>)>,
}

impl Trials {
    fn begin(session: &Session, workload: ObjectRef, told: Told<'_>) -> Self {
        let mut waiting = ways_out(session, session, &workload, told);
        waiting.reverse();
        Self { workload: Some(workload), count: waiting.len(), waiting, ..Self::default() }
    }

    /// Tries on until this time, and at least one step, however slow the machine is.
    fn go_on(&mut self, until: f64, clock: &Clock) {
        while let Some(trial) = self.waiting.last_mut() {
            if let Some(tried) = trial.advance(EVENTS) {
                self.waiting.pop();
                add_tried(Rc::make_mut(&mut self.tried), tried);
                self.ended += 1;
            }
            if clock() >= until {
                return;
            }
        }
    }

    /// Whether it goes on.
    pub fn is_running(&self) -> bool {
        !self.waiting.is_empty()
    }
}

/// What was on the stage before a cluster was: the run's branch and moment, its workload and its description.
struct Before {
    branch: usize,
    at: i64,
    chosen: Option<ObjectRef>,
    about: About,
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
    before: Option<Before>,
    /// Whether the run on the stage is that of what was opened, or began as it.
    is_shown: bool,
    /// Whether `ClusterMsg::GoOn` is on its way.
    is_going_on: bool,
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

    /// Goes on with what is being opened until this time, and at least one step.
    fn go_on(&mut self, until: f64, clock: &Clock) {
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
}

/// What a person says of something; what was assumed of it holds again if nothing.
fn set<T>(said: &mut BTreeMap<Rc<str>, T>, of: Rc<str>, value: Option<T>) {
    match value {
        Some(value) => said.insert(of, value),
        None => said.remove(&of),
    };
}

impl State {
    /// Does what is about a real cluster.
    pub(super) fn cluster(&mut self, msg: ClusterMsg) {
        let mut options = self.opened.options();
        match msg {
            ClusterMsg::Read(text) => {
                self.sharing.show(Some(Dialog::Cluster));
                self.opened.is_again = false;
                return self.open_text(text, Options::default());
            }
            ClusterMsg::Diagnosis if self.opened.opened.is_some() => return self.sharing.show(Some(Dialog::Cluster)),
            ClusterMsg::Diagnosis => {
                let Start::Objects(objects) = &self.session.scenario().start else { return };
                let items: Vec<Value> = objects.iter().map(Object::to_value).collect();
                let text = manifest::write(&json!({"apiVersion": "v1", "kind": "List", "items": items}));
                let release = Some(self.session.release());
                self.sharing.show(Some(Dialog::Cluster));
                self.opened.is_again = true;
                return self.open_text(text.into(), Options { release, taken_at: Some(START), ..Options::default() });
            }
            ClusterMsg::Namespace(namespace) => options.namespace = namespace,
            ClusterMsg::Later(later) => {
                let newest = self.opened.opened.as_ref().map(|opened| opened.dump.newest);
                options.taken_at = newest.zip(later).map(|(newest, later)| Time(newest.0 + later));
            }
            ClusterMsg::Nodes(count) => options.node_count = count,
            ClusterMsg::Release(release) => options.release = Some(release),
            ClusterMsg::Node(node, failure) => set(&mut options.nodes, node, failure),
            ClusterMsg::Image(image, behavior) => set(&mut options.images, image, behavior),
            ClusterMsg::Holds(about, true) => {
                options.denied.remove(&about);
            }
            ClusterMsg::Holds(about, false) => {
                options.denied.insert(about);
            }
            ClusterMsg::Try(workload) => return self.try_ways_out(workload),
            ClusterMsg::GoOn => {
                self.opened.is_going_on = false;
                return self.go_on();
            }
            ClusterMsg::Stop => return self.opened.trials.waiting.clear(),
            ClusterMsg::Cancel => return self.opened.opening = None,
            ClusterMsg::Show(workload) => {
                let Some(opened) = self.opened.opened.clone() else { return };
                let first = || opened.workloads.first().map(|one| one.workload.clone());
                self.opened.is_shown = true;
                return self.show_opened(opened.session.clone(), workload.or_else(first));
            }
            ClusterMsg::ShowTried(at) => {
                let Some(tried) = self.opened.trials.tried.get(at).cloned() else { return };
                self.opened.is_shown = false;
                return self.show_opened(tried.branch.clone(), self.opened.trials.workload.clone());
            }
            ClusterMsg::Leave => return self.leave_opened(),
            ClusterMsg::Report => {
                self.opened.report = Report::begin(&self.opened.text);
                return self.go_on_later();
            }
            ClusterMsg::SaveReport if self.opened.report.text.is_empty() => return,
            ClusterMsg::SaveReport => {
                let (name, text) = (report::FILE.to_owned(), self.opened.report.text.to_string());
                return self.perform(Effect::Download { name, text });
            }
        }
        let text = Rc::clone(&self.opened.text);
        self.open_text(text, options);
    }

    /// A text that is short is open at once.
    fn open_text(&mut self, text: Rc<str>, options: Options) {
        self.opened.problem = Text::default();
        self.opened.opening = Some(OpeningCluster::new(text, options));
        self.go_on();
    }

    fn try_ways_out(&mut self, workload: ObjectRef) {
        let Some(opened) = self.opened.opened.clone() else { return };
        self.opened.trials = Trials::begin(&opened.session, workload.clone(), opened.told(&workload));
        self.go_on_later();
    }

    /// Goes on with what is being opened, or else with what is being tried.
    fn go_on(&mut self) {
        let until = (self.clock)() + SLICE_MS;
        let clock = Rc::clone(&self.clock);
        if self.opened.opening.is_some() {
            self.opened.go_on(until, &clock);
        } else {
            for trials in [&mut self.opened.trials, &mut self.ways] {
                trials.go_on(until, &clock);
            }
            self.opened.report.go_on(until, &clock);
            self.rehearsing.go_on(until, &clock);
        }
        self.go_on_later();
    }

    /// Asks to go on once the page is drawn, if there is anything left.
    pub(super) fn go_on_later(&mut self) {
        let is_trying = self.opened.trials.is_running() || self.ways.is_running() || self.rehearsing.is_running();
        let has_more = self.opened.opening.is_some() || self.opened.report.percent().is_some() || is_trying;
        if has_more && !self.opened.is_going_on {
            self.opened.is_going_on = true;
            self.perform(Effect::GoOn);
        }
    }

    /// How many commands the run on the stage began with, which are nobody's.
    pub fn began_with(&self) -> usize {
        let shown = self.opened.opened.as_ref().filter(|_| self.opened.is_shown && self.is_of_text());
        shown.map_or(1, |opened| opened.session.commands_given())
    }

    /// What is known of a workload on the stage: what was opened is there, and nobody has done anything since.
    fn known(&self, workload: &ObjectRef) -> Option<(&Rc<Opened>, &Diagnosis)> {
        let opened = self.opened.opened.as_ref().filter(|_| self.is_of_text())?;
        let is_untouched = self.opened.is_shown && self.session.is_untouched_since(&opened.session);
        let one = opened.workloads.iter().find(|one| is_untouched && one.workload == *workload)?;
        Some((opened, one))
    }

    /// Whether what is known of the workload on the stage ends by itself; of what nobody opened nothing else is known.
    pub(super) fn ends_by_itself(&self) -> bool {
        let known = self.set().and_then(|workload| self.known(workload));
        known.is_none_or(|(_, one)| matches!(one.verdict.ends, Ends::ByItself { .. }))
    }

    /// The picture of an opened run says of its workload what its diagnosis says.
    pub(super) fn bound(&self, view: View) -> View {
        let known = view.controls.as_ref().and_then(|controls| self.known(&controls.set));
        let Some((opened, one)) = known else { return view };
        let passed = self.session.cluster().now().0 - opened.session.cluster().now().0;
        let explanation = bound(view.explanation, &one.verdict, passed, what_ends(&one.verdict));
        // The cause is the headline; that the controller waits for what it causes is seen, and told in Why.
        let is_open = matches!(explanation.severity, Severity::Stuck | Severity::NotKnown) && one.cause().is_some();
        let told = one.told_once().find(|(finding, _)| is_open && finding.gravity == Gravity::Stuck);
        let explanation = match told {
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

    /// Tries what would help a workload that is stuck on the stage, once for each moment at which it stands still.
    pub(super) fn seek_ways_out(&mut self) {
        let is_open = matches!(self.view.explanation.severity, Severity::Stuck | Severity::NotKnown);
        let is_stuck = is_open && !self.locked && self.lanes.is_none();
        let Some(workload) = self.set().filter(|_| is_stuck).cloned() else {
            self.ways = Trials::default();
            return;
        };
        let moment = Some((self.session.position(), Rc::clone(&self.view.explanation)));
        if self.ways.workload.as_ref() != Some(&workload) || self.ways.moment != moment {
            let known = self.known(&workload).map(|(opened, _)| Rc::clone(opened));
            let told = known.as_ref().map_or_else(Told::default, |opened| opened.told(&workload));
            self.ways = Trials { moment, ..Trials::begin(&self.session, workload, told) };
            self.go_on_later();
        }
    }

    /// What would end the wait on the stage, as it is heard once all was tried; empty if nothing was found.
    pub(super) fn way_out_in_words(&self) -> Text {
        let helps = |tried: &&Rc<Tried>| matches!(tried.end, End::Well(_)) && !tried.remedy.commands.is_empty();
        let first = self.ways.tried.iter().filter(|_| !self.ways.is_running()).find(helps);
        first.map_or_else(Text::default, |tried| text!("What would end it: {}.", tried.remedy.title))
    }

    /// Does what was tried, on the stage.
    pub(super) fn take_way_out(&mut self, at: usize) {
        let Some(tried) = self.ways.tried.get(at).cloned() else { return };
        tried.remedy.commands.iter().for_each(|command| self.send(command.clone(), Origin::Rail));
    }

    /// Shows the branch in which it was tried.
    pub(super) fn see_way_out(&mut self, at: usize) {
        let Some(tried) = self.ways.tried.get(at).cloned() else { return };
        self.show_run(tried.branch.clone(), self.ways.workload.clone());
    }

    /// Whether the run on the stage began with the objects of a text.
    pub fn is_of_text(&self) -> bool {
        matches!(self.session.scenario().start, Start::Objects(_))
    }

    /// What was opened, while its run is on the stage.
    pub(super) fn opened_on_stage(&self) -> Option<Rc<Opened>> {
        self.opened.opened.clone().filter(|_| self.is_of_text())
    }

    /// A run of the opened text on the stage.
    fn show_opened(&mut self, session: Session, workload: Option<ObjectRef>) {
        if !self.is_of_text() {
            self.opened.before = Some(Before {
                branch: self.session.branches().0.number,
                at: self.session.cluster().now().0 - START.0,
                chosen: self.chosen.clone(),
                about: std::mem::take(&mut self.sharing.about),
            });
        }
        self.sharing.shows_about = false;
        self.show_run(session, workload);
    }

    /// What was on the stage before is there again; the usual run where nothing was.
    fn leave_opened(&mut self) {
        match self.opened.before.take() {
            Some(before) => {
                self.session.switch(before.branch);
                self.session.seek(before.at);
                self.chosen = before.chosen;
                self.sharing.shows_about = !before.about.text.is_empty();
                self.sharing.about = before.about;
            }
            None => {
                let Ok(usual) = first::session() else { return };
                self.session.open(usual);
                (self.chosen, self.sharing.about) = (None, About::default());
            }
        }
        self.show_other_run();
    }

    /// A run on the stage, with this workload; the run that was there stays as a branch.
    pub(super) fn show_run(&mut self, session: Session, workload: Option<ObjectRef>) {
        self.sharing.dialog = None;
        self.chosen = workload;
        self.session.open(session);
        self.show_other_run();
    }
}
