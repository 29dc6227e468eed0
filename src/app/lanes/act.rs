//! What happens while a comparison is open.

use crate::app::browser::by_id;
use crate::app::host;
use crate::app::run::{FIRST_SLICE, SLICE};
use crate::app::sharing::{Dialog, ShareMsg};
use crate::app::state::{FASTEST, Msg, State};
use crate::objects::ObjectRef;
use crate::reconcile::Release;
use crate::session::kubectl::{self, Line};
use crate::session::lanes::{Lanes, Start};
use crate::session::scenario::About;
use crate::session::variants::{Variant, with_policy};
use crate::session::{Command, Refusal, comparison};
use crate::sim::Failure;
use crate::view::{Export, LanesView, lanes};
use std::rc::Rc;
use web_sys::HtmlInputElement;

/// What can be done.
#[derive(Clone, Debug)]
pub enum LanesMsg {
    /// Compare the present run with this.
    With(Variant),
    /// Back to the single run.
    Close,
    /// `spec.replicas` of all, from its field.
    Replicas,
    /// The image of all, from its field.
    Image,
    /// The partition of all, from its field.
    Partition,
    /// The chosen node fails in the chosen way, in all.
    Fail,
    /// The chosen node comes back, in all.
    Recover,
    /// The line that was typed for one lane.
    Line(usize),
    /// One lane starts in another way, and all again with the same commands.
    Change(usize, Change),
    /// The table counts from here on.
    Count,
    /// The refusals were read.
    Read,
}

/// How a lane starts in another way.
#[derive(Clone, Debug)]
pub enum Change {
    /// Under this release.
    Release(String),
    /// With this policy.
    Policy(String),
    /// With the manifest that was typed.
    Manifest,
    /// Beside one more like it.
    Copy,
    /// Not at all.
    Remove,
}

/// A comparison that is open.
pub(crate) struct Beside {
    lanes: Lanes,
    pub(crate) view: Rc<LanesView>,
    pub(crate) about: About,
    /// What lanes refused.
    pub(crate) refused: Vec<String>,
    /// It was playing when nothing was left to happen: the next command goes on.
    resumes: bool,
    /// It runs as fast as possible until nothing is left, or nothing changes any more; how far it had come when a pod last
    /// changed.
    settling: Option<(usize, i64)>,
}

/// A run that settles ends when no pod has changed for so many virtual milliseconds.
const QUIET: i64 = 15 * 60_000;

impl Beside {
    /// A comparison at its moment.
    pub(crate) fn new(lanes: Lanes, about: About) -> Self {
        let view = Rc::new(self::lanes(&lanes));
        Self { lanes, view, about, refused: Vec::new(), resumes: false, settling: None }
    }

    /// The manifest that a lane started with.
    pub(crate) fn manifest(&self, lane: usize) -> Rc<str> {
        self.lanes.lanes().get(lane).map_or_else(|| "".into(), |lane| lane.start().manifest)
    }

    fn changes(&self) -> usize {
        self.lanes.lanes().iter().map(|lane| lane.session.cluster().trace().history.len()).sum()
    }

    /// Runs for so many real milliseconds. True if it is at its end.
    fn slice(&mut self, milliseconds: f64) -> bool {
        let end = js_sys::Date::now() + milliseconds;
        while js_sys::Date::now() < end {
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
        }
        false
    }

    fn refuse(&mut self, refused: Vec<Option<Refusal>>) {
        let said = |(lane, refusal): (&crate::session::lanes::Lane, Option<Refusal>)| {
            refusal.map(|refusal| words(&lane.name, &refusal))
        };
        self.refused = self.lanes.lanes().iter().zip(refused).filter_map(said).collect();
    }

    /// The same commands for lanes that start in another way.
    fn again(&mut self, starts: Vec<(Start, usize)>) {
        match self.lanes.again(starts) {
            Ok(lanes) => (self.lanes, self.refused) = (lanes, Vec::new()),
            Err(refusal) => self.refused = vec![words("Not started again", &refusal)],
        }
    }

    fn change(&mut self, at: usize, change: Change) {
        let mut starts: Vec<(Start, usize)> = self.lanes.starts().into_iter().zip(0..).collect();
        let Some((own, _)) = starts.get_mut(at) else { return };
        let own_kind = self.lanes.lanes()[at].set.kind;
        match change {
            Change::Release(name) => {
                let known = Release::ALL.into_iter().find(|release| release.name() == name);
                own.release = known.unwrap_or(own.release);
                own.gates.clear();
            }
            Change::Policy(policy) => own.manifest = with_policy(&own.manifest, own_kind, &policy).into(),
            Change::Manifest => own.manifest = typed(&manifest_id(at)).into(),
            Change::Copy => {
                let mut copy = own.clone();
                copy.name.push_str(" again");
                starts.insert(at + 1, (copy, at));
            }
            Change::Remove => _ = starts.remove(at),
        }
        self.again(starts);
    }

    fn line(&mut self, at: usize) {
        let line = typed(&line_id(at));
        let Some(lane) = self.lanes.lane(at) else { return };
        let given = match kubectl::parse(&line, lane.session.cluster()) {
            Ok(Line::Do(commands)) => commands
                .into_iter()
                .try_for_each(|command| lane.session.command(command).map_err(|refusal| words(&lane.name, &refusal))),
            Ok(Line::Show(_)) => Err("Here a line does something; what there is stands above it.".to_owned()),
            Err(message) => Err(message),
        };
        self.refused = given.err().into_iter().collect();
    }

    fn act(&mut self, msg: LanesMsg) {
        let nobody = |set: &ObjectRef| set.clone();
        let Some(target) = self.lanes.lanes().first().map(|lane| nobody(&lane.set)) else { return };
        let number = |id: &str| typed(id).trim().parse::<i32>().ok();
        let refused = match msg {
            LanesMsg::Replicas => number(REPLICAS)
                .map(|replicas| self.lanes.command(&Command::Scale { set: target, replicas }))
                .unwrap_or_default(),
            LanesMsg::Partition => number(PARTITION)
                .map(|partition| self.lanes.command(&Command::SetPartition { set: target, partition }))
                .unwrap_or_default(),
            LanesMsg::Image => {
                let image: Rc<str> = typed(IMAGE).trim().into();
                let containers: Vec<Rc<str>> = self.view.lanes.iter().map(|lane| lane.container.0.clone()).collect();
                self.lanes.commands(|lane| Command::SetImage {
                    set: target.clone(),
                    container: containers[lane].clone(),
                    image: image.clone(),
                })
            }
            LanesMsg::Fail => {
                let failure = FAILURES.iter().find(|(_, name, _)| *name == typed(FAILURE));
                let failure = failure.map_or(Failure::PowerLost, |(failure, _, _)| *failure);
                self.lanes.command(&Command::FailNode { node: typed(NODE).into(), failure })
            }
            LanesMsg::Recover => self.lanes.command(&Command::RecoverNode { node: typed(NODE).into() }),
            LanesMsg::Line(at) => return self.line(at),
            LanesMsg::Change(at, change) => return self.change(at, change),
            LanesMsg::Count => return self.lanes.count_from_here(),
            LanesMsg::With(_) | LanesMsg::Close | LanesMsg::Read => Vec::new(),
        };
        self.refuse(refused);
    }

    fn text(&self) -> String {
        comparison::write(&self.lanes, &self.about)
    }
}

/// The fields of the controls.
pub(super) const REPLICAS: &str = "lanes-replicas";
pub(super) const PARTITION: &str = "lanes-partition";
pub(super) const IMAGE: &str = "lanes-image";
pub(super) const NODE: &str = "lanes-node";
pub(super) const FAILURE: &str = "lanes-failure";

/// The ways in which a node can fail, with their values and names.
pub(super) const FAILURES: [(Failure, &str, &str); 6] = [
    (Failure::PowerLost, "power", "loses power"),
    (Failure::NetworkPartition, "network", "is cut off"),
    (Failure::KubeletStopped, "kubelet", "loses its kubelet"),
    (Failure::Reboot, "reboot", "reboots"),
    (Failure::GracefulShutdown, "shutdown", "is shut down"),
    (Failure::KubeletUnwell, "runtime", "loses its runtime"),
];

pub(super) fn manifest_id(lane: usize) -> String {
    ["lane-manifest-", &lane.to_string()].concat()
}

pub(super) fn line_id(lane: usize) -> String {
    ["lane-line-", &lane.to_string()].concat()
}

/// What stands in a field; lists and text areas have a value as inputs have.
fn typed(id: &str) -> String {
    by_id::<HtmlInputElement>(id).map(|field| field.value()).unwrap_or_default()
}

fn words(who: &str, refusal: &Refusal) -> String {
    let said: Vec<&str> = refusal.problems.iter().map(|problem| &*problem.message).collect();
    [who, ": ", &said.join("; ")].concat()
}

/// Takes a message that is the comparison's; gives back what is the page's.
#[inline(never)]
pub(crate) fn takes(state: &mut State, msg: Msg) -> Option<Msg> {
    match msg {
        Msg::Lanes(LanesMsg::With(variant)) => {
            open(state, variant);
            return None;
        }
        Msg::Lanes(LanesMsg::Close) => {
            state.lanes = None;
            state.playing = false;
            host::call("leave", "", "");
            return None;
        }
        _ => {}
    }
    let (playing, locked, speed) = (state.playing, state.locked, state.speed);
    let Some(beside) = &mut state.lanes else { return Some(msg) };
    let mut plays = false;
    match msg {
        Msg::Tick(_) if !playing => return None,
        Msg::Tick(passed) => {
            let at_end = if beside.settling.is_some() || speed == FASTEST {
                beside.slice(SLICE)
            } else {
                beside.lanes.advance(passed * speed / 10);
                beside.lanes.is_settled()
            };
            beside.resumes = at_end && beside.settling.is_none();
            plays = !at_end;
        }
        Msg::Toggle => plays = !playing && !beside.view.settled,
        Msg::Step | Msg::StepSync => _ = beside.lanes.next_moment(),
        Msg::StepBack | Msg::StepSyncBack => _ = beside.lanes.moment_before(),
        Msg::Seek(at) => beside.lanes.seek(at),
        Msg::ToStart => beside.lanes.seek(0),
        Msg::RunUntilSettled => {
            beside.settling = Some((beside.changes(), beside.lanes.now()));
            plays = !beside.slice(FIRST_SLICE);
        }
        Msg::StartOver if locked => {}
        Msg::StartOver => {
            let scenario = beside.lanes.lanes().first().map(|lane| lane.session.scenario());
            let (seed, nodes) = scenario.map_or((1, 3), |scenario| (scenario.seed, scenario.nodes));
            if let Ok(lanes) = Lanes::start(beside.lanes.starts(), seed, nodes) {
                beside.lanes = lanes;
            }
        }
        Msg::Lanes(LanesMsg::Read) => beside.refused.clear(),
        Msg::Lanes(msg) if !locked => {
            beside.act(msg);
            plays = playing || std::mem::take(&mut beside.resumes);
        }
        Msg::Lanes(_) | Msg::Undo | Msg::Redo | Msg::GoTo(_) => return None,
        Msg::Share(ShareMsg::Show(Some(Dialog::Share))) => {
            host::call("link", &beside.text(), "share-link");
            state.sharing.show_only(Dialog::Share);
            return None;
        }
        Msg::Share(ShareMsg::Link) => {
            host::call("link", &beside.text(), "open-here");
            return None;
        }
        Msg::Share(ShareMsg::Save(Export::Scenario)) => {
            host::call("save", &beside.text(), "comparison.yaml");
            return None;
        }
        msg => return Some(msg),
    }
    if !plays {
        beside.settling = None;
    }
    beside.view = Rc::new(self::lanes(&beside.lanes));
    if !plays && (playing || !matches!(beside.view.moments, (0, 0))) {
        host::call("address", &beside.text(), "");
    }
    state.playing = plays;
    None
}

/// Compares the present run's workload with something else.
fn open(state: &mut State, variant: Variant) {
    let Some(set) = state.set().cloned() else { return };
    let scenario = state.session.scenario();
    let (seed, nodes) = (scenario.seed, scenario.nodes);
    state.sharing.dialog = None;
    state.playing = false;
    match Lanes::start(variant.lanes(&state.session, &set), seed, nodes) {
        Ok(lanes) => {
            let beside = Beside::new(lanes, About::default());
            host::call("address", &beside.text(), "");
            state.lanes = Some(beside);
        }
        Err(refusal) => {
            let name = Variant::ALL.iter().find(|(own, _)| *own == variant).map_or("", |(_, name)| name);
            state.sharing.problem = words(&["Nothing was compared with ", name].concat(), &refusal);
        }
    }
}
