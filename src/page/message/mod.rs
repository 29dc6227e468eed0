//! The messages that change the page's state, and what they carry.

mod cluster;
mod comparison;
mod inspector;
mod learn;
mod rehearse;
mod share;

pub use cluster::ClusterMsg;
pub use comparison::{Change, ComparisonMsg};
pub use inspector::InspectorMsg;
pub use learn::LearnMsg;
pub use rehearse::RehearseMsg;
pub use share::{Caption, Dialog, ShareMsg};

use crate::session::Command;
use std::rc::Rc;

/// Where a command was given, so that a refusal appears in that place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the places' own names")]
pub enum Origin {
    Replicas,
    Policy,
    Strategy,
    Partition,
    Image,
    Readiness,
    Release,
    More,
    /// A field of the spec, by its path.
    Field(&'static str),
    Editor,
    Revisions,
    Rail,
    Nodes,
}

/// What a number sets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Field {
    /// `spec.replicas`.
    Replicas,
    /// `spec.podManagementPolicy`: 0 is OrderedReady, 1 Parallel.
    Policy,
    /// `spec.updateStrategy.type`: 0 is RollingUpdate, 1 OnDelete.
    Strategy,
    /// `spec.updateStrategy.rollingUpdate.partition`.
    Partition,
    /// Milliseconds from a container's start to its readiness.
    Readiness,
}

/// A value on its way, by slider or flag: nothing is sent before it is let go.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "named by their types")]
pub struct Draft {
    pub field: Field,
    pub origin: Origin,
    pub value: i64,
}

/// The inspector's tabs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the tabs' own names")]
pub enum Tab {
    Why,
    Kubectl,
    Events,
    Status,
    Revisions,
    Settings,
    Manifest,
}

impl Tab {
    /// The tab that it is a part of: its own, or that of the object.
    pub fn panel(self) -> Self {
        match self {
            Self::Manifest | Self::Settings | Self::Revisions | Self::Status => Self::Manifest,
            Self::Why | Self::Kubectl | Self::Events => self,
        }
    }
}

/// What stands beside or under the stage on a page without room for all panels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the sheets' own names")]
pub enum Sheet {
    Controls,
    Inspector,
    Nodes,
    Time,
}

impl Sheet {
    /// Its element's id, and its name in the stylesheet.
    pub fn name(self) -> &'static str {
        match self {
            Self::Controls => "controls",
            Self::Inspector => "inspector",
            Self::Nodes => "nodes",
            Self::Time => "time",
        }
    }
}

/// Light or dark.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Theme {
    /// As the system has it.
    Auto,
    /// Light.
    Light,
    /// Dark.
    Dark,
}

/// Everything that can happen on the page. A message carries the values it is about.
#[derive(Clone, Debug)]
pub enum Msg {
    /// The page is drawn for the first time.
    Opened,
    /// Real milliseconds passed while playing.
    Tick(i64),
    /// Play or pause.
    Toggle,
    /// One event forward.
    Step,
    /// To the end of the next sync.
    StepSync,
    /// One event back.
    StepBack,
    /// To a virtual moment of the known run, in milliseconds since the start.
    Seek(i64),
    /// To the end of the previous sync.
    StepSyncBack,
    /// Back to the start; what is known stays known.
    ToStart,
    /// From the start again, with nothing but the first manifest; the run as it was stays as a branch.
    StartOver,
    /// To right before the last command.
    Undo,
    /// To right after the next command that is known.
    Redo,
    /// Until the controller next decides something about this pod.
    RunToDecision(Rc<str>),
    /// The timeline twice as wide for 1, half as wide for -1.
    Zoom(i32),
    /// Over to the branch of this number.
    Switch(usize),
    /// Compares the branch of this number with the present one; none closes the comparison.
    Compare(Option<usize>),
    /// Time to save the run.
    Save,
    /// Dismisses the notice.
    Read,
    /// Until nothing is left to happen.
    RunUntilSettled,
    /// Tenths of virtual time per real time, or `FASTEST`.
    Speed(i64),
    /// A command, and where it was given.
    Send(Command, Origin),
    /// A number that was let go.
    Set(Draft),
    /// A number on its way; none if it was let go where it was.
    Draft(Option<Draft>),
    /// The same run under another release, by name.
    Release(String),
    /// The same run with a feature gate switched.
    Gate(&'static str, bool),
    /// A field of the spec, by its path below it, and what it shall be; empty takes it away.
    Patch(&'static str, String),
    /// One more workload, of those to begin with.
    Starter(usize),
    /// Another set is drawn, by its place among all.
    Choose(usize),
    /// Does what was tried to end the wait on the stage, by its place among what was tried.
    TakeWayOut(usize),
    /// Shows the branch in which it was tried.
    SeeWayOut(usize),
    /// The refusal was read.
    Dismiss,
    /// A tab of the inspector.
    Select(Tab),
    /// Something of what a tab shows.
    Inspector(InspectorMsg),
    /// The pod whose menu is open.
    Open(Option<Rc<str>>),
    /// The sheet over the stage.
    Cover(Option<Sheet>),
    /// Whether the help is open.
    Help(bool),
    /// The editor shall show the set as it is.
    ShowManifest,
    /// The editor's text was changed by hand, to this.
    Typed(String),
    /// The editor's text shall be applied.
    Apply(String),
    /// A file was dropped or chosen: a manifest for the editor, or what kubectl printed of a cluster.
    File(Rc<str>),
    /// Files that were dropped and hold no text, by their names.
    LeftOut(Rc<str>),
    /// The editor shall show again what was typed.
    PutBack,
    /// Light or dark.
    Theme(Theme),
    /// The page shall speak this language: `en` or `zh`.
    Speak(&'static str),
    /// The texts of another language have come.
    LanguageChanged,
    /// Scenarios and links.
    Share(ShareMsg),
    /// About a real cluster that was opened.
    Cluster(ClusterMsg),
    /// Lines that are rehearsed.
    Rehearse(RehearseMsg),
    /// Runs side by side.
    Comparison(ComparisonMsg),
    /// Lessons.
    Learn(LearnMsg),
}

impl Msg {
    /// Whether the page is drawn after it.
    pub fn needs_drawing(&self) -> bool {
        !matches!(self, Self::Save)
    }
}
