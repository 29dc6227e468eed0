//! What happens while a comparison is open.

use super::beside::{ComparisonPage, LINE, words};
use crate::app::browser::{by_id, focus};
use crate::app::host;
use crate::app::inspector_state::InspectorMsg;
use crate::app::run::FIRST_SLICE;
use crate::app::sharing::{Dialog, ShareMsg};
use crate::app::state::{FASTEST, Msg, Sheet, State};
use crate::session::lanes::Lanes;
use crate::session::scenario::About;
use crate::session::variants::Variant;
use crate::sim::START;
use crate::view::lanes;
use std::rc::Rc;
use web_sys::Element;

/// What can be done.
#[derive(Clone, Debug)]
pub enum LanesMsg {
    /// Compare the present run with this.
    With(Variant),
    /// Back to the single run.
    Close,
    /// `spec.replicas` from its field.
    Replicas,
    /// The image from its field.
    Image,
    /// The partition from its field.
    Partition,
    /// The chosen node fails in the chosen way.
    Fail,
    /// The chosen node comes back.
    Recover,
    /// The line that was typed.
    Line,
    /// What follows is for this lane alone, or for all.
    Aim(Option<usize>),
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
    /// ComparisonPage one more like it.
    Copy,
    /// Not at all.
    Remove,
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
            (state.lanes, state.sheet, state.playing) = (None, None, false);
            host::call("leave", "", "");
            return None;
        }
        _ => {}
    }
    let (playing, locked) = (state.playing, state.locked);
    let Some(beside) = &mut state.lanes else { return Some(msg) };
    let plays = match msg {
        Msg::Lanes(_) | Msg::StartOver if locked => return None,
        Msg::Lanes(msg) => {
            beside.act(msg);
            playing || std::mem::take(&mut beside.resumes)
        }
        Msg::Speed(speed) => {
            beside.speed = speed;
            return None;
        }
        Msg::Share(msg) => return share(state, msg).map(Msg::Share),
        Msg::Inspector(InspectorMsg::Prompt) => {
            state.sheet = Some(Sheet::Controls);
            by_id::<Element>(LINE).iter().for_each(focus);
            return None;
        }
        Msg::GoTo(_) | Msg::Inspector(_) => return None,
        msg => match beside.pass(msg, playing) {
            Ok(plays) => plays,
            Err(msg) => return Some(msg),
        },
    };
    if !plays {
        beside.settling = None;
    }
    beside.view = Rc::new(lanes(&beside.lanes));
    if !plays {
        host::call("address", &beside.text(), "");
    }
    state.playing = plays;
    None
}

/// Links, files and notes are the comparison's own.
fn share(state: &mut State, msg: ShareMsg) -> Option<ShareMsg> {
    let beside = state.lanes.as_mut()?;
    match msg {
        ShareMsg::Show(Some(Dialog::Share)) => {
            host::call("link", &beside.text(), "share-link");
            state.sharing.show_only(Dialog::Share);
        }
        ShareMsg::Link => host::call("link", &beside.text(), "open-here"),
        ShareMsg::Save(_) => host::call("save", &beside.text(), "comparison.yaml"),
        ShareMsg::Dismiss if state.sharing.problem.is_empty() => beside.told = false,
        msg => return Some(msg),
    }
    None
}

impl ComparisonPage {
    /// Moves on the clock. Whether it plays then; or the message, if it is about something else.
    fn pass(&mut self, msg: Msg, playing: bool) -> Result<bool, Msg> {
        match msg {
            Msg::Tick(_) if !playing => {}
            Msg::Tick(passed) => {
                let at_end = if self.settling.is_some() || self.speed == FASTEST {
                    let mut pace = self.pace;
                    let at_end = pace.keep(|milliseconds| self.slice(milliseconds));
                    self.pace = pace;
                    at_end
                } else {
                    self.lanes.advance(passed * self.speed / 10);
                    self.lanes.is_settled()
                };
                self.resumes = at_end && self.settling.is_none();
                return Ok(!at_end);
            }
            Msg::Toggle => return Ok(!playing && !self.view.settled),
            Msg::Step | Msg::StepSync => _ = self.lanes.next_moment(),
            Msg::StepBack | Msg::StepSyncBack => _ = self.lanes.moment_before(),
            Msg::Seek(at) => self.lanes.seek(at),
            Msg::ToStart => self.lanes.seek(0),
            Msg::Undo => self.seek_command(|at, now| at <= now, -1),
            Msg::Redo => self.seek_command(|at, now| at > now, 0),
            Msg::RunUntilSettled => {
                self.settling = Some((self.changes(), self.lanes.now()));
                return Ok(!self.slice(FIRST_SLICE));
            }
            Msg::StartOver => self.start_over(),
            msg => return Err(msg),
        }
        Ok(false)
    }
}

/// A comparison opens at the present run's moment, or so many milliseconds after the start.
const LONGEST: i64 = 60_000;

/// Compares the present run's workload with something else.
fn open(state: &mut State, variant: Variant) {
    let Some(set) = state.set().cloned() else { return };
    let scenario = state.session.scenario();
    let (seed, nodes) = (scenario.seed, scenario.start.nodes());
    state.sharing.dialog = None;
    state.playing = false;
    match Lanes::start(variant.lanes(&state.session, &set), seed, nodes) {
        Ok(mut lanes) => {
            let passed = state.session.cluster().now().0 - START.0;
            lanes.advance(passed.min(LONGEST));
            let beside = ComparisonPage::new(lanes, About::default());
            host::call("address", &beside.text(), "");
            state.sharing.problem.clear();
            state.sheet = None;
            state.lanes = Some(beside);
        }
        Err(refusal) => {
            let name = Variant::ALL.iter().find(|(own, _)| *own == variant).map_or("", |(_, name)| name);
            state.sharing.problem = words(&["Not compared: ", name].concat(), &refusal);
        }
    }
}
