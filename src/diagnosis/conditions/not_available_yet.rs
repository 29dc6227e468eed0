//! A pod is Ready and not yet for minReadySeconds.

use super::{Cause, Condition, Finding, Gravity};
use crate::diagnosis::case::{Case, condition_of};
use crate::objects::{Controlled, Object};
use crate::text::span;

pub(super) const CONDITION: Condition =
    Condition { name: "not-available-yet", issue: "https://github.com/kubernetes/kubernetes/issues/112066", find };

fn find(case: &Case<'_>, condition: &'static Condition) -> Vec<Finding> {
    let is_read = !matches!(case.object, Object::StatefulSet(_)) || case.cluster().controller_gates().min_ready_seconds;
    let (seconds, path) = (
        i64::from(case.observed.min_ready_seconds()),
        case.observed.controlled().map_or("", Controlled::min_ready_seconds_path),
    );
    if !is_read || seconds <= 0 {
        return Vec::new();
    }
    let mut findings = Vec::new();
    for pod in case.observed_pods.iter().copied().filter(|pod| pod.is_ready() && !pod.is_terminating()) {
        let left = seconds * 1_000 - case.lasts(pod, "Ready");
        if left <= 0 {
            continue;
        }
        let text = text!(
            "{} is Ready and becomes available in {}: it must have been Ready for {} s.",
            pod.metadata.name,
            span(left),
            seconds
        );
        let finding = Finding::new(condition, Gravity::Waiting, Cause::AsAsked, text)
            .at(pod)
            .mistaken_for(text!("Not stuck: minReadySeconds is waited for after each pod, in rollouts and in scaling."))
            .evidence(case.observed, &[path])
            .with(condition_of(pod, "Ready"));
        findings.push(finding);
    }
    findings
}
