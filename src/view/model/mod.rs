//! The shapes of what is drawn, a file for each panel.

mod act;
mod controls;
mod events;
mod explanation;
mod nodes;
mod pod;
mod rail;
mod release;
mod stages;
mod summary;
mod tabs;
mod view;
mod workload;

pub use act::Act;
pub use controls::{Controls, FieldInput, KubectlLines, MoreField, Notes, Since2020};
pub use events::EventRow;
pub use explanation::{Explanation, Severity};
pub use nodes::{Node, NodeAppearance, NodePod};
pub use pod::{Density, Pod, PodAppearance, UpdateKind, UpdateRank};
pub use rail::{Claim, Flag, Place, Rail, Wait, WaitKind};
pub use release::ReleaseView;
pub use stages::{LogLines, Stage, Step, StepState};
pub use summary::{Revision, Summary};
pub use tabs::{Change, RevisionRow, Revisions, Status, StatusRow, SyncView, Written};
pub use view::View;
pub(crate) use workload::Layout;
pub use workload::{Blank, Card, Cards, Group, Pods, Ranked, WorkloadView};

pub(super) use controls::SWITCH;
pub(super) use pod::Hook;
