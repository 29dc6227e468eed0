//! The controller has not looked at the last change of the spec.

use super::{Cause, Condition, Finding, Gravity};
use crate::diagnosis::case::Case;
use crate::session::dump::{Event, SPEC_WRITTEN};

pub(super) const CONDITION: Condition = Condition { name: "edit-not-seen", issue: "", find };

fn find(case: &Case<'_>, condition: &'static Condition) -> Vec<Finding> {
    let wanted = case.observed.metadata().generation;
    let Some(observed) = case.observed.observed_generation() else { return Vec::new() };
    if observed >= wanted {
        return Vec::new();
    }
    let metadata = case.observed.metadata();
    let is_own = |event: &&Event| *event.kind == *case.observed.kind().as_str() && &*event.reason == SPEC_WRITTEN;
    let written = case.events_of(&metadata.name).filter(is_own).map(|event| event.last).max();
    let text = match written {
        Some(at) => text!(
            "The controller has not seen the last change of {}, which was made {} ago by its managed fields: its status speaks of generation {}, and the spec is at {}.",
            metadata.name,
            case.ago(at),
            observed,
            wanted
        ),
        None => text!(
            "The controller has not seen the last change of {}: its status speaks of generation {}, and the spec is at {}.",
            metadata.name,
            observed,
            wanted
        ),
    };
    let finding = Finding::new(condition, Gravity::Waiting, Cause::AsAsked, text)
        .mistaken_for(text!(
            "If it stays so, the controller manager is down or its syncs fail; nothing is wrong with the pods."
        ))
        .evidence(case.observed, &["metadata.generation", "status.observedGeneration"]);
    vec![finding]
}
