//! The comparison that is open: its lanes, what is drawn of them, and what its controls do.

use super::FASTEST;
use super::effect::Effect;
use super::message::{Change, ComparisonMsg, Msg};
use super::problems::{not_a_number, problems_text};
use super::run::{Clock, PLAYED, Pace, STEP, in_time};
use crate::kubectl::{self, Line};
use crate::reconcile::Release;
use crate::session::lanes::{Lanes, Start};
use crate::session::scenario::About;
use crate::session::variants::with_policy;
use crate::session::{Command, comparison};
use crate::sim::Failure;
use crate::text::Text;
use crate::view::{DrawnLanes, LaneView, LanesView, MarkKind};
use std::rc::Rc;

/// A comparison that is open.
pub struct ComparisonPage {
    pub(super) lanes: Lanes,
    /// What is drawn of them.
    pub view: Rc<LanesView>,
    seen: DrawnLanes,
    /// Its title and description.
    pub about: About,
    /// Whether the description is shown.
    pub shows_about: bool,
    /// Whether the address names it: it is a scenario of the list, and nothing was done to it.
    pub named: bool,
    /// The lane that the controls apply to; all of them if none.
    pub aim: Option<usize>,
    /// Tenths of virtual time per real time.
    pub speed: i64,
    /// The kubectl line as it is typed.
    pub line: String,
    /// What lanes refused.
    pub refused: Vec<Text>,
    /// It was playing when nothing was left to happen: the next command resumes it.
    pub(super) resumes: bool,
    /// It runs as fast as possible until nothing is left, or nothing changes any more; how far it had come when a pod last
    /// changed.
    settling: Option<(usize, i64)>,
    pace: Pace,
    /// When its view was made, and how long that took, in real milliseconds.
    drawn: (f64, f64),
    /// The moment that was asked for last, while it is gone to.
    pub(super) sought: Option<i64>,
}

/// Ten times real time, as comparisons last minutes.
const SPEED: i64 = 100;
/// A run that settles ends when no pod has changed for so many virtual milliseconds.
const QUIET: i64 = 15 * 60_000;

/// Real milliseconds between two drawings of many pods that play.
const MANY: f64 = 100.0;

impl ComparisonPage {
    /// A comparison at its moment.
    pub(super) fn new(lanes: Lanes, about: About) -> Self {
        let mut seen = DrawnLanes::default();
        let view = Rc::new(seen.build(&lanes));
        let shows_about = !about.text.is_empty();
        Self {
            lanes,
            view,
            seen,
            about,
            shows_about,
            named: false,
            aim: None,
            speed: SPEED,
            line: String::new(),
            refused: Vec::new(),
            resumes: false,
            settling: None,
            pace: Pace::default(),
            drawn: (0.0, 0.0),
            sought: None,
        }
    }

    /// How many of its sentences were said by now; none where nothing is told of it.
    pub fn told(&self) -> Option<usize> {
        let told = &self.about.told;
        (!told.is_empty()).then(|| told.iter().take_while(|one| one.at <= self.view.moments.0).count())
    }

    /// The manifests that the lanes started with.
    pub fn manifests(&self) -> Vec<Rc<str>> {
        self.lanes.starts().into_iter().map(|start| start.manifest).collect()
    }

    fn changes(&self) -> usize {
        self.lanes.lanes().iter().map(|lane| lane.session.cluster().trace().history.len()).sum()
    }

    /// Whether something is to be seen of a run that plays. Of many pods nobody could follow each frame.
    fn is_to_be_drawn(&self, clock: &Clock) -> bool {
        let (drawn, took) = self.drawn;
        clock() - drawn >= if self.has_many() { took.max(MANY) } else { 0.0 }
    }

    /// Whether there are so many pods that not all of them are drawn.
    pub(super) fn has_many(&self) -> bool {
        self.view.lanes.iter().any(|lane| lane.left_out.0 > 0)
    }

    pub(super) fn draw(&mut self, clock: &Clock) {
        let start = clock();
        self.view = Rc::new(self.seen.build(&self.lanes));
        let end = clock();
        self.drawn = (end, end - start);
    }

    /// Whether it plays slower than its speed says.
    pub fn is_late(&self) -> bool {
        self.pace.is_late()
    }

    /// Runs for so many real milliseconds. True if it is at its end.
    fn slice(&mut self, milliseconds: f64, clock: &Clock) -> bool {
        let end = clock() + milliseconds;
        loop {
            if !self.lanes.next_moment() {
                return true;
            }
            if let Some((changes, at)) = self.settling {
                let (now, many) = (self.lanes.now(), self.changes());
                if many != changes {
                    self.settling = Some((many, now));
                } else if now - at > QUIET {
                    return true;
                }
            }
            if clock() >= end {
                return false;
            }
        }
    }

    /// Moves on the clock. Whether it plays then; none if the message is about something else.
    pub(super) fn pass(&mut self, msg: &Msg, playing: bool, clock: &Clock) -> Option<bool> {
        match msg {
            Msg::Tick(_) if !playing => {}
            Msg::Tick(passed) => {
                let at_end = if self.settling.is_some() || self.speed == FASTEST {
                    let at_end = self.slice(self.pace.next(clock), clock);
                    self.pace.ended(clock);
                    at_end
                } else {
                    let due = self.pace.due(*passed, self.speed);
                    let played = self.lanes.advance_while(due, in_time(PLAYED, clock));
                    self.pace.played(played, self.speed);
                    self.lanes.is_settled()
                };
                self.resumes = at_end && self.settling.is_none();
                return Some(!at_end);
            }
            Msg::Toggle => return Some(!playing && !self.view.settled),
            Msg::Step | Msg::StepSync => _ = self.lanes.next_moment(),
            Msg::StepBack | Msg::StepSyncBack => _ = self.lanes.moment_before(),
            Msg::Seek(at) => self.lanes.seek(*at),
            Msg::ToStart => self.lanes.seek(0),
            Msg::Undo => self.seek_command(|at, now| at <= now, -1),
            Msg::Redo => self.seek_command(|at, now| at > now, 0),
            Msg::RunUntilSettled => {
                self.settling = Some((self.changes(), self.lanes.now()));
                // Of many pods the frames go on: whoever pressed a key sees that first.
                return Some(self.has_many() || !self.slice(STEP, clock));
            }
            Msg::StartOver => self.start_over(),
            _ => return None,
        }
        Some(false)
    }

    /// To the moment of a command, or so many milliseconds before or after it: the last one before, or the next one.
    fn seek_command(&mut self, is_meant: impl Fn(i64, i64) -> bool, offset: i64) {
        let now = self.lanes.now();
        let commands = self.view.marks.iter().filter(|mark| matches!(mark.kind, MarkKind::Act | MarkKind::Fault));
        let mut meant = commands.map(|mark| mark.at).filter(|at| is_meant(*at, now));
        let found = if offset < 0 { meant.next_back() } else { meant.next() };
        if let Some(at) = found {
            self.lanes.seek(at + offset);
        }
    }

    /// The same lanes without their commands.
    fn start_over(&mut self) {
        let scenario = self.lanes.lanes().first().map(|lane| lane.session.scenario());
        let (seed, nodes) = scenario.map_or((1, 3), |scenario| (scenario.seed, scenario.start.nodes()));
        if let Ok(lanes) = Lanes::start(self.lanes.starts(), seed, nodes) {
            self.replace(lanes);
        }
    }

    /// Other lanes in the place of these: nothing that was read of these holds for them.
    pub(super) fn replace(&mut self, lanes: Lanes) {
        (self.lanes, self.seen) = (lanes, DrawnLanes::default());
    }

    /// How the lanes start after a change of one of them, each with the place of the lane whose commands it takes.
    pub(super) fn changed(&self, at: usize, change: Change) -> Vec<(Start, usize)> {
        let mut starts: Vec<(Start, usize)> = self.lanes.starts().into_iter().zip(0..).collect();
        let Some((start, _)) = starts.get_mut(at) else { return starts };
        let own_kind = self.lanes.lanes()[at].set.kind;
        match change {
            Change::Release(name) => {
                let known = Release::ALL.into_iter().find(|release| release.name() == name);
                start.release = known.unwrap_or(start.release);
                start.gates.clear();
            }
            Change::Policy(policy) => start.manifest = with_policy(&start.manifest, own_kind, &policy).into(),
            Change::Manifest(text) => start.manifest = text.into(),
            Change::Copy => {
                let mut copy = start.clone();
                copy.name.push_str(" again");
                starts.insert(at + 1, (copy, at));
            }
            Change::Remove => _ = starts.remove(at),
        }
        starts
    }

    /// The lanes that the controls apply to.
    fn aimed(&self) -> std::ops::Range<usize> {
        self.aim.map_or(0..self.lanes.lanes().len(), |at| at..at + 1)
    }

    /// Gives the command to the lanes that the controls are for.
    fn give(&mut self, command: impl Fn(&LaneView) -> Command) {
        for at in self.aimed() {
            let command = command(&self.view.lanes[at]);
            let Some(lane) = self.lanes.lane(at) else { continue };
            let refused = lane.give(&command).err();
            let refused = refused.map(|refusal| text!("{}: {}", Text::authored(&lane.name), problems_text(&refusal)));
            self.refused.extend(refused);
        }
    }

    /// Gives what a line says.
    fn give_all(&mut self, commands: Vec<Command>) {
        self.line.clear();
        for command in commands {
            self.give(|_| command.clone());
        }
    }

    /// A line means what it means in the first of the lanes that understands it.
    fn run_line(&mut self) {
        let line = self.line.trim();
        let read = |at: usize| kubectl::parse(line, self.lanes.lanes()[at].session.cluster());
        let mut read = self.aimed().map(read);
        let first = read.next().unwrap_or_else(|| Err(kubectl::Error::Plain(String::new())));
        match if first.is_err() { read.find(Result::is_ok).unwrap_or(first) } else { first } {
            Ok(Line::Do(commands)) => self.give_all(commands),
            Ok(Line::Stop { commands, error }) => {
                self.give_all(commands);
                self.refused.push(Text::verbatim(error.to_string()));
            }
            Ok(Line::Show(_)) => self.refused = vec![text!("Only lines that change something are taken here.")],
            Err(error) => self.refused = vec![Text::verbatim(error.to_string())],
        }
    }

    /// Handles a message about the lanes.
    pub(super) fn act(&mut self, msg: ComparisonMsg) {
        let Some(set) = self.lanes.lanes().first().map(|lane| lane.set.clone()) else { return };
        if !matches!(msg, ComparisonMsg::Aim(_)) {
            self.refused.clear();
        }
        match msg {
            ComparisonMsg::Replicas(replicas) => self.give(|_| Command::Scale { set: set.clone(), replicas }),
            ComparisonMsg::Partition(partition) => self.give(|_| Command::set_partition(set.clone(), partition)),
            ComparisonMsg::NotANumber(typed) => self.refused = vec![not_a_number(&typed)],
            ComparisonMsg::Image(image) => {
                let image: Rc<str> = image.trim().into();
                self.give(|lane| Command::SetImage {
                    set: set.clone(),
                    container: lane.container.0.clone(),
                    image: image.clone(),
                });
            }
            ComparisonMsg::Fail(node, failure) => {
                let node: Rc<str> = node.into();
                self.give(|_| Command::FailNode { node: node.clone(), failure });
            }
            ComparisonMsg::Recover(node) => {
                let node: Rc<str> = node.into();
                self.give(|_| Command::RecoverNode { node: node.clone() });
            }
            ComparisonMsg::Run => self.run_line(),
            ComparisonMsg::Aim(lane) => self.aim = lane,
            ComparisonMsg::Count => self.lanes.count_from_here(),
            ComparisonMsg::AndOn(msg) => self.act(*msg),
            ComparisonMsg::Read
            | ComparisonMsg::Typed(_)
            | ComparisonMsg::Change(..)
            | ComparisonMsg::With(_)
            | ComparisonMsg::Close
            | ComparisonMsg::Left => {}
        }
    }

    /// Whether every lane that the last command was for refused it.
    pub(super) fn is_refused(&self) -> bool {
        self.refused.len() >= self.aimed().len()
    }

    /// What the fields of the controls propose: replicas, image and partition as they are.
    pub fn proposed(&self) -> Option<[String; 3]> {
        let lanes = &self.view.lanes[self.aimed()];
        let first = lanes.first()?;
        // A DaemonSet's number is that of the nodes: another lane's is more useful.
        let sized = lanes.iter().find(|lane| !lane.is_by_node).unwrap_or(first);
        let partition = lanes.iter().find_map(|lane| lane.partition.clone()).unwrap_or_default();
        Some([sized.ready.1.to_string(), first.container.1.to_string(), partition])
    }

    /// The address that names it as it is now; the name of a scenario stays for as long as its lanes run as it says.
    pub(super) fn address(&self) -> Option<Effect> {
        (!self.named).then(|| Effect::SetAddress(self.text(&self.about)))
    }

    /// A message was handled, which may have been an act, and it plays or not: it is drawn. The address that names it then.
    pub(super) fn handled(&mut self, acts: bool, plays: bool, clock: &Clock) -> Option<Effect> {
        if !plays {
            self.settling = None;
        }
        if acts || !plays || self.is_to_be_drawn(clock) {
            self.draw(clock);
        }
        self.named &= !acts;
        self.address().filter(|_| !plays)
    }

    pub(super) fn text(&self, about: &About) -> String {
        comparison::write(&self.lanes, about)
    }
}

/// The ways in which a node can fail, with their values in a form.
pub const FAILURES: [(Failure, &str); 6] = [
    (Failure::PowerLost, "power"),
    (Failure::NetworkPartition, "network"),
    (Failure::KubeletStopped, "kubelet"),
    (Failure::Reboot, "reboot"),
    (Failure::GracefulShutdown, "shutdown"),
    (Failure::KubeletUnwell, "runtime"),
];

/// What happens to a node, after its name.
pub fn failure_text(failure: Failure) -> Text {
    match failure {
        Failure::PowerLost => text!("loses power"),
        Failure::NetworkPartition => text!("is cut off"),
        Failure::KubeletStopped => text!("loses its kubelet"),
        Failure::Reboot => text!("reboots"),
        Failure::GracefulShutdown => text!("is shut down"),
        Failure::KubeletUnwell => text!("loses its runtime"),
    }
}
