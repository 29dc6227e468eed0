//! The controller has not looked at the last change of the spec.

use super::{Cause, Condition, Finding, Gravity};
use crate::diagnosis::case::Case;

pub(super) const CONDITION: Condition = Condition { name: "edit-not-seen", issue: "", find };

fn find(case: &Case<'_>, condition: &'static Condition) -> Vec<Finding> {
    let wanted = case.found.metadata().generation;
    let Some(observed) = case.found.to_value()["status"]["observedGeneration"].as_i64() else { return Vec::new() };
    if observed >= wanted {
        return Vec::new();
    }
    let text = text!(
        "The controller has not seen the last change of {}: its status speaks of generation {}, and the spec is at {}.",
        case.found.metadata().name,
        observed,
        wanted
    );
    let finding = Finding::new(condition, Gravity::Waiting, Cause::AsAsked, text)
        .but_not(text!(
            "If it stays so, the controller manager is down or its syncs fail; nothing is wrong with the pods."
        ))
        .seen(case.found, &["metadata.generation", "status.observedGeneration"]);
    vec![finding]
}
