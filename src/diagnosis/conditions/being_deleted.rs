//! The workload itself is being deleted: its controller only keeps its status up.

use super::{Cause, Condition, Finding, Gravity};
use crate::diagnosis::case::Case;

pub(super) const CONDITION: Condition = Condition { name: "being-deleted", issue: "", find };

fn find(case: &Case<'_>, condition: &'static Condition) -> Vec<Finding> {
    let metadata = case.observed.metadata();
    if metadata.deletion_timestamp.is_none() || !case.observed.is_workload() {
        return Vec::new();
    }
    let text = if metadata.finalizers.is_empty() {
        text!("{} is being deleted: its controller does nothing more for its pods.", metadata.name)
    } else {
        let finalizers: Vec<&str> = metadata.finalizers.iter().map(|finalizer| &**finalizer).collect();
        text!(
            "{} is being deleted and stays until these finalizers are removed: {}.",
            metadata.name,
            finalizers.join(", ")
        )
    };
    let gravity = if case.stuck { Gravity::Stuck } else { Gravity::Waiting };
    let finding = Finding::new(condition, gravity, Cause::BeingDeleted, text)
        .mistaken_for(text!("Not a scale down: the garbage collector deletes the pods, in no order."))
        .evidence(case.observed, &["metadata.deletionTimestamp", "metadata.finalizers"]);
    vec![finding]
}
