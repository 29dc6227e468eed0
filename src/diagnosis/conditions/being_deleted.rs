//! The workload itself is being deleted: its controller only keeps its status up.

use super::{Condition, Finding, Gravity};
use crate::diagnosis::case::{Case, evidence};
use crate::text::Text;

pub(super) const CONDITION: Condition = Condition { name: "being-deleted", issue: "", find };

fn find(case: &Case<'_>, condition: &'static Condition) -> Vec<Finding> {
    let metadata = case.object.metadata();
    if metadata.deletion_timestamp.is_none() {
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
    let evidence =
        vec![evidence(case.object, "metadata.deletionTimestamp"), evidence(case.object, "metadata.finalizers")];
    vec![Finding { condition, gravity: Gravity::Waiting, pod: None, text, is_not: Text::default(), evidence }]
}
