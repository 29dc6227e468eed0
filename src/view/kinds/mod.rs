//! What the page says and offers for each kind of workload: a folder for each kind.

mod advanced_stateful_set;
mod clone_set;
mod daemon_set;
mod deployment;
mod hooks;
mod in_place;
mod replica_set;
mod rule_text;
mod stateful_set;
mod workload;

pub(super) use rule_text::{Progress, RuleText, Weight, deciding, refusal, stages};
pub(super) use workload::{Cause, Surroundings, Workload, counts, is_active, is_named_for, node_of, number, workload};
