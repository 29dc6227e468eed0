//! What the page says and offers for each kind of workload: a folder for each kind.

mod advanced_stateful_set;
mod clone_set;
mod context;
mod daemon_set;
mod deployment;
mod hooks;
mod in_place;
mod queue;
mod replica_set;
mod rule_text;
mod stateful_set;
mod workload;

pub(super) use context::{ByOrdinal, Context, PodCounts, revision, revision_of_pod};
pub(super) use queue::{ARRIVES, done, retry};
pub(super) use rule_text::{Progress, RuleText, Weight, deciding, stages};
pub(super) use stateful_set::end_of_wait;
pub(super) use workload::{Cause, Surroundings, counts, is_active, is_named_for, node_of, number, pods_of, workload};
