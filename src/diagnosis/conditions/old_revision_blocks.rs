//! OrderedReady waits for a pod of another revision than the one that is asked for: the template was corrected, and the pod
//! of the bad one stays.

use super::{Condition, Finding, Gravity};
use crate::diagnosis::case::{Case, condition_of, evidence, is_terminating};
use crate::objects::Object;
use crate::reconcile::revision_of;
use crate::reconcile::stateful_set::Rule;
use std::rc::Rc;

pub(super) const CONDITION: Condition =
    Condition { name: "old-revision-blocks", issue: "https://github.com/kubernetes/kubernetes/issues/67250", find };

fn find(case: &Case<'_>, condition: &'static Condition) -> Vec<Finding> {
    let Object::StatefulSet(set) = case.object else { return Vec::new() };
    let waits = case.standing.decision.as_ref().is_some_and(|decision| decision.rule == Rule::ReplicaNotReady);
    let Some(pod) = case.blocker().filter(|pod| waits && !is_terminating(pod)) else { return Vec::new() };
    let (revision, update) = (revision_of(pod), &set.status.update_revision);
    if revision == &**update {
        return Vec::new();
    }
    let name = &pod.metadata.name;
    let object = Object::Pod(Rc::clone(pod));
    vec![Finding {
        condition,
        gravity: Gravity::Stuck,
        pod: Some(Rc::clone(name)),
        text: text!(
            "{} runs revision {}, the set asks for {}, and the controller waits for {} to be Ready before it replaces any pod.",
            name,
            revision,
            update,
            name
        ),
        is_not: text!("Not a rollback that failed: the template is right, and deleting {} is enough.", name),
        evidence: vec![
            evidence(&object, "metadata.labels"),
            evidence(case.object, "status.updateRevision"),
            condition_of(pod, "Ready"),
        ],
    }]
}
