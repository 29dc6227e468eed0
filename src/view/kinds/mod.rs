//! What the page says and offers for each kind of workload: a folder for each kind.

mod advanced_stateful_set;
mod clone_set;
mod daemon_set;
mod deployment;
mod hooks;
mod replica_set;
mod rule_text;
mod stateful_set;
mod workload;

pub use clone_set::Since2020;
pub(super) use rule_text::{Progress, RuleText, Weight, deciding, refusal, stages};
pub use workload::Notes;
pub(super) use workload::{Surroundings, Workload, counts, is_active, is_named_for, node_of, number, workload};
