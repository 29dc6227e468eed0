//! What the page draws, as plain data in the reader's words. Components decide nothing: they draw these values and send
//! the commands they carry.

mod act;
pub mod assertions;
mod branches;
mod build;
mod cards;
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
mod own_pods;
mod pod;
mod pod_details;
mod pod_history;
mod rail;
mod rail_layout;
mod readiness;
mod release;
mod revisions;
mod screen;
pub mod shapes;
mod standing;
mod state_word;
mod status;
mod status_word;
mod summary;
mod sync;
mod taken;
mod template_diff;
#[cfg(all(test, not(target_arch = "wasm32")))]
mod tests;
mod text;
mod thumbnail;
mod time_folds;
mod time_row;
mod time_shares;
mod timeline;
mod translate;
mod truth;
mod turns;
mod versions;
mod wait;
mod ways_out;
mod why;
mod workload_view;

pub use branches::{BranchRow, Comparison, branches, compare};
pub use build::{Drawn, build, sets};
pub use events::events;
pub use export::{Export, first_picture};
pub use flow::{Flow, FlowBox, FlowLine, FlowLook, flow};
pub(crate) use lanes::DrawnLanes;
pub use lanes::{LaneNode, LaneTile, LaneView, LanesView, MarkKind, MarkView, ResultCell, ResultRow, lanes};
pub use logs::lines_of_sync;
pub use nodes::CHIPS;
pub(crate) use nodes::chips;
pub use pod_details::{PodDetails, pod_details};
pub use pod_history::{DecisionRun, DnsName, PodHistory};
pub use rail_layout::{AlikeRows, RailLayout, RailRow, Size, size_in_flow};
pub use revisions::revisions;
pub use screen::Screen;
pub use standing::{Stands, bound, explanation, headline};
pub(crate) use state_word::state_word;
pub use status::status;
pub use sync::sync;
pub use taken::taken;
pub use text::clock;
pub use thumbnail::{Thumbnail, thumbnail, thumbnail_of_lanes};
pub use time_folds::{Folds, covers};
pub use time_row::{TimeRow, TimeSpan, state_word_of};
pub use time_shares::{STACKED, Share};
pub use timeline::{ActMark, SyncMark, Timeline, axis};
pub use translate::Dictionary;
pub use truth::{Compared, ControllerCount, Counts, Part, Truth, UnrecordedRule, truth};

pub(crate) use model::Layout;
pub use model::{
    Act, Blank, Card, Cards, Change, Claim, Controls, Density, EventRow, Explanation, FieldInput, Flag, Group,
    KubectlLines, LogLines, MoreField, Node, NodeAppearance, NodePod, Notes, Place, Pod, PodAppearance, Pods, Rail,
    Ranked, ReleaseView, Revision, RevisionRow, Revisions, Severity, Since2020, Stage, Status, StatusRow, Step,
    StepState, Summary, SyncView, UpdateKind, UpdateRank, View, Wait, WaitKind, WorkloadView, Written,
};
