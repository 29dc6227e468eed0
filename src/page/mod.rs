//! What the page knows and decides, without the browser: [`State::reduce`] takes a message and returns the effects that the
//! browser has to carry out. `app` draws the state, sends the messages and carries the effects out.

mod announcer;
mod cluster;
mod comparison;
mod editor;
mod effect;
mod inspector;
mod keyboard;
mod learn;
mod long_work;
mod message;
mod next_steps;
mod panels;
mod playback;
mod problems;
mod reduce;
mod rehearse;
mod releases;
mod run;
mod saved;
mod sharing;
mod stage;
mod starters;
mod state;
#[cfg(all(test, not(target_arch = "wasm32")))]
mod tests;
mod text_frames;
mod timeline;

pub use cluster::{ClusterState, Opened, OpeningCluster, Report, Trials};
pub use comparison::{ComparisonPage, FAILURES, failure_text};
pub use editor::Editor;
pub use effect::{Effect, LinkPlace, Target};
pub use inspector::{InspectorState, TerminalEntry};
pub use keyboard::{Focus, Key, message};
pub use learn::{Guide, LEARNED, Learn, ListedLesson};
pub use message::{
    Caption, Change, ClusterMsg, ComparisonMsg, Dialog, Draft, Field, InspectorMsg, LearnMsg, Msg, Origin, RehearseMsg,
    ShareMsg, Sheet, Tab, Theme,
};
pub use next_steps::{NextStep, next_steps};
pub use problems::not_a_number;
pub use reduce::Opening;
pub use rehearse::Rehearsing;
pub use run::{Clock, Goal};
pub use saved::{KEY as SAVED, QUARANTINE_KEY};
pub use sharing::{FIGURE_PANELS, ListedScenario, Preview, Sharing};
pub use starters::starters;
pub use state::{Refused, State};
pub use text_frames::ThrottledTexts;

/// The speed that is as fast as possible.
pub const FASTEST: i64 = 0;
/// The timeline is at most two to this power times as wide as its place.
pub const ZOOM: i32 = 6;
