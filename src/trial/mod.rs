//! What would happen if: lines tried in a branch of a run, each when its turn comes, until what they set going has ended and every
//! workload stands. Over [`verdict`](crate::verdict), which says how a workload stands; this layer says what became of each line, and
//! what it cost on the way.

mod awaited;
mod beside;
mod check;
mod claims;
mod control_plane;
mod course;
mod doubt;
mod draining;
mod effect;
mod ending;
mod held;
mod keda;
mod line;
mod lone;
mod lost_claims;
mod maintenance;
mod namespace;
mod no_node;
mod nodes;
mod nothing;
mod outcome;
mod passed_over;
mod plan;
mod preemption;
mod questions;
mod rehearsal;
mod services;
mod turn;
mod unlisted;
mod verbs;
mod wait;

pub use check::check;
pub use claims::{ChangedClaim, Mixed};
pub use control_plane::{Fate, Parting, Under, parting, partings};
pub use course::{Copy, Course, LeastReady};
pub use doubt::{not_shown, stands_by_anew};
pub use effect::Effect;
pub use line::Tried;
pub use lone::Owner;
pub(crate) use lone::owner;
pub use lost_claims::LostClaims;
pub use maintenance::Maintenance;
pub use namespace::only_namespace;
pub use no_node::{Change, Free, NoNode, Reason, Unfit, no_node_of, without_node};
pub use nodes::Changed;
pub use outcome::Outcome;
pub use passed_over::PassedOver;
pub use plan::{Around, Way, around, sets, way_that_works};
pub use questions::{Question, RELEASE_LINE, drain, questions};
pub use rehearsal::{Files, Rehearsal, Rehearsed};
pub use services::{CutOff, Selecting, cut_off, services};
pub use turn::{LeastHealthy, RefusedEviction, Turn};
