//! What the API server warns of beside taking an object.

use super::{Object, Server};

/// The warnings about an object that was created or changed, as kubectl prints them behind `Warning: `.
pub fn warnings(object: &Object, server: &Server) -> Vec<String> {
    let mut all = Vec::new();
    let grace = object.template().and_then(|template| template.spec.termination_grace_period_seconds);
    if server.warns_of_negative_grace && grace.is_some_and(|seconds| seconds < 0) {
        let words = "must be >= 0; negative values are invalid and will be treated as 1";
        all.push(format!("spec.template.spec.terminationGracePeriodSeconds: {words}"));
    }
    let history = match object {
        Object::StatefulSet(set) => set.spec.revision_history_limit,
        _ => None,
    };
    if server.warns_of_negative_history && history.is_some_and(|limit| limit < 0) {
        let words = "a negative value retains all historical revisions; a value >= 0 is recommended";
        all.push(format!("spec.revisionHistoryLimit: {words}"));
    }
    all
}
