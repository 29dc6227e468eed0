//! What happens while a comparison is open.

use crate::page::comparison::ComparisonPage;
use crate::page::effect::{Effect, Target};
use crate::page::long_work::Work;
use crate::page::message::{ComparisonMsg, InspectorMsg, Msg, ShareMsg, Sheet};
use crate::page::problems::problems_text;
use crate::page::state::State;
use crate::session::lanes::{Again, Lanes, Start};
use crate::session::scenario::About;
use crate::session::variants::Variant;
use crate::text::Text;

/// A comparison opens at the present run's moment, or so many milliseconds after the start.
const MAX_START_MS: i64 = 60_000;

/// Whether it changes what is compared, or how it is looked at.
fn is_act(msg: &Msg) -> bool {
    use ComparisonMsg::{Aim, NotANumber, Read, Typed};
    match msg {
        Msg::Comparison(msg) => !matches!(msg, Typed(_) | NotANumber(_) | Aim(_) | Read),
        msg => matches!(msg, Msg::StartOver),
    }
}

impl State {
    /// Handles a message that opens or closes a comparison, or that the open one owns; otherwise returns it.
    pub(super) fn reduce_comparison(&mut self, msg: Msg) -> Option<Msg> {
        match msg {
            Msg::Comparison(ComparisonMsg::With(variant)) => self.compare_with(variant),
            Msg::Comparison(ComparisonMsg::Left) => self.close_comparison(),
            Msg::Comparison(ComparisonMsg::Close) => {
                self.close_comparison();
                self.perform(Effect::LeaveAddress);
            }
            msg => return self.reduce_open_comparison(msg),
        }
        None
    }

    fn reduce_open_comparison(&mut self, msg: Msg) -> Option<Msg> {
        let (playing, clock) = (self.playback.playing, &self.playback.clock);
        let Some(comparison) = &mut self.lanes else { return Some(msg) };
        let acts = is_act(&msg);
        let plays = match msg {
            Msg::Comparison(_) | Msg::StartOver if self.locked => return None,
            Msg::Seek(at) if comparison.has_many() => {
                self.seek_compared(at);
                return None;
            }
            Msg::Comparison(ComparisonMsg::Typed(line)) => {
                comparison.line = line;
                return None;
            }
            Msg::Comparison(ComparisonMsg::Change(at, change)) => {
                let starts = comparison.changed(at, change);
                self.start_again(starts);
                return None;
            }
            Msg::Comparison(msg @ ComparisonMsg::AndOn(_)) => {
                comparison.act(msg);
                match comparison.is_refused() {
                    true => playing,
                    false => comparison.pass(&Msg::RunUntilSettled, playing, clock) == Some(true),
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
            Msg::Share(msg) => return self.share_compared(msg).map(Msg::Share),
            Msg::Inspector(InspectorMsg::Prompt) => {
                self.panels.sheet = Some(Sheet::Controls);
                self.perform(Effect::Focus(Target::LanesLine));
                return None;
            }
            Msg::Inspector(_) => return None,
            msg => match comparison.pass(&msg, playing, clock) {
                Some(plays) => plays,
                None => return Some(msg),
            },
        };
        self.effects.extend(comparison.handled(acts, plays, clock));
        self.playback.playing = plays;
        None
    }

    /// The single run is on the page.
    pub(super) fn close_comparison(&mut self) {
        (self.lanes, self.panels.sheet, self.playback.playing) = (None, None, false);
    }

    /// Goes to a moment, many pods frame by frame. Of the moments that are asked for meanwhile, as while the slider is dragged,
    /// the last one is gone to next.
    fn seek_compared(&mut self, at: i64) {
        let Some(comparison) = &mut self.lanes else { return };
        if comparison.sought.replace(at).is_some() && self.long_work.is_some() {
            return;
        }
        let work = Work::Seek(comparison.lanes.clone(), at);
        self.work_on(Text::default(), work);
    }

    /// The lanes are at the moment that was asked for.
    pub(super) fn sought(&mut self, lanes: Lanes, at: i64) {
        let Some(comparison) = &mut self.lanes else { return };
        comparison.lanes = lanes;
        comparison.draw(&self.playback.clock);
        match comparison.sought.take().filter(|next| *next != at) {
            Some(next) => self.seek_compared(next),
            None => self.effects.extend(comparison.address()),
        }
    }

    /// The same commands for lanes that start in another way; what cannot start so is refused, and the lanes stay.
    fn start_again(&mut self, starts: Vec<(Start, usize)>) {
        let Some(comparison) = &mut self.lanes else { return };
        let plays = self.playback.playing || std::mem::take(&mut comparison.resumes);
        match Again::new(&comparison.lanes, starts) {
            Ok(again) => self.work_on(text!("Running the same commands again."), Work::Again(again, plays)),
            Err(refusal) => {
                comparison.refused = vec![text!("Not started again: {}", problems_text(&refusal))];
                self.playback.playing = plays;
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
        self.effects.extend(comparison.address().filter(|_| !plays));
        self.playback.playing = plays;
    }

    /// Links, files and notes are the comparison's own.
    fn share_compared(&mut self, msg: ShareMsg) -> Option<ShareMsg> {
        let comparison = self.lanes.as_mut()?;
        match msg {
            ShareMsg::Save(_) => {
                let text = comparison.text(&self.sharing.captioned(&comparison.about));
                self.perform(Effect::Download { name: "comparison.yaml".to_owned(), text });
            }
            ShareMsg::Dismiss if self.sharing.problem.is_empty() => comparison.shows_about = false,
            ShareMsg::Tell(at) => {
                comparison.lanes.reach(at);
                comparison.draw(&self.playback.clock);
                self.playback.playing = false;
            }
            msg => return Some(msg),
        }
        None
    }

    /// Compares the present run's workload with something else.
    fn compare_with(&mut self, variant: Variant) {
        let Some(set) = self.stage.set().cloned() else { return };
        let session = &self.stage.session;
        let (seed, nodes) = (session.scenario().seed, session.scenario().start.nodes());
        self.sharing.dialog = None;
        self.playback.playing = false;
        match Lanes::start(variant.lanes(session, &set), seed, nodes) {
            Ok(lanes) => {
                let at = self.stage.place().1.min(MAX_START_MS);
                self.work_on(text!("Running what is compared to this moment."), Work::Compare(lanes, at));
            }
            Err(refusal) => {
                let name = Variant::ALL.into_iter().find(|(known, _)| *known == variant).map_or("", |(_, name)| name);
                self.sharing.problem = text!("Not compared: {}: {}", Text::fixed(name), problems_text(&refusal));
            }
        }
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
