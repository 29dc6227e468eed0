//! A pod has its node and does not start: a node that answers still has its volume, though no pod uses it there.

use super::kubelet::holds_of;
use super::{Cause, Condition, Finding, Gravity};
use crate::diagnosis::case::{Case, of_pod, untold};
use crate::session::dump::ClearedBy;
use crate::text::{Text, named_node};

pub(super) const CONDITION: Condition =
    Condition { name: "volume-not-detached", issue: "https://github.com/kubernetes/kubernetes/issues/120571", find };

fn find(case: &Case<'_>, condition: &'static Condition) -> Vec<Finding> {
    let mut findings = Vec::new();
    for pod in case.observed_pods.iter().copied() {
        for held in holds_of(case, pod) {
            let ClearedBy::Detached { claim, node } = &held.cleared_by else { continue };
            let text = text!(
                "{} has waited for {} for the volume of {}, which is still attached to {}, where no pod uses it.",
                &pod.metadata.name,
                held.since.map_or_else(untold, |since| case.for_as_long(since)),
                claim,
                named_node(node)
            );
            let fails = (!held.message.is_empty()).then(|| text!("It cannot be detached there: {}", &*held.message));
            let text = Text::sentences([text].into_iter().chain(fails));
            let mut finding = Finding::new(condition, Gravity::Stuck, Cause::Storage, text)
                .at(pod)
                .mistaken_for(text!("Not the pod that waits: another of it waits for the same volume."))
                .evidence(&of_pod(pod), &["spec.nodeName", "status.phase"]);
            finding.evidence.extend(held.evidence.iter().cloned());
            findings.push(finding);
        }
    }
    findings
}
