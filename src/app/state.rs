//! The page's one state, and the messages that change it.

use crate::objects::ObjectRef;
use crate::session::{Command, Refusal, Session};

use crate::view::{self, View};
use std::rc::Rc;
use yew::Reducible;

/// Where a command was given, so that a refusal appears in that place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Origin {
    Replicas,
    Policy,
    Strategy,
    Partition,
    Image,
    Readiness,
    Editor,
    Rail,
    Nodes,
}

/// A command that was refused.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Refused {
    pub(crate) origin: Origin,
    pub(crate) command: Command,
    pub(crate) refusal: Refusal,
}

/// The inspector's tabs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Tab {
    Why,
    Events,
    Manifest,
}

/// What lies over the stage on a narrow screen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Sheet {
    Controls,
    Inspector,
}

/// The text the editor was last asked to show; a new number asks again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Shown {
    pub(crate) number: u32,
    pub(crate) text: Rc<str>,
}

/// Everything that can happen on the page.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Msg {
    /// Real milliseconds passed while playing.
    Tick(i64),
    Toggle,
    Step,
    StepSync,
    StepBack,
    GoTo(u64),
    Reset,
    RunUntilSettled,
    /// Tenths of virtual time per real time.
    Speed(i64),
    Send(Command, Origin),
    Dismiss,
    Select(Tab),
    /// The pod whose menu is open.
    Open(Option<Rc<str>>),
    Cover(Option<Sheet>),
    Keys(bool),
    /// The editor shall show the set as it is.
    ShowManifest,
}

/// At most so many events, and so much virtual time, are taken by `RunUntilSettled`.
const BOUND: (u32, i64) = (5_000, 900_000);

/// The page's state; data travels down from here, messages come up.
#[derive(Clone)]
pub(crate) struct State {
    pub(crate) session: Rc<Session>,
    pub(crate) view: Rc<View>,
    pub(crate) playing: bool,
    /// It was playing when nothing was left to happen: the next command goes on.
    resumes: bool,
    pub(crate) speed: i64,
    pub(crate) refused: Option<Rc<Refused>>,
    pub(crate) tab: Tab,
    pub(crate) open: Option<Rc<str>>,
    pub(crate) sheet: Option<Sheet>,
    pub(crate) keys: bool,
    pub(crate) shown: Rc<Shown>,
}

impl State {
    pub(crate) fn new(session: Session, text: &str) -> Self {
        Self {
            view: Rc::new(view::build(&session, None)),
            session: Rc::new(session),
            playing: false,
            resumes: false,
            speed: 20,
            refused: None,
            tab: Tab::Why,
            open: None,
            sheet: None,
            keys: false,
            shown: Rc::new(Shown { number: 0, text: text.into() }),
        }
    }

    /// The set the controls are about.
    pub(crate) fn set(&self) -> Option<&ObjectRef> {
        self.view.controls.as_ref().map(|controls| &controls.set)
    }

    fn take(&mut self, msg: Msg) {
        match msg {
            Msg::Tick(passed) if self.playing => {
                let passed = passed * self.speed / 10;
                self.run(|session| session.advance(passed));
            }
            Msg::Tick(_) => {}
            Msg::Toggle => {
                self.playing = !self.playing && !self.view.settled;
                self.resumes = false;
            }
            Msg::Step => self.move_by(|session| _ = session.step()),
            Msg::StepSync => self.move_by(|session| _ = session.step_sync()),
            Msg::StepBack => self.move_by(|session| _ = session.step_back()),
            Msg::GoTo(moves) => self.move_by(|session| session.go_to(moves.max(1))),
            Msg::Reset => {
                self.refused = None;
                self.move_by(Session::reset);
            }
            Msg::RunUntilSettled => self.move_by(run_until_settled),
            Msg::Speed(speed) => self.speed = speed,
            Msg::Send(command, origin) => self.send(command, origin),
            Msg::Dismiss => self.refused = None,
            Msg::Select(tab) => self.tab = tab,
            Msg::Open(pod) => self.open = pod,
            Msg::Cover(sheet) => self.sheet = sheet,
            Msg::Keys(shown) => self.keys = shown,
            Msg::ShowManifest => {
                let text = self.set().map_or_else(|| "".into(), |set| self.session.manifest(set));
                self.shown = Rc::new(Shown { number: self.shown.number + 1, text });
            }
        }
    }

    fn send(&mut self, command: Command, origin: Origin) {
        match Rc::make_mut(&mut self.session).command(command.clone()) {
            Ok(()) => {
                self.refused = None;
                self.open = None;
                self.playing |= self.resumes;
                self.resumes = false;
                self.redraw();
            }
            Err(refusal) => self.refused = Some(Rc::new(Refused { origin, command, refusal })),
        }
    }

    /// A move by hand ends the playing.
    fn move_by(&mut self, act: impl FnOnce(&mut Session)) {
        self.playing = false;
        self.resumes = false;
        self.run(act);
    }

    fn run(&mut self, act: impl FnOnce(&mut Session)) {
        act(Rc::make_mut(&mut self.session));
        self.redraw();
    }

    fn redraw(&mut self) {
        self.view = Rc::new(view::build(&self.session, None));
        if self.playing && self.view.settled {
            self.playing = false;
            self.resumes = true;
        }
    }
}

fn run_until_settled(session: &mut Session) {
    let end = session.cluster().now().0 + BOUND.1;
    for _ in 0..BOUND.0 {
        if session.cluster().now().0 > end || !session.step() {
            return;
        }
    }
}

impl PartialEq for State {
    fn eq(&self, other: &Self) -> bool {
        Rc::ptr_eq(&self.session, &other.session)
            && Rc::ptr_eq(&self.view, &other.view)
            && Rc::ptr_eq(&self.shown, &other.shown)
            && self.refused == other.refused
            && self.open == other.open
            && (self.playing, self.resumes, self.speed) == (other.playing, other.resumes, other.speed)
            && (self.tab, self.sheet, self.keys) == (other.tab, other.sheet, other.keys)
    }
}

impl Reducible for State {
    type Action = Msg;

    fn reduce(self: Rc<Self>, msg: Msg) -> Rc<Self> {
        let mut next = (*self).clone();
        next.take(msg);
        Rc::new(next)
    }
}
