//! The page's one state.

use super::announcer::Announcer;
use super::cluster::{ClusterState, Trials};
use super::comparison::ComparisonPage;
use super::editor::Editor;
use super::effect::Effect;
use super::inspector::InspectorState;
use super::learn::Learn;
use super::long_work::LongWork;
use super::message::{Origin, Theme};
use super::panels::Panels;
use super::playback::Playback;
use super::rehearse::Rehearsing;
use super::saved::Saving;
use super::sharing::Sharing;
use super::stage::Stage;
use super::text_frames::TextFrames;
use super::timeline::TimelineState;
use crate::session::{Command, Refusal};
use crate::text::Text;
use crate::view::Severity;
use std::rc::Rc;

/// A command that was refused.
#[derive(Debug)]
pub struct Refused {
    /// Where it was given.
    pub origin: Origin,
    /// The command.
    pub command: Command,
    /// Why it was refused.
    pub refusal: Refusal,
}

// The same refusal, not one that reads the same.
impl PartialEq for Refused {
    fn eq(&self, other: &Self) -> bool {
        std::ptr::eq(self, other)
    }
}

/// The page's state; data travels down from here, messages come up.
pub struct State {
    /// The run on the stage.
    pub stage: Stage,
    /// Whether time passes there.
    pub playback: Playback,
    /// What people read of it.
    pub text_frames: TextFrames,
    /// Whether something may have changed that is drawn.
    pub needs_draw: bool,
    /// What is under way and changes the page once it is done.
    pub long_work: Option<LongWork>,
    /// The whole run at a glance.
    pub timeline: TimelineState,
    /// A notice shown until it is dismissed; empty if there is none.
    pub note: Text,
    /// What is announced to screen readers.
    pub announcer: Announcer,
    /// The last command, if it was refused.
    pub refused: Option<Rc<Refused>>,
    /// What is open beside the stage and over it.
    pub panels: Panels,
    /// The inspector.
    pub inspector: InspectorState,
    /// The editor of the manifest.
    pub editor: Editor,
    /// Scenarios and links.
    pub sharing: Sharing,
    /// A real cluster that was opened.
    pub opened: ClusterState,
    /// Lessons.
    pub learn: Learn,
    /// What would help the workload on the stage, while it is stuck.
    pub ways: Trials,
    /// What is rehearsed.
    pub rehearsing: Rehearsing,
    /// Whether `ClusterMsg::GoOn` is on its way.
    pub(super) is_going_on: bool,
    /// Runs side by side; the single run waits meanwhile.
    pub lanes: Option<ComparisonPage>,
    /// Whether the figure is read-only.
    pub locked: bool,
    /// A figure in another page.
    pub embedded: bool,
    /// Light or dark.
    pub theme: Theme,
    pub(super) saving: Saving,
    /// What the browser shall do, until `reduce` hands it out.
    pub(super) effects: Vec<Effect>,
}

impl State {
    /// Whether the controller stands where only a person moves it on, with none of the run's own commands to come. A person may have done
    /// so since it last looked; what a text began with has been looked at before.
    pub fn is_held(&self) -> bool {
        let commands = self.stage.session.scenario().commands.len();
        self.stage.view.explanation.severity == Severity::Stuck
            && self.stage.session.commands_given() == commands
            && (commands <= self.opened.began_with(&self.stage.session)
                || self.stage.session.has_looked_since_commands())
    }

    /// Whether it plays slower than its speed says: there is more to simulate than a frame has time for.
    pub fn is_late(&self) -> bool {
        self.playback.playing && self.lanes.as_ref().map_or(self.playback.is_late(), ComparisonPage::is_late)
    }

    /// Whether anything is done from frame to frame.
    pub fn is_moving(&self) -> bool {
        self.playback.playing || self.long_work.is_some()
    }

    /// What the page says of work that is under way, or of a run to a goal.
    pub fn under_way(&self) -> Option<&Text> {
        let goal = self.playback.goal.as_ref().map(|goal| &goal.words);
        self.long_work.as_ref().map(|long| &long.words).or(goal).filter(|words| !words.is_empty())
    }

    /// Asks the browser for something.
    pub(super) fn perform(&mut self, effect: Effect) {
        self.effects.push(effect);
    }
}
