//! A part of the control plane does not run, in the text itself: what waits for it waits for nothing else.

use super::{Cause, Condition, Finding, Gravity};
use crate::diagnosis::case::{Case, condition_of};
use crate::objects::{CONTROLLER_MANAGER, DEFAULT_SCHEDULER, Pod, SCHEDULER};
use crate::verdict::is_down;
use std::rc::Rc;

pub(super) const CONDITION: Condition = Condition { name: "control-plane-is-down", issue: "", find };

/// Whether a pod has no node and the scheduler of the control plane has not said why.
fn is_not_looked_at(pod: &&Rc<Pod>) -> bool {
    let is_asked = pod.spec.scheduler() == DEFAULT_SCHEDULER;
    is_asked
        && pod.spec.node_name.is_empty()
        && pod.condition("PodScheduled").is_none_or(|told| told.message.is_empty())
}

fn find(case: &Case<'_>, condition: &'static Condition) -> Vec<Finding> {
    let cluster = case.observed_run.cluster();
    // OpenKruise's workloads have a controller manager of their own.
    let is_unseen = !case.observed.kind().is_custom_resource()
        && case.observed.observed_generation().is_some_and(|seen| seen < case.observed.metadata().generation);
    let controllers = is_down(cluster, CONTROLLER_MANAGER).filter(|_| is_unseen).map(|pod| {
        let name = &pod.metadata.name;
        (
            pod,
            text!(
                "{} is not Ready: nobody acts on the change of {} before it runs again.",
                name,
                case.observed.metadata().name
            ),
        )
    });
    let waiting = case.observed_pods.iter().copied().find(is_not_looked_at);
    let scheduler = is_down(cluster, SCHEDULER).zip(waiting).map(|(pod, waiting)| {
        let name = &pod.metadata.name;
        (pod, text!("{} is not Ready: nobody gives {} a node before it runs again.", name, waiting.metadata.name))
    });
    let finding = |(pod, text)| {
        Finding::new(condition, Gravity::Stuck, Cause::Node, text)
            .mistaken_for(text!("Not the workload: look at the pod of the control plane first."))
            .with(condition_of(pod, "Ready"))
    };
    controllers.into_iter().chain(scheduler).map(finding).collect()
}
