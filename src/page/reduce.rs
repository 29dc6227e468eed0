//! What each message does to the page's state.

use super::FASTEST;
use super::announcer::spoken;
use super::effect::{Effect, LinkPlace, Target};
use super::lanes;
use super::long_work::Work;
use super::message::{ClusterMsg, Draft, Field, LearnMsg, Msg, Origin, ShareMsg, Tab};
use super::run::{self, Goal, Pace};
use super::state::{Refused, State};
use crate::objects::{ObjectRef, PodManagementPolicy, UpdateStrategyType};
use crate::reconcile::Release;
use crate::session::dump;
use crate::session::scenario;
use crate::session::{Command, Refusal, Rerun, Session, patch_of, receipt};
use crate::sim::START;
use crate::text::Text;
use crate::view;
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
            let save = self.saving.follow(&self.session);
            self.effects.extend(save);
        }
        self.announce();
        if self.is_moving() != moved {
            self.perform(if moved { Effect::StopTicks } else { Effect::StartTicks });
        }
        std::mem::take(&mut self.effects)
    }

    /// Whether anything is done from frame to frame.
    pub fn is_moving(&self) -> bool {
        self.playing || self.long_work.is_some()
    }

    pub(super) fn apply(&mut self, msg: Msg) {
        match msg {
            Msg::Tick(_) if self.long_work.is_some() => return self.tick_of_work(),
            Msg::Toggle if self.long_work.is_some() && self.under_way().is_some() => {
                self.long_work = None;
                return;
            }
            _ => {}
        }
        let msg = if self.lanes.is_some() || matches!(msg, Msg::Comparison(_)) {
            let Some(msg) = lanes::reduce(self, msg) else { return };
            msg
        } else {
            msg
        };
        // Whoever reads a dialog reads it of one moment.
        if matches!(msg, Msg::Help(true) | Msg::Share(ShareMsg::Show(Some(_)))) && self.playing && !self.learn.is_on() {
            self.playing = false;
        }
        match msg {
            // A figure's way to the whole page is there before anyone follows it.
            Msg::Opened if self.embedded => self.write_link(LinkPlace::OpenHere),
            Msg::Opened => {}
            Msg::Tick(passed) if self.playing && self.learn.is_moving() => self.play_lesson(passed),
            Msg::Tick(passed) if self.playing => self.play(passed),
            Msg::Tick(_) => {}
            Msg::Toggle if self.learn.is_on() => self.toggle_lesson(),
            Msg::Toggle => {
                self.playing = !self.playing && !self.view.settled && !self.is_held();
                self.pace = Pace::default();
                self.resumes = false;
                if self.goal.take().is_some_and(|goal| goal.is_step()) {
                    self.redraw();
                }
            }
            Msg::Step => self.move_by(&mut |session| _ = session.step()),
            Msg::StepSync => self.step_to(Goal::sync(&self.session, self.goal.as_ref())),
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
            Msg::Undo if self.is_of_text() && self.session.commands_given() <= self.began_with() => {}
            Msg::Undo => self.move_by(&mut |session| _ = session.undo()),
            Msg::Redo => self.move_by(&mut |session| _ = session.redo()),
            // As its button: where only a person moves it on there is nothing to run to.
            Msg::RunUntilSettled if self.is_held() => {}
            Msg::RunUntilSettled => self.run_to(Goal::needs_a_person(&self.session, self.set())),
            Msg::RunToDecision(pod) => self.run_to(Goal::decision(&self.session, &pod)),
            Msg::Zoom(by) => self.timeline.zoom(by),
            Msg::Switch(number) => self.move_by(&mut |session| session.switch(number)),
            Msg::Compare(number) => self.compare(number),
            Msg::Read => self.note = Text::default(),
            Msg::Speed(speed) => (self.speed, self.pace) = (speed, Pace::default()),
            Msg::Send(command, origin) => self.send(command, origin),
            Msg::TakeWayOut(at) => self.take_way_out(at),
            Msg::SeeWayOut(at) => self.see_way_out(at),
            Msg::Dismiss => self.refused = None,
            Msg::Select(tab) => self.panels.tab = tab,
            Msg::Inspector(ask) => self.ask(ask),
            Msg::Open(Some(pod)) if self.learn.asks_for_pod() => self.learn(LearnMsg::Answer(pod)),
            Msg::Open(pod) => self.panels.pod = pod,
            Msg::Cover(sheet) => self.panels.sheet = sheet,
            Msg::Help(shown) => self.panels.help = shown,
            Msg::ShowManifest => self.show_manifest(),
            Msg::Typed(text) => self.editor.typed(&text),
            Msg::Apply(text) => {
                self.editor.typed(&text);
                self.send(Command::Apply { manifest: text.into() }, Origin::Editor);
            }
            Msg::File(text) => self.open_file(text),
            Msg::LeftOut(names) => self.note = text!("Not read, since it is no text: {}", &*names),
            Msg::PutBack => self.editor.put_back(),
            Msg::Save => {
                let save = self.saving.save(&self.session, &self.sharing.about);
                self.effects.extend(save);
            }
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
                let mut gates = self.session.scenario().gates.clone();
                gates.retain(|(known, _)| **known != *name);
                gates.push((name.into(), on));
                self.run_under(self.session.release(), gates);
            }
            Msg::Patch(path, value) => {
                let Some(set) = self.set().cloned() else { return };
                self.send(Command::patch(set, patch_of(path, &value).into()), Origin::Field(path));
            }
            Msg::Choose(at) => {
                view::sets(self.session.cluster()).into_iter().nth(at).into_iter().for_each(|set| self.choose(set));
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

    /// The editor shows the set as it is.
    pub(super) fn show_manifest(&mut self) {
        let text = self.set().map(|set| self.session.manifest(set));
        self.editor.show(text.as_deref().unwrap_or_default());
    }

    /// What a cluster printed is opened, and so is what can never be applied: there it is said what it is. A scenario is opened as
    /// one; anything else is a manifest, to be looked at before it is applied.
    fn open_file(&mut self, text: Rc<str>) {
        if scenario::is_scenario(&text) {
            return self.share(ShareMsg::Open(text));
        }
        if dump::is_printed(&text) || dump::unreadable(&text).is_some() {
            return self.cluster(ClusterMsg::Read(text));
        }
        self.editor.show(&text);
        self.refused = None;
        self.panels.show_inspector(Tab::Manifest);
    }

    /// Of few pods the texts are those of each frame.
    fn draw_texts(&mut self) {
        let has_many = self.timeline.has_many();
        let is_next = self.text_frames.is_next(self.playing);
        if is_next && has_many {
            self.timeline.fold(&self.view);
        }
        if is_next || !has_many {
            self.text_frames.draw(&self.view, &self.timeline.line, self.playing && has_many);
        }
    }

    /// Announces where the controller stands. In a lesson the guide speaks for itself.
    fn announce(&mut self) {
        if self.learn.is_on() {
            return;
        }
        let stands = match &self.lanes {
            Some(comparison) => comparison.view.announcement.clone(),
            None => spoken(&self.view.explanation, self.playing),
        };
        self.announcer.announce([stands, self.way_out_in_words()], self.playing);
    }

    /// Another set is drawn.
    pub(super) fn choose(&mut self, set: ObjectRef) {
        self.chosen = Some(set);
        self.panels.pod = None;
        self.redraw();
    }

    fn change(&mut self, Draft { field, origin, value }: Draft) {
        self.panels.draft = None;
        let Some(controls) = self.view.controls.as_ref() else { return };
        let set = controls.set.clone();
        // The API server, not the page, says what is too much.
        let number = i32::try_from(value).unwrap_or(i32::MAX);
        let command = match field {
            Field::Replicas => Command::Scale { set, replicas: number },
            Field::Partition => Command::set_partition(set, number),
            Field::Readiness => Command::SetReadinessDelay { milliseconds: value },
            Field::Policy => {
                let policies = [PodManagementPolicy::OrderedReady, PodManagementPolicy::Parallel];
                let policy = policies[usize::from(value == 1)];
                if Some(policy) == controls.policy {
                    return;
                }
                Command::set_policy(set, policy)
            }
            Field::Strategy => {
                let strategies = [UpdateStrategyType::RollingUpdate, UpdateStrategyType::OnDelete];
                let strategy = strategies[usize::from(value == 1)];
                if Some(strategy) == controls.strategy {
                    return;
                }
                Command::set_strategy(set, strategy)
            }
        };
        self.send(command, origin);
    }

    fn run_under(&mut self, release: Release, gates: Vec<(Rc<str>, bool)>) {
        if self.locked {
            return;
        }
        self.resumes = false;
        let rerun = Rerun::new(&self.session, release, gates);
        self.work_on(text!("Running the same commands under {}.", release.name()), Work::Under(Box::new(rerun)));
    }

    /// The same commands were run under another release. What it refuses is left out of its run, and shown.
    pub(super) fn ran_under(&mut self, rerun: Rerun) {
        let first = rerun.open_in(&mut self.session).into_iter().next();
        self.redraw();
        self.refused = first.map(|(command, refusal)| Rc::new(Refused { origin: Origin::Release, command, refusal }));
    }

    pub(super) fn send(&mut self, command: Command, origin: Origin) {
        if self.locked {
            return;
        }
        // Whoever applies a manifest wants to see what it made.
        let chosen = if origin == Origin::Editor { self.chosen.take() } else { None };
        if let Err(refusal) = self.give(command.clone()) {
            self.chosen = chosen.or_else(|| self.chosen.take());
            self.refused = Some(Rc::new(Refused { origin, command, refusal }));
        } else if let (Command::Apply { manifest }, Origin::Editor) = (&command, &origin) {
            self.editor.receipt = Some(Rc::new(receipt(manifest, &self.session.cluster().server())));
        }
    }

    /// Gives a command.
    ///
    /// # Errors
    /// What it was refused for; then nothing has changed.
    pub(super) fn give(&mut self, command: Command) -> Result<(), Refusal> {
        self.session.command(command)?;
        self.refused = None;
        self.panels.pod = None;
        if self.sharing.acted() {
            self.perform(Effect::LeaveAddress);
        }
        self.playing |= self.resumes;
        self.resumes = false;
        self.redraw();
        Ok(())
    }

    /// A move by hand ends the playing.
    pub(super) fn move_by(&mut self, act: &mut dyn FnMut(&mut Session)) {
        self.playing = false;
        self.resumes = false;
        self.goal = None;
        self.run(act);
    }

    fn play(&mut self, passed: i64) {
        if self.goal.is_some() || self.speed == FASTEST {
            let slice = self.pace.next(&self.clock);
            self.run_on(slice);
            self.pace.ended(&self.clock);
            return;
        }
        let due = self.pace.due(passed, self.speed);
        let before = self.session.position();
        let from = self.session.cluster().now();
        self.session.pass_until(from.0 - START.0 + due, run::in_time(run::PLAYED, &self.clock));
        let played = self.session.cluster().now().0 - from.0;
        self.pace.played(played, self.speed);
        self.needs_draw = played > 0 || self.session.position() != before;
        if self.needs_draw {
            self.redraw();
        }
    }

    /// What is near is reached at once.
    fn run_to(&mut self, goal: Goal) {
        self.playing = true;
        self.panels.pod = None;
        self.goal = Some(goal);
        if run::slice(&mut self.session, self.goal.as_mut(), run::STEP, &self.clock) {
            self.end_run();
        }
        self.pace.ended(&self.clock);
    }

    /// What is far is reached while the page goes on.
    fn step_to(&mut self, goal: Goal) {
        self.resumes = false;
        self.playing = true;
        let goes_on = self.goal.replace(goal).is_some_and(|goal| goal.is_step());
        if !goes_on && run::slice(&mut self.session, self.goal.as_mut(), run::STEP, &self.clock) {
            self.end_run();
        }
        self.pace.ended(&self.clock);
    }

    fn run_on(&mut self, milliseconds: f64) {
        let before = self.session.position();
        if run::slice(&mut self.session, self.goal.as_mut(), milliseconds, &self.clock) {
            return self.end_run();
        }
        self.needs_draw = self.session.position() != before;
        if self.needs_draw {
            self.redraw();
        }
    }

    /// The run to a goal is over, or nothing is left to happen.
    fn end_run(&mut self) {
        self.playing = false;
        let goal = self.goal.take();
        self.redraw();
        if let Some(goal) = goal.filter(|goal| !goal.is_step() && !self.view.settled && !self.is_held()) {
            self.note = goal.given_up(&self.session);
        }
    }

    fn run(&mut self, act: &mut dyn FnMut(&mut Session)) {
        act(&mut self.session);
        self.redraw();
    }

    pub(super) fn redraw(&mut self) {
        let view = self.drawn.build(&self.session, self.chosen.as_ref());
        self.view = Rc::new(self.bound(view));
        self.timeline.follow(&self.session, &self.view);
        if self.playing && self.view.settled {
            self.playing = false;
            self.resumes = true;
        }
        if !self.playing {
            self.seek_ways_out();
            self.compare(self.compared.as_ref().map(|compared| compared.number));
        }
    }

    fn compare(&mut self, number: Option<usize>) {
        let asked = number.filter(|_| self.set().is_some());
        self.compared = asked.and_then(|number| view::compare(&self.session, number));
    }
}
