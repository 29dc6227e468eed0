//! One person's run: commands go in, are logged, and are applied; the log is the truth from which any moment is replayed.

mod apply;
mod bounds;
mod claims;
pub mod comparison;
mod difference;
pub mod dump;
pub mod first;
mod form;
mod identity;
mod kinds;
pub mod lanes;
pub mod lesson;
mod manifests;
mod patch;
mod pods;
mod receipt;
pub mod redact;
pub mod scenario;
#[allow(clippy::module_inception, reason = "the room's main value has the room's name")]
mod session;
mod start;
mod unchangeable;
mod unstored;
pub mod variants;
mod workloads;

pub use crate::kubectl::{Command, Problem, Refusal, manifest};
pub use bounds::MOST_REPLICAS;
pub use difference::{Divergence, names, outcome, relevant};
pub use manifests::Manifests;
pub(crate) use patch::patch_of;
pub(crate) use receipt::is_applied;
pub use receipt::{Applied, Kept, Receipt, TextPosition, receipt};
pub(crate) use session::Rerun;
pub use session::{Branch, Logged, Scenario, Session};
pub use start::Start;
