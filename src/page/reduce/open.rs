//! What the page begins with.

use crate::page::announcer::Announcer;
use crate::page::cluster::{ClusterState, Trials};
use crate::page::editor::Editor;
use crate::page::effect::Effect;
use crate::page::inspector::InspectorState;
use crate::page::learn::Learn;
use crate::page::message::Theme;
use crate::page::panels::Panels;
use crate::page::playback::Playback;
use crate::page::rehearse::Rehearsing;
use crate::page::run::Clock;
use crate::page::saved::{self, Saving};
use crate::page::sharing::{Shared, Sharing, unknown_values};
use crate::page::stage::Stage;
use crate::page::state::State;
use crate::page::text_frames::TextFrames;
use crate::page::timeline::TimelineState;
use crate::session::first::{self, MANIFEST};
use crate::session::lesson;
use crate::session::scenario::About;
use crate::session::{Refusal, Session};
use crate::text::Text;

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

impl State {
    /// The page's first state: the run that the address names, the one that was there before, or the usual one.
    ///
    /// # Errors
    /// The usual run's manifest was refused, which cannot happen in a page that passed its tests.
    pub fn open(opening: Opening) -> Result<(Self, Vec<Effect>), Refusal> {
        let Opening { addressed, named: by_name, saved, learned, embedded, locked, unknown, theme, clock } = opening;
        let mut effects = Vec::new();
        let (restored, unread) = match saved.filter(|_| !embedded) {
            Some(text) => saved::restore(text, &mut effects),
            None => Default::default(),
        };
        let (lesson, addressed) = match addressed {
            Ok(Some(text)) if lesson::is_lesson(&text) => (Some(text), Ok(None)),
            addressed => (None, addressed),
        };
        let mut sharing = Sharing::default();
        let (named, mut lanes) = match sharing.start(addressed) {
            Some(Shared::Run(run)) => (Some(*run), None),
            Some(Shared::Lanes(lanes)) => (None, Some(*lanes)),
            None => (None, None),
        };
        lanes.iter_mut().for_each(|lanes| lanes.named = by_name);
        let is_usual = named.is_none() && restored.is_none();
        let is_resumed = named.is_none() && lanes.is_none() && lesson.is_none();
        let saved = restored.as_ref().map(|(session, _)| session);
        let note =
            if unknown.is_empty() { note(unread, saved.filter(|_| is_resumed)) } else { unknown_values(&unknown) };
        let timeline = TimelineState::of(saved);
        let session = run_of(restored, named, &mut sharing)?;
        let learn = Learn::new(learned.as_deref());
        let base = Self::of(session, clock);
        let mut state = Self { lanes, sharing, locked, embedded, theme, learn, timeline, note, effects, ..base };
        if !is_usual {
            state.editor.show(&state.stage.manifest());
        }
        state.begin(lesson.as_deref());
        let effects = std::mem::take(&mut state.effects);
        Ok((state, effects))
    }

    /// What there is to see once it is known what is open.
    fn begin(&mut self, lesson: Option<&str>) {
        self.timeline.follow(&self.stage.session, &self.stage.view);
        if let Some(lesson) = lesson {
            self.open_lesson(lesson);
            if self.playback.playing {
                self.perform(Effect::StartTicks);
            }
        }
        self.seek_ways_out();
        self.text_frames = TextFrames::of(&self.stage.view, &self.timeline.line);
    }

    /// A page on which nothing but this run is open.
    fn of(session: Session, clock: Clock) -> Self {
        let mut editor = Editor::default();
        editor.show(MANIFEST);
        let (saving, timeline, stage) = (Saving::new(&session), TimelineState::of(None), Stage::new(session));
        Self {
            text_frames: TextFrames::of(&stage.view, &timeline.line),
            stage,
            playback: Playback::new(clock),
            needs_draw: true,
            long_work: None,
            timeline,
            note: Text::default(),
            announcer: Announcer::default(),
            refused: None,
            panels: Panels::default(),
            inspector: InspectorState::default(),
            editor,
            sharing: Sharing::default(),
            opened: ClusterState::default(),
            learn: Learn::default(),
            ways: Trials::default(),
            rehearsing: Rehearsing::default(),
            is_going_on: false,
            lanes: None,
            locked: false,
            embedded: false,
            theme: Theme::Auto,
            saving,
            effects: Vec::new(),
        }
    }
}

/// What is said of the saved run: why a part of it cannot be read, or that it goes on here.
fn note(unread: Text, resumed: Option<&Session>) -> Text {
    let goes_on = resumed.is_some_and(|session| session.position().1 > session.first_position() + 1);
    match unread.is_empty() && goes_on {
        true => text!("This is the run that you left here. Start over begins anew."),
        false => unread,
    }
}

/// The run that the address names, with the saved one within reach; or that one, or the usual one.
fn run_of(
    restored: Option<(Session, About)>,
    named: Option<Session>,
    sharing: &mut Sharing,
) -> Result<Session, Refusal> {
    match (restored, named) {
        (Some((mut saved, _)), Some(named)) => {
            saved.open(named);
            Ok(saved)
        }
        (Some((saved, about)), None) => {
            sharing.about = about;
            Ok(saved)
        }
        (None, Some(named)) => Ok(named),
        (None, None) => first::session(),
    }
}
