//! What the page draws, as plain data in the reader's words. Components decide nothing: they draw these values and send
//! the commands they carry.

mod build;
#[cfg(feature = "workloads")]
mod clones;
mod context;
mod controls;
mod events;
mod kubectl;
mod model;
mod nodes;
mod print;
mod rail;
mod stands;
mod status_word;
#[cfg(all(test, not(target_arch = "wasm32")))]
mod tests;
mod text;
mod timeline;
mod waits;
mod why;

pub use build::build;
pub use kubectl::command_line;
pub use timeline::{TimeMark, TimeRow, TimeSpan, Timeline};

pub use model::{
    Act, Claim, Condition, Controls, Density, EventRow, Flag, KubectlLines, Look, Node, NodeLook, NodePod, Place, Pod,
    Rail, Revision, Stage, Stands, Step, StepState, Summary, Tone, View,
};
