//! What the page says and offers for each kind of workload: a folder for each kind.

mod advanced_stateful_set;
mod clone_set;
mod context;
mod daemon_set;
mod deployment;
mod explain;
mod hooks;
mod in_place;
mod replica_set;
mod rule_text;
mod stateful_set;
mod workload;

pub(super) use context::{ByOrdinal, Context, PodCounts, hue_of_pod, revision_of_pod};
pub(super) use explain::{ARRIVES, RETRIED, nothing_to_do, retry};
pub(super) use rule_text::{Progress, RuleText, Weight, deciding, refusal, stages};
pub(super) use stateful_set::end_of_wait;
pub(super) use workload::{Cause, Surroundings, Workload, counts, is_active, is_named_for, node_of, number, workload};
