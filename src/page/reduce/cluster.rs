//! A real cluster that is opened, and its run on the stage.

use crate::objects::{ObjectRef, Time};
use crate::page::cluster::Before;
use crate::page::effect::Effect;
use crate::page::message::{ClusterMsg, Dialog, Origin};
use crate::page::state::State;
use crate::session::dump::Options;
use crate::session::scenario::About;
use crate::session::{Session, first};
use std::collections::BTreeMap;
use std::rc::Rc;

/// Real milliseconds of opening or trying between two drawings.
const SLICE_MS: f64 = 8.0;

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
        match msg {
            ClusterMsg::Read(text) => self.read_cluster(text),
            ClusterMsg::Diagnosis => self.show_diagnosis(),
            ClusterMsg::Namespace(namespace) => self.say(|options| options.namespace = namespace),
            ClusterMsg::Later(later) => {
                let newest = self.opened.opened.as_ref().map(|opened| opened.dump.newest);
                let taken_at = newest.zip(later).map(|(newest, later)| Time(newest.0 + later));
                self.say(|options| options.taken_at = taken_at);
            }
            ClusterMsg::Nodes(count) => self.say(|options| options.node_count = count),
            ClusterMsg::Release(release) => self.say(|options| options.release = Some(release)),
            ClusterMsg::Node(node, failure) => self.say(|options| set(&mut options.nodes, node, failure)),
            ClusterMsg::Image(image, behavior) => self.say(|options| set(&mut options.images, image, behavior)),
            ClusterMsg::Holds(about, true) => self.say(|options| _ = options.denied.remove(&about)),
            ClusterMsg::Holds(about, false) => self.say(|options| _ = options.denied.insert(about)),
            ClusterMsg::Try(workload) => {
                self.opened.try_ways_out(workload);
                self.go_on_later();
            }
            ClusterMsg::GoOn => {
                self.is_going_on = false;
                self.go_on();
            }
            ClusterMsg::Stop => self.opened.trials.stop(),
            ClusterMsg::Cancel => self.opened.opening = None,
            ClusterMsg::Show(workload) => self.show_cluster(workload),
            ClusterMsg::ShowTried(at) => {
                let Some(tried) = self.opened.trials.tried.get(at).cloned() else { return };
                self.opened.is_shown = false;
                self.show_opened(tried.branch.clone(), self.opened.trials.workload.clone());
            }
            ClusterMsg::Leave => self.leave_opened(),
            ClusterMsg::Report => {
                self.opened.begin_report();
                self.go_on_later();
            }
            ClusterMsg::SaveReport => {
                let file = self.opened.report.file();
                self.effects.extend(file.map(|(name, text)| Effect::Download { name, text }));
            }
        }
    }

    /// Opens a text; one that is short is open at once.
    pub(super) fn read_cluster(&mut self, text: Rc<str>) {
        self.sharing.show(Some(Dialog::Cluster));
        self.opened.open(text);
        self.go_on();
    }

    /// Opens the text again, with something else said of it.
    fn say(&mut self, say: impl FnOnce(&mut Options)) {
        self.opened.open_with(say);
        self.go_on();
    }

    fn show_diagnosis(&mut self) {
        if self.opened.opened.is_some() {
            return self.sharing.show(Some(Dialog::Cluster));
        }
        if self.stage.session.is_of_text() {
            self.sharing.show(Some(Dialog::Cluster));
            self.opened.open_objects(&self.stage.session);
            self.go_on();
        }
    }

    /// Goes on with what is being opened, or else with what is being tried.
    fn go_on(&mut self) {
        let clock = &self.playback.clock;
        let until = clock() + SLICE_MS;
        if self.opened.opening.is_some() {
            self.opened.go_on(until, clock);
        } else {
            self.opened.trials.go_on(until, clock);
            self.ways.go_on(until, clock);
            self.opened.report.go_on(until, clock);
            self.rehearsing.go_on(until, clock);
        }
        self.go_on_later();
    }

    /// Asks to go on once the page is drawn, if there is anything left.
    pub(super) fn go_on_later(&mut self) {
        let has_more = self.opened.is_running() || self.ways.is_running() || self.rehearsing.is_running();
        if has_more && !self.is_going_on {
            self.is_going_on = true;
            self.perform(Effect::GoOn);
        }
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

    /// Shows the cluster's run on the stage, with this workload of it or the first.
    pub(super) fn show_cluster(&mut self, workload: Option<ObjectRef>) {
        let Some(opened) = self.opened.opened.clone() else { return };
        let first = || opened.workloads.first().map(|one| one.workload.clone());
        self.opened.is_shown = true;
        self.show_opened(opened.session.clone(), workload.or_else(first));
    }

    /// A run of the opened text on the stage.
    fn show_opened(&mut self, session: Session, workload: Option<ObjectRef>) {
        if !self.stage.session.is_of_text() {
            self.opened.before = Some(Before {
                place: self.stage.place(),
                chosen: self.stage.chosen.clone(),
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
                self.stage.go_to(before.place);
                self.stage.chosen = before.chosen;
                self.sharing.set_about(before.about);
            }
            None => {
                let Ok(usual) = first::session() else { return };
                self.stage.session.open(usual);
                (self.stage.chosen, self.sharing.about) = (None, About::default());
            }
        }
        self.show_other_run();
    }
}
