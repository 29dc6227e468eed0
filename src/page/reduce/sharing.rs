//! Scenarios and links: what is opened in the place of the run, and what of it is shared.

use crate::page::effect::{Effect, LinkPlace};
use crate::page::message::{Dialog, ShareMsg};
use crate::page::sharing::Shared;
use crate::page::state::State;
use crate::session::{Session, lesson};
use std::rc::Rc;

impl State {
    /// Does what is about links and scenarios.
    pub(super) fn share(&mut self, msg: ShareMsg) {
        match msg {
            ShareMsg::Show(dialog) => self.show_dialog(dialog),
            ShareMsg::Closed(dialog) => self.sharing.closed(dialog),
            ShareMsg::List(text) => self.sharing.set_list(&text),
            ShareMsg::Truth(text) => self.sharing.set_truth(&text),
            ShareMsg::Fetch(file) => self.effects.push(self.sharing.fetch(file, true)),
            ShareMsg::Fetched(request, text) => {
                if let Some(awaited) = self.sharing.answered(request) {
                    self.open_shared(&text, awaited.scenario);
                }
            }
            ShareMsg::NotFetched(request, problem) => self.sharing.not_fetched(request, &problem),
            ShareMsg::Open(text) => {
                self.sharing.wait_for_nothing();
                self.open_shared(&text, None);
            }
            ShareMsg::Typed(text) => self.sharing.text = text,
            ShareMsg::Problem(problem) => self.sharing.fail(&problem),
            ShareMsg::Went(name) if name.is_empty() => self.went_back(),
            ShareMsg::Went(name) => self.effects.push(self.sharing.fetch(format!("{name}.yaml").into(), false)),
            ShareMsg::Tell(at) => self.move_by(&mut |session| session.reach(at)),
            ShareMsg::Copy => self.perform(Effect::CopyLink),
            ShareMsg::Link => self.write_link(),
            ShareMsg::Linked(request, link) => self.sharing.linked(request, link),
            ShareMsg::Caption(caption) => {
                self.sharing.caption = Some(caption);
                self.share_anew();
            }
            ShareMsg::Values(kept) => {
                self.sharing.has_values = kept;
                self.sharing.drop_link();
                self.share_anew();
            }
            ShareMsg::Save(what) => self.perform(self.sharing.save(what, &self.stage)),
            ShareMsg::SavePng(what) => self.perform(self.sharing.save_png(what, &self.stage)),
            // A figure is printed as it is, and so is a comparison.
            ShareMsg::Preview(_) if self.embedded || self.lanes.is_some() => {}
            ShareMsg::Preview(true) => self.sharing.look(&self.stage),
            ShareMsg::Preview(false) => self.sharing.look_away(),
            ShareMsg::Print => self.perform(Effect::Print),
            ShareMsg::Back => self.go_back(),
            ShareMsg::Dismiss => self.sharing.dismiss(),
        }
    }

    fn show_dialog(&mut self, dialog: Option<Dialog>) {
        self.sharing.show(dialog);
        if dialog != Some(Dialog::Rehearse) {
            self.rehearsing.stop();
        }
        match dialog {
            Some(Dialog::Scenarios | Dialog::Compare) if self.sharing.list.is_empty() => {
                self.perform(Effect::FetchScenarioList);
            }
            Some(Dialog::Learn) if self.learn.list.is_empty() => self.perform(Effect::FetchLessonList),
            Some(Dialog::Truth) if self.sharing.truth.is_none() => self.perform(Effect::FetchTruth),
            Some(Dialog::Share) => {
                self.sharing.drop_link();
                self.ask_for_link();
            }
            _ => {}
        }
    }

    /// Writes the link from a figure to the whole page.
    pub(super) fn write_link(&mut self) {
        self.perform(self.sharing.link_to(&self.stage, self.lanes.as_ref(), LinkPlace::OpenHere));
    }

    fn ask_for_link(&mut self) {
        self.effects.push(self.sharing.ask_for_link(&self.stage, self.lanes.as_ref()));
    }

    /// What is shared has changed.
    fn share_anew(&mut self) {
        self.ask_for_link();
        if self.sharing.preview.is_some() {
            self.sharing.look(&self.stage);
        }
    }

    /// Opens a lesson, a scenario or a comparison; of one that was fetched, its file and whether the address is to name it.
    fn open_shared(&mut self, text: &str, fetched: Option<(Rc<str>, bool)>) {
        if lesson::is_lesson(text) { self.open_lesson(text) } else { self.open_scenario(text, fetched) }
    }

    /// Opens a scenario or a comparison. The run that was there stays within reach.
    fn open_scenario(&mut self, text: &str, fetched: Option<(Rc<str>, bool)>) {
        let before = (self.stage.place(), self.sharing.about.clone());
        let Some(shared) = self.sharing.read(text) else {
            // What came from a file can be put right there.
            if self.sharing.dialog.is_some() {
                text.clone_into(&mut self.sharing.text);
            }
            return;
        };
        self.sharing.dialog = None;
        let is_named = fetched.is_some();
        if let Some((file, true)) = fetched {
            self.perform(Effect::NameAddress(file.trim_end_matches(".yaml").to_owned()));
        }
        match shared {
            Shared::Lanes(mut lanes) => {
                self.playback.playing = false;
                lanes.named = is_named;
                self.lanes = Some(*lanes);
            }
            Shared::Run(run) => {
                self.learn.leave();
                self.sharing.before = Some(before);
                // A scenario that shows a difference between two runs opens compared with the older one, which was left last.
                let older: Vec<Session> = run.left_behind().collect();
                self.stage.session.open(*run);
                older.into_iter().for_each(|one| self.stage.session.keep(one));
                self.show_other_run();
            }
        }
    }

    /// The browser's Back led to what no address names: the run before what is compared or was opened.
    fn went_back(&mut self) {
        self.sharing.wait_for_nothing();
        self.sharing.forget_address();
        self.learn.leave();
        if self.lanes.is_some() {
            self.close_comparison();
        } else {
            self.go_back();
        }
    }

    /// Goes back to the run before the scenario.
    fn go_back(&mut self) {
        let Some((place, about)) = self.sharing.before.take() else { return };
        if self.sharing.acted() {
            self.perform(Effect::LeaveAddress);
        }
        self.stage.go_to(place);
        self.sharing.set_about(about);
        self.sharing.forget_caption();
        self.show_other_run();
    }
}
