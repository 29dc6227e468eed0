//! A sync, by the stages of its code.

use crate::text::Text;

/// One stage of the last sync.
#[derive(Clone, Debug, PartialEq)]
pub struct Stage {
    /// Its name.
    pub title: &'static str,
    /// How far it came.
    pub state: StepState,
    /// Whether its sync went no further here, rather than had nothing more to do.
    pub holds: bool,
    /// What was decided in it, as much of it as was asked for.
    pub steps: Vec<Step>,
    /// How many decisions are left out.
    pub left_out: usize,
}

/// How far a stage came.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StepState {
    /// Passed.
    Done,
    /// The sync stopped or acted here.
    Here,
    /// Not reached.
    NotReached,
}

/// One decision.
#[derive(Clone, Debug, PartialEq)]
pub struct Step {
    /// The sentence.
    pub text: Text,
    /// The upstream function it models, such as `updateStatefulSet`.
    pub function: &'static str,
    /// Its file in the Kubernetes repository.
    pub file: &'static str,
    /// The rule that was followed, in one sentence; for a stage that had nothing to decide, what it is there for.
    pub rule: &'static str,
    /// The releases it holds in, such as `v1.28 and newer`.
    pub holds: Text,
    /// The pod that it is about; empty if it is about no single one.
    pub pod: String,
    /// Whether it says where the sync stands.
    pub decides: bool,
    /// What the controller manager logs of it.
    pub log: LogLines,
}

/// Lines of one decision.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LogLines {
    /// The verbosity from which they are written, such as 4 of `-v=4`.
    pub verbosity: u8,
    /// In order; none if the release logs nothing here.
    pub lines: Vec<String>,
}
