//! A pod was asked to be resized in place, and its kubelet has not done it: it runs on with what it had.

use super::{Cause, Condition, Finding, Gravity};
use crate::diagnosis::case::{Case, of_pod};
use crate::objects::PodCondition;

pub(super) const CONDITION: Condition =
    Condition { name: "resize-pending", issue: "https://github.com/kubernetes/kubernetes/issues/135107", find };

/// Conditions of a pod in which its kubelet says why it has not resized it: that it has not begun, and that it fails.
const TOLD: [(&str, Option<&str>); 2] = [("PodResizePending", None), ("PodResizeInProgress", Some("Error"))];

fn find(case: &Case<'_>, condition: &'static Condition) -> Vec<Finding> {
    let mut findings = Vec::new();
    for pod in case.observed_pods.iter().copied().filter(|pod| !pod.is_terminating()) {
        let is_told = |told: &PodCondition| {
            let is_of = |(kind, reason): &(&str, Option<&str>)| {
                *told.condition_type == **kind && reason.is_none_or(|reason| *told.reason == *reason)
            };
            &*told.status == "True" && TOLD.iter().any(is_of)
        };
        let Some(at) = pod.status.conditions.iter().position(|told| is_told(told)) else { continue };
        let told = &pod.status.conditions[at];
        let text = text!(
            "{} was to be resized in place, and runs on with what it had: {} ({})",
            pod.metadata.name,
            told.message.trim(),
            told.reason
        );
        let mistaken_for = match &*told.reason {
            "Deferred" => text!("Its kubelet tries again when something else on its node goes."),
            "Error" => text!("Its kubelet tries again, and that has failed so far."),
            _ => text!("Its node can never give it that: only another pod on another node gets it."),
        };
        let finding = Finding::new(condition, Gravity::Notice, Cause::Node, text).at(pod).mistaken_for(mistaken_for);
        findings.push(finding.evidence(&of_pod(pod), &[&format!("status.conditions[{at}].reason")]));
    }
    findings
}
