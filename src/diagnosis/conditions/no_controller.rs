//! A pod that no controller looks after: it was made by hand, or the set that made it was deleted without its pods.

use super::{Cause, Condition, Finding, Gravity};
use crate::diagnosis::case::Case;
use crate::objects::Object;

pub(super) const CONDITION: Condition = Condition { name: "no-controller", issue: "", find };

/// The label that a StatefulSet gives its pods.
const POD_NAME: &str = "statefulset.kubernetes.io/pod-name";
/// Labels that only pods of a controller have.
const MADE: [&str; 2] = ["controller-revision-hash", "pod-template-hash"];

fn find(case: &Case<'_>, condition: &'static Condition) -> Vec<Finding> {
    let Object::Pod(pod) = case.observed else { return Vec::new() };
    // A node's own kubelet looks after what its files name.
    if case.is_guessed()
        || pod.is_static()
        || !pod.metadata.owner_references.is_empty()
        || pod.has_ended()
        || pod.is_terminating()
    {
        return Vec::new();
    }
    let name = &pod.metadata.name;
    let labels = &pod.metadata.labels;
    let text = if labels.get(POD_NAME).is_some() {
        text!(
            "{} was made by a StatefulSet that is gone, and has no controller: nobody makes it again when it goes. A set of that name with the same selector would adopt it.",
            name
        )
    } else if MADE.iter().any(|label| labels.get(label).is_some()) {
        text!(
            "{} was made by a controller that is gone, and has none now: nobody makes it again when it goes. A controller whose selector fits would adopt it.",
            name
        )
    } else {
        text!("{} has no controller: nobody makes it again when it goes, or when its node does.", name)
    };
    let finding = Finding::new(condition, Gravity::Notice, Cause::AsAsked, text)
        .evidence(case.observed, &["metadata.labels", "metadata.ownerReferences"]);
    if pod.spec.extra.contains_key("activeDeadlineSeconds") {
        return vec![finding];
    }
    vec![finding.mistaken_for(text!("Not a fault of the pod: it runs as long as its node does."))]
}
