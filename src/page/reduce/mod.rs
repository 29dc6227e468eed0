//! What each message does to the page's state.

mod cluster;
mod commands;
mod comparison;
mod learn;
mod open;
mod rehearse;
mod run;
mod sharing;
mod terminal;
mod work;

use super::announcer::spoken;
use super::effect::{Effect, Target};
use super::message::{LearnMsg, Msg, Origin, ShareMsg, Tab};
use super::run::Goal;
use super::state::State;
use crate::reconcile::Release;
use crate::session::dump;
use crate::session::scenario;
use crate::session::{Command, Session, patch_of};
use crate::text::Text;
use crate::view;
pub use open::Opening;
use std::rc::Rc;

impl State {
    /// Does what a message says. The effects that come of it are the caller's to carry out, in their order.
    pub fn reduce(&mut self, msg: Msg) -> Vec<Effect> {
        let moved = self.is_moving();
        let passed = if let Msg::Tick(passed) = msg { Some(passed) } else { None };
        self.needs_draw = msg.needs_drawing();
        self.announcer.passed(passed.unwrap_or(0));
        match passed {
            Some(passed) => self.text_frames.passed(passed),
            None if self.needs_draw => self.text_frames.are_due(),
            None => {}
        }
        self.apply(msg);
        self.end_outdated_work();
        self.draw_texts();
        // A lesson's run is nobody's own, and says nothing without its guide.
        if !self.embedded && !self.learn.is_on() {
            self.effects.extend(self.saving.follow(&self.stage.session));
        }
        self.announce();
        if self.is_moving() != moved {
            self.perform(if moved { Effect::StopTicks } else { Effect::StartTicks });
        }
        std::mem::take(&mut self.effects)
    }

    /// Work that is under way and what is compared have their say first.
    fn apply(&mut self, msg: Msg) {
        match msg {
            Msg::Tick(_) if self.long_work.is_some() => self.tick_of_work(),
            Msg::Toggle if self.long_work.is_some() && self.under_way().is_some() => self.long_work = None,
            msg if self.lanes.is_some() || matches!(msg, Msg::Comparison(_)) => {
                if let Some(msg) = self.reduce_comparison(msg) {
                    self.act(msg);
                }
            }
            msg => self.act(msg),
        }
    }

    /// Has each part do what the message asks of it.
    fn act(&mut self, msg: Msg) {
        // Whoever reads a dialog reads it of one moment.
        if matches!(msg, Msg::Help(true) | Msg::Share(ShareMsg::Show(Some(_))))
            && self.playback.playing
            && !self.learn.is_on()
        {
            self.playback.playing = false;
        }
        match msg {
            // A figure's way to the whole page is there before anyone follows it.
            Msg::Opened if self.embedded => self.write_link(),
            Msg::Opened => {}
            Msg::Tick(passed) if self.playback.playing && self.learn.is_moving() => self.play_lesson(passed),
            Msg::Tick(passed) if self.playback.playing => self.play(passed),
            Msg::Tick(_) => {}
            Msg::Toggle if self.learn.is_on() => self.toggle_lesson(),
            Msg::Toggle => self.toggle(),
            Msg::Step => self.move_by(&mut |session| _ = session.step()),
            Msg::StepSync => self.step_to(Goal::sync(&self.stage.session, self.playback.goal.as_ref())),
            Msg::StepBack => self.move_by(&mut |session| _ = session.step_back()),
            Msg::Seek(at) => self.move_by(&mut |session| session.seek(at)),
            Msg::StepSyncBack => self.move_by(&mut |session| _ = session.step_sync_back()),
            Msg::ToStart => self.move_by(&mut |session| session.go_to(session.first_position())),
            Msg::StartOver if self.locked => {}
            Msg::StartOver => {
                self.refused = None;
                self.move_by(&mut Session::reset);
            }
            // Before the commands that a text began with its cluster is not as the text has it.
            Msg::Undo
                if self.stage.session.is_of_text()
                    && self.stage.session.commands_given() <= self.opened.began_with(&self.stage.session) => {}
            Msg::Undo => self.move_by(&mut |session| _ = session.undo()),
            Msg::Redo => self.move_by(&mut |session| _ = session.redo()),
            // As its button: where only a person moves it on there is nothing to run to.
            Msg::RunUntilSettled if self.is_held() => {}
            Msg::RunUntilSettled => self.run_to(Goal::needs_a_person(&self.stage.session, self.stage.set())),
            Msg::RunToDecision(pod) => self.run_to(Goal::decision(&self.stage.session, &pod)),
            Msg::Zoom(by) => self.timeline.zoom(by),
            Msg::Switch(number) => self.move_by(&mut |session| session.switch(number)),
            Msg::Compare(number) => self.stage.compare(number),
            Msg::Read => self.note = Text::default(),
            Msg::Speed(speed) => self.playback.set_speed(speed),
            Msg::Send(command, origin) => self.send(command, origin),
            Msg::TakeWayOut(at) => self.take_way_out(at),
            Msg::SeeWayOut(at) => self.see_way_out(at),
            Msg::Dismiss => self.refused = None,
            Msg::Select(tab) => self.panels.tab = tab,
            Msg::Inspector(ask) => self.inspect(ask),
            Msg::Open(Some(pod)) if self.learn.asks_for_pod() => self.learn(LearnMsg::Answer(pod)),
            Msg::Open(pod) => self.panels.pod = pod,
            Msg::Cover(sheet) => self.panels.sheet = sheet,
            Msg::Help(shown) => self.panels.help = shown,
            Msg::ShowManifest => self.editor.show(&self.stage.manifest()),
            Msg::Typed(text) => self.editor.typed(&text),
            Msg::Apply(text) => {
                self.editor.typed(&text);
                self.send(Command::Apply { manifest: text.into() }, Origin::Editor);
            }
            Msg::File(text) => self.open_file(text),
            Msg::LeftOut(names) => self.note = text!("Not read, since it is no text: {}", &*names),
            Msg::PutBack => self.editor.put_back(),
            Msg::Save => self.effects.extend(self.saving.save(&self.stage.session, &self.sharing.about)),
            Msg::Theme(theme) => {
                self.theme = theme;
                self.perform(Effect::SetTheme(theme));
            }
            Msg::Speak(language) => self.perform(Effect::SetLanguage(language)),
            Msg::Release(name) => {
                let release = Release::ALL.into_iter().find(|release| release.name() == name);
                release.into_iter().for_each(|release| self.run_under(release, Vec::new()));
            }
            Msg::Gate(name, on) => {
                let mut gates = self.stage.session.scenario().gates.clone();
                gates.retain(|(known, _)| **known != *name);
                gates.push((name.into(), on));
                self.run_under(self.stage.session.release(), gates);
            }
            Msg::Patch(path, value) => {
                let Some(set) = self.stage.set().cloned() else { return };
                self.send(Command::patch(set, patch_of(path, &value).into()), Origin::Field(path));
            }
            Msg::Choose(at) => {
                view::sets(self.stage.session.cluster())
                    .into_iter()
                    .nth(at)
                    .into_iter()
                    .for_each(|set| self.choose(set));
            }
            Msg::Starter(at) => self.start_with(at),
            Msg::Set(draft) => self.change(draft),
            Msg::Draft(draft) => self.panels.draft = draft,
            Msg::Share(msg) => self.share(msg),
            Msg::Cluster(msg) => self.cluster(msg),
            Msg::Rehearse(msg) => self.rehearse(msg),
            Msg::Learn(msg) => self.learn(msg),
            // The page is made anew in the other language; whoever switched it stays where they were.
            Msg::LanguageChanged => self.perform(Effect::Focus(Target::Menu)),
            Msg::Comparison(_) => {}
        }
    }

    /// What a cluster printed is opened, and so is what can never be applied: there it is said what it is. A scenario is opened as
    /// one; anything else is a manifest, to be looked at before it is applied.
    fn open_file(&mut self, text: Rc<str>) {
        if scenario::is_scenario(&text) {
            return self.share(ShareMsg::Open(text));
        }
        if dump::is_printed(&text) || dump::unreadable(&text).is_some() {
            return self.read_cluster(text);
        }
        self.editor.show(&text);
        self.refused = None;
        self.panels.show_inspector(Tab::Manifest);
    }

    /// Of few pods the texts are those of each frame.
    fn draw_texts(&mut self) {
        let has_many = self.timeline.has_many();
        let is_next = self.text_frames.is_next(self.playback.playing);
        if is_next && has_many {
            self.timeline.fold(&self.stage.view);
        }
        if is_next || !has_many {
            self.text_frames.draw(&self.stage.view, &self.timeline.line, self.playback.playing && has_many);
        }
    }

    /// Announces where the controller stands. In a lesson the guide speaks for itself.
    fn announce(&mut self) {
        if self.learn.is_on() {
            return;
        }
        let stands = match &self.lanes {
            Some(comparison) => comparison.view.announcement.clone(),
            None => spoken(&self.stage.view.explanation, self.playback.playing),
        };
        self.announcer.announce([stands, self.ways.in_words()], self.playback.playing);
    }
}
