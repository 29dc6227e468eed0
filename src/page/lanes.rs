//! What happens while a comparison is open.

use super::FASTEST;
use super::comparison::ComparisonPage;
use super::effect::{Effect, Target};
use super::long_work::Work;
use super::message::{ComparisonMsg, InspectorMsg, Msg, ShareMsg, Sheet};
use super::problems::problems_text;
use super::run::{Clock, PLAYED, STEP, in_time};
use super::state::State;
use crate::session::lanes::{Again, Lanes, Start};
use crate::session::scenario::About;
use crate::session::variants::Variant;
use crate::sim::START;
use crate::text::Text;
use std::rc::Rc;

/// Handles `msg` if the comparison owns it; otherwise returns it.
pub(super) fn reduce(state: &mut State, msg: Msg) -> Option<Msg> {
    match msg {
        Msg::Comparison(ComparisonMsg::With(variant)) => {
            open(state, variant);
            return None;
        }
        Msg::Comparison(close @ (ComparisonMsg::Close | ComparisonMsg::Left)) => {
            (state.lanes, state.panels.sheet, state.playback.playing) = (None, None, false);
            if matches!(close, ComparisonMsg::Close) {
                state.perform(Effect::LeaveAddress);
            }
            return None;
        }
        _ => {}
    }
    let (playing, locked, clock) = (state.playback.playing, state.locked, Rc::clone(&state.playback.clock));
    let Some(comparison) = &mut state.lanes else { return Some(msg) };
    match msg {
        Msg::Seek(at) if comparison.has_many() => {
            seek(state, at);
            return None;
        }
        _ => {}
    }
    let acts = matches!(&msg, Msg::StartOver | Msg::Comparison(_))
        && !matches!(
            &msg,
            Msg::Comparison(
                ComparisonMsg::Typed(_) | ComparisonMsg::NotANumber(_) | ComparisonMsg::Aim(_) | ComparisonMsg::Read
            )
        );
    let plays = match msg {
        Msg::Comparison(_) | Msg::StartOver if locked => return None,
        Msg::Comparison(ComparisonMsg::Typed(line)) => {
            comparison.line = line;
            return None;
        }
        Msg::Comparison(ComparisonMsg::Change(at, change)) => {
            let starts = comparison.changed(at, change);
            again(state, starts);
            return None;
        }
        Msg::Comparison(msg @ ComparisonMsg::AndOn(_)) => {
            comparison.act(msg);
            match comparison.is_refused() {
                true => playing,
                false => comparison.pass(&Msg::RunUntilSettled, playing, &clock) == Some(true),
            }
        }
        Msg::Comparison(msg) => {
            comparison.act(msg);
            playing || std::mem::take(&mut comparison.resumes)
        }
        Msg::Speed(speed) => {
            comparison.speed = speed;
            return None;
        }
        Msg::Share(msg) => return share(state, msg).map(Msg::Share),
        Msg::Inspector(InspectorMsg::Prompt) => {
            state.panels.sheet = Some(Sheet::Controls);
            state.perform(Effect::Focus(Target::LanesLine));
            return None;
        }
        Msg::Inspector(_) => return None,
        msg => match comparison.pass(&msg, playing, &clock) {
            Some(plays) => plays,
            None => return Some(msg),
        },
    };
    if !plays {
        comparison.settling = None;
    }
    if acts || !plays || comparison.is_to_be_drawn(&clock) {
        comparison.draw(&clock);
    }
    comparison.named &= !acts;
    // The name of a comparison stays in the address for as long as its lanes run as it says.
    let address = (!plays && !comparison.named).then(|| comparison.text(&comparison.about));
    state.effects.extend(address.map(Effect::SetAddress));
    state.playback.playing = plays;
    None
}

/// Goes to a moment, many pods frame by frame. Of the moments that are asked for meanwhile, as while the slider is dragged, the
/// last one is gone to next.
fn seek(state: &mut State, at: i64) {
    let Some(comparison) = &mut state.lanes else { return };
    if comparison.sought.replace(at).is_some() && state.long_work.is_some() {
        return;
    }
    let work = Work::Seek(comparison.lanes.clone(), at);
    state.work_on(Text::default(), work);
}

/// The same commands for lanes that start in another way; what cannot start so is refused, and the lanes stay.
fn again(state: &mut State, starts: Vec<(Start, usize)>) {
    let Some(comparison) = &mut state.lanes else { return };
    let plays = state.playback.playing || std::mem::take(&mut comparison.resumes);
    match Again::new(&comparison.lanes, starts) {
        Ok(again) => state.work_on(text!("Running the same commands again."), Work::Again(again, plays)),
        Err(refusal) => {
            comparison.refused = vec![text!("Not started again: {}", problems_text(&refusal))];
            state.playback.playing = plays;
        }
    }
}

/// Links, files and notes are the comparison's own.
fn share(state: &mut State, msg: ShareMsg) -> Option<ShareMsg> {
    let comparison = state.lanes.as_mut()?;
    match msg {
        ShareMsg::Save(_) => {
            let text = comparison.text(&state.sharing.captioned(&comparison.about));
            state.perform(Effect::Download { name: "comparison.yaml".to_owned(), text });
        }
        ShareMsg::Dismiss if state.sharing.problem.is_empty() => comparison.shows_about = false,
        ShareMsg::Tell(at) => {
            comparison.lanes.reach(at);
            comparison.draw(&state.playback.clock);
            state.playback.playing = false;
        }
        msg => return Some(msg),
    }
    None
}

impl ComparisonPage {
    /// Moves on the clock. Whether it plays then; none if the message is about something else.
    fn pass(&mut self, msg: &Msg, playing: bool, clock: &Clock) -> Option<bool> {
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
}

/// A comparison opens at the present run's moment, or so many milliseconds after the start.
const MAX_START_MS: i64 = 60_000;

/// Compares the present run's workload with something else.
fn open(state: &mut State, variant: Variant) {
    let Some(set) = state.stage.set().cloned() else { return };
    let scenario = state.stage.session.scenario();
    let (seed, nodes) = (scenario.seed, scenario.start.nodes());
    state.sharing.dialog = None;
    state.playback.playing = false;
    match Lanes::start(variant.lanes(&state.stage.session, &set), seed, nodes) {
        Ok(lanes) => {
            let at = (state.stage.session.cluster().now().0 - START.0).min(MAX_START_MS);
            state.work_on(text!("Running what is compared to this moment."), Work::Compare(lanes, at));
        }
        Err(refusal) => {
            let name = Variant::ALL.into_iter().find(|(known, _)| *known == variant).map_or("", |(_, name)| name);
            state.sharing.problem = text!("Not compared: {}: {}", Text::fixed(name), problems_text(&refusal));
        }
    }
}

impl State {
    /// The lanes are at the moment that was asked for.
    pub(super) fn sought(&mut self, lanes: Lanes, at: i64) {
        let Some(comparison) = &mut self.lanes else { return };
        comparison.lanes = lanes;
        comparison.draw(&self.playback.clock);
        match comparison.sought.take().filter(|next| *next != at) {
            Some(next) => seek(self, next),
            None => {
                let address = (!comparison.named).then(|| comparison.text(&comparison.about));
                self.effects.extend(address.map(Effect::SetAddress));
            }
        }
    }

    /// The lanes that start in another way are at the moment of those before.
    pub(super) fn started_again(&mut self, lanes: Lanes, plays: bool) {
        let Some(comparison) = &mut self.lanes else { return };
        comparison.replace(lanes);
        (comparison.aim, comparison.named) = (None, false);
        comparison.refused.clear();
        comparison.draw(&self.playback.clock);
        self.playback.playing = plays;
        let address = (!plays).then(|| comparison.text(&comparison.about));
        self.effects.extend(address.map(Effect::SetAddress));
    }

    /// What is compared is at its first moment.
    pub(super) fn begin_comparison(&mut self, mut lanes: Lanes) {
        // What it came through before is not what is asked.
        lanes.count_from_here();
        let comparison = ComparisonPage::new(lanes, About::default());
        self.perform(Effect::EnterAddress(comparison.text(&comparison.about)));
        self.sharing.problem = Text::default();
        self.panels.sheet = None;
        self.lanes = Some(comparison);
    }
}
