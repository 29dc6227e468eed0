//! What the page draws, as plain data in the reader's words. Components decide nothing: they draw these values and send
//! the commands they carry.

mod act;
mod board;
mod board_model;
mod branches;
mod build;
mod card;
mod context;
mod controls;
mod events;
mod explain;
mod export;
mod fields;
mod flow;
pub mod json;
mod kinds;
mod lanes;
mod logs;
mod model;
mod nodes;
mod pod_history;
mod rail;
mod release;
mod revisions;
mod screen;
pub mod shapes;
mod status;
mod status_word;
mod sync;
#[cfg(all(test, not(target_arch = "wasm32")))]
mod tests;
mod text;
mod timeline;
mod translate;
mod versions;
mod waits;
mod ways_out;
mod why;
mod workload_revisions;
mod workload_syncs;
mod workloads;

pub use board::board;
pub use board_model::{Blank, Board, Card, Group, Ranked, UpdateKind, UpdateRank};
pub use branches::{BranchRow, Comparison, branches, compare};
pub use build::{build, sets};
pub use export::{Export, first_picture};
pub use flow::{Flow, FlowBox, FlowLine, FlowLook, flow};
pub use kinds::{Notes, Since2020};
pub use lanes::{LaneNode, LaneTile, LaneView, LanesView, MarkKind, MarkView, lanes};
pub use logs::{LogLines, lines_of_sync};
pub use pod_history::{DecisionRun, PodHistory, story};
pub use revisions::{Change, RevisionRow, Revisions, revisions};
pub use screen::Screen;
pub use status::{Status, StatusRow, status};
pub use sync::{SyncView, Written, sync};
pub use text::clock;
pub use timeline::{ActMark, SyncMark, TimeRow, TimeSpan, Timeline, axis};
pub use translate::Dictionary;

pub use model::{
    Act, Claim, Controls, Density, EventRow, Explanation, Flag, KubectlLines, MoreField, Node, NodeAppearance, NodePod,
    Place, Pod, PodAppearance, Rail, ReleaseView, Revision, Severity, Stage, Step, StepState, Summary, View,
};
