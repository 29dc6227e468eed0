//! The page's one state, and the messages that change it.

use super::host;
use super::inspector_state::{InspectorMsg, InspectorState};
use super::lanes::{self, ComparisonPage, LanesMsg};
use super::run::{self, Goal, Pace};
use super::sharing::{ShareMsg, Sharing};
use super::theme::Theme;
use crate::objects::{ObjectRef, PodManagementPolicy, UpdateStrategyType};
use crate::reconcile::Release;
use crate::session::scenario::About;
use crate::session::{Command, Refusal, Session, patch_of};
use crate::view::{self, Comparison, Timeline, View};
use std::rc::Rc;

/// Where a command was given, so that a refusal appears in that place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the places' own names")]
pub enum Origin {
    Replicas,
    Policy,
    Strategy,
    Partition,
    Image,
    Readiness,
    Release,
    More,
    /// A field of the spec, by its path.
    Field(&'static str),
    Editor,
    Revisions,
    Rail,
    Nodes,
}

/// What a number sets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Field {
    /// `spec.replicas`.
    Replicas,
    /// `spec.podManagementPolicy`: 0 is OrderedReady, 1 Parallel.
    Policy,
    /// `spec.updateStrategy.type`: 0 is RollingUpdate, 1 OnDelete.
    Strategy,
    /// `spec.updateStrategy.rollingUpdate.partition`.
    Partition,
    /// Milliseconds from a container's start to its readiness.
    Readiness,
}

/// A value on its way, by slider or flag: nothing is sent before it is let go.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "named by their types")]
pub struct Draft {
    pub field: Field,
    pub origin: Origin,
    pub value: i64,
}

/// A command that was refused.
#[derive(Debug)]
pub(crate) struct Refused {
    pub(crate) origin: Origin,
    pub(crate) command: Command,
    pub(crate) refusal: Refusal,
}

// The same refusal, not one that reads the same.
impl PartialEq for Refused {
    fn eq(&self, other: &Self) -> bool {
        std::ptr::eq(self, other)
    }
}

/// The inspector's tabs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the tabs' own names")]
pub enum Tab {
    Why,
    Kubectl,
    Events,
    Status,
    Revisions,
    Manifest,
}

/// What lies over the stage on a narrow screen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the sheets' own names")]
pub enum Sheet {
    Controls,
    Inspector,
}

impl Sheet {
    /// Its element's id, and its name in the stylesheet.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Controls => "controls",
            Self::Inspector => "inspector",
        }
    }
}

/// Everything that can happen on the page.
#[derive(Clone, Debug)]
pub enum Msg {
    /// The page is drawn for the first time.
    Started,
    /// Real milliseconds passed while playing.
    Tick(i64),
    /// Play or pause.
    Toggle,
    /// One event forward.
    Step,
    /// To the end of the next sync.
    StepSync,
    /// One event back.
    StepBack,
    /// To the moment after so many moves.
    GoTo(u64),
    /// To a virtual moment of the known run, in milliseconds since the start.
    Seek(i64),
    /// To the end of the sync before.
    StepSyncBack,
    /// Back to the start; what is known stays known.
    ToStart,
    /// From the start again, with nothing but the first manifest; the run as it was stays as a branch.
    StartOver,
    /// To right before the last command.
    Undo,
    /// To right after the next command that is known.
    Redo,
    /// Until the controller next decides something about this pod.
    RunToDecision(Rc<str>),
    /// The timeline twice as wide for 1, half as wide for -1.
    Zoom(i32),
    /// Over to the branch of this number.
    Switch(usize),
    /// The branch of this number beside the present one; none closes it.
    Compare(Option<usize>),
    /// Time to save the run.
    Save,
    /// The note was read.
    Read,
    /// Until nothing is left to happen.
    RunUntilSettled,
    /// Tenths of virtual time per real time, or `FASTEST`.
    Speed(i64),
    /// A command, and where it was given.
    Send(Command, Origin),
    /// A number that was let go.
    Set(Draft),
    /// A number on its way; none if it was let go where it was.
    Draft(Option<Draft>),
    /// The same run under another release, by name.
    Release(String),
    /// The same run with a feature gate switched.
    Gate(&'static str, bool),
    /// A field of the spec, by its path below it, and what it shall be; empty takes it away.
    Patch(&'static str, String),
    /// One more workload, of those to begin with.
    Starter(usize),
    /// Another set is drawn, by its place among all.
    Choose(usize),
    /// The refusal was read.
    Dismiss,
    /// A tab of the inspector.
    Select(Tab),
    /// Something of what a tab shows.
    Inspector(InspectorMsg),
    /// The pod whose menu is open.
    Open(Option<Rc<str>>),
    /// The sheet over the stage.
    Cover(Option<Sheet>),
    /// Whether the list of keys is open.
    Keys(bool),
    /// The editor shall show the set as it is.
    ShowManifest,
    /// The editor's text was changed by hand.
    Typed,
    /// The editor shall show again what was typed.
    PutBack,
    /// Light or dark.
    Theme(Theme),
    /// The page shall speak this language: `en` or `zh`.
    Speak(&'static str),
    /// The words of another language have come.
    Words,
    /// Scenarios and links.
    Share(ShareMsg),
    /// Runs side by side.
    Lanes(LanesMsg),
}

/// The speed that is as fast as possible.
pub(crate) const FASTEST: i64 = 0;
/// The timeline is at most two to this power times as wide as its place.
pub(crate) const ZOOM: i32 = 6;

/// The page's state; data travels down from here, messages come up.
pub(crate) struct State {
    pub(crate) session: Session,
    pub(crate) view: Rc<View>,
    pub(crate) playing: bool,
    /// It was playing when nothing was left to happen: the next command goes on.
    resumes: bool,
    /// What it runs on to, as fast as possible, while playing.
    pub(crate) goal: Option<Goal>,
    pace: Pace,
    pub(crate) timeline: Timeline,
    pub(crate) zoom: i32,
    pub(crate) compared: Option<Comparison>,
    /// What is to be said once, until it is read.
    pub(crate) note: String,
    pub(crate) speed: i64,
    /// The set that was chosen; of several the one made last is drawn without a choice.
    chosen: Option<ObjectRef>,
    pub(crate) refused: Option<Rc<Refused>>,
    pub(crate) tab: Tab,
    pub(crate) desk: InspectorState,
    pub(crate) open: Option<Rc<str>>,
    pub(crate) sheet: Option<Sheet>,
    pub(crate) keys: bool,
    pub(crate) draft: Option<Draft>,
    /// The text the editor was last asked to show: another one asks again.
    pub(crate) shown: Rc<str>,
    pub(crate) sharing: Sharing,
    /// Runs side by side; the single run waits meanwhile.
    pub(crate) lanes: Option<ComparisonPage>,
    /// A figure whose reader may look and not touch.
    pub(crate) locked: bool,
}

impl State {
    /// The page's first state: the run that the address names, the one that was there before, or the usual one.
    pub(crate) fn open(usual: Session, restored: Option<(Session, About)>, note: String) -> Self {
        let mut sharing = Sharing::default();
        let named = sharing.start();
        let is_usual = named.is_none() && restored.is_none();
        let session = match (restored, named) {
            // What was there before stays within reach.
            (Some((mut own, _)), Some(named)) => {
                own.open(named);
                own
            }
            (Some((own, about)), None) => {
                sharing.about = about;
                own
            }
            (None, named) => named.unwrap_or(usual),
        };
        let mut state = Self {
            lanes: sharing.lanes.take(),
            sharing,
            locked: host::is_locked(),
            view: Rc::new(view::build(&session, None)),
            session,
            playing: false,
            resumes: false,
            goal: None,
            pace: Pace::default(),
            timeline: Timeline::default(),
            zoom: 0,
            compared: None,
            note,
            speed: 20,
            chosen: None,
            refused: None,
            tab: Tab::Why,
            desk: InspectorState::default(),
            open: None,
            sheet: None,
            keys: false,
            draft: None,
            shown: crate::session::first::MANIFEST.into(),
        };
        if !is_usual {
            state.take(Msg::ShowManifest);
        }
        state.follow();
        state
    }

    /// The set the controls are about.
    pub(crate) fn set(&self) -> Option<&ObjectRef> {
        self.view.controls.as_ref().map(|controls| &controls.set)
    }

    #[inline(never)]
    pub(crate) fn take(&mut self, msg: Msg) {
        let msg = if self.lanes.is_some() || matches!(msg, Msg::Lanes(_)) {
            let Some(msg) = lanes::takes(self, msg) else { return };
            msg
        } else {
            msg
        };
        match msg {
            Msg::Tick(passed) if self.playing => self.play(passed),
            Msg::Tick(_) => {}
            Msg::Toggle => {
                self.playing = !self.playing && !self.view.settled;
                self.resumes = false;
                self.goal = None;
            }
            Msg::Step => self.move_by(&mut |session| _ = session.step()),
            Msg::StepSync => self.move_by(&mut |session| _ = session.step_sync()),
            Msg::StepBack => self.move_by(&mut |session| _ = session.step_back()),
            Msg::GoTo(moves) => self.move_by(&mut |session| session.go_to(moves.max(session.first_position()))),
            Msg::Seek(at) => self.move_by(&mut |session| session.seek(at)),
            Msg::StepSyncBack => self.move_by(&mut |session| _ = session.step_sync_back()),
            Msg::ToStart => self.move_by(&mut |session| session.go_to(session.first_position())),
            Msg::StartOver if self.locked => {}
            Msg::StartOver => {
                self.refused = None;
                self.move_by(&mut Session::reset);
            }
            Msg::Undo => self.move_by(&mut |session| _ = session.undo()),
            Msg::Redo => self.move_by(&mut |session| _ = session.redo()),
            Msg::RunUntilSettled => self.run_to(Goal::settled(&self.session)),
            Msg::RunToDecision(pod) => self.run_to(Goal::decision(&self.session, &pod)),
            Msg::Zoom(by) => self.zoom = (self.zoom + by).clamp(0, ZOOM),
            Msg::Switch(number) => self.move_by(&mut |session| session.switch(number)),
            Msg::Compare(number) => self.compare(number),
            Msg::Read => self.note.clear(),
            Msg::Speed(speed) => self.speed = speed,
            Msg::Send(command, origin) => self.send(command, origin),
            Msg::Dismiss => self.refused = None,
            Msg::Select(tab) => self.tab = tab,
            Msg::Inspector(ask) => self.ask(ask),
            Msg::Open(pod) => self.open = pod,
            Msg::Cover(sheet) => self.sheet = sheet,
            Msg::Keys(shown) => self.keys = shown,
            Msg::ShowManifest => {
                self.shown = self.set().map_or_else(|| "".into(), |set| self.session.manifest(set));
            }
            Msg::Release(name) => {
                let release = Release::ALL.into_iter().find(|release| release.name() == name);
                release.into_iter().for_each(|release| self.run_under(release, Vec::new()));
            }
            Msg::Gate(name, on) => {
                let mut gates = self.session.scenario().gates.clone();
                gates.retain(|(own, _)| **own != *name);
                gates.push((name.into(), on));
                self.run_under(self.session.release(), gates);
            }
            Msg::Patch(path, value) => {
                let Some(set) = self.set().cloned() else { return };
                self.send(Command::Patch { set, patch: patch_of(path, &value).into() }, Origin::Field(path));
            }
            Msg::Choose(at) => {
                view::sets(self.session.cluster()).into_iter().nth(at).into_iter().for_each(|set| self.choose(set));
            }
            Msg::Starter(at) => self.start_with(at),
            Msg::Set(draft) => self.change(draft),
            Msg::Draft(draft) => self.draft = draft,
            Msg::Share(msg) => {
                let set = self.set().cloned();
                let moved = self.sharing.take(msg, &mut self.session, set.as_ref());
                if moved || self.sharing.lanes.is_some() {
                    self.playing = false;
                    self.lanes = self.sharing.lanes.take();
                }
                if moved {
                    self.refused = None;
                    self.open = None;
                    self.move_by(&mut |_| {});
                    self.take(Msg::ShowManifest);
                }
            }
            Msg::Started | Msg::Typed | Msg::PutBack | Msg::Theme(_) | Msg::Save | Msg::Lanes(_) => {}
            Msg::Speak(_) | Msg::Words => {}
        }
    }

    /// Another set is drawn.
    pub(crate) fn choose(&mut self, set: ObjectRef) {
        self.chosen = Some(set);
        self.open = None;
        self.redraw();
    }

    #[inline(never)]
    fn change(&mut self, Draft { field, origin, value }: Draft) {
        self.draft = None;
        let Some(controls) = self.view.controls.as_ref() else { return };
        let set = controls.set.clone();
        // The API server, not the page, says what is too much.
        let number = i32::try_from(value).unwrap_or(i32::MAX);
        let command = match field {
            Field::Replicas => Command::Scale { set, replicas: number },
            Field::Partition => Command::SetPartition { set, partition: number },
            Field::Readiness => Command::SetReadinessDelay { milliseconds: value },
            Field::Policy => {
                let policies = [PodManagementPolicy::OrderedReady, PodManagementPolicy::Parallel];
                let policy = policies[usize::from(value == 1)];
                if policy == controls.policy {
                    return;
                }
                Command::SetPolicy { set, policy }
            }
            Field::Strategy => {
                let strategies = [UpdateStrategyType::RollingUpdate, UpdateStrategyType::OnDelete];
                let strategy = strategies[usize::from(value == 1)];
                if strategy == controls.strategy {
                    return;
                }
                Command::SetStrategy { set, strategy }
            }
        };
        self.send(command, origin);
    }

    #[inline(never)]
    fn run_under(&mut self, release: Release, gates: Vec<(Rc<str>, bool)>) {
        if self.locked {
            return;
        }
        let mut refused = Vec::new();
        self.move_by(&mut |session| refused = session.run_under(release, gates.clone()));
        // What the other release refuses is left out of its run, and said.
        self.refused = refused
            .into_iter()
            .next()
            .map(|(command, refusal)| Rc::new(Refused { origin: Origin::Release, command, refusal }));
    }

    #[inline(never)]
    fn send(&mut self, command: Command, origin: Origin) {
        if self.locked {
            return;
        }
        // Whoever applies a manifest wants to see what it made.
        let chosen = if origin == Origin::Editor { self.chosen.take() } else { None };
        if let Err(refusal) = self.give(command.clone()) {
            self.chosen = chosen.or_else(|| self.chosen.take());
            self.refused = Some(Rc::new(Refused { origin, command, refusal }));
        }
    }

    /// Gives a command.
    ///
    /// # Errors
    /// What it was refused for; then nothing has changed.
    pub(crate) fn give(&mut self, command: Command) -> Result<(), Refusal> {
        self.session.command(command)?;
        self.refused = None;
        self.open = None;
        self.sharing.acted();
        self.playing |= self.resumes;
        self.resumes = false;
        self.redraw();
        Ok(())
    }

    /// A move by hand ends the playing.
    fn move_by(&mut self, act: &mut dyn FnMut(&mut Session)) {
        self.playing = false;
        self.resumes = false;
        self.goal = None;
        self.run(act);
    }

    fn play(&mut self, passed: i64) {
        if self.goal.is_some() || self.speed == FASTEST {
            let mut pace = self.pace;
            pace.keep(|milliseconds| self.run_on(milliseconds));
            self.pace = pace;
            return;
        }
        let passed = passed * self.speed / 10;
        self.run(&mut |session| session.advance(passed));
    }

    /// What is near is reached at once.
    #[inline(never)]
    fn run_to(&mut self, goal: Goal) {
        self.playing = true;
        self.open = None;
        self.goal = Some(goal);
        self.run_on(run::FIRST_SLICE);
    }

    #[inline(never)]
    fn run_on(&mut self, milliseconds: f64) {
        if run::slice(&mut self.session, self.goal.as_mut(), milliseconds) {
            self.playing = false;
            let goal = self.goal.take();
            self.redraw();
            if let Some(goal) = goal.filter(|_| !self.view.settled) {
                goal.given_up(&self.session).clone_into(&mut self.note);
            }
            return;
        }
        self.redraw();
    }

    fn run(&mut self, act: &mut dyn FnMut(&mut Session)) {
        act(&mut self.session);
        self.redraw();
    }

    fn redraw(&mut self) {
        self.view = Rc::new(view::build(&self.session, self.chosen.as_ref()));
        self.follow();
        if self.playing && self.view.settled {
            self.playing = false;
            self.resumes = true;
        }
        if !self.playing {
            self.compare(self.compared.as_ref().map(|compared| compared.number));
        }
    }

    fn compare(&mut self, number: Option<usize>) {
        let asked = number.zip(self.set());
        self.compared = asked.and_then(|(number, set)| view::compare(&self.session, set, number));
    }

    fn follow(&mut self) {
        if let Some(set) = self.view.controls.as_ref().map(|controls| controls.set.clone()) {
            self.timeline.follow(&self.session, &set);
        }
    }
}
