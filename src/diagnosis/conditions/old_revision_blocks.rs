//! OrderedReady waits for a pod of another revision than the one that is asked for: the template was corrected, and the pod
//! of the bad one stays.

use super::kubelet::holds_of;
use super::{Cause, Condition, Finding, Gravity};
use crate::diagnosis::case::{Case, condition_of, of_pod};
use crate::reconcile::revision_of;
use crate::reconcile::stateful_set::Rule;
use crate::session::dump::AfterDelete;
use crate::text::named_node;

pub(super) const CONDITION: Condition =
    Condition { name: "old-revision-blocks", issue: "https://github.com/kubernetes/kubernetes/issues/67250", find };

fn find(case: &Case<'_>, condition: &'static Condition) -> Vec<Finding> {
    let Some(set) = case.ordered().filter(|_| case.stands_at(Rule::ReplicaNotReady)) else { return Vec::new() };
    let Some(pod) = case.observed_blocker().filter(|pod| !pod.is_terminating()) else { return Vec::new() };
    let Some(to_come) = set.comes_back_at(pod) else { return Vec::new() };
    let name = &pod.metadata.name;
    let text = text!(
        "{} runs revision {}, the set asks for {}, and the controller waits for {} to be Ready before it replaces any pod. It has not been Ready for {}.",
        name,
        revision_of(pod),
        to_come,
        name,
        case.ready_since(pod)
    );
    let lost = case.node_of(pod).filter(|node| !node.is_ready());
    let mut gravity = Gravity::Stuck;
    let (cause, mistaken_for) = match lost {
        None if holds_of(case, pod).any(|held| held.after_delete == AfterDelete::Unknown) => {
            let words = text!(
                "Not a rollback that failed: {} has to be deleted first. Whether the next one starts is not known: others of its revision are Ready, or were.",
                name
            );
            // What keeps it from running comes first: others run with its revision.
            gravity = Gravity::Waiting;
            (Cause::NewRevision, words)
        }
        None => {
            let words = text!("Not a rollback that failed: the template is right, and deleting {} is enough.", name);
            (Cause::NewRevision, words)
        }
        Some(node) => {
            let words = text!(
                "Not a matter of the revision alone: {} is not Ready, and {}, deleted, would stay terminating there.",
                named_node(&node.metadata.name),
                name
            );
            (Cause::Node, words)
        }
    };
    let finding = Finding::new(condition, gravity, cause, text)
        .at(pod)
        .mistaken_for(mistaken_for)
        .evidence(&of_pod(pod), &["metadata.labels"])
        .evidence(case.object, &["status.updateRevision"])
        .with(condition_of(pod, "Ready"));
    vec![finding]
}
