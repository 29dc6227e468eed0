//! The CloneSet controller of OpenKruise.

mod diff;
mod gates;
mod in_place_spec;
mod order;
mod pods;
mod rank;

pub use diff::{Diffs, Purpose, Situation, calculate_diffs, partition_replicas};
pub use gates::Gates;
pub use in_place_spec::{RefMetadata, UpdateSpec, in_place_update_spec};
pub use order::{limit_waiting, sort_waiting};
pub use rank::choose_pods_to_delete;
