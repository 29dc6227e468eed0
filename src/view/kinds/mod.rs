//! What the page says and offers for each kind of workload: a folder for each kind.

mod advanced_stateful_set;
mod clone_set;
mod daemon_set;
mod deployment;
mod replica_set;
mod rule_text;
mod stateful_set;

pub use clone_set::{SINCE_2020, Since2020};
pub(super) use rule_text::{Progress, RuleText, Weight, deciding, refusal, stages};
