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
use super::rehearse::Rehearsing;
use super::run::{Clock, Goal, Pace};
use super::saved::{self, Saving};
use super::sharing::{Sharing, unknown_values};
use super::text_frames::TextFrames;
use super::timeline::TimelineState;
use crate::objects::ObjectRef;
use crate::session::first::{self, MANIFEST};
use crate::session::lesson;
use crate::session::{Command, Refusal, Session};
use crate::text::Text;
use crate::view::{Comparison, Drawn, Severity, View};
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

/// What the page finds when it is opened.
pub struct Opening {
    /// The scenario that the address names; an error if the address cannot be read.
    pub addressed: Result<Option<String>, String>,
    /// Whether it names it by its file, and not as a link that holds it.
    pub named: bool,
    /// What was saved in the browser's storage.
    pub saved: Option<String>,
    /// The lessons that were done, as they were saved.
    pub learned: Option<String>,
    /// Whether the page is a figure in another page: it saves nothing, and has a link to the whole page.
    pub embedded: bool,
    /// Whether it is a figure whose reader may look and not touch.
    pub locked: bool,
    /// What a figure's address asks and nobody knows: names with their values.
    pub unknown: Vec<(String, String)>,
    /// The theme that was chosen before.
    pub theme: Theme,
    /// The time, for runs that are as fast as possible.
    pub clock: Clock,
}

/// The page's state; data travels down from here, messages come up.
pub struct State {
    /// The run.
    pub session: Session,
    /// What is drawn of it.
    pub view: Rc<View>,
    /// What people read of it.
    pub text_frames: TextFrames,
    pub(super) drawn: Drawn,
    /// Whether time passes.
    pub playing: bool,
    /// It was playing when nothing was left to happen: the next command goes on.
    pub(super) resumes: bool,
    /// Whether something may have changed that is drawn.
    pub needs_draw: bool,
    /// What it runs on to, as fast as possible, while playing.
    pub goal: Option<Goal>,
    /// What is under way and changes the page once it is done.
    pub long_work: Option<LongWork>,
    pub(super) pace: Pace,
    pub(super) clock: Clock,
    /// The whole run at a glance.
    pub timeline: TimelineState,
    /// The branch that is compared with the present one.
    pub compared: Option<Comparison>,
    /// A notice shown until it is dismissed; empty if there is none.
    pub note: Text,
    /// What is announced to screen readers.
    pub announcer: Announcer,
    /// Tenths of virtual time per real time, or `FASTEST`.
    pub speed: i64,
    /// The set that was chosen; of several the one made last is drawn without a choice.
    pub(super) chosen: Option<ObjectRef>,
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
    /// The page's first state: the run that the address names, the one that was there before, or the usual one.
    ///
    /// # Errors
    /// The usual run's manifest was refused, which cannot happen in a page that passed its tests.
    pub fn open(opening: Opening) -> Result<(Self, Vec<Effect>), Refusal> {
        let Opening { addressed, named: by_name, saved, learned, embedded, locked, unknown, theme, clock } = opening;
        let mut effects = Vec::new();
        let (restored, note) = match saved.filter(|_| !embedded) {
            Some(text) => saved::restore(text, &mut effects),
            None => Default::default(),
        };
        let (lesson, addressed) = match addressed {
            Ok(Some(text)) if lesson::is_lesson(&text) => (Some(text), Ok(None)),
            addressed => (None, addressed),
        };
        let mut sharing = Sharing::default();
        let named = sharing.start(addressed);
        let is_usual = named.is_none() && restored.is_none();
        let is_resumed = named.is_none() && sharing.lanes.is_none() && lesson.is_none();
        let goes_on = |session: &Session| session.position().1 > session.first_position() + 1;
        let note = match &restored {
            Some((session, _)) if note.is_empty() && is_resumed && goes_on(session) => {
                text!("This is the run that you left here. Start over begins anew.")
            }
            _ => note,
        };
        let note = if unknown.is_empty() { note } else { unknown_values(&unknown) };
        let timeline = TimelineState::of(restored.as_ref().map(|(session, _)| session));
        let session = match (restored, named) {
            // What was there before stays within reach.
            (Some((mut saved, _)), Some(named)) => {
                saved.open(named);
                saved
            }
            (Some((saved, about)), None) => {
                sharing.about = about;
                saved
            }
            (None, Some(named)) => named,
            (None, None) => first::session()?,
        };
        let mut editor = Editor::default();
        editor.show(MANIFEST);
        let mut lanes = sharing.lanes.take();
        lanes.iter_mut().for_each(|lanes| lanes.named = by_name);
        let mut drawn = Drawn::default();
        let view = Rc::new(drawn.build(&session, None));
        let mut state = Self {
            lanes,
            sharing,
            locked,
            embedded,
            theme,
            opened: ClusterState::default(),
            learn: Learn::new(learned.as_deref()),
            ways: Trials::default(),
            rehearsing: Rehearsing::default(),
            text_frames: TextFrames::of(&view, &timeline.line),
            view,
            drawn,
            saving: Saving::new(&session),
            session,
            playing: false,
            needs_draw: true,
            resumes: false,
            goal: None,
            long_work: None,
            pace: Pace::default(),
            clock,
            timeline,
            compared: None,
            note,
            announcer: Announcer::default(),
            speed: 20,
            chosen: None,
            refused: None,
            panels: Panels::default(),
            inspector: InspectorState::default(),
            editor,
            effects,
        };
        if !is_usual {
            state.show_manifest();
        }
        state.timeline.follow(&state.session, &state.view);
        if let Some(lesson) = lesson {
            state.open_lesson(&lesson);
            if state.playing {
                state.perform(Effect::StartTicks);
            }
        }
        state.seek_ways_out();
        state.text_frames = TextFrames::of(&state.view, &state.timeline.line);
        let effects = std::mem::take(&mut state.effects);
        Ok((state, effects))
    }

    /// The set the controls are about.
    pub fn set(&self) -> Option<&ObjectRef> {
        self.view.controls.as_ref().map(|controls| &controls.set)
    }

    /// The last command before the cursor.
    pub fn last_command(&self) -> Option<&Command> {
        let given = self.session.commands_given();
        self.session.scenario().commands.get(given.checked_sub(1)?).map(|logged| &logged.command)
    }

    /// Whether the controller stands where only a person moves it on, with none of the run's own commands to come. A person may have done
    /// so since it last looked; what a text began with has been looked at before.
    pub fn is_held(&self) -> bool {
        let commands = self.session.scenario().commands.len();
        self.view.explanation.severity == Severity::Stuck
            && self.session.commands_given() == commands
            && (commands <= self.began_with() || self.session.has_looked_since_commands())
    }

    /// Whether it plays slower than its speed says: there is more to simulate than a frame has time for.
    pub fn is_late(&self) -> bool {
        self.playing && self.lanes.as_ref().map_or(self.pace.is_late(), ComparisonPage::is_late)
    }

    /// Asks the browser for something.
    pub(super) fn perform(&mut self, effect: Effect) {
        self.effects.push(effect);
    }
}
