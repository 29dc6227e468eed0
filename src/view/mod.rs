//! What the page draws, as plain data in the reader's words. Components decide nothing: they draw these values and send
//! the commands they carry.

mod model;

pub use model::{
    Act, Claim, Condition, Controls, Density, EventRow, Flag, KubectlLines, Look, Node, NodeLook, NodePod, Place, Pod,
    Rail, Revision, Stage, Stands, Step, StepState, Summary, Tone, View,
};
