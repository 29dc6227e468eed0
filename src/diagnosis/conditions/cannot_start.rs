//! A container cannot be started or ends again and again: its image, its configuration or its program.

use super::{Cause, Condition, Finding, Gravity};
use crate::diagnosis::case::{Case, of_pod};
use crate::objects::{ContainerState, ContainerStatus, Pod};
use crate::text::Text;

pub(super) const CONDITION: Condition = Condition { name: "container-fails", issue: "", find };

fn fault(status: &ContainerStatus) -> Option<Text> {
    let ContainerState::Waiting { reason } = &status.state else { return None };
    Some(match &**reason {
        "ErrImagePull" | "ImagePullBackOff" | "InvalidImageName" | "ErrImageNeverPull" | "RegistryUnavailable" => {
            text!("its image {} cannot be pulled", status.image)
        }
        "CreateContainerConfigError" => text!("a ConfigMap, a Secret or a key that it asks for is missing"),
        "CreateContainerError" | "RunContainerError" => text!("the container runtime cannot create it"),
        "CrashLoopBackOff" => text!("it ends again and again, and was restarted {} times so far", status.restart_count),
        _ => return None,
    })
}

/// The containers' statuses, init containers' first, and where each stands.
fn statuses(pod: &Pod) -> impl Iterator<Item = (String, &ContainerStatus)> {
    let of = |field: &'static str, all: &'_ [ContainerStatus]| -> Vec<String> {
        (0..all.len()).map(|at| format!("status.{field}[{at}]")).collect()
    };
    let status = &pod.status;
    let paths = of("initContainerStatuses", &status.init_container_statuses).into_iter();
    let paths = paths.chain(of("containerStatuses", &status.container_statuses));
    paths.zip(status.init_container_statuses.iter().chain(&status.container_statuses))
}

fn find(case: &Case<'_>, condition: &'static Condition) -> Vec<Finding> {
    let mut findings = Vec::new();
    for pod in case.found_pods.iter().copied().filter(|pod| !pod.is_terminating()) {
        for (path, status) in statuses(pod) {
            let Some(fault) = fault(status) else { continue };
            let ContainerState::Waiting { reason } = &status.state else { continue };
            let text = text!(
                "Container {} of {} does not run: {} ({}, not Ready for {}).",
                status.name,
                pod.metadata.name,
                fault,
                reason,
                case.ready_since(pod)
            );
            let finding = Finding::new(condition, Gravity::Stuck, Cause::AppNotReady, text)
                .at(pod)
                .but_not(text!("Not the controller: it has made the pod, and waits for its container."))
                .seen(&of_pod(pod), &[&format!("{path}.state"), &format!("{path}.restartCount")]);
            findings.push(finding);
        }
    }
    findings
}
